"""What a page sends of its fields: JavaScript/page.js without a program, in pages/fields.html."""

import pathlib

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"

# Counts how often the value of a field is set by the page.
COUNT = """(() => {
  const field = document.querySelector(args[0]);
  const { get, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  field.times = 0;
  Object.defineProperty(field, "value", {
    get,
    set(value) {
      field.times += 1;
      set.call(field, value);
    },
  });
})()"""

# The events of an input method. Some browsers have an "input" after the last, others do not.
COMPOSE = """(() => {
  const field = document.querySelector("#draft");
  const input = (value, isComposing) => {
    field.value = value;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing }));
  };
  field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
  for (const value of ["k", "か", "かn", "かん"]) input(value, true);
  input("漢", true);
  const before = sent.length;
  field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "漢" }));
  if (args[0]) input("漢", false);
  return before;
})()"""


@pytest.fixture
def page(website, open_tab):
    website.answer("fields.html", (PAGES / "fields.html").read_text())
    website.answer("fields.js", (PAGES / "fields.js").read_text(), "text/javascript")
    tab = open_tab("fields.html")
    tab.expect("Array.isArray(globalThis.sent)", True)
    return tab


def sent(page):
    """What the page has sent since this was asked last."""
    return page.value("sent.splice(0)")


@pytest.mark.first
@pytest.mark.parametrize("field", ["draft", "notes"])
def test_a_field_sends_its_text_with_each_key(page, field):
    page.type(f"#{field}", "a b")
    assert sent(page) == [[field, "a"], [field, "a "], [field, "a b"]]
    page.press("Backspace")
    assert sent(page) == [[field, "a "]]


@pytest.mark.parametrize("field", ["draft", "notes"])
def test_typing_does_not_move_the_caret(page, field):
    page.type(f"#{field}", "abc")
    page.value(COUNT, f"#{field}")
    page.value(f"document.querySelector('#{field}').setSelectionRange(1, 1)")
    page.press("x")
    page.press("y")
    shown = f"(({{ value, selectionStart, times }}) => [value, selectionStart, times])({field})"
    assert page.value(shown) == ["axybc", 3, 0]
    page.value("page.set(args[0], 'of the program')", field)
    assert page.value(f"{field}.value") == "of the program"


def test_a_number_is_sent_when_it_is_entered(page):
    page.type("#size", "12")
    assert sent(page) == []
    page.press("Tab")
    assert sent(page) == [["size", "12"]]


@pytest.mark.parametrize(
    ("typed", "number"),
    [(".5", "0.5"), ("-.5", "-0.5"), ("007", "7"), ("00", "0"), ("-00.50", "-0.50"), ("1e2", "1e2")],
)
def test_a_number_is_sent_as_json_has_it(page, typed, number):
    page.value("size.step = 'any'")
    page.type("#size", typed)
    page.press("Tab")
    assert sent(page) == [["size", number]]


def test_a_choice_is_sent_and_shown(page):
    page.value("page.set('colour', 'blue')")
    assert page.value("colour.value") == "blue"
    choose = "colour.value = 'red', colour.dispatchEvent(new Event('change', { bubbles: true }))"
    page.value(choose)
    assert sent(page) == [["colour", "red"]]


def test_a_box_sends_whether_it_is_checked(page):
    for text in ["true", "", "true"]:
        page.click("#dark")
        assert sent(page) == [["dark", text]]
        assert page.value("dark.checked") == bool(text)
    page.click("#state")
    assert sent(page) == [["state", ""]], "a click sends none of it"


def test_a_box_that_the_program_does_not_check_stays_as_it_was(page):
    page.click("#refusing")
    assert sent(page) == [["refuse", "true"]]
    assert page.value("refusing.checked") is False


def test_a_radio_button_sends_that_it_is_chosen(page):
    page.click("#small")
    page.click("#large")
    assert sent(page) == [["small", "true"], ["large", "true"]]


def test_a_radio_button_that_the_program_does_not_choose_leaves_the_choice_as_it_was(page):
    page.click("#right")
    assert sent(page) == [["refuse", "true"]]
    assert page.value("[left.checked, right.checked]") == [True, False]


def test_boxes_and_buttons_send_no_text_with_a_click(page):
    page.click("#box")
    page.click("#button")
    assert sent(page) == [["tick", ""], ["press", ""]]


def test_a_field_of_any_type_of_text_sends_it(page):
    page.type("#sought", "milk")
    page.press("Enter")
    page.click("#go")
    assert sent(page) == [["seek", "milk"], ["go", "milk"]]
    page.focus("#sought")
    page.press("Escape")
    assert sent(page) == [["leave", ""]]


def test_a_field_in_a_row_sends_the_rows_key_first(page):
    page.focus(".title")
    page.value("document.querySelector('.title').setSelectionRange(4, 4)")
    page.press("y")
    page.click(".done")
    page.value("page.set('todos', '{\"id\":3,\"done\":true}')")
    page.click(".done")
    assert sent(page) == [["title", "3 milky"], ["done", "3 true"], ["done", "3 "]]


@pytest.mark.parametrize("has_input_at_end", [False, True])
def test_half_composed_text_is_not_sent(page, has_input_at_end):
    assert page.value(COMPOSE, has_input_at_end) == 0
    assert sent(page) == [["draft", "漢"]] * (2 if has_input_at_end else 1)


def test_the_key_that_ends_a_composition_in_safari_is_no_other_key(page):
    """It comes behind the end there, with the code of what an input method has taken."""
    press = """sought.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: args[0], bubbles: true }))"""
    page.value(press, 229)
    assert sent(page) == []
    page.value(press, 13)
    assert sent(page) == [["seek", ""]]


@pytest.mark.needs("processes")
def test_an_input_method_sends_what_it_has_composed(page):
    """With Chromium's own, which its protocol drives."""
    page.focus("#draft")
    session = page.page.context.new_cdp_session(page.page)
    for text in ["k", "か", "かん"]:
        caret = {"selectionStart": len(text), "selectionEnd": len(text)}
        session.send("Input.imeSetComposition", {"text": text, **caret})
        page.expect("draft.value", text)
    assert sent(page) == []
    session.send("Input.insertText", {"text": "漢"})
    page.expect("draft.value", "漢")
    assert sent(page)[-1:] == [["draft", "漢"]]


def test_half_a_character_is_not_sent_as_it_is_typed(page):
    page.value("draft.value = '\\ud83d', draft.dispatchEvent(new Event('input', { bubbles: true }))")
    assert sent(page) == []
    page.expect_text("[data-text=refused]", "Half a character cannot be stored.")
    page.value("draft.value = '🔑', draft.dispatchEvent(new Event('input', { bubbles: true }))")
    assert sent(page) == [["draft", "🔑"]]
    page.expect_text("[data-text=refused]", "")


def test_a_page_whose_program_is_stopped_sends_nothing(page):
    page.value("stopping.abort()")
    page.click("#go")
    page.type("#draft", "a")
    assert sent(page) == []


def test_an_event_of_the_document_itself_is_no_mistake(page):
    page.value("document.dispatchEvent(new Event('change'))")
    assert sent(page) == []


def test_what_a_text_is_called_may_be_a_word_of_javascript(page):
    assert page.value("page.set('constructor', 'a')") == 1
    assert page.text("#maker") == "a"
    assert page.value("page.set('toString', 'a')") == 0
