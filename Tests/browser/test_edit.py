"""Editing in place, `data-edit`: JavaScript/page.js without a program, in pages/edit.html. How the
demo uses it is in test_todos.py and test_todos_in_two_tabs.py."""

import pathlib

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"
EDITED = "[...document.querySelectorAll('.editing')].map((row) => row.key).join()"
FOCUSED = """((element) => `${element.closest("li")?.key} ${element.className}`)(
  document.activeElement)"""
PRESS = """document.querySelector(args[0]).dispatchEvent(new KeyboardEvent("keydown",
  { key: args[1], bubbles: true, cancelable: true, ...args[2] }))"""


@pytest.fixture
def page(website, open_tab):
    website.answer("edit.html", (PAGES / "edit.html").read_text())
    website.answer("edit.js", (PAGES / "edit.js").read_text(), "text/javascript")
    tab = open_tab("edit.html")
    tab.expect("Array.isArray(globalThis.sent)", True)
    return tab


def sent(page):
    """Returns the events since the last call."""
    return page.value("sent.splice(0)")


def change(page, value):
    """Shows other rows, or the fields of one, as a change of another tab."""
    page.value("set(args[0])", value)


def inside(row, part):
    return f"li:nth-of-type({row}) {part}"


def begin(page, row=1, field="name"):
    page.focus(inside(row, f".{field}"))
    page.press("F2")
    page.expect(EDITED, "ab"[row - 1])


def begin_and_type(page, text, row=1):
    begin(page, row)
    page.fill(inside(row, ".name"), text)


def expect_ended(page):
    page.expect(EDITED, "")
    assert page.value("[...document.querySelectorAll('[data-edit]')].every((f) => f.readOnly)")


@pytest.mark.engines
@pytest.mark.parametrize(
    ("part", "key", "field"),
    [
        (".shown", None, "name"),
        (".remark", None, "note"),
        (".price", None, "note"),
        (".name", None, "name"),
        (".note", None, "note"),
        (".done", "Enter", "name"),
        (".name", "Enter", "name"),
        (".note", "Enter", "note"),
        (".done", "F2", "name"),
        (".remove", "F2", "name"),
        (".note", "F2", "note"),
    ],
)
def test_a_double_click_enter_and_f2_begin(page, part, key, field):
    if key:
        page.focus(inside(2, part))
        page.press(key)
    else:
        page.double_click(inside(2, part))
    page.expect(EDITED, "b")
    page.expect(FOCUSED, f"b {field}")
    assert page.value("document.activeElement.readOnly") is False
    page.press("Escape")
    expect_ended(page)
    assert sent(page) == []


@pytest.mark.parametrize(
    ("part", "key"), [(".remove", "Enter"), (".done", "Space"), (".done", None), (".remove", None)]
)
def test_an_event_with_another_meaning_begins_nothing(page, part, key):
    if key:
        page.focus(inside(1, part))
        page.press(key)
    else:
        page.double_click(inside(1, part))
    expect_ended(page)


@pytest.mark.engines
def test_a_field_is_changed_only_while_it_is_edited(page):
    page.type(inside(1, ".name"), "x")
    assert page.value("document.querySelector('.name').value") == "milk"
    begin_and_type(page, "oat milk")
    page.press("Enter")
    assert sent(page) == [["items", "a name=oat milk"]]
    expect_ended(page)
    change(page, {"id": "a", "name": "oat milk"})
    page.press("x")
    assert page.value("document.querySelector('.name').value") == "oat milk"


@pytest.mark.engines
def test_leaving_the_field_stores_its_text_once(page):
    begin_and_type(page, "oat milk")
    page.click("#other")
    assert sent(page) == [["items", "a name=oat milk"]]
    expect_ended(page)
    assert page.value("document.activeElement.id") == "other"


@pytest.mark.engines
def test_escape_stores_nothing_and_shows_the_value(page):
    begin_and_type(page, "oat milk")
    page.press("Escape")
    expect_ended(page)
    page.click("#other")
    assert sent(page) == []
    assert page.value("document.querySelector('.name').value") == "milk"


@pytest.mark.parametrize("end", ["Enter", "Escape", "#other"])
def test_a_text_that_was_not_changed_is_not_stored(page, end):
    """Though another tab has changed the value meanwhile: its value stays."""
    begin(page)
    change(page, {"id": "a", "name": "oat milk"})
    page.click(end) if end[0] == "#" else page.press(end)
    expect_ended(page)
    assert sent(page) == []
    assert page.value("document.querySelector('.name').value") == "oat milk"


@pytest.mark.parametrize("end", ["Enter", "Escape"])
@pytest.mark.parametrize("part", [".done", ".remove"])
def test_the_focus_returns_to_where_it_was(page, part, end):
    page.focus(inside(2, part))
    page.press("F2")
    page.expect(FOCUSED, "b name")
    page.press(end)
    page.expect(FOCUSED, f"b {part[1:]}")


@pytest.mark.engines
def test_a_change_of_another_tab_does_not_disturb_the_typing(page):
    begin_and_type(page, "oat milk")
    change(page, {"id": "a", "name": "soy milk", "note": "cold"})
    change(page, [{"id": "b", "name": "tea"}, {"id": "a", "name": "soy milk", "note": "cold"}])
    page.expect(FOCUSED, "a name")
    assert page.value("document.activeElement.value") == "oat milk"
    assert page.texts(".remark") == ["green", "cold"], "the rest of the row follows"
    page.press("Enter")
    assert sent(page) == [["items", "a name=oat milk"]]


@pytest.mark.engines
@pytest.mark.parametrize("end", ["Enter", "Escape", "#other"])
@pytest.mark.parametrize("is_alone", [True, False])
def test_a_row_that_is_removed_while_it_is_edited_goes_in_the_end(page, end, is_alone):
    begin_and_type(page, "oat milk")
    change(page, {"gone": "a"} if is_alone else [{"id": "b", "name": "tea"}])
    page.expect(FOCUSED, "a name")
    page.click(end) if end[0] == "#" else page.press(end)
    page.expect_texts(".shown", ["tea"])
    expected = [] if end == "Escape" else [["items", "a name=oat milk"]]
    assert sent(page) == expected, "the program decides what becomes of the text"


def test_a_row_that_comes_back_while_it_is_edited_stays(page):
    begin_and_type(page, "oat milk")
    change(page, [{"id": "b", "name": "tea"}])
    change(page, [{"id": "a", "name": "milk"}, {"id": "b", "name": "tea"}])
    page.press("Escape")
    expect_ended(page)
    assert page.texts(".shown") == ["milk", "tea"]


@pytest.mark.engines
@pytest.mark.parametrize("end", ["Enter", "#other"])
def test_a_text_that_is_refused_stays_until_it_is_mended_or_given_up(page, end):
    page.value("globalThis.reason = 'No.'")
    begin_and_type(page, "oat milk")
    page.click(end) if end[0] == "#" else page.press(end)
    page.expect_text("#refused", "No.")
    assert page.value(EDITED) == "a"
    change(page, {"id": "a", "name": "soy milk"})
    assert page.value("document.querySelector('.name').value") == "oat milk"
    page.double_click(inside(2, ".shown"))
    page.expect(FOCUSED, "a name")
    page.value("globalThis.reason = ''")
    sent(page)
    page.fill(inside(1, ".name"), "rice milk")
    page.press("Enter")
    expect_ended(page)
    page.expect_text("#refused", "")
    assert sent(page) == [["items", "a name=rice milk"]]


def test_a_key_that_is_held_down_or_ends_a_composition_ends_nothing(page):
    begin_and_type(page, "oat milk")
    for more in [{"repeat": True}, {"isComposing": True}, {"keyCode": 229}]:
        page.value(PRESS, ".editing .name", "Enter", more)
    assert page.value(EDITED) == "a"
    assert sent(page) == []


def test_shift_and_enter_make_a_line_break(page):
    begin(page, field="note")
    page.type(inside(1, ".note"), "one")
    page.value(PRESS, ".editing .note", "Enter", {"shiftKey": True})
    assert page.value(EDITED) == "a"
    page.press("Enter")
    assert sent(page) == [["items", "a note=one"]]


def test_what_is_typed_stays_if_the_program_starts_again(page):
    begin_and_type(page, "oat milk")
    page.value("stop()")
    page.value("start()")
    change(page, [{"id": "a", "name": "milk"}])
    page.expect(FOCUSED, "a name")
    page.press("Enter")
    assert sent(page) == [["items", "a name=oat milk"]]


def in_a_form(html):
    return html.replace("<ul", '<form id="form" data-submit="add"><ul').replace("</ul>", "</ul></form>")


@pytest.fixture
def open_page(website, open_tab):
    """Returns a function that opens the page with other HTML."""

    def open_changed(change):
        website.answer("edit.html", change((PAGES / "edit.html").read_text()))
        website.answer("edit.js", (PAGES / "edit.js").read_text(), "text/javascript")
        tab = open_tab("edit.html")
        tab.expect("Array.isArray(globalThis.sent)", True)
        return tab

    return open_changed


@pytest.mark.parametrize("is_edited", [False, True])
def test_the_reset_of_a_form_around_the_list_leaves_the_values(open_page, is_edited):
    page = open_page(in_a_form)
    if is_edited:
        begin_and_type(page, "oat milk")
    page.value("form.reset()")
    page.expect("document.querySelector('.name').value", "milk")
    page.click("#other")
    expect_ended(page)
    assert sent(page) == []


def test_a_refused_text_stays_though_the_action_has_changed_the_row(page):
    page.value("globalThis.reason = 'No.'")
    begin_and_type(page, "oat milk")
    page.value(
        """(() => {
          const { set } = page;
          page.set = set;
          sent.push = (event) => set("items", '{"id":"a","name":"milk","note":"new"}');
        })()"""
    )
    page.press("Enter")
    page.expect_text("#refused", "No.")
    assert page.texts(".remark") == ["new", "green"]
    assert page.value("document.querySelector('.name').value") == "oat milk"


def test_escape_brings_back_the_text_of_an_equal_number(page):
    change(page, {"id": "a", "name": "7"})
    begin_and_type(page, "7.0")
    page.press("Escape")
    assert page.value("document.querySelector('.name').value") == "7"


def test_a_row_may_be_the_field_itself(open_page):
    def root(html):
        start, end = html.index("<li>"), html.index("</li>") + len("</li>")
        return html[:start] + '<input class="name" aria-label="Name" data-edit="name">' + html[end:]

    page = open_page(root)
    page.focus("ul > .name")
    page.press("F2")
    page.expect(EDITED, "a")
    page.fill("ul > .name", "oat milk")
    page.press("Enter")
    assert sent(page) == [["items", "a name=oat milk"]]
    page.expect(EDITED, "")


def test_f2_returns_to_a_refused_text_of_the_row(page):
    page.value("globalThis.reason = 'No.'")
    begin_and_type(page, "oat milk")
    page.click("#other")
    page.expect_text("#refused", "No.")
    page.focus(inside(1, ".done"))
    page.press("F2")
    page.expect(FOCUSED, "a name")
    page.press("Escape")
    expect_ended(page)


def test_a_double_click_with_an_action_of_its_own_begins_nothing(open_page):
    page = open_page(lambda html: html.replace('class="remark"', 'class="remark" data-dblclick="open"'))
    page.double_click(inside(2, ".remark"))
    assert sent(page) == [["open", "b"]]
    expect_ended(page)


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        ('class="done"', 'class="done" data-edit="done"'),
        ("<ul", '<input aria-label="Done" data-edit="done"><ul'),
    ],
)
def test_an_element_that_cannot_be_edited_in_place_is_named(open_page, problems, place, changed):
    tab = open_page(lambda html: html.replace(place, changed))
    tab.expect_texts(".shown", ["milk", "tea"])
    [problem] = problems
    assert 'data-edit="done" needs a text field in a row of one list.' in problem
    problems.clear()
    begin(tab)


def test_a_held_enter_submits_no_form_around_the_list(page):
    page.focus(inside(1, ".name"))
    assert page.value(PRESS, inside(1, ".name"), "Enter", {}) is False
    page.expect(EDITED, "a")
    assert page.value(PRESS, inside(1, ".name"), "Enter", {"repeat": True}) is False
    assert page.value(EDITED) == "a"
    assert page.value(PRESS, inside(1, ".note"), "Enter", {"repeat": True, "shiftKey": True})
