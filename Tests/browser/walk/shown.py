"""The expected contents of a tab of the page."""

import json

from walk.model import TODOS
from walk.texts import DEFAULTS

NAMES = {"#/": ["All"], "#/active": ["Active"], "#/completed": ["Completed"]}


def shown(tab, stored):
    """Returns the expected values by name. A missing name stands for any value."""
    todos, edit = tab.todos, tab.edit
    left = sum(not todo.completed for todo in todos)
    wanted = {
        "notice": any(map(tab.is_damage_told, DEFAULTS)),
        "rows": [[todo.title, todo.completed, todo.completed] for todo in tab.rows],
        "editing": [edit.text] if edit else [],
        "isTyping": bool(edit and edit.has_focus),
        "badge": f"{left} to do" if left else "All done",
        "progress": f"{len(todos) - left} of {len(todos)} done" if todos else "",
        "hasList": bool(todos or edit),
        "hasFooter": bool(todos or edit),
        "filter": NAMES[tab.route],
        "current": NAMES[tab.route],
        "hash": tab.history[tab.at],
        "count": str(tab.values["count"]),
    }
    if tab.draft is not None:
        wanted["draft"] = tab.draft
    if tab.has_exported:
        wanted["document"] = stored
    if todos:
        wanted["left"] = f"{left} item{'' if left == 1 else 's'} left"
        wanted["hasClear"] = left < len(todos)
        wanted["areAllCompleted"] = left == 0
    for number, key in enumerate(DEFAULTS):
        if key not in tab.unheard:
            wanted[f"panel of {key}"] = panel(stored.get(key) or "", tab.is_damage_told(key))
    return wanted


def panel(text, is_damaged):
    size = len(text.encode("utf-8", "surrogatepass"))
    return [text if size <= 300 else None, f"{size} byte{'' if size == 1 else 's'}", is_damaged, ""]


def shown_differences(wanted, found):
    found = dict(found, **{f"panel of {key}": each for key, each in zip(DEFAULTS, found["panels"])})
    if "document" in wanted:
        found["document"] = json.loads(found["document"])
    for name, value in wanted.items():
        if name.startswith("panel") and value[0] is None:
            value[0] = found[name][0]
        if value != found[name]:
            yield name, value, found[name]
