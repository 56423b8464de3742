"""What tests of the todos do again and again."""

import json

KEY = "todos-sharing"


def add(page, *titles):
    for title in titles:
        page.type(".new-todo", title)
        page.press("Enter")


def row(number, inside=""):
    """The selector of a row, from 1 on, or of something in it."""
    return f".todo-list li:nth-of-type({number}) {inside}".strip()


def expect_todos(page, *titles, completed=()):
    """Waits until just these rows are there, and those of the numbers are completed."""
    page.expect_texts(".todo-list li label", list(titles))
    states = [number in completed for number in range(1, len(titles) + 1)]
    of_each = "[...document.querySelectorAll('.todo-list li')].map((row) => %s)"
    page.expect(of_each % "row.classList.contains('completed')", states)
    page.expect(of_each % "row.querySelector('.toggle').checked", states)


def stored_todos(page):
    """What is stored: (id, title, completed) of each."""
    todos = json.loads(page.stored(KEY) or "[]")
    return [(todo["id"], todo["title"], todo["completed"]) for todo in todos]


def begin_editing(page, number):
    page.double_click(row(number, "label"))
    page.expect("document.activeElement.className", "edit")


def retype(page, number, title):
    """Types another title in the row that is being edited."""
    # Not all of it is selected by a script where the tab is not the one in front.
    page.value("document.querySelector(args[0]).value = ''", row(number, ".edit"))
    page.type(row(number, ".edit"), title)


def edit(page, number, title, key="Enter"):
    begin_editing(page, number)
    retype(page, number, title)
    page.press(key)
