"""The expected contents of a tab of the page."""

from walk.texts import DEFAULTS

NAMES = {"#/": ["All"], "#/active": ["Active"], "#/completed": ["Completed"]}


def shown(tab):
    """Returns the expected values by name. A missing name stands for any value."""
    todos, edit = tab.todos, tab.edit
    left = sum(not todo.completed for todo in todos)
    wanted = {
        "notice": any(map(tab.is_damage_told, DEFAULTS)),
        "rows": [[todo.title, todo.completed, todo.completed] for todo in tab.rows],
        "editing": [edit.text] if edit else [],
        "isTyping": bool(edit),
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
    if todos:
        wanted["left"] = f"{left} item{'' if left == 1 else 's'} left"
        wanted["hasClear"] = left < len(todos)
        wanted["areAllCompleted"] = left == 0
    return wanted


def shown_differences(wanted, found):
    for name, value in wanted.items():
        if value != found[name]:
            yield name, value, found[name]
