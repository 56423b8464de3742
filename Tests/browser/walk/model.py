"""The state and the contents of one tab of the page: the contract of the demo, action by action.

A change applies to the newest stored value (R13). Otherwise a tab shows the values whose events it
has received.
"""

import dataclasses

from walk.store import Id, Item, Todo
from walk.texts import DEFAULTS, SPACE, sent, typed

TODOS = "todos-sharing"
ROUTES = ["#/", "#/active", "#/completed"]


@dataclasses.dataclass
class Edit:
    """A row that the user is editing."""

    id: Id
    title: str
    text: str


class TabModel:
    def __init__(self, store):
        self.store = store
        self.history, self.at = [""], 0
        self.is_away = False
        self.begin()

    def begin(self):
        """Loads the page: the typed text is lost, and all items are read."""
        self.edit = None
        self.draft = ""
        self.is_held = False
        self.missed = set()  # keys whose events are held back
        self.unheard = set()  # keys that have changed without an event
        self.told = set()  # keys reported as corrupt although they are valid again
        self.known = {}  # the items that were read last
        self.values = dict(DEFAULTS)
        for key in DEFAULTS:
            self.hear(key)

    def hear(self, key):
        """Reads an item. A corrupt one is quarantined, and the shown value stays (R15)."""
        item = self.known[key] = self.store.items[key]
        self.unheard.discard(key)
        self.missed.discard(key)
        if item.value is None:
            self.store.kept.append(item)
        else:
            self.values[key] = item.value
            self.told.discard(key)

    def release(self):
        """Delivers the held events."""
        self.is_held = False
        for key in list(self.missed):
            self.hear(key)

    def is_damage_told(self, key):
        return self.known[key].value is None or key in self.told

    def change(self, key, mutation):
        """Applies a change to the stored value, and writes if the value differs."""
        before = self.known[key]
        self.hear(key)
        is_damage_new = self.known[key].value is None and self.known[key] is not before
        value, item = mutation(self.values[key]), self.known[key]
        if value == item.value or (item.value is None and value == self.values[key] == []):
            if item.is_exact and item.value is not None:  # its text may change
                item.is_exact = False
                self.store.writes.append((key, self))
        else:
            self.store.put(key, Item(key, value, None, is_exact=False), self)
            self.known[key], self.values[key] = self.store.items[key], value
            # An error found before a change is not cleared by saving the change.
            (self.told.add if is_damage_new else self.told.discard)(key)

    # MARK: Rows

    @property
    def todos(self):
        return self.values[TODOS]

    @property
    def route(self):
        return self.history[self.at] if self.history[self.at] in ROUTES else "#/"

    @property
    def rows(self):
        """Returns the shown todos, except the one that the user is editing."""
        states = {"#/": (False, True), "#/active": (False,), "#/completed": (True,)}[self.route]
        edited = self.edit and self.edit.id
        return [todo for todo in self.todos if todo.completed in states and todo.id is not edited]

    def row(self, number):
        return self.rows[number % len(self.rows)] if self.rows else None

    # MARK: User actions. An action elsewhere ends editing a row

    def add(self, title):
        self.leave()
        title = typed(title)
        self.draft = title
        title = sent(title).replace("\0", "\ufffd").strip(SPACE)  # of a form
        if title:
            self.draft = ""
            self.change(TODOS, lambda todos: [*todos, Todo(Id(), title, False)])

    def toggle(self, number):
        self.leave()
        if row := self.row(number):
            self.change(TODOS, lambda todos: [
                todo._replace(completed=not todo.completed) if todo.id is row.id else todo
                for todo in todos
            ])  # fmt: skip

    def remove(self, number):
        self.leave()
        if row := self.row(number):
            self.change(TODOS, lambda todos: [todo for todo in todos if todo.id is not row.id])

    def begin_edit(self, number):
        self.leave()
        if row := self.row(number):
            self.edit = Edit(row.id, row.title, typed(row.title))

    def type(self, text):
        if self.edit:
            self.edit.text = typed(text)

    def escape(self):
        self.edit = None

    def enter(self):
        """Saves the typed text if it is new; as a new todo if the edited one is gone."""
        edit, self.edit = self.edit, None
        title = sent(edit.text).strip(SPACE) if edit else ""
        if not edit or edit.text == typed(edit.title):
            return

        def rename(todos):
            if all(todo.id is not edit.id for todo in todos):
                return [*todos, Todo(Id(), title, False)] if title else todos
            renamed = [todo._replace(title=title) if todo.id is edit.id else todo for todo in todos]
            return renamed if title else [todo for todo in todos if todo.id is not edit.id]

        self.change(TODOS, rename)

    def leave(self):
        self.enter()

    def click(self, selector):
        self.leave()
        match selector:
            case ".toggle-all" if self.todos:
                is_any_left = any(not todo.completed for todo in self.todos)  # as shown to a person
                self.change(TODOS, lambda todos: [
                    todo._replace(completed=is_any_left) for todo in todos
                ])  # fmt: skip
            case ".clear-completed" if any(todo.completed for todo in self.todos):
                self.change(TODOS, lambda todos: [todo for todo in todos if not todo.completed])
            case "#increment" | "#decrement":
                self.change("count", lambda count: count + (1 if selector == "#increment" else -1))
            case "#reset":
                self.change("count", lambda count: 0)

    def filter(self, number):
        self.leave()
        if self.todos or self.edit:
            self.go(ROUTES[number])

    def go(self, address):
        if self.history[self.at] != address:
            self.history[self.at + 1 :] = [address]
            self.at += 1

    # MARK: Actions of the inspector: like another program, but this tab gets the event

    def inspect(self, key, action):
        self.leave()
        item = self.store.items[key]
        if action == "clear":
            self.put_heard(key, None)
        elif item.text is None and not item.is_exact:  # the program has just written it
            self.store.put(key, Item(key, None, None, is_exact=False), self)
            self.hear(key)
        else:
            self.put_heard(key, (item.text or "") + "{")

    def put_heard(self, key, text):
        self.put(key, text)
        self.hear(key)

    def put(self, key, text):
        """A script of this page stores a value: other tabs get an event, this one does not."""
        item = self.store.items[key]
        if not item.is_exact or item.text != text:
            self.store.put(key, self.store.item(key, text), self)
            self.unheard.add(key)
