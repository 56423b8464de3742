"""The events that a page sends for its fields: JavaScript/page.js without a program, in
pages/fields.html."""

import pathlib
import re

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"

# Counts the assignments to a field's value by the page.
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

# The events of an input method. Only some browsers send an "input" after the last one.
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
    """Returns the events since the last call."""
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
    for text in ["true", "false", "true"]:
        page.click("#dark")
        assert sent(page) == [["dark", text]]
        assert page.value("dark.checked") == (text == "true")
    page.click("#state")
    assert sent(page) == [["state", None]], "a click sends none of it"


def test_a_box_that_the_program_does_not_check_stays_as_it_was(page):
    page.click("#refusing")
    assert sent(page) == [["refuse", "true"]]
    assert page.value("refusing.checked") is False


def test_a_program_that_starts_again_gets_the_events_in_place_of_the_one_that_has_failed(page):
    page.value("page.set('dark', '')")
    page.value("page.fail('It has stopped.')")
    page.value("globalThis.later = []")
    page.value(
        """page.ready((name, text) => {
          later.push([name, text]);
          page.set(name, text);
        })"""
    )
    page.click("#dark")
    assert page.value("later") == [["dark", "true"]]
    assert page.value("dark.checked") is True
    assert sent(page) == []
    page.value("stopping.abort()")
    assert page.value("stopped.textContent") == "", "the later one runs on"
    page.click("#dark")
    assert page.value("later") == [["dark", "true"], ["dark", "false"]]


def test_a_radio_button_sends_its_value(page):
    page.click("#small")
    page.click("#large")
    assert sent(page) == [["small", "s"], ["large", "l"]]


def test_boxes_and_buttons_send_no_text_with_a_click(page):
    page.click("#box")
    page.click("#button")
    assert sent(page) == [["tick", None], ["press", None]]


def test_a_field_of_any_type_of_text_sends_it(page):
    page.type("#sought", "milk")
    page.press("Enter")
    page.click("#go")
    assert sent(page) == [["seek", "milk"], ["go", "milk"]]
    page.focus("#sought")
    page.press("Escape")
    assert sent(page) == [["leave", None]]


def test_a_field_in_a_row_sends_the_rows_key_first(page):
    page.focus(".title")
    page.value("document.querySelector('.title').setSelectionRange(4, 4)")
    page.press("y")
    page.click(".done")
    page.value("page.set('todos', '{\"id\":3,\"done\":true}')")
    page.click(".done")
    assert sent(page) == [
        ["todos", "3 title=milky"],
        ["todos", "3 done=true"],
        ["todos", "3 done=false"],
    ]


@pytest.mark.parametrize("has_input_at_end", [False, True])
def test_half_composed_text_is_not_sent(page, has_input_at_end):
    assert page.value(COMPOSE, has_input_at_end) == 0
    assert sent(page) == [["draft", "漢"]]


def test_half_composed_text_stays_when_others_change_the_value(page):
    page.value("page.set('draft', '')")
    page.focus("#draft")
    compose = """(draft.value = args[0], draft.dispatchEvent(
      new InputEvent("input", { bubbles: true, isComposing: true })))"""
    page.value(compose, "か")
    page.value("page.set('draft', 'other')")
    assert page.value("draft.value") == "か"
    page.value(compose, "かん")
    page.value("draft.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))")
    assert sent(page) == [["draft", "かん"]]
    assert page.value("draft.value") == "かん"
    page.value("page.set('draft', 'other')")
    assert page.value("draft.value") == "other", "all that was typed is sent"


def test_the_key_that_ends_a_composition_in_safari_is_no_other_key(page):
    """In Safari, it follows the end, with the code of a key that the input method has handled."""
    press = """sought.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: args[0], bubbles: true }))"""
    page.value(press, 229)
    assert sent(page) == []
    page.value(press, 13)
    assert sent(page) == [["seek", ""]]


@pytest.mark.needs("processes")
def test_an_input_method_sends_what_it_has_composed(page):
    """Uses Chromium's own input method, through its protocol."""
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


def test_a_page_whose_program_is_stopped_sends_nothing(page):
    page.value("stopping.abort()")
    page.click("#go")
    page.type("#draft", "a")
    assert sent(page) == []


def test_an_event_of_the_document_itself_is_no_mistake(page):
    page.value("document.dispatchEvent(new Event('change'))")
    assert sent(page) == []


def test_what_a_text_is_called_may_be_a_word_of_javascript(page):
    page.value("page.set('constructor', 'a')")
    assert page.text("#maker") == "a"
    page.value("page.set('toString', 'a')")


@pytest.mark.parametrize("key", ["Tab", "a", "ArrowDown", "Home"])
def test_other_keys_than_enter_and_escape_are_no_actions(page, key):
    """`data-tab` may be the page's own attribute: its value is not an action."""
    name = f"data-{key.lower()}"
    page.value("document.querySelector('#sought').setAttribute(args[0], 'press')", name)
    page.focus("#sought")
    page.press(key)
    assert sent(page) == []


def test_a_choice_is_shown_once_its_option_is_there(page):
    page.value("page.set('theme', 'dark')")
    page.value("page.set('themes', '[{\"id\":\"light\"},{\"id\":\"dark\"}]')")
    page.expect("theme.value", "dark")
    page.value("page.set('themes', '[{\"id\":\"light\"}]')")
    page.expect("theme.value", "")
    page.value("page.set('themes', '[{\"id\":\"blue\"},{\"id\":\"dark\"}]')")
    page.expect("theme.value", "dark")


def test_a_choice_is_shown_once_a_script_has_added_its_option(page):
    page.value("page.set('colour', 'green')")
    assert page.value("colour.value") == ""
    page.value("void colour.add(new Option('green'))")
    page.expect("colour.value", "green")


def test_what_a_person_has_chosen_stays_when_other_options_come(page):
    page.value("page.set('colour', 'blue')")
    choose = "colour.value = 'red', colour.dispatchEvent(new Event('change', { bubbles: true }))"
    page.value("colour.removeAttribute('data-change')")
    page.value(choose)
    page.value("void colour.add(new Option('green'))")
    page.value("new Promise((resolve) => setTimeout(resolve))")
    assert page.value("colour.value") == "red"


def test_a_target_may_have_colons_in_its_name(page):
    page.value("document.querySelector('#broken').dataset.bind = '.md:flex:wide title:hint'")
    page.value("document.querySelector('#late').dataset.text = 'a:late'")
    page.value("globalThis.other = bind(document)")
    page.value("other.set('wide', 'true'), other.set('hint', 'Hi'), other.set('a:late', 'a')")
    assert page.value("document.querySelector('#broken').className") == "md:flex"
    assert page.value("document.querySelector('#broken').title") == "Hi"
    assert page.text("#late") == "a"


def test_a_state_of_aria_that_is_not_so_is_false(page):
    page.value("page.set('pressed', 'true')")
    states = "['aria-pressed', 'aria-label'].map((name) => go.getAttribute(name))"
    page.value("page.set('label', 'Go')")
    assert page.value(states) == ["true", "Go"]
    page.value("page.set('pressed', '')")
    page.value("page.set('label', '')")
    assert page.value(states) == ["false", None]


def test_enter_in_a_text_of_several_lines_leaves_no_line_break(page):
    page.value("page.set('message', '')")
    page.type("#message", "a")
    page.value("globalThis.clears = true")
    page.press("Enter")
    assert sent(page) == [["message", "a"]]
    assert page.value("message.value") == ""
    page.type("#message", "b")
    page.value("document.execCommand('insertLineBreak')")
    page.type("#message", "c")
    assert sent(page) == []
    assert page.value("message.value") == "b\nc"


@pytest.mark.parametrize("typed", ["12.5", "1e"])
def test_a_text_that_was_refused_is_replaced_by_the_value_on_leaving(page, typed):
    page.value("size.step = 'any', page.set('size', '12')")
    page.value("globalThis.refuses = true")
    page.type("#size", typed)
    page.press("Enter")
    page.expect_text("[data-text=refused]", "No.")
    assert page.value("size.matches(':focus')")
    page.focus("#draft")
    assert page.value("size.value") == "12"
    page.expect_text("[data-text=refused]", "No.")
    page.value("globalThis.refuses = false")
    page.fill("#size", "7")
    page.focus("#draft")
    assert page.value("size.value") == "7"


def test_a_text_that_was_refused_stays_until_it_is_mended_though_others_change_the_value(page):
    page.value("size.step = 'any', page.set('size', '12')")
    page.value("globalThis.refuses = true")
    page.type("#size", ".5")
    page.press("Enter")
    page.expect_text("[data-text=refused]", "No.")
    typed = page.value("size.value")
    for size in ["13", "14"]:
        page.value("page.set('size', args[0])", size)
        assert page.value("size.value") == typed
    page.focus("#draft")
    assert page.value("size.value") == "14"
    page.type("#size", ".5")
    page.press("Enter")
    page.value("globalThis.refuses = false")
    page.fill("#size", "7")
    page.press("Enter")
    page.value("page.set('size', '15')")
    assert page.value("size.value") == "15", "the mended text was sent"


def test_a_refused_text_is_replaced_on_leaving_also_after_another_key(page):
    page.value("size.step = 'any', size.dataset.escape = 'refuse', page.set('size', '12')")
    page.value("globalThis.refuses = 'size'")
    page.type("#size", ".5")
    page.press("Enter")
    page.expect_text("[data-text=refused]", "No.")
    page.press("Escape")
    page.focus("#draft")
    assert page.value("size.value") == "12"


def test_the_reason_of_a_refusal_stays_until_the_next_action_of_a_person(page):
    """The action moves the focus, which enters the text of the field that had it."""
    page.value("page.set('name', '')")
    page.value("Object.assign(globalThis, { refuses: 'save', moves: true }) && 0")
    page.type("#name", "Ann")
    page.press("Enter")
    assert sent(page) == [["save", "Ann"], ["name", "Ann"]]
    assert page.value("size.matches(':focus')")
    assert page.text("[data-text=refused]") == "No."
    page.click("#go")
    assert page.text("[data-text=refused]") == ""


def test_a_refusal_of_enter_stays_though_the_text_is_entered_too(page):
    """Browsers send a "change" after Enter."""
    page.value("page.set('name', 'Ann')")
    page.value("globalThis.refuses = 'save'")
    page.fill("#name", "Bo")
    page.press("Enter")
    assert sent(page) == [["save", "Bo"], ["name", "Bo"]]
    assert page.text("[data-text=refused]") == "No."
    page.fill("#name", "Cy")
    page.focus("#draft")
    assert sent(page) == [["name", "Cy"]]
    assert page.text("[data-text=refused]") == ""


def test_a_script_may_mend_the_text_that_was_refused(page):
    """As a password manager, or a component of the page's own, enters a text."""
    page.value("page.set('colour', 'blue')")
    choose = "colour.value = args[0], colour.dispatchEvent(new Event('change', { bubbles: true }))"
    page.value("globalThis.refuses = true")
    page.value(choose, "red")
    page.expect_text("[data-text=refused]", "No.")
    page.value("globalThis.refuses = false")
    page.value(choose, "red")
    assert page.text("[data-text=refused]") == ""


@pytest.fixture
def activate(page, open_tab):
    """Returns a function that makes the page's window the active one, or another. The driver lets
    all pages have the focus, if it is not told otherwise."""
    session = page.page.context.new_cdp_session(page.page)
    other = open_tab("fields.html")

    def activate(is_own):
        session.send("Emulation.setFocusEmulationEnabled", {"enabled": is_own})
        (page if is_own else other).come_to_front()
        page.expect("document.hasFocus()", is_own)

    activate(True)
    return activate


@pytest.mark.needs("processes")
def test_what_is_typed_stays_while_another_window_is_active(page, activate):
    page.value("page.set('name', 'Ann')")
    page.focus("#name")
    activate(False)
    assert page.value("document.activeElement.id") == "name"
    page.value(
        """(() => {
          const field = document.querySelector("#name");
          field.value = "Anna";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        })()"""
    )
    page.value("page.set('name', 'Bo')")
    assert page.value("document.querySelector('#name').value") == "Anna"
    activate(True)
    page.focus("#draft")
    assert sent(page) == [["name", "Anna"]]
    assert page.value("document.querySelector('#name').value") == "Anna"


@pytest.mark.needs("processes")
def test_a_text_that_was_refused_stays_while_another_window_is_active(page, activate):
    """Chromium enters a text when another window becomes active."""
    page.value("size.step = 'any', page.set('size', '12')")
    page.value("globalThis.refuses = true")
    page.type("#size", ".5")
    typed = page.value("size.value")
    activate(False)
    page.value("size.dispatchEvent(new Event('change', { bubbles: true }))")
    page.expect_text("[data-text=refused]", "No.")
    assert page.value("size.value") == typed
    page.value("page.set('size', '13')")
    assert page.value("size.value") == typed


@pytest.mark.parametrize("other", ["accepted", "refused"])
def test_a_refusal_is_that_of_the_field_whose_text_was_refused(page, other):
    """The action of one field moves the focus, which enters the text of another."""
    page.value("page.set('name', 'Ann'), page.set('colour', 'blue')")
    refuses = "colour" if other == "accepted" else True
    page.value("Object.assign(globalThis, { refuses: args[0], moves: true }) && 0", refuses)
    page.type("#name", "e")
    typed = page.value("document.querySelector('#name').value")
    choose = "colour.value = 'red', colour.dispatchEvent(new Event('change', { bubbles: true }))"
    page.value(choose)
    assert sent(page) == [["colour", "red"], ["name", typed]]
    assert page.value("colour.value") == "blue"
    shown = page.value("document.querySelector('#name').value")
    assert shown == (typed if other == "accepted" else "Ann")


def test_an_event_is_sent_after_one_that_could_not_be_sent(page, problems):
    fails = "(name) => { sent.push([name]); throw Error('It cannot be sent.'); }"
    page.value(f"page.ready({fails})")
    for _ in range(2):
        page.click("#button")
        assert sent(page) == [["press"]]
    assert problems != []
    problems.clear()


def test_a_text_that_was_not_refused_stays_on_leaving(page):
    page.value("page.set('entry', '')")
    page.type("#entry", "milk")
    page.focus("#draft")
    assert page.value("entry.value") == "milk"
    page.value("globalThis.refuses = true")
    page.focus("#entry")
    page.press("Enter")
    page.expect_text("[data-text=refused]", "No.")
    page.focus("#draft")
    assert page.value("entry.value") == "milk", "it is to be mended, and is no value"


def test_a_place_that_throws_is_reported_and_keeps_no_later_one_from_showing(page, problems, browser):
    page.value("document.querySelector('#broken').dataset.bind = 'a=b:late'")
    page.value("bind(document).set('late', 'a')")
    assert page.text("#late") == "a"
    [problem] = problems
    # Firefox's driver reports only the class of an Error object.
    known = "Error" if browser.name == "firefox" else "InvalidCharacterError"
    assert known in problem
    problems.clear()


def test_a_part_of_the_document_can_be_bound(page):
    page.value("globalThis.heard = []")
    page.value(
        "bind(document.body).ready((...event) => heard.push(event), new AbortController().signal)"
    )
    page.type("#sought", "milk")
    page.click("#go")
    assert page.value("heard") == [["go", "milk"]]


@pytest.mark.parametrize("name", ["sharing-files", "sharing-download"])
def test_a_page_without_files_js_says_that_its_program_needs_it(page, problems, name):
    page.value("page.set(args[0], 'a.json W10=')", name)
    assert problems == ["console: The page needs files.js."]
    problems.clear()


def test_a_program_that_was_stopped_leaves_no_message_to_the_next(page):
    page.value("page.set('refused', 'No.')")
    page.value("stopping.abort()")
    page.value("globalThis.other = bind(document)")
    page.value("other.ready(() => {}, new AbortController().signal)")
    assert page.value("stopped.textContent") == ""
    page.value("other.set('refused', '')")
    page.expect_text("[data-text=refused]", "")


def order(page, *fields):
    """Returns the event of the form with these fields."""
    return ["order?", "\0".join(fields)]


@pytest.mark.first
def test_a_form_sends_its_fields_and_is_emptied(page):
    page.value("page.set('unit', 'kg')")
    page.type("#what", "Milk")
    page.type("#amount", "2")
    page.press("Enter")
    assert sent(page) == [order(page, "what", "Milk", "amount", "2", "unit", "kg")]
    page.expect("[what.value, amount.value, unit.value]", ["", "", "kg"])
    assert page.value("location.pathname + location.search") == "/fields.html"


def test_a_character_of_code_0_ends_no_field_of_a_form(page):
    page.value("what.value = 'a\\0b', amount.value = '2'")
    page.click("#send")
    assert sent(page) == [order(page, "what", "a\ufffdb", "amount", "2", "unit", "")]


def test_a_form_that_is_not_valid_is_not_sent(page):
    page.type("#amount", "2")
    page.click("#send")
    assert sent(page) == []
    assert page.value("document.activeElement.id") == "what"


def test_a_refused_form_keeps_its_texts_and_names_the_field_until_it_changes(page):
    page.value("Object.assign(globalThis, { refuses: 'order?', field: 'Amount' }) && 0")
    page.type("#what", "Milk")
    page.type("#amount", "x")
    page.click("#send")
    assert sent(page) == [order(page, "what", "Milk", "amount", "x", "unit", "")]
    state = "[what.value, amount.value, amount.ariaInvalid, amount.validity.customError]"
    assert page.value(state) == ["Milk", "x", "true", True]
    assert page.text("#amount-error") == "No."
    assert page.text("[data-text=refused]") == ""
    assert page.value("document.activeElement.id") == "amount"
    page.value("globalThis.refuses = false")
    page.press("Backspace")
    assert page.value(state) == ["Milk", "", None, False]
    assert page.text("#amount-error") == ""
    page.click("#send")
    assert sent(page) == [order(page, "what", "Milk", "amount", "", "unit", "")]


def test_a_refusal_of_a_field_without_a_place_is_shown_as_others(page):
    page.value("Object.assign(globalThis, { refuses: 'order?', field: 'what' }) && 0")
    page.type("#what", "Milk")
    page.press("Enter")
    page.expect_text("[data-text=refused]", "No.")
    assert page.value("what.ariaInvalid") == "true"


def test_the_reset_of_a_form_is_stored(page):
    page.value("page.set('unit', 'kg')")
    page.type("#what", "Milk")
    page.click("#reset")
    page.expect("sent.length", 1)
    assert sent(page) == [["unit", ""]]
    assert page.value("[what.value, unit.value]") == ["", ""]


def test_a_form_that_is_sent_before_the_program_runs_is_sent_once_it_runs(website, open_tab):
    website.answer("fields.html", (PAGES / "fields.html").read_text())
    script = (PAGES / "fields.js").read_text().replace("page.ready(", "globalThis.run = () => page.ready(")
    website.answer("fields.js", script, "text/javascript")
    page = open_tab("fields.html")
    page.expect("typeof globalThis.run", "function")
    page.type("#what", "Milk")
    page.press("Enter")
    assert page.value("[what.value, location.search]") == ["Milk", ""]
    page.value("run()")
    assert sent(page) == [order(page, "what", "Milk", "amount", "", "unit", "")]
    assert page.value("what.value") == ""
