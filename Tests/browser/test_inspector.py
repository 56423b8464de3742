"""The panel of stored values: its facts, and each fault that a visitor can cause there."""

import json
import re

import pytest
from conftest import await_start, expect_count, expect_notice
from todos import add, expect_todos, row

PANELS = ["todos-sharing", "count", "# in the address"]


def panel(name, inside=""):
    """Returns the selector of a key's panel, or of an element in it."""
    return f".keys li:nth-of-type({PANELS.index(name) + 1}) {inside}".strip()


def expect_fact(page, name, fact, wanted):
    """Waits until a panel shows a fact of a key, such as its size."""
    page.expect(
        """[...document.querySelectorAll(args[0])].find((one) =>
             one.querySelector("dt").textContent === args[1])?.querySelector("dd")
             .textContent.trim()""",
        wanted,
        panel(name, "dl div"),
        fact,
    )


def expect_writer(page, name, writer):
    page.expect(
        "document.querySelector(args[0]).textContent", writer, panel(name, "dd span")
    )


def test_each_key_has_a_panel(tab):
    page = tab()
    page.expect_texts(".keys h3", PANELS)
    for name in PANELS:
        expect_fact(page, name, "Size", "0 bytes")
        expect_fact(page, name, "Last write", "never")
        expect_fact(page, name, "Loading", "no")
        expect_fact(page, name, "Load error", "")
        expect_fact(page, name, "Save error", "")


def test_it_tells_what_was_stored_when_and_by_whom(tab):
    one, other = tab(), tab()
    one.click("#increment")
    for page, writer in [(one, "this tab"), (other, "another tab")]:
        page.expect_text(panel("count", "pre"), "1")
        expect_fact(page, "count", "Size", "1 byte")
        expect_writer(page, "count", writer)
        assert re.search(r"\d+[:.]\d\d", page.text(panel("count", "time")))
    add(one, "milk")
    text = one.stored("todos-sharing")
    other.expect_text(panel("todos-sharing", "pre"), text)
    expect_fact(other, "todos-sharing", "Size", f"{len(text)} bytes")
    other.reload()
    await_start(other)
    expect_writer(other, "count", "before this visit")
    assert other.text(panel("count", "time")) == ""


def test_it_tells_of_the_address(tab):
    page = tab()
    page.value("location.hash = '#/active'")
    page.expect_text(panel("# in the address", "pre"), "/active")
    page.click(panel("# in the address", ".clear"))
    page.expect("location.hash", "")
    page.expect_text(".filters .selected", "All")


@pytest.mark.first
def test_a_damaged_key_is_said_and_what_was_stored_is_set_aside(tab):
    page, other = tab(), tab()
    page.click("#increment")
    page.click(panel("count", ".damage"))
    for each in (page, other):
        expect_fact(each, "count", "Load error", re.compile('kept under "count.corrupt"'))
        expect_notice(each, re.compile("damaged"))
    assert (page.stored(), page.stored("count.corrupt")) == ("1{", "1{")
    page.click("#increment")
    expect_notice(page, None)
    expect_fact(page, "count", "Load error", "")
    assert page.stored() == "2"
    assert page.stored("count.corrupt") == "1{"


def test_damaged_todos_are_back_after_an_import(tab):
    page = tab()
    add(page, "milk", "tea")
    page.click(row(1, ".toggle"))
    page.click("#export")
    page.click(panel("todos-sharing", ".damage"))
    expect_notice(page, re.compile("todos-sharing.*damaged"))
    page.reload()
    await_start(page)
    expect_todos(page)
    document = {"todos-sharing": json.loads(page.stored("todos-sharing.corrupt")[:-1])}
    document["todos-sharing"] = json.dumps(document["todos-sharing"])
    page.value("document.querySelector('#document').value = args[0]", json.dumps(document))
    page.click("#import")
    page.expect_text(".answer", "Imported.")
    expect_todos(page, "milk", "tea", completed=[1])
    expect_notice(page, None)


@pytest.mark.first
def test_an_exported_document_brings_everything_back(tab):
    page, other = tab(), tab()
    add(page, "milk", 'tea "green"')
    page.click("#increment")
    page.click("#export")
    page.expect_text(".answer", "Exported.")
    document = json.loads(page.value("document.querySelector('#document').value"))
    assert set(document) == {"todos-sharing", "count"}
    assert document["count"] == "1"
    page.click("#clear-all")
    for each in (page, other):
        expect_todos(each)
        expect_count(each, 0)
    assert page.value("localStorage.length") == 0
    page.click("#import")
    for each in (page, other):
        expect_todos(each, "milk", 'tea "green"')
        expect_count(each, 1)


def test_a_document_that_is_none_is_refused_and_nothing_is_changed(tab):
    page = tab()
    page.click("#increment")
    for text in ["", "nonsense", '{"count": 5}', '{"count": "7"', '["count"]']:
        page.value("document.querySelector('#document').value = args[0]", text)
        page.click("#import")
        page.expect_text(".answer", re.compile("at byte"))
        assert page.stored() == "1"
        page.click("#export")
        page.expect_text(".answer", "Exported.")
    expect_count(page, 1)


def test_a_full_storage_is_said_and_the_change_is_saved_once_there_is_room(tab):
    page = tab()
    page.click("#increment")
    page.click("#fill")
    page.expect_text(".answer", re.compile("full"))
    long = "a todo that is far too long for what is left " * 4
    page.value("document.querySelector('.new-todo').value = args[0]", long)
    page.focus(".new-todo")
    page.press("Enter")
    expect_todos(page, long.strip())
    expect_fact(page, "todos-sharing", "Save error", re.compile("no room"))
    expect_notice(page, re.compile("no room"))
    assert page.stored("todos-sharing") is None
    page.click("#free")
    page.expect_text(".answer", "There is room again.")
    page.click(row(1, ".toggle"))
    expect_todos(page, long.strip(), completed=[1])
    expect_notice(page, None)
    expect_fact(page, "todos-sharing", "Save error", "")
    assert long.strip() in page.stored("todos-sharing")


def test_a_cleared_key_goes_back_to_nothing_in_both_tabs(tab):
    page, other = tab(), tab()
    add(page, "milk")
    page.click("#increment")
    expect_todos(other, "milk")
    page.click(panel("todos-sharing", ".clear"))
    for each in (page, other):
        expect_todos(each)
        expect_count(each, 1)
    assert page.stored("todos-sharing") is None


COPIES = ["count.corrupt", "count.corrupt.2", "count.corrupt.10", "todos-sharing.replaced"]


def put_copies(page):
    """Stores copies like the program, and items of another program."""
    for key in [*COPIES, "counter", "count.other"]:
        page.value("localStorage.setItem(args[0], '{')", key)


def keys(page):
    return set(page.value("Object.keys(localStorage)"))


def test_copies_of_what_was_damaged_are_in_everything_and_go_by_a_button(tab):
    page = tab()
    page.click("#increment")
    put_copies(page)
    page.click("#export")
    page.expect_text(".answer", "Exported.")
    document = json.loads(page.value("document.querySelector('#document').value"))
    assert set(document) == {"count", *COPIES}
    page.click("#clear-copies")
    page.expect_text(".answer", "No copy is left.")
    assert keys(page) == {"count", "counter", "count.other"}
    expect_count(page, 1)


def test_when_everything_is_cleared_no_copy_is_left_and_what_is_anothers_stays(tab):
    page = tab()
    page.click("#increment")
    put_copies(page)
    page.click("#fill")
    page.click("#clear-all")
    page.expect_text(".answer", "Nothing is stored any more.")
    assert keys(page) == {"counter", "count.other"}
    expect_count(page, 0)


def test_damage_for_which_there_is_no_room_is_not_said_to_be_set_aside(tab):
    page = tab()
    page.click("#increment")
    page.value("localStorage.setItem('count', '1'.padStart(9999))")
    page.click("#fill")
    page.expect_text(".answer", re.compile("full"))
    page.value("localStorage.setItem('filler', localStorage.getItem('filler').slice(100))")
    page.click(panel("count", ".damage"))
    expect_fact(page, "count", "Load error", re.compile("could not be copied and is not overwritten"))
    assert "aside" not in page.text(".answer")
    assert page.stored("count.corrupt") is None


def test_damage_for_which_there_is_no_place_is_kept_until_copies_are_removed(tab):
    page = tab()
    for number in range(1, 11):
        key = "count.corrupt" + (f".{number}" if number > 1 else "")
        page.value("localStorage.setItem(args[0], args[1])", key, f"{number}!")
    page.click(panel("count", ".damage"))
    expect_fact(page, "count", "Load error", re.compile("10 copies"))
    page.click("#increment")
    expect_notice(page, re.compile("10 copies"))
    assert page.stored() == "{"
    page.click("#clear-copies")
    page.click("#increment")
    expect_notice(page, None)
    assert (page.stored(), page.stored("count.corrupt")) == ("2", "{")
