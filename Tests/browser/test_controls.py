"""`data-model` binds each kind of control both ways: ControlsPage, in pages/controls.html.

"Stored" is the JSON in localStorage, None if nothing was stored yet.
"""

import json
import pathlib
import re
import typing

import pytest
from test_accessibility import AXE, VIOLATIONS

PAGES = pathlib.Path(__file__).parent / "pages"
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/controls.wasm"
SCRIPT = '<script type="module" src="controls.js"></script>'

# Enters a value as a picker does, or a script: without keys.
ENTER = """void (() => {
  const [selector, value] = args;
  const control = document.querySelector(selector);
  control.focus();
  if (control.multiple) {
    for (const option of control.options) option.selected = value.includes(option.value);
  } else {
    control.value = value;
  }
  for (const type of ["input", "change"]) {
    control.dispatchEvent(new Event(type, { bubbles: true }));
  }
})()"""

# Counts the changes of an element's content.
WATCH = """void (() => {
  globalThis.changes = 0;
  const count = (records) => changes += records.length;
  new MutationObserver(count).observe(document.querySelector(args[0]), {
    characterData: true,
    childList: true,
    subtree: true,
  });
})()"""

# Records the reports in the console, with the opening tags of elements in it.
NOTE = """globalThis.mistakes = [];
const { error } = console;
console.error = (...words) => {
  mistakes.push(words.map((word) => word.cloneNode?.(false).outerHTML ?? word).join(" "));
  error.apply(console, words);
};"""

CARET = "((field) => [field.value, field.selectionStart])(document.querySelector(args[0]))"
PLACE_CARET = "document.querySelector(args[0]).setSelectionRange(args[1], args[1])"


# MARK: The page


def serve(website, more="", **replaced):
    """Serves the page with further elements, and with others in place of those with these ids."""
    html = (PAGES / "controls.html").read_text().replace("<!-- more -->", more)
    for name, element in replaced.items():
        html, count = re.subn(rf'<\w+ id="{name}"[^>]*>', lambda _: element, html)
        assert count == 1, name
    website.answer("controls.html", html)
    website.answer("controls.js", (PAGES / "controls.js").read_text(), "text/javascript")
    website.answer("empty", '<title>Empty</title><link rel="icon" href="data:,">')
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is missing: run ./build.sh test browser", pytrace=False)
    website.answer("controls.wasm", PROGRAM.read_bytes(), "application/wasm")


def await_program(tab):
    tab.expect_text("#running", "true")


@pytest.fixture
def controls(website, open_tab):
    """Returns a function that opens the page in another tab, and waits until its program runs.
    The first call may change the page."""
    is_served = False

    def open_running(more="", **replaced):
        nonlocal is_served
        if not is_served:
            serve(website, more, **replaced)
            website.begin_with(NOTE)
            is_served = True
        tab = open_tab("controls.html")
        await_program(tab)
        return tab

    return open_running


@pytest.fixture
def store(website, open_tab):
    """Returns a tab of the same origin without a program, which stores values."""
    serve(website)
    tab = open_tab("empty")
    tab.value("localStorage.length")  # in WebKit, tabs share the storage only after that
    return tab


def put(tab, **values):
    for name, value in values.items():
        text = json.dumps(value, separators=(",", ":"))
        tab.value("localStorage.setItem(args[0], args[1])", name, text)


def stored(tab, name):
    text = tab.stored(name)
    return None if text is None else json.loads(text)


def expect_stored(tab, name, value):
    """Waits until a value is stored."""
    tab.expect("JSON.parse(localStorage.getItem(args[0]))", value, name)


def shown(tab, control):
    return tab.value("shown()[args[0]]", control)


def expect_shown(tab, control, state):
    tab.expect("shown()[args[0]]", state, control)


def expect_mistake(tab, problems, *words):
    """Expects one report in the console since the last call, which names these."""
    found = tab.value("mistakes.splice(0)")
    assert len(found) == len(problems) == 1, found
    assert all(word in found[0].lower() for word in words), found
    problems.clear()


def enter(tab, selector, value):
    tab.value(ENTER, selector, value)


def leave(tab):
    tab.value("document.activeElement.blur()")


# The program's values before anything is stored.
DEFAULTS = {
    "text": "", "note": "", "draft": "", "upper": "", "memo": "", "amount": 5, "ratio": 0.5,
    "level": 150, "limit": 200, "colour": "#336699", "day": "2026-01-31", "hour": "12:30",
    "month": "2026-01", "week": "2026-W05", "moment": "2026-01-31T12:30", "isDark": False,
    "langs": ["sv"], "size": "medium", "theme": "light", "tags": ["home"], "isOpen": False,
    "isAsking": False, "isMenu": False, "todos": [], "presses": 0,
}  # fmt: skip


def states(**values):
    """Returns what the page shows if these values differ from the program's own: `shown()`."""
    values = DEFAULTS | values
    langs, tags, is_open = values["langs"], values["tags"], values["isOpen"]
    return {
        **{name: values[name] for name in ("text", "note", "draft", "upper", "memo")},
        **{name: values[name] for name in ("colour", "day", "hour", "month", "week", "moment")},
        **{name: str(values[name]) for name in ("amount", "level")},
        **{name: str(float(values["ratio"])) for name in ("ratio", "ratio-text")},
        "dark": values["isDark"],
        **{lang: lang in langs for lang in ("sv", "en", "de")},
        **{size: size == values["size"] for size in ("small", "medium", "large")},
        "theme": values["theme"],
        "tags": [tag for tag in ("home", "work", "garden") if tag in tags],
        "fold": is_open,
        "mirror": is_open,
        "question": values["isAsking"],
        "menu": values["isMenu"],
        "copy": values["text"],
        "parity": "odd" if values["amount"] % 2 else "even",
        "presses": str(values["presses"]),
        **{
            f"{number}.{field}": str(row[field]) if field == "amount" else row[field]
            for number, row in enumerate(values["todos"])
            for field in ("title", "done", "amount")
        },
    }


# MARK: The table


class Case(typing.NamedTuple):
    control: str
    model: str
    gesture: typing.Callable
    stored: typing.Any
    shown: typing.Any


def typing_in(control, text):
    return lambda tab: (tab.type(f"#{control}", text), tab.press("Tab"))


def filling(control, text):
    return lambda tab: (tab.fill(f"#{control}", text), tab.press("Tab"))


def entering(control, value):
    return lambda tab: enter(tab, f"#{control}", value)


def clicking(*controls):
    return lambda tab: [tab.click(f"#{control}") for control in controls]


def pressing(control, key):
    return lambda tab: (tab.focus(f"#{control}"), tab.press(key))


def evaluating(expression):
    return lambda tab: tab.value(f"void ({expression})")


CASES = {
    "a text": Case("text", "text", typing_in("text", "a b"), "a b", "a b"),
    "lines": Case("note", "note", typing_in("note", "a b"), "a b", "a b"),
    "a text on leaving": Case("draft", "draft", typing_in("draft", "a b"), "a b", "a b"),
    "a type of its own": Case("upper", "upper", typing_in("upper", "ab"), "AB", "AB"),
    "edited text": Case("memo", "memo", typing_in("memo", "a b"), "a b", "a b"),
    "a number": Case("amount", "amount", filling("amount", "12"), 12, "12"),
    "a fraction": Case("ratio", "ratio", filling("ratio", "1.05"), 1.05, "1.05"),
    "a fraction as a text": Case(
        "ratio-text", "ratio", filling("ratio-text", "1.05"), 1.05, "1.05"),
    "a range": Case("level", "level", pressing("level", "ArrowRight"), 151, "151"),
    "a colour": Case("colour", "colour", entering("colour", "#ff0000"), "#ff0000", "#ff0000"),
    "a day": Case("day", "day", entering("day", "2026-02-28"), "2026-02-28", "2026-02-28"),
    "an hour": Case("hour", "hour", entering("hour", "07:05"), "07:05", "07:05"),
    "a month": Case("month", "month", entering("month", "2027-03"), "2027-03", "2027-03"),
    "a week": Case("week", "week", entering("week", "2027-W03"), "2027-W03", "2027-W03"),
    "a moment": Case(
        "moment", "moment", entering("moment", "2027-03-01T07:05"), "2027-03-01T07:05",
        "2027-03-01T07:05"),
    "a box": Case("dark", "isDark", clicking("dark"), True, True),
    "a box, twice": Case("dark", "isDark", clicking("dark", "dark"), False, False),
    "a box of a list": Case("en", "langs", clicking("en"), ["sv", "en"], True),
    "boxes of a list": Case("sv", "langs", clicking("en", "sv", "de"), ["en", "de"], False),
    "a radio button": Case("large", "size", clicking("large"), "large", True),
    "another radio button": Case("small", "size", clicking("large", "small"), "small", True),
    "a choice": Case("theme", "theme", entering("theme", "dark"), "dark", "dark"),
    "choices": Case(
        "tags", "tags", entering("tags", ["work", "garden"]), ["work", "garden"],
        ["work", "garden"]),
    "details": Case("fold", "isOpen", clicking("fold-summary"), True, True),
    "details by a key": Case("fold", "isOpen", pressing("fold-summary", "Enter"), True, True),
    "details by a script": Case(
        "fold", "isOpen", evaluating("document.querySelector('#fold').open = true"), True, True),
    "a dialog": Case("question", "isAsking", clicking("ask"), True, True),
    "a dialog by a script": Case(
        "question", "isAsking", evaluating("document.querySelector('#question').showModal()"),
        True, True),
    "a popover": Case("menu", "isMenu", clicking("menu-button"), True, True),
    "a popover by a script": Case(
        "menu", "isMenu", evaluating("document.querySelector('#menu').showPopover()"), True, True),
}  # fmt: skip


@pytest.mark.engines
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_gesture_is_stored_and_shown_in_another_tab_and_after_a_reload(controls, case):
    other, one = controls(), controls()  # a person uses the tab in front
    case.gesture(one)
    expect_stored(one, case.model, case.stored)
    expect_shown(one, case.control, case.shown)
    other.expect("shown()", one.value("shown()"))
    before = one.value("shown()")
    one.reload()
    await_program(one)
    one.expect("shown()", before)
    expect_stored(one, case.model, case.stored)


VALUES = {
    "text": 'a"b', "note": "a\nb", "draft": "c", "upper": "D", "memo": "e",
    "amount": -7, "ratio": 0.25, "level": 180, "colour": "#00ff00", "day": "2024-02-29",
    "hour": "23:59", "month": "2024-02", "week": "2024-W09", "moment": "2024-02-29T23:59",
    "isDark": True, "langs": ["de", "en"], "size": "small", "theme": "dark",
    "tags": ["garden", "home"], "isOpen": True, "isMenu": True,
    "todos": [{"id": 4, "title": "milk", "done": True, "amount": 3}],
}  # fmt: skip


@pytest.mark.engines
def test_each_control_shows_the_stored_value_and_stores_nothing_by_itself(controls, store):
    put(store, **VALUES)
    one = controls()
    one.expect("shown()", states(**VALUES))
    for name, value in VALUES.items():
        assert stored(one, name) == value
    assert one.stored("isAsking") is None


def test_each_control_shows_what_another_tab_stores(controls, store):
    one = controls()
    one.expect("shown()", states())
    put(store, **VALUES)
    one.expect("shown()", states(**VALUES))
    store.value("localStorage.clear()")
    one.expect("shown()", states())


def test_a_field_that_is_used_alone_stores_its_own_value_only(controls):
    one = controls()
    one.type("#text", "a")
    expect_stored(one, "text", "a")
    assert one.value("Object.keys(localStorage)") == ["text"]


@pytest.mark.parametrize(
    ("type", "model", "value", "text"),
    [("color", "colour", "#00ff00", "#00ff00"), ("range", "amount", 7, "7")],
)
def test_a_control_without_a_value_in_the_html_shows_the_stored_value(
    controls, store, type, model, value, text
):
    """Browsers show a value of their own there, which nobody has entered."""
    put(store, **{model: value})
    one = controls(f'<input id="bare" type="{type}" aria-label="Bare" data-model="{model}">')
    assert shown(one, "bare") == text
    assert stored(one, model) == value


# MARK: Choices


def test_values_that_no_box_has_stay_in_the_list_in_their_order(controls, store):
    put(store, langs=["xx", "sv", "yy"])
    one = controls()
    one.click("#en")
    expect_stored(one, "langs", ["xx", "sv", "yy", "en"])
    one.click("#sv")
    expect_stored(one, "langs", ["xx", "yy", "en"])
    one.click("#sv")
    expect_stored(one, "langs", ["xx", "yy", "en", "sv"])


def test_values_that_no_option_has_stay_in_the_list_in_their_order(controls, store):
    put(store, tags=["xx", "home", "yy"])
    one = controls()
    assert shown(one, "tags") == ["home"]
    enter(one, "#tags", ["home", "work"])
    expect_stored(one, "tags", ["xx", "home", "yy", "work"])
    enter(one, "#tags", ["work"])
    expect_stored(one, "tags", ["xx", "yy", "work"])


def test_a_value_that_no_radio_button_has_stays(controls, store):
    put(store, size="large")
    one = controls(large='<input id="large" type="checkbox">')
    assert [shown(one, "small"), shown(one, "medium")] == [False, False]
    one.type("#text", "a")
    expect_stored(one, "text", "a")
    assert stored(one, "size") == "large"


def test_a_choice_without_its_option_stays_and_is_shown_once_the_option_comes(controls, store):
    put(store, theme="sepia", tags=["sea", "home"])
    one = controls()
    assert shown(one, "theme") == ""
    assert shown(one, "tags") == ["home"]
    add = "void document.querySelector(args[0]).add(new Option(args[1]))"
    one.value(add, "#theme", "other")
    one.value(add, "#theme", "sepia")
    expect_shown(one, "theme", "sepia")
    one.value(add, "#tags", "sea")
    expect_shown(one, "tags", ["home", "sea"])
    assert [stored(one, "theme"), stored(one, "tags")] == ["sepia", ["sea", "home"]]


def test_options_of_a_list_in_the_page_may_come_after_the_choice(controls, store):
    put(store, text="milk")
    more = """<select id="of-todos" aria-label="Todo" data-model="text"
      data-rows="todos" data-key="id">
      <template><option data-text="title" data-bind="value:title"></option></template>
    </select>"""
    one = controls(more)
    assert shown(one, "of-todos") == ""
    put(store, todos=[{"id": 1, "title": "tea"}, {"id": 2, "title": "milk"}])
    expect_shown(one, "of-todos", "milk")
    assert stored(one, "text") == "milk"


# MARK: Numbers


@pytest.mark.engines
def test_a_range_may_get_its_maximum_after_its_value(controls):
    one = controls()
    assert shown(one, "level") == "150", "beyond the maximum without `max`, 100"
    one.focus("#level")
    one.press("ArrowLeft")
    expect_stored(one, "level", 149)


@pytest.mark.parametrize(
    ("attributes", "name", "text", "clamped"),
    [
        ('value="3" max="3"', "max", "9", "3"),
        ('value="8" min="8"', "min", "2", "8"),
        ('value="8" min="0" step="8"', "step", "5", "8"),
    ],
)
def test_a_range_shows_the_value_once_its_limits_allow_it(
    controls, attributes, name, text, clamped
):
    element = f'<input id="coarse" type="range" {attributes} aria-label="C" data-model="amount">'
    one = controls(element)
    assert shown(one, "coarse") == clamped
    one.value("document.querySelector('#coarse').setAttribute(args[0], args[1])", name, text)
    expect_shown(one, "coarse", "5")
    assert one.stored("amount") is None, "the range stores nothing by itself"


@pytest.mark.parametrize("field", ["ratio", "ratio-text"])
def test_a_fraction_is_typed_key_by_key(controls, field):
    one = controls()
    one.fill(f"#{field}", "1")
    for key, text in [(".", None), ("0", "1.0"), ("5", "1.05"), ("0", "1.050")]:
        one.press(key)
        if text:
            assert shown(one, field) == text
    expect_stored(one, "ratio", 1.05)
    assert one.value("document.activeElement.id") == field
    one.press("Tab")
    expect_shown(one, field, "1.05")


@pytest.mark.parametrize("field", ["ratio", "ratio-text"])
def test_a_number_in_another_form_is_shown_as_the_value_once_the_field_is_left(controls, field):
    one = controls()
    one.fill(f"#{field}", "1.50")
    expect_stored(one, "ratio", 1.5)
    assert shown(one, field) == "1.50"
    one.press("Tab")
    expect_shown(one, field, "1.5")


def test_half_a_number_stays_until_the_field_is_left(controls, store):
    one = controls()
    one.fill("#amount", "-")
    put(store, amount=7, text="a")
    expect_shown(one, "text", "a")
    assert shown(one, "amount") == ""
    one.press("3")
    expect_stored(one, "amount", -3)
    one.press("Backspace")
    put(store, amount=8, text="b")
    expect_shown(one, "text", "b")
    assert shown(one, "amount") == ""
    leave(one)
    expect_shown(one, "amount", "8")
    assert stored(one, "amount") == 8


def test_an_empty_number_is_refused_and_shown_again_once_the_field_is_left(controls):
    one = controls()
    one.fill("#amount", "12")
    expect_stored(one, "amount", 12)
    one.press("Backspace")
    one.press("Backspace")
    expect_stored(one, "amount", 1)
    assert shown(one, "amount") == ""
    assert one.text("#refused") == "", "it may become a number"
    one.press("Tab")
    expect_shown(one, "amount", "1")


def test_a_refused_number_stays_while_the_field_has_the_focus(controls, store):
    one = controls()
    one.fill("#amount", "12.5")
    one.expect_text("#refused", re.compile("12.5"))
    put(store, amount=8, text="a")
    expect_shown(one, "text", "a")
    assert shown(one, "amount") == "12.5"
    leave(one)
    expect_shown(one, "amount", "8")
    assert stored(one, "amount") == 8


@pytest.mark.needs("processes")
def test_a_day_is_typed_key_by_key(controls):
    """Only Chromium's parts of a date are known to the test."""
    one = controls()
    one.focus("#day")
    for key in "02282027":
        one.press(key)
    expect_stored(one, "day", "2027-02-28")
    assert shown(one, "day") == "2027-02-28"


# MARK: Typing


def test_a_lazy_field_stores_its_text_once_it_is_left(controls, store):
    one = controls()
    one.type("#draft", "abc")
    put(store, text="a")
    expect_shown(one, "text", "a")
    assert one.stored("draft") is None
    assert shown(one, "draft") == "abc"
    one.press("Tab")
    expect_stored(one, "draft", "abc")
    one.type("#draft", "d")
    leave(one)
    expect_stored(one, "draft", shown(one, "draft"))
    assert "d" in shown(one, "draft")


def test_escape_in_a_lazy_field_restores_the_value_and_stores_nothing(controls, store):
    put(store, draft="old")
    one = controls()
    one.fill("#draft", "typed")
    one.press("Escape")
    expect_shown(one, "draft", "old")
    leave(one)
    assert shown(one, "draft") == "old"
    assert stored(one, "draft") == "old"


def test_escape_in_a_lazy_field_shows_what_another_tab_has_stored_meanwhile(controls, store):
    one = controls()
    one.fill("#draft", "typed")
    put(store, draft="newer", text="a")
    expect_shown(one, "text", "a")
    assert shown(one, "draft") == "typed"
    one.press("Escape")
    expect_shown(one, "draft", "newer")
    leave(one)
    assert shown(one, "draft") == "newer"
    assert stored(one, "draft") == "newer"


def test_typing_in_a_lazy_field_after_escape_is_stored(controls):
    one = controls()
    one.fill("#draft", "typed")
    one.press("Escape")
    one.type("#draft", "again")
    one.press("Tab")
    expect_stored(one, "draft", "again")


@pytest.mark.engines
@pytest.mark.parametrize("field", ["text", "note"])
def test_typing_in_the_middle_keeps_the_caret(controls, field):
    one = controls()
    one.type(f"#{field}", "abc")
    one.value(PLACE_CARET, f"#{field}", 1)
    one.press("x")
    one.press("y")
    expect_stored(one, field, "axybc")
    assert one.value(CARET, f"#{field}") == ["axybc", 3]


def test_a_text_that_the_program_changes_while_it_is_typed_keeps_the_caret(controls):
    one = controls()
    one.type("#upper", "ad")
    expect_shown(one, "upper", "AD")
    one.value(PLACE_CARET, "#upper", 1)
    one.press("b")
    one.press("c")
    expect_stored(one, "upper", "ABCD")
    assert one.value(CARET, "#upper") == ["ABCD", 3]


def test_a_text_that_another_tab_changes_keeps_the_caret(controls, store):
    put(store, text="abcdef")
    one = controls()
    one.focus("#text")
    one.value(PLACE_CARET, "#text", 2)
    put(store, text="abcdefgh")
    expect_shown(one, "text", "abcdefgh")
    assert one.value(CARET, "#text") == ["abcdefgh", 2]


def test_an_action_changes_the_text_of_the_field_with_the_focus(controls):
    one = controls()
    one.type("#text", "abc")
    one.value("document.querySelector('#clear').click()")
    expect_shown(one, "text", "")
    expect_stored(one, "text", "")
    assert one.value("document.activeElement.id") == "text"
    one.press("d")
    expect_stored(one, "text", "d")


def test_the_caret_in_edited_text_stays_while_one_types(controls):
    one = controls()
    one.type("#memo", "abc")
    one.value("getSelection().collapse(document.querySelector('#memo').firstChild, 1)")
    one.press("x")
    one.press("y")
    expect_stored(one, "memo", "axybc")
    assert shown(one, "memo") == "axybc"


def test_half_composed_text_is_not_stored(controls, store):
    one = controls()
    one.focus("#text")
    compose = """void (() => {
      const field = document.querySelector("#text");
      field.value = args[0];
      field.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
    })()"""
    one.value(compose, "か")
    put(store, text="other", note="a")
    expect_shown(one, "note", "a")
    assert shown(one, "text") == "か"
    assert stored(one, "text") == "other"
    one.value(compose, "かん")
    one.value(
        """document.querySelector("#text").dispatchEvent(
          new CompositionEvent("compositionend", { bubbles: true }))"""
    )
    expect_stored(one, "text", "かん")
    assert shown(one, "text") == "かん"


# MARK: What the browser does by itself


@pytest.mark.engines
def test_the_reset_of_a_form_stores_the_values_of_the_html(controls):
    other, one = controls(), controls()
    one.type("#text", "a")
    one.fill("#amount", "12")
    for control in ("dark", "en", "large"):
        one.click(f"#{control}")
    enter(one, "#theme", "dark")
    enter(one, "#tags", ["garden"])
    expect_stored(one, "tags", ["garden"])
    one.click("#reset")
    expected = {
        "text": "", "amount": 1, "ratio": 1, "level": 50, "day": "", "isDark": False, "langs": [],
        "size": "medium", "theme": "light", "tags": [],
    }  # fmt: skip
    for name, value in expected.items():
        expect_stored(one, name, value)
    other.expect("shown()", one.value("shown()"))
    before = one.value("shown()")
    one.reload()
    await_program(one)
    one.expect("shown()", before)


def test_a_reset_that_a_script_prevents_stores_nothing(controls):
    one = controls()
    one.type("#text", "a")
    expect_stored(one, "text", "a")
    one.value(
        """document.querySelector("#form").addEventListener(
          "reset", (event) => event.preventDefault())"""
    )
    one.click("#reset")
    one.type("#note", "b")
    expect_stored(one, "note", "b")
    assert stored(one, "text") == "a"
    assert shown(one, "text") == "a"


@pytest.mark.engines
def test_a_click_on_a_label_around_its_box_runs_its_action_once(controls):
    one = controls()
    for presses in (1, 2):
        one.click("#label")
        expect_stored(one, "presses", presses)
    one.click("#boxed")
    expect_stored(one, "presses", 3)
    one.type("#text", "a")
    expect_stored(one, "text", "a")
    assert stored(one, "presses") == 3


@pytest.mark.engines
def test_an_action_on_a_summary_runs_after_the_details_have_opened(controls):
    other, one = controls(), controls()
    for is_open in (True, False, True):
        one.click("#mirror-summary")
        expect_stored(one, "isOpen", is_open)
        for tab in (one, other):
            expect_shown(tab, "mirror", is_open)
            expect_shown(tab, "fold", is_open)
    before = one.value("shown()")
    one.reload()
    await_program(one)
    one.expect("shown()", before)


def test_an_action_on_a_reset_button_gets_the_text_after_the_reset(controls):
    more = """<form>
      <input id="own" value="tea" aria-label="Own">
      <button id="begin" type="reset" data-click="add" data-field="own">Begin again</button>
    </form>"""
    one = controls(more)
    one.fill("#own", "milk")
    one.click("#begin")
    expect_shown(one, "0.title", "tea")


def test_an_action_on_a_button_that_opens_a_popover_does_not_keep_it_from_opening(controls):
    button = '<button id="menu-button" type="button" popovertarget="menu" data-click="press">'
    one = controls(**{"menu-button": button})
    one.click("#menu-button")
    expect_stored(one, "isMenu", True)
    expect_stored(one, "presses", 1)
    assert shown(one, "menu") is True


@pytest.mark.parametrize("close", ["Escape", "button", "script"])
def test_a_dialog_is_closed_in_each_tab_however_it_was_closed(controls, close):
    other, one = controls(), controls()
    one.click("#ask")
    for tab in (one, other):
        expect_shown(tab, "question", True)
        assert tab.value("document.querySelector('#question').matches(':modal')")
    if close == "Escape":
        one.press("Escape")
    elif close == "button":
        one.click("#answer")
    else:
        one.value("document.querySelector('#question').close()")
    expect_stored(one, "isAsking", False)
    for tab in (one, other):
        expect_shown(tab, "question", False)
    one.click("#ask")
    expect_stored(one, "isAsking", True)
    expect_shown(other, "question", True)


def test_a_dialog_that_is_open_is_modal_after_a_reload(controls):
    one = controls()
    one.click("#ask")
    expect_stored(one, "isAsking", True)
    one.reload()
    await_program(one)
    one.expect("document.querySelector('#question').matches(':modal')", True)


@pytest.mark.parametrize("close", ["Escape", "elsewhere", "button"])
def test_a_popover_is_closed_in_each_tab_however_it_was_closed(controls, close):
    other, one = controls(), controls()
    one.click("#menu-button")
    for tab in (one, other):
        expect_shown(tab, "menu", True)
    if close == "Escape":
        one.press("Escape")
    else:
        one.click("#parity" if close == "elsewhere" else "#menu-button")
    expect_stored(one, "isMenu", False)
    for tab in (one, other):
        expect_shown(tab, "menu", False)


# MARK: Rows


def todo(number, title="", done=False, amount=0):
    return {"id": number, "title": title, "done": done, "amount": amount}


def test_a_control_in_a_row_changes_this_field_of_this_element(controls, store):
    put(store, todos=[todo(3, "tea"), todo(5, "milk"), todo(7, "rice")])
    other, one = controls(), controls()
    row = "li:nth-of-type(2)"
    one.fill(f"{row} .title", "milk = 2 l")
    expect_stored(one, "todos", [todo(3, "tea"), todo(5, "milk = 2 l"), todo(7, "rice")])
    one.click(f"{row} .done")
    one.fill(f"{row} .amount", "4")
    mended = [todo(3, "tea"), todo(5, "milk = 2 l", True, 4), todo(7, "rice")]
    expect_stored(one, "todos", mended)
    one.press("Tab")
    other.expect("shown()", one.value("shown()"))
    other.click(f"{row} .done")
    other.fill(f"{row} .title", "x")
    other.press("Backspace")
    expect_stored(one, "todos", [todo(3, "tea"), todo(5, "", False, 4), todo(7, "rice")])
    before = other.value("shown()")
    one.expect("shown()", before)
    one.reload()
    await_program(one)
    one.expect("shown()", before)


def test_typing_in_a_row_keeps_the_caret_and_the_focus(controls, store):
    put(store, todos=[todo(1, "abc")])
    one = controls()
    one.focus("li .title")
    one.value(PLACE_CARET, "li .title", 1)
    one.press("x")
    one.press("y")
    expect_stored(one, "todos", [todo(1, "axybc")])
    assert one.value(CARET, "li .title") == ["axybc", 3]


def test_a_number_in_a_row_is_refused_like_any_other(controls, store):
    put(store, todos=[todo(1, "tea", amount=3)])
    one = controls()
    one.value("document.querySelector('li .amount').step = 'any'")
    one.fill("li .amount", "1.5")
    one.expect_text("#refused", re.compile("1.5"))
    assert stored(one, "todos") == [todo(1, "tea", amount=1)], "the first key"
    assert shown(one, "0.amount") == "1.5"
    one.press("Tab")
    expect_shown(one, "0.amount", "1")


def test_a_row_that_another_tab_removes_goes_though_its_field_is_being_typed_in(controls, store):
    put(store, todos=[todo(1, "tea"), todo(2, "milk")])
    one = controls()
    one.focus("li .title")
    one.press("x")
    one.expect("JSON.parse(localStorage.getItem('todos'))[0].title.includes('x')", True)
    put(store, todos=[todo(2, "milk")])
    one.expect("document.querySelectorAll('li').length", 1)
    assert shown(one, "0.title") == "milk"
    assert stored(one, "todos") == [todo(2, "milk")]


# MARK: Before the program runs

TYPED = {
    "text": "typed", "note": "typed", "draft": "typed", "amount": "12", "dark": True, "en": True,
    "de": True, "large": True, "theme": "dark", "tags": ["work"], "level": "70", "memo": "typed",
}  # fmt: skip


def use(tab):
    """Uses controls before the program runs."""
    for field in ("text", "note", "draft"):
        tab.fill(f"#{field}", "typed")
    tab.type("#memo", "typed")
    tab.fill("#amount", "12")
    for control in ("dark", "en", "de", "large"):
        tab.click(f"#{control}")
    enter(tab, "#theme", "dark")
    enter(tab, "#tags", ["work"])
    enter(tab, "#level", "70")


@pytest.mark.engines
def test_what_is_typed_before_the_program_runs_stays_and_is_stored(website, store, open_tab):
    put(store, text="old", upper="OLD", size="small", langs=["xx"], ratio=0.75)
    begin = website.hold("controls.wasm")
    tab = open_tab("controls.html")
    tab.expect("typeof globalThis.shown", "function")
    use(tab)
    begin.set()
    await_program(tab)
    expected = {
        "text": "typed", "note": "typed", "draft": "typed", "amount": 12, "isDark": True,
        "langs": ["xx", "en", "de"], "size": "large", "theme": "dark", "level": 70, "memo": "typed",
    }  # fmt: skip
    for name, value in expected.items():
        expect_stored(tab, name, value)
    states = tab.value("shown()")
    assert {name: states[name] for name in TYPED} == TYPED
    assert [states["upper"], states["ratio"]] == ["OLD", "0.75"], "they were not used"
    assert [stored(tab, "upper"), stored(tab, "ratio")] == ["OLD", 0.75]


def test_what_is_typed_before_the_script_of_the_page_runs_stays_and_is_stored(
    website, store, open_tab
):
    put(store, text="old", upper="OLD")
    html = (PAGES / "controls.html").read_text()
    assert SCRIPT in html
    website.answer("controls.html", html.replace(SCRIPT, ""))
    tab = open_tab("controls.html")
    use(tab)
    tab.value("void import('./controls.js')")
    await_program(tab)
    expected = {
        "text": "typed", "note": "typed", "draft": "typed", "amount": 12, "isDark": True,
        "langs": ["sv", "en", "de"], "size": "large", "theme": "dark", "level": 70,
    }  # fmt: skip
    for name, value in expected.items():
        expect_stored(tab, name, value)
    assert shown(tab, "text") == "typed"
    assert [shown(tab, "upper"), stored(tab, "upper")] == ["OLD", "OLD"]


def test_typing_goes_on_while_the_program_begins(website, store, open_tab):
    put(store, text="old")
    begin = website.hold("controls.wasm")
    tab = open_tab("controls.html")
    tab.expect("typeof globalThis.shown", "function")
    tab.type("#text", "ac")
    tab.value(PLACE_CARET, "#text", 1)
    begin.set()
    await_program(tab)
    expect_stored(tab, "text", "ac")
    tab.press("b")
    expect_stored(tab, "text", "abc")
    assert tab.value(CARET, "#text") == ["abc", 2]


@pytest.mark.engines
@pytest.mark.parametrize("way", ["reload", "back"])
def test_fields_that_the_browser_restores_show_what_is_stored(controls, website, way):
    tab = controls()
    tab.type("#text", "first")
    tab.type("#note", "first")
    tab.fill("#amount", "3")
    for control in ("dark", "en", "large"):
        tab.click(f"#{control}")
    enter(tab, "#theme", "dark")
    expect_stored(tab, "theme", "dark")
    newer = {
        "text": "second", "note": "second", "amount": 4, "isDark": False, "langs": ["de"],
        "size": "small", "theme": "light",
    }  # fmt: skip
    if way == "back":
        tab.goto(website.address + "empty")
    put(tab, **newer)  # without an event in this tab
    if way == "back":
        tab.value("void history.back()")
        tab.expect("typeof globalThis.shown", "function")
    else:
        tab.reload()
    await_program(tab)
    for control, state in {
        "text": "second", "note": "second", "amount": "4", "dark": False, "en": False, "de": True,
        "small": True, "theme": "light",
    }.items():  # fmt: skip
        expect_shown(tab, control, state)
    for name, value in newer.items():
        assert stored(tab, name) == value


# MARK: What cannot be bound


@pytest.mark.parametrize(
    ("element", "gesture"),
    [
        ('<div id="odd" contenteditable="true" data-model="text">rich</div>', "type"),
        ('<div id="odd" contenteditable data-model="text">rich</div>', "type"),
        ('<input id="odd" type="file" aria-label="File" data-model="text">', "none"),
        ('<button id="odd" type="button" data-model="text">Go</button>', "click"),
        ('<input id="odd" type="submit" data-model="text">', "none"),
        ('<p id="odd" data-model="text">Some text</p>', "click"),
    ],
)
def test_an_element_that_holds_no_value_is_refused_by_name(
    controls, store, problems, element, gesture
):
    put(store, text="kept")
    one = controls(element)
    expect_mistake(one, problems, 'data-model="text"', 'id="odd"')
    if gesture == "type":
        one.type("#odd", "a")
    elif gesture == "click":
        one.click("#odd")
    for event in ("input", "change"):
        one.value(
            """document.querySelector("#odd").dispatchEvent(
              new Event(args[0], { bubbles: true }))""",
            event,
        )
    one.type("#note", "b")
    expect_stored(one, "note", "b")
    assert stored(one, "text") == "kept"
    assert shown(one, "copy") == "kept"


@pytest.mark.parametrize(
    "element",
    [
        '<button id="bare" type="button" data-click="add">Add</button>',
        '<p id="bare" data-click="add">Add</p>',
        '<input id="bare" type="file" data-change="add" aria-label="File">',
    ],
)
def test_an_action_that_wants_a_text_is_refused_on_an_element_without_one(
    controls, problems, element
):
    one = controls(element)
    if "file" in element:
        one.value(
            """document.querySelector("#bare").dispatchEvent(
              new Event("change", { bubbles: true }))"""
        )
    else:
        one.click("#bare")
    one.expect_text("#refused", "Nothing was done: there is no text here.")
    assert one.stored("todos") is None
    expect_mistake(one, problems, '"add title"', 'id="bare"')
    one.fill("#title", "milk")
    one.click("#add")
    expect_stored(one, "todos", [todo(1, "milk")])
    one.expect_text("#refused", "")


def test_an_action_that_is_refused_twice_is_announced_twice(controls, problems):
    one = controls('<button id="bare" type="button" data-click="add">Add</button>')
    one.click("#bare")
    one.expect_text("#refused", "Nothing was done: there is no text here.")
    one.value(WATCH, "#refused")
    one.click("#bare")
    one.expect("changes > 0", True)
    one.expect_text("#refused", "Nothing was done: there is no text here.")
    problems.clear()


def test_a_bound_value_is_shown_one_way(controls):
    one = controls('<input id="one-way" aria-label="One way" data-bind="value:text">')
    one.type("#text", "a")
    one.expect("document.querySelector('#one-way').value", "a")
    one.type("#one-way", "b")
    one.type("#note", "c")
    expect_stored(one, "note", "c")
    assert stored(one, "text") == "a"


def test_an_equal_text_is_not_written_again(controls):
    one = controls()
    one.expect_text("#parity", "odd")
    one.value(WATCH, "#parity")
    one.fill("#amount", "7")
    expect_stored(one, "amount", 7)
    one.value("page.set('parity', 'odd')")
    assert one.value("changes") == 0
    one.fill("#amount", "8")
    one.expect_text("#parity", "even")
    one.expect("changes > 0", True)


# MARK: Attributes that run something


@pytest.mark.parametrize(
    ("element", "name"),
    [
        ('<a id="odd" data-bind="onclick:text">Go</a>', "onclick"),
        ('<a id="odd" data-bind="title:note ONCLICK:text">Go</a>', "onclick"),
        ('<iframe id="odd" title="Frame" data-bind="srcdoc:text"></iframe>', "srcdoc"),
        ('<script id="odd" type="text/plain" data-text="text"></script>', "script"),
        ('<style id="odd" data-text="text"></style>', "style"),
    ],
)
def test_what_runs_something_is_not_bound_and_named(controls, store, problems, element, name):
    put(store, text="globalThis.hasRun = true", note="a")
    one = controls(element)
    expect_mistake(one, problems, name, '"text"', 'id="odd"')
    put(store, text="globalThis.hasRun = 'later'")
    expect_shown(one, "copy", "globalThis.hasRun = 'later'")
    odd = "(({ textContent, attributes }) => [textContent, [...attributes].map((a) => a.name)])"
    text, attributes = one.value(f"{odd}(document.querySelector('#odd'))")
    assert "hasRun" not in text
    assert not {"onclick", "srcdoc"} & set(attributes)
    assert one.value("typeof globalThis.hasRun") == "undefined"


@pytest.mark.parametrize(
    "element",
    [
        '<a id="odd" data-bind="href:link">Go</a>',
        '<svg><a id="odd" data-bind="href:link"><text>Go</text></a></svg>',
        '<iframe id="odd" title="Frame" data-bind="src:link"></iframe>',
        '<form id="odd" data-bind="action:link"></form>',
        '<button id="odd" data-bind="formaction:link">Go</button>',
    ],
)
@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "\u0001java\n\tscript:alert(1)",
        "data:text/html,hello",
        " DATA:text/html,hello",
    ],
)
def test_an_address_that_runs_something_is_not_set_and_named(
    controls, problems, element, address
):
    one = controls(element)
    attribute = re.search(r'data-bind="(\w+)', element)[1]
    read = "document.querySelector('#odd').getAttribute(args[0])"
    one.value("void page.set('link', './controls.html#there')")
    assert one.value(read, attribute) == "./controls.html#there"
    assert problems == []
    one.value("void page.set('link', args[0])", address)
    assert one.value(read, attribute) in (None, "", "about:blank")
    expect_mistake(one, problems, attribute, 'id="odd"')


def test_a_picture_may_have_its_data_in_its_address(controls):
    picture = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    one = controls('<img id="picture" alt="" data-bind="src:link">')
    one.value("void page.set('link', args[0])", picture)
    assert one.value("document.querySelector('#picture').getAttribute('src')") == picture
    one.expect("document.querySelector('#picture').naturalWidth", 1)


# MARK: Rows of rows

ROOMS = """
<form data-submit="open-room"><input id="room-name" name="name" aria-label="Room"></form>
<div id="rooms" data-rows="rooms" data-key="id">
  <template>
    <section class="room">
      <h2 data-text="id"></h2>
      <form data-submit="furnish"><input class="item-name" name="name" aria-label="Item"></form>
      <ul data-rows="items" data-key="id">
        <template>
          <li class="item">
            <span data-text="id"></span>
            <input type="checkbox" aria-label="Used" data-bind="checked:isUsed" data-click="use">
            <output data-text="place"></output>
            <form data-submit="place">
              <input name="x" aria-label="X"><input name="y" aria-label="Y"><button>Place</button>
            </form>
          </li>
        </template>
      </ul>
    </section>
  </template>
</div>"""
PLACES = """[...document.querySelectorAll(".room")].map((room) => [
  room.querySelector("h2").textContent,
  ...[...room.querySelectorAll(".item")].map((item) => [
    item.querySelector("span").textContent,
    item.querySelector("[type=checkbox]").checked,
    item.querySelector("output").textContent,
  ]),
])"""


@pytest.mark.engines
def test_a_list_in_an_element_has_rows_with_actions_in_two_tabs(controls):
    one, other = controls(ROOMS), controls()
    for room in ("hall", "attic"):
        one.type("#room-name", room)
        one.press("Enter")
    for item in ("lamp", "chair"):
        one.type(".room:nth-of-type(2) .item-name", item)
        one.press("Enter")
    other.expect(PLACES, [["hall"], ["attic", ["lamp", False, ""], ["chair", False, ""]]])
    other.click(".item:nth-of-type(2) [type=checkbox]")
    one.type(".item:nth-of-type(1) [name=x]", "3")
    one.type(".item:nth-of-type(1) [name=y]", "4")
    one.press("Enter")
    placed = [["hall"], ["attic", ["lamp", False, "3/4"], ["chair", True, ""]]]
    for tab in (one, other):
        tab.expect(PLACES, placed)
    one.reload()
    await_program(one)
    one.expect(PLACES, placed)


def test_axe_finds_nothing_in_the_controls_and_in_rows_of_rows(controls, website):
    website.begin_with(AXE)
    tab = controls(ROOMS)
    tab.type("#room-name", "hall")
    tab.press("Enter")
    tab.type(".item-name", "lamp")
    tab.press("Enter")
    tab.expect(PLACES, [["hall", ["lamp", False, ""]]])
    assert tab.value(VIOLATIONS) == []


# MARK: The address

SEARCH = '<input id="q" type="search" aria-label="Search" data-model="q">'


@pytest.mark.engines
def test_a_search_in_the_address_adds_no_entry_to_the_history(controls, website):
    tab = controls(SEARCH)
    tab.type("#q", "milk & tea")
    tab.expect("location.hash", "#q=milk%20%26%20tea")
    tab.type("#q", "!")
    tab.expect("location.hash", "#q=milk%20%26%20tea%21")
    tab.value("void (location.hash = '#q=rice&page=2')")
    tab.expect("document.querySelector('#q').value", "rice")
    tab.type("#q", "s")
    tab.expect("location.hash", "#q=rices&page=2")
    assert tab.value("performance.getEntriesByType('navigation').length") == 1, "without a load"
    tab.value("void history.back()")
    tab.expect("document.querySelector('#q').value", "milk & tea!")
    tab.value("void history.forward()")
    tab.expect("document.querySelector('#q').value", "rices")


def test_an_address_replaces_its_entry_on_a_page_with_a_base(controls):
    tab = controls(SEARCH)
    tab.value("void document.head.append(document.createElement('base'))")
    tab.value("document.querySelector('base').href = '/elsewhere/'")
    tab.type("#q", "a")
    tab.expect("location.pathname + location.hash", "/controls.html#q=a")
