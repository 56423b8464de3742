"""Accessibility of the page: axe's rules in several states, the keyboard, names and roles."""

import importlib.resources
import re

import pytest
from conftest import DAMAGED, await_start, expect_notice
from inspector import damage
from todos import add, begin_editing, expect_todos, row

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()

# The violated rules, and the elements.
VIOLATIONS = """axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`))"""


@pytest.fixture
def checked_tab(open_tab, website):
    """Returns a function that opens the page with axe in it."""
    website.begin_with(AXE)
    return open_tab


def expect_no_violations(page):
    assert page.value(VIOLATIONS) == [], page.engine


def fill_list(page):
    await_start(page)
    add(page, "Buy milk", "Eat", "Sleep")
    page.click(row(1, ".toggle"))
    expect_todos(page, "Buy milk", "Eat", "Sleep", completed=[1])


def test_axe_finds_nothing_while_the_program_loads(checked_tab, website):
    held = website.hold("demo.wasm")
    page = checked_tab()
    page.expect_text("[data-text=program-error]", re.compile("^Starting…"))
    expect_no_violations(page)
    held.set()
    await_start(page)


def test_axe_finds_nothing_in_an_empty_page(checked_tab):
    page = checked_tab()
    await_start(page)
    expect_no_violations(page)


def test_axe_finds_nothing_in_a_list(checked_tab):
    page = checked_tab()
    fill_list(page)
    page.hover(row(2))
    expect_no_violations(page)
    begin_editing(page, 2)
    expect_no_violations(page)
    page.press("Escape")
    page.click(".filters a[href='#/completed']")
    expect_todos(page, "Buy milk", completed=[1])
    expect_no_violations(page)


def test_axe_finds_nothing_where_something_is_wrong(checked_tab):
    page = checked_tab()
    fill_list(page)
    damage(page, "todos-sharing")
    damage(page, "count")
    expect_notice(page, DAMAGED)
    expect_no_violations(page)


def test_everything_is_reached_by_keyboard_in_its_order(tab):
    page = tab()
    add(page, "Buy milk", "Eat")
    page.click(row(1, ".toggle"))
    page.focus(".new-todo")
    reached = []
    for _ in range(12):
        page.press("Tab")
        reached.append(page.value("document.activeElement.className || document.activeElement.id"))
    # In WebKit, Tab reaches links only if the user has enabled that.
    names = [name for name in reached if name not in ("", "selected")]
    wanted = ["toggle-all", "toggle", "destroy", "toggle", "destroy", "clear-completed"]
    assert names[:6] == wanted
    assert names[6:9] == ["decrement", "increment", "reset"]


def test_what_has_the_keyboard_is_seen(tab):
    page = tab()
    add(page, "Buy milk")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    for _ in range(6):
        page.press("Tab")
        if page.value("document.activeElement !== document.body"):
            assert page.value(outline) != "none", page.value("document.activeElement.outerHTML")


def test_names_and_roles_are_there(tab):
    page = tab()
    add(page, "Buy milk")
    label = "document.querySelector(args[0]).ariaLabel"
    assert page.value(label, row(1, ".toggle")) == "Buy milk"
    assert page.value(label, row(1, ".destroy")) == "Delete"
    assert page.value(label, ".new-todo") == "New todo"
    assert page.value("document.querySelector('#count').ariaLive") == "polite"
    assert page.value("document.querySelector('.todo-count').role") == "status"
