"""The inspector: its list of keys, its actions, and the page around it."""

import re
import time

import pytest
import todos
from conftest import DAMAGED, NOT_STORED, await_start, expect_count, expect_notice
from inspector import (
    ROOT,
    ROWS,
    act,
    click,
    click_behind,
    expect_answer,
    expect_keys,
    expect_open,
    expect_row,
    open_inspector,
    row,
    with_inspector,
)
from test_accessibility import AXE, expect_no_violations
from test_connect import loaded  # noqa: F401
from test_keys import keys, send  # noqa: F401
from test_tally_faults import STALLED, UNAVAILABLE, expect_stored
from todos import add, expect_todos
from website import WEB

TODOS, COUNT, ADDRESS = "localStorage todos-sharing", "localStorage count", "address the text behind #"
TALLY = "indexedDB tally"
LOADED = "performance.getEntriesByType('resource').filter(({ name }) => name.includes(args[0])).length"


@pytest.mark.first
def test_nothing_of_it_is_loaded_before_its_key(tab):
    page = tab()
    page.click("#increment")
    assert page.value(LOADED, "sharing.js") == 1
    assert page.value(LOADED, "inspector") == 0
    open_inspector(page)
    assert page.value(LOADED, "inspector.js") == 1


@pytest.mark.first
def test_it_lists_each_key_with_store_value_and_status(tab):
    page = tab()
    open_inspector(page)
    expect_keys(page, TODOS, COUNT, ADDRESS, TALLY)
    expect_row(page, COUNT, value="", status="not stored", size="nothing is stored", writer="never")
    click_behind(page, "#increment")
    expect_row(page, COUNT, value="1", status="stored", size="1 byte", problem="", revision="")
    click_behind(page, "#tally-add")
    expect_row(page, TALLY, value="1", status="stored", revision=re.compile("^[1-9]"))
    add(page, "milk")
    expect_row(page, TODOS, value=page.stored(todos.KEY), status="stored")
    page.value("location.hash = '#/active'")
    expect_row(page, ADDRESS, value="/active", status="stored")


@pytest.mark.first
def test_it_says_who_wrote_last_also_before_it_was_opened(tab):
    one, other = tab(), tab()
    one.click("#increment")
    one.click("#tally-add")
    other.expect_text("#tally", "1")
    expect_count(other, 1)
    open_inspector(one)
    open_inspector(other)
    for page, key, writer in [
        (one, TALLY, "this program"),
        (one, COUNT, "this program"),
        (other, TALLY, "another program"),
        (other, COUNT, "another tab"),
    ]:
        expect_row(page, key, writer=re.compile(rf"^{writer}, .*\d+[:.]\d\d"))
    other.reload()
    await_start(other)
    open_inspector(other)
    expect_row(other, COUNT, writer="before this page")
    expect_row(other, TALLY, writer="before this page")


def test_it_follows_a_change_of_another_tab(tab):
    one, other = tab(), tab()
    open_inspector(one)
    other.click("#increment")
    expect_row(one, COUNT, value="1", writer=re.compile("^another tab"))
    other.value("localStorage.removeItem('count')")
    expect_row(one, COUNT, value="", status="not stored")
    other.click("#tally-add")
    expect_row(one, TALLY, value="1", writer=re.compile("^another program"))


def test_a_script_that_tells_nobody_is_seen_too(tab):
    page = tab()
    open_inspector(page)
    page.value("localStorage.setItem('count', '5')")
    expect_row(page, COUNT, value="5")


@pytest.mark.first
def test_a_damaged_key_is_said_and_its_text_is_copied(tab):
    page, other = tab(), tab()
    page.click("#increment")
    for each in (page, other):
        open_inspector(each)
    act(page, COUNT, "damage")
    for each in (page, other):
        expect_row(each, COUNT, status="damaged", problem=re.compile('kept under "count.corrupt"'))
        expect_row(each, "localStorage count.corrupt", value="1{", status="copy")
        expect_notice(each, re.compile("damaged"))
    expect_row(page, COUNT, writer=re.compile("^the inspector"))
    assert (page.stored(), page.stored("count.corrupt")) == ("1{", "1{")
    click_behind(page, "#increment")
    expect_notice(page, None)
    expect_row(page, COUNT, status="stored", value="2", problem="")
    act(page, "localStorage count.corrupt", "clear")
    expect_keys(page, TODOS, COUNT, ADDRESS, TALLY)
    assert page.stored("count.corrupt") is None


def test_replaced_values_are_listed_with_their_times_and_cleared_one_by_one(tab):
    page = tab()
    page.value("localStorage.setItem('count', '{}')")  # as another release
    page.reload()
    await_start(page)
    for stored in (41, 51):
        page.click("#increment")
        expect_notice(page, NOT_STORED)
        page.value("localStorage.setItem('count', args[0])", str(stored))
        page.click("#increment")
        expect_count(page, stored + 1)
        if stored == 41:
            page.value("localStorage.setItem('count', '{}')")
            page.reload()
            await_start(page)
            page.click("#increment")
    open_inspector(page)
    first, second = "localStorage count.replaced 1", "localStorage count.replaced 2"
    expect_row(page, first, value="1", status="copy", writer=re.compile("^replaced, .*[0-9]:"))
    expect_row(page, second, value="2", status="copy", writer=re.compile("^replaced, .*[0-9]:"))
    act(page, first, "clear")
    expect_answer(page, "count.replaced 1 is removed.")
    expect_keys(page, TODOS, COUNT, second, ADDRESS, TALLY)
    expect_row(page, second, value="2")
    act(page, second, "clear")
    expect_keys(page, TODOS, COUNT, ADDRESS, TALLY)
    assert page.stored("count.replaced") == "[]"


@pytest.mark.first
def test_clear_removes_exactly_one_key_in_all_tabs(tab):
    page, other = tab(), tab()
    add(page, "milk")
    page.click("#increment")
    page.click("#tally-add")
    expect_todos(other, "milk")
    expect_stored(page, "1")
    open_inspector(page)
    act(page, TODOS, "clear")
    expect_answer(page, "todos-sharing is removed.")
    for each in (page, other):
        expect_todos(each)
        expect_count(each, 1)
        each.expect_text("#tally", "1")
    assert page.stored(todos.KEY) is None
    act(page, TALLY, "clear")
    for each in (page, other):
        each.expect_text("#tally", "0")
        expect_count(each, 1)
    expect_row(page, TALLY, value="", status="not stored", writer=re.compile("^another program"))


def test_a_damaged_record_is_said_in_both_tabs(tab):
    page, other = tab(), tab()
    page.click("#tally-add")
    other.expect_text("#tally", "1")
    open_inspector(page)
    act(page, TALLY, "damage")
    expect_row(page, TALLY, value="1{", status="error", problem=re.compile("damaged"))
    for each in (page, other):
        expect_notice(each, DAMAGED)
    click_behind(page, "#tally-add")
    expect_row(page, TALLY, value=re.compile("^[0-9]$"), status="stored", problem="")
    expect_row(page, "indexedDB tally.corrupt", value="1{", status="copy")


def test_the_address_can_be_cleared(tab):
    page = tab()
    add(page, "milk")
    page.click(".filters a[href='#/completed']")
    expect_todos(page)
    open_inspector(page)
    act(page, ADDRESS, "clear")
    expect_todos(page, "milk")
    page.expect("location.hash", "")


def test_a_full_storage_is_said_and_the_change_is_saved_once_there_is_room(tab):
    page = tab()
    page.click("#increment")
    open_inspector(page)
    click(page, "fill")
    expect_answer(page, "localStorage is full.")
    long = "a todo that is far too long for what is left " * 4
    page.value("document.querySelector('.new-todo').value = args[0]", long)
    page.focus(".new-todo")
    page.press("Enter")
    expect_todos(page, long.strip())
    expect_row(page, TODOS, status="not saved", problem=re.compile("quota"), value="")
    expect_notice(page, re.compile("no room"))
    click(page, "free")
    expect_answer(page, "There is room again.")
    click_behind(page, todos.row(1, ".toggle"))
    expect_row(page, TODOS, status="stored", problem="", value=re.compile(long.strip()))
    expect_notice(page, None)


def test_damage_that_cannot_be_copied_is_said(tab):
    page = tab()
    page.click("#increment")
    page.value("localStorage.setItem('count', '1'.padStart(9999))")
    open_inspector(page)
    click(page, "fill")
    expect_answer(page, "localStorage is full.")
    page.value("localStorage.setItem('sharing.filler', localStorage['sharing.filler'].slice(100))")
    act(page, COUNT, "damage")
    expect_row(page, COUNT, problem=re.compile("could not be copied, so it is not overwritten"))
    assert page.stored("count.corrupt") is None


def expect_journals(page, last_step):
    """Waits until one journal is listed, whose last step has these texts."""
    journals = f"Object.entries({ROWS}).filter(([name]) => name.includes('.journal.'))"
    steps = f"{journals}.map(([, {{ value }}]) => JSON.parse(value).steps.at(-1))"
    page.expect(f"{steps}.map(({{ before, after }}) => ({{ before, after }}))", [last_step])


@pytest.mark.rule("R26")
def test_changes_that_a_slow_database_has_not_answered_are_pending(tab, website):
    website.begin_with(STALLED["transaction"] + "window.isStalled = false")
    page = tab()
    page.click("#tally-add")
    expect_stored(page, "1")
    page.value("void (window.isStalled = true)")
    open_inspector(page)
    for count in [1, 2, 3]:
        click_behind(page, "#tally-add")
        expect_row(page, TALLY, status="pending", value="1")
        expect_journals(page, {"before": str(count), "after": str(count + 1)})


@pytest.mark.rule("R29")
@pytest.mark.parametrize("how", UNAVAILABLE)
def test_changes_that_a_database_refuses_are_pending_with_the_reason(tab, website, how):
    website.begin_with(UNAVAILABLE[how])
    page = tab()
    page.click("#tally-add")
    page.click("#tally-add")
    open_inspector(page)
    reason = re.compile('The engine "indexedDB" has failed')
    expect_row(page, TALLY, status="not saved", problem=reason)
    expect_journals(page, {"before": "1", "after": "2"})


def test_the_journal_of_another_tab_is_listed(tab, website):
    website.begin_with(STALLED["transaction"] + "window.isStalled = !!localStorage.getItem('stall')")
    page, other = tab(), tab()
    page.click("#tally-add")
    other.expect_text("#tally", "1")
    other.value("void (window.isStalled = true)")
    other.click("#tally-add")
    open_inspector(page)
    expect_row(page, TALLY, status="stored", value="1")
    expect_journals(page, {"before": "1", "after": "2"})


@pytest.mark.first
def test_the_key_and_escape_close_it_and_the_focus_goes_back(tab):
    page = tab()
    focused = "document.activeElement.id || document.activeElement.localName"
    page.focus("#increment")
    open_inspector(page)
    page.expect(focused, "sharing-inspector")
    page.press("Escape")
    expect_open(page, False)
    page.expect(focused, "increment")
    open_inspector(page)
    page.press("F8")
    expect_open(page, False)
    page.expect(focused, "increment")
    open_inspector(page)
    click(page, "close")
    expect_open(page, False)


def test_a_button_of_the_page_opens_it(tab):
    page = tab()
    page.click("#inspect")
    expect_open(page)
    expect_keys(page, TODOS, COUNT, ADDRESS, TALLY)


def test_a_key_is_reached_and_opened_with_the_keyboard(tab):
    page = tab()
    page.click("#increment")
    open_inspector(page)
    for _ in range(2):  # Close, and the first key
        page.press("Tab")
    page.expect(f"{ROOT}.activeElement?.localName", "summary")
    page.press("Enter")
    page.expect(f"{ROOT}.querySelector('li details').open", True)
    name = f"{ROOT}.activeElement?.getAttribute('aria-label')"
    page.press("Tab")
    page.expect(name, "The text under count")
    page.press("Tab")
    page.expect(name, "Damage count")
    click_behind(page, "#increment")
    expect_row(page, COUNT, value="2")
    page.expect(f"{ROOT}.querySelector('li details').open", True)


STYLES = """
  * { display: none !important; color: red !important; position: static !important; }
  html, body, main { display: block !important; }
"""


def test_neither_style_reaches_the_other_side(tab, website):
    page = tab()
    computed = """JSON.stringify([...document.querySelectorAll("body, body *")].map((one) => {
      const { color, display, font, margin } = getComputedStyle(one);
      return [one.localName, color, display, font, margin];
    }).filter(([name]) => name !== "sharing-inspector"))"""
    before = page.value(computed)
    open_inspector(page)
    assert page.value(computed) == before
    page.value("void document.adoptedStyleSheets.push(new CSSStyleSheet())")
    page.value("document.adoptedStyleSheets[0].replaceSync(args[0])", STYLES)
    host = "document.querySelector('sharing-inspector')"
    assert page.value(f"getComputedStyle({host}).position") == "fixed"
    assert page.value(f"{host}.getBoundingClientRect().height > 50")
    assert page.value(f"getComputedStyle({ROOT}.querySelector('.key')).color") != "rgb(255, 0, 0)"


def test_axe_finds_nothing_in_it(open_tab, website):
    website.begin_with(AXE)
    page = open_tab()
    await_start(page)
    page.click("#increment")
    page.click("#tally-add")
    open_inspector(page)
    expect_no_violations(page)
    act(page, COUNT, "damage")
    expect_row(page, COUNT, status="damaged")
    page.value(f"{ROOT}.querySelectorAll('details').forEach((each) => each.open = true)")
    expect_no_violations(page)


OPTION = "window.inspector = () => import('/JavaScript/inspector.js');"


def test_it_lists_every_kind_of_key(keys, website):  # noqa: F811
    website.begin_with(OPTION)
    page = keys()
    send(page, "count")
    send(page, "visit", "first")
    send(page, "route", "there")
    send(page, "name", "Ada")
    send(page, "notes", "one")
    send(page, "tags", "new")
    send(page, "tally")
    open_inspector(page)
    for name, value in {
        "localStorage count": "1",
        "sessionStorage visit": '"first"',
        "localStorage name": '"Ada"',
        "indexedDB tally": "1",
    }.items():
        expect_row(page, name, value=value, status="stored", writer=re.compile("^this program"))
    expect_row(page, ADDRESS, status="stored", value=re.compile("there"))
    expect_row(page, "localStorage tags", status="stored", value=re.compile("new"))
    expect_row(page, "localStorage list", status="not stored")
    act(page, "sessionStorage visit", "clear")
    expect_row(page, "sessionStorage visit", status="not stored")
    page.expect_text("#visit", "")
    page.expect_text("#count", "1")


def test_one_line_adds_it_to_a_new_app(website, open_tab, program):
    template = WEB.parent / "Template/web"
    script = with_inspector((template / "main.js").read_text())
    website.answer("new.html", (template / "index.html").read_text().replace("main.js", "new.js"))
    website.answer("new.js", script, "text/javascript")
    website.answer("MyApp.wasm", program.read_bytes(), "application/wasm")
    website.answer("icon.svg", (template / "icon.svg").read_bytes(), "image/svg+xml")
    page = open_tab("new.html")
    page.expect_text("#count", "0")
    page.click("#increment")
    assert page.value(LOADED, "inspector") == 0
    open_inspector(page)
    expect_row(page, COUNT, value="1", status="stored", writer=re.compile("^this program"))
    act(page, COUNT, "clear")
    page.expect_text("#count", "0")


def test_it_lists_the_keys_of_a_program_with_a_loader_of_its_own(loaded, website):  # noqa: F811
    website.begin_with(OPTION)
    page, other = loaded(), loaded()
    page.click("#increment")
    open_inspector(page)
    expect_row(page, COUNT, value="1", status="stored", writer=re.compile("^this program"))
    other.click("#increment")
    expect_row(page, COUNT, value="2", writer=re.compile("^another tab"))
    act(page, COUNT, "clear")
    for each in (page, other):
        each.expect_text("#count", "0")


def test_programs_of_one_page_share_one_panel(keys, website):  # noqa: F811
    website.begin_with(OPTION)
    page = keys()
    page.value("import('/keys.js?second').then(() => 0)")
    page.expect("[...globalThis[Symbol.for('wasm-sharing')]].length", 2)
    open_inspector(page)
    assert page.value("document.querySelectorAll('sharing-inspector').length") == 1
    send(page, "count")
    expect_row(page, COUNT, value="1", writer=re.compile("^this program"))
    page.press("F8")
    expect_open(page, False)


def test_without_the_option_the_key_does_nothing(keys):  # noqa: F811
    page = keys()
    page.press("F8")
    page.press("x")
    expect_open(page, False)
    assert page.value(LOADED, "inspector") == 0


def test_a_module_that_cannot_be_loaded_is_reported(tab, website, problems):
    website.answer("inspector.js", b"", "text/javascript", status=404)
    page = tab()
    page.press("F8")
    page.click("#increment")
    expect_count(page, 1)
    end = time.monotonic() + page.patience
    while not problems and time.monotonic() < end:
        page.value("null")  # the driver may tell of the message later
    assert problems != []
    problems.clear()


def test_a_row_of_an_unused_key_is_not_there(tab):
    page, other = tab(), tab()
    other.value("localStorage.setItem('of another app', '1')")
    open_inspector(page)
    expect_keys(page, TODOS, COUNT, ADDRESS, TALLY)
    assert row(page, "localStorage of another app") is None
