"""The examples, with the input of people: notes in several tabs, and a search with loading."""

import json
import pathlib
import re

import pytest
from conftest import expect_problem
from website import Website

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples"

# Records the errors sent to the console in place of the browser.
KEEP_ERRORS = """
  globalThis.errors = [];
  console.error = (...words) => errors.push(words.map((word) => word.stack ?? word).join(" "));
"""

# Lets a test answer each request for the words in any order: requests[0]() with the file,
# requests[0](response) with a response.
HOLD_WORDS = """
  globalThis.requests = [];
  const { fetch: fetchNow } = globalThis;
  globalThis.fetch = (path, ...options) =>
    !`${path}`.endsWith("/words.json")
      ? fetchNow(path, ...options)
      : new Promise((resolve) => requests.push((answer) => resolve(answer ?? fetchNow(path))));
"""

ROWS = "[...document.querySelectorAll('#notes textarea')].map((field) => field.value)"


@pytest.fixture
def website(request):
    """Serves the example for the test: `notes` or `search`."""
    name = "Notes" if "notes" in request.fixturenames else "Search"
    if not (EXAMPLES / name / f"web/{name}.wasm").exists():
        pytest.fail(f"{name}.wasm is missing: run ./build.sh test browser", pytrace=False)
    website = Website(EXAMPLES / name / "web")
    yield website
    website.close()


@pytest.fixture
def notes(open_tab):
    """Returns a function that opens the notes in another tab, and waits until the program runs."""

    def open_running():
        tab = open_tab()
        await_notes(tab)
        return tab

    return open_running


@pytest.fixture
def search(open_tab, website):
    """Returns the search; its requests wait for the test."""
    website.begin_with(HOLD_WORDS)
    tab = open_tab()
    tab.expect_enabled("#text")
    return tab


def await_notes(tab):
    tab.expect_text("#program-error", "")
    tab.expect_enabled("#draft")


def expect_value(tab, selector, wanted):
    tab.expect("document.querySelector(args[0]).value", wanted, selector)


def enter(tab, selector, name, value):
    """Enters a value like a person, with a property of a field and its event."""
    tab.value(
        """((field) => {
          field[args[1]] = args[2];
          field.dispatchEvent(new Event("change", { bubbles: true }));
        })(document.querySelector(args[0]))""",
        selector,
        name,
        value,
    )


# MARK: Notes


def test_a_draft_survives_a_reload_and_another_tab_follows(notes):
    one, other = notes(), notes()
    one.type("#draft", "Buy milk")
    expect_value(other, "#draft", "Buy milk")
    one.type("#draft", "!")
    one.reload()
    await_notes(one)
    expect_value(one, "#draft", "Buy milk!")


def test_a_draft_becomes_a_note_in_every_tab(notes):
    one, other = notes(), notes()
    one.expect_visible("#empty")
    one.type("#draft", "Buy milk")
    one.click("#add")
    expect_value(one, "#draft", "")
    for tab in (one, other):
        tab.expect(ROWS, ["Buy milk"])
        tab.expect_visible("#empty", False)
    one.click("#add")
    one.expect_text("[data-text=refused]", "Write something first.")
    other.click("#notes button")
    one.expect(ROWS, [])


def test_a_note_is_changed_where_it_stands(notes):
    one, other = notes(), notes()
    one.value("localStorage.setItem('notes', '[\"one\",\"two\"]')")
    other.expect(ROWS, ["one", "two"])
    other.fill("#notes li:last-child textarea", "second")
    other.press("Tab")
    one.expect(ROWS, ["one", "second"])
    one.expect("document.querySelectorAll('#notes time')[1].textContent !== ''", True)


def test_notes_that_version_1_has_stored_appear_and_stay(notes):
    page = notes()
    page.value("localStorage.setItem('notes', '[\"one\",\"two\"]')")
    page.reload()
    await_notes(page)
    page.expect(ROWS, ["one", "two"])
    assert page.stored("notes") == '["one","two"]', "reading writes nothing"
    page.type("#draft", "three")
    page.click("#add")
    page.expect(ROWS, ["one", "two", "three"])
    stored = json.loads(page.stored("notes"))
    assert stored["$version"] == 2
    assert [note["text"] for note in stored["value"]] == ["one", "two", "three"]


def test_the_browser_counts_the_words(notes):
    page = notes()
    text = "Milk,bread and 牛奶面包"
    page.type("#draft", text)
    words = "[...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(args[0])]"
    count = page.value(f"{words}.filter(({{ isWordLike }}) => isWordLike).length", text)
    assert count > len(text.split())
    page.expect_text("#draft-words", str(count))
    page.click("#add")
    page.expect("document.querySelector('#drawing rect').getAttribute('height')", str(count))
    page.expect("document.title", "Notes (1)")


def test_settings_are_those_of_every_tab(notes):
    one, other = notes(), notes()
    enter(one, "#theme", "value", "dark")
    for tab in (one, other):
        expect_value(tab, "#theme", "dark")
        tab.expect("document.body.dataset.theme", "dark")
    enter(other, "#times", "checked", False)
    one.expect("document.querySelector('#times').checked", False)
    assert json.loads(one.stored("settings")) == {"theme": "dark", "showsTimes": False}
    one.reload()
    await_notes(one)
    expect_value(one, "#theme", "dark")


def test_a_mistake_in_the_pages_own_code_is_in_the_console_and_the_program_goes_on(notes, website):
    website.begin_with(KEEP_ERRORS)
    script = website.file("notes.js").replace("draw(text", "draw(missing", 1)
    website.answer("notes.js", script, "text/javascript")
    page = notes()
    page.type("#draft", "one")
    page.click("#add")
    page.expect(ROWS, ["one"])
    expect_value(page, "#draft", "")
    page.type("#draft", "two")
    page.click("#add")
    page.expect(ROWS, ["one", "two"])
    errors = page.value("errors")
    assert errors != []
    assert all("missing" in error and "notes.js" in error for error in errors), errors


# MARK: Search


def answer(tab, number, answer=""):
    """Answers a request with the file, or with a response."""
    tab.expect("requests.length > args[0]", True, number)
    tab.value(f"requests[args[0]]({answer})", number)


def test_what_is_typed_is_found(search):
    search.type("#text", "q")
    search.expect_text("#progress", "Searching…")
    answer(search, 0)
    search.expect_text("#progress", "0 words")
    search.fill("#text", "a")
    search.expect_text("#progress", "Searching…")
    search.type("#text", "n")
    search.type("#text", "c")
    answer(search, 3)
    search.expect_texts("#words dt", ["anchor"])
    search.expect_text("#progress", "1 word")
    search.expect_visible("#retry", False)


def test_a_reload_searches_again(search):
    search.type("#text", "b")
    search.expect_text("#progress", "Searching…")
    search.reload()
    search.expect_text("#progress", "Searching…")
    expect_value(search, "#text", "b")
    answer(search, 0)
    search.expect("document.querySelectorAll('#words dt').length > 5", True)


@pytest.mark.parametrize("failure", ["new Response('', { status: 500 })", "Promise.reject()"])
def test_an_error_is_said_until_a_retry_succeeds(search, problems, failure):
    search.type("#text", "z")
    search.expect_visible("#retry", False)
    answer(search, 0, failure)
    search.expect_text("#storage-error", re.compile("could not be fetched"))
    search.click("#retry")
    search.expect_visible("#retry", False)
    search.expect_text("#progress", "Searching…")
    answer(search, 1, """new Response('[{"word":"azure","meaning":""}]')""")
    search.expect_text("#storage-error", "")
    search.expect_texts("#words dt", ["azure"])
    expect_problem(problems, "could not be fetched")


def test_an_old_answer_is_ignored(search):
    search.type("#text", "g")
    search.type("#text", "a")
    answer(search, 1)
    search.expect_texts("#words dt", ["galley", "gale"])
    answer(search, 0, """new Response('[{"word":"old","meaning":"g"}]')""")
    search.value("new Promise((done) => setTimeout(done, 100))")
    assert search.texts("#words dt") == ["galley", "gale"]
    assert search.text("#progress") == "2 words"
