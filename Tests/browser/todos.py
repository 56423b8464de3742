"""Helpers for tests of the todos."""

import json
import re

KEY = "todos-sharing"
ULID = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")


def add(page, *titles):
    for title in titles:
        page.type(".new-todo", title)
        page.press("Enter")


def row(number, inside=""):
    """Returns the selector of a row, from 1 on, or of an element in it."""
    return f".todo-list li:nth-of-type({number}) {inside}".strip()


def expect_todos(page, *titles, completed=()):
    """Waits until exactly these rows are shown, and the rows with these numbers are completed."""
    page.expect_texts(".todo-list li label", list(titles))
    states = [number in completed for number in range(1, len(titles) + 1)]
    of_each = "[...document.querySelectorAll('.todo-list li')].map((row) => %s)"
    page.expect(of_each % "row.classList.contains('completed')", states)
    page.expect(of_each % "row.querySelector('.toggle').checked", states)


def stored_todos(page):
    """Returns the stored (title, completed) of each todo."""
    return [(todo["title"], todo["completed"]) for todo in stored(page)]


def stored_ids(page):
    """Returns the stored ids, which must be distinct ULIDs."""
    ids = [todo["id"] for todo in stored(page)]
    assert len(set(ids)) == len(ids) and all(map(ULID.fullmatch, ids)), ids
    return ids


def ulid(number):
    """Returns an id of another program."""
    return f"{number:026}"


def stored(page):
    return json.loads(page.stored(KEY) or "[]")


def store(page, *todos):
    """Stores todos like another program; the browser sends events to all other tabs."""
    page.value("localStorage.setItem(args[0], args[1])", KEY, json.dumps(todos))


def begin_editing(page, number):
    page.double_click(row(number, "label"))
    page.expect("document.activeElement.className", "edit")


def retype(page, number, title):
    """Types another title in the row that is being edited."""
    # In a background tab, a script does not select the whole text.
    page.value("document.querySelector(args[0]).value = ''", row(number, ".edit"))
    page.type(row(number, ".edit"), title)


def edit(page, number, title, key="Enter"):
    begin_editing(page, number)
    retype(page, number, title)
    page.press(key)
