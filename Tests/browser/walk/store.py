"""The stored values in the walk's model."""

import dataclasses
import typing

from walk.texts import DEFAULTS, decoded


class Id:
    """The identity of a todo. The program chooses its text, which is unknown until it is
    stored."""

    def __init__(self, text=None):
        self.text = text

    def __repr__(self):
        return f"#{self.text}"


class Todo(typing.NamedTuple):
    id: Id
    title: str
    completed: bool


@dataclasses.dataclass(eq=False)
class Item:
    """The stored value of a key."""

    key: str
    value: object  # None if it is corrupt
    text: str | None  # the exact text; None if nothing is stored, or if the program wrote it
    is_exact: bool  # whether this exact text must be stored, and no other one of this value
    open: set = dataclasses.field(default_factory=set)  # ids of todos whose completion is unknown


class Store:
    """The items that tabs share, and the copies of corrupt ones that must or may exist."""

    def __init__(self):
        self.ids = {}
        self.items = {key: self.item(key, None) for key in DEFAULTS}
        self.kept, self.maybe_kept = [], []
        self.writes = []  # (key, writer) since the last events

    def item(self, key, text):
        """Returns the item for a text that another program stores."""
        value = decoded(key, text)
        if key == "count" or value is None:
            return Item(key, value, text, is_exact=True)
        todos = [Todo(self.ids.setdefault(id, Id(id)), *rest) for id, *rest in value]
        return Item(key, todos, text, is_exact=True)

    def put(self, key, item, writer):
        if item.value is None:
            self.maybe_kept.append(item)
        self.items[key] = item
        self.writes.append((key, writer))

    def differences(self, stored):
        """Returns differences between the stored values and the model. Records the program's
        choices."""
        for key, item in self.items.items():
            if (found := self._difference(key, item, stored.get(key))) is not None:
                yield (key, *found)
        for key in DEFAULTS:
            copies = {text for name, text in stored.items() if name.startswith(f"{key}.")}
            kept = {item.text for item in self.kept if item.key == key}
            maybe = kept | {item.text for item in self.maybe_kept if item.key == key}
            if not kept <= copies <= maybe:
                yield f"copies of {key}", sorted(kept), sorted(copies)

    def _difference(self, key, item, text):
        if item.is_exact:
            return None if item.text == text else (item.text, text)
        item.text = text  # the program chooses the format of a value
        value = decoded(key, text)
        if item.value is None or value is None or key == "count":
            return None if item.value == value else (item.value, text)
        self._learn(item, value)
        wanted = [(todo.id.text, todo.title, todo.completed) for todo in item.value]
        return None if wanted == value else (wanted, value)

    def _learn(self, item, stored):
        """Records the ids of new todos, which must be unique, and other values that the model
        leaves open."""
        taken = {todo.id.text for todo in item.value}
        for index, (todo, (id, _, completed)) in enumerate(zip(item.value, stored)):
            if todo.id.text is None and id not in taken:
                todo.id.text = id
                self.ids[id] = todo.id
            if todo.id in item.open:
                item.value[index] = todo._replace(completed=completed)
        item.open = set()
