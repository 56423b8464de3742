"""The examples, with the input of people: expenses in two tabs, and a search with loading."""

import json
import pathlib
import re

import pytest
from conftest import expect_problem
from test_accessibility import AXE, VIOLATIONS
from website import Website

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples"

# Keeps the downloads in place of the browser: their names and texts.
KEEP_DOWNLOADS = """
  globalThis.downloads = [];
  URL.createObjectURL = (blob) => (URL.last = blob, "#");
  HTMLAnchorElement.prototype.click = async function () {
    downloads.push([this.download, await URL.last.text()]);
  };
"""

# Chooses a file as a person does.
CHOOSE = """((field) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([args[1]], args[0]));
  field.files = transfer.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
})(document.querySelector("#import"))"""

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

TITLES = "#expenses strong"
REFUSED = "p[data-text=refused]"
TODAY = "new Date().toLocaleDateString('sv')"  # as 2026-11-28


@pytest.fixture
def website(request):
    """Serves the example for the test: `expenses` or `search`."""
    name = "Expenses" if "expenses" in request.fixturenames else "Search"
    if not (EXAMPLES / name / f"web/{name}.wasm").exists():
        pytest.fail(f"{name}.wasm is missing: run ./build.sh test browser", pytrace=False)
    website = Website(EXAMPLES / name / "web")
    yield website
    website.close()


@pytest.fixture
def expenses(open_tab, website):
    """Returns a function that opens the expenses in another tab, and waits until the program
    runs."""
    website.begin_with(KEEP_DOWNLOADS)

    def open_running():
        tab = open_tab()
        await_expenses(tab)
        return tab

    return open_running


@pytest.fixture
def search(open_tab, website):
    """Returns the search; its requests wait for the test."""
    website.begin_with(HOLD_WORDS)
    tab = open_tab()
    tab.expect_enabled("#text")
    return tab


def await_expenses(tab):
    tab.expect_text("#program-error", "")
    tab.expect("document.querySelector('#add [name=day]').value !== ''", True)


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


def add(tab, title, amount):
    tab.fill("#add [name=title]", title)
    tab.fill("#add [name=amount]", amount)
    tab.click("#add > button")


def choose(tab, name, text):
    """Imports a file."""
    tab.value(CHOOSE, name, text)


# MARK: Expenses


def test_an_expense_of_today_appears_in_every_tab_and_stays(expenses):
    one, other = expenses(), expenses()
    one.expect_visible("#empty")
    expect_value(one, "#add [name=day]", one.value(TODAY))
    add(one, "Bread", "9,80")
    for tab in (one, other):
        tab.expect_texts(TITLES, ["Bread"])
        tab.expect_texts("#expenses data", ["€9.80"])
        tab.expect_text("#total", "€9.80")
        tab.expect_text("#left", "€990.20")
        tab.expect_texts("#categories span", ["food"])
        tab.expect_visible("#empty", False)
    expect_value(one, "#add [name=title]", "")
    expect_value(one, "#add [name=day]", one.value(TODAY))
    one.reload()
    await_expenses(one)
    one.expect_texts(TITLES, ["Bread"])


@pytest.mark.parametrize("minutes", [-14 * 60, 0, 12 * 60])
def test_the_first_day_is_today_in_the_visitors_zone(expenses, website, minutes):
    website.begin_with(f"Date.prototype.getTimezoneOffset = () => {minutes}")
    page = expenses()
    today = page.value("new Date(Date.now() - 60_000 * args[0]).toISOString().slice(0, 10)", minutes)
    expect_value(page, "#add [name=day]", today)


@pytest.mark.parametrize("amount", ["abc", "-3", "0", "1,2,3"])
def test_a_bad_amount_is_explained_at_its_field_and_what_is_typed_stays(expenses, amount):
    page = expenses()
    add(page, "Bread", amount)
    page.expect_text("[data-error=amount]", "Enter an amount above 0, such as 12.50.")
    page.expect("document.activeElement.name", "amount")
    page.expect("document.activeElement.ariaInvalid", "true")
    expect_value(page, "#add [name=title]", "Bread")
    page.fill("#add [name=amount]", "3")
    page.expect_text("[data-error=amount]", "")
    page.click("#add > button")
    page.expect_texts(TITLES, ["Bread"])


def test_a_blank_title_is_refused_and_a_missing_one_asked_for_by_the_browser(expenses):
    page = expenses()
    add(page, " ", "3")
    page.expect_text("[data-error=title]", "Enter a title.")
    page.fill("#add [name=title]", "Bread")
    page.value("document.querySelector('#add [name=amount]').value = ''")
    page.click("#add > button")
    page.expect("document.querySelector('#add').checkValidity()", False)
    page.expect("document.activeElement.name", "amount")
    assert page.stored("expenses") is None


def test_a_month_and_a_search_are_those_of_their_tab(expenses):
    one, other = expenses(), expenses()
    for title in ("Bread", "Lamp", "Rye bread"):
        add(one, title, "2")
        one.expect("document.querySelector('#expenses strong').textContent", title)
    one.type("#search", "BREAD")
    one.expect_texts(TITLES, ["Rye bread", "Bread"])
    one.expect_text("#total", "€4.00")
    other.expect_texts(TITLES, ["Rye bread", "Lamp", "Bread"])
    month = one.text("#month")
    other.click("#previous")
    other.expect_texts(TITLES, [])
    other.expect_visible("#empty")
    other.click("#next")
    other.expect_text("#month", month)
    other.expect_texts(TITLES, ["Rye bread", "Lamp", "Bread"])
    one.reload()
    await_expenses(one)
    one.expect_texts(TITLES, ["Rye bread", "Bread"])


@pytest.mark.engines
def test_an_expense_is_changed_where_it_stands(expenses):
    one, other = expenses(), expenses()
    add(one, "Bread", "2")
    other.expect_texts(TITLES, ["Bread"])
    other.double_click(TITLES)
    other.fill("#expenses .editing [data-edit=title]", "Rye bread")
    other.press("Enter")
    one.expect_texts(TITLES, ["Rye bread"])
    other.double_click("#expenses data")
    other.fill("#expenses .editing [data-edit=amount]", "abc")
    other.press("Enter")
    other.expect_text(REFUSED, '"abc" is not valid here.')
    other.fill("#expenses .editing [data-edit=amount]", "-2")
    other.press("Enter")
    other.expect_text(REFUSED, '"-2" is not valid here.')
    other.fill("#expenses .editing [data-edit=amount]", "3,5")
    other.press("Enter")
    for tab in (one, other):
        tab.expect_texts("#expenses data", ["€3.50"])
        tab.expect_text("#total", "€3.50")
    other.expect_text(REFUSED, "")
    enter(other, "#expenses select", "value", "home")
    one.expect_texts("#categories span", ["home"])


def test_a_removed_expense_comes_back(expenses):
    one, other = expenses(), expenses()
    add(one, "Bread", "2")
    one.expect_visible("#undo", False)
    one.click("#expenses button")
    other.expect_texts(TITLES, [])
    one.expect_text("#undo > span", "Bread")
    one.click("#undo button")
    for tab in (one, other):
        tab.expect_texts(TITLES, ["Bread"])
    one.expect_visible("#undo", False)


@pytest.mark.engines
def test_an_export_is_imported_elsewhere(expenses):
    page = expenses()
    add(page, "Bread", "2")
    add(page, "Käse", "3,20")
    page.expect_texts(TITLES, ["Käse", "Bread"])
    stored = page.stored("expenses")
    page.click("#export")
    page.expect("downloads", [["expenses.json", stored]])
    page.click("#expenses button")
    page.expect_texts(TITLES, ["Bread"])
    choose(page, "expenses.json", stored)
    page.expect_text("#imported", "1 of 2 expenses are new.")
    page.expect_texts(TITLES, ["Käse", "Bread"])
    choose(page, "expenses.json", stored)
    page.expect_text("#imported", "0 of 2 expenses are new.")
    assert sorted(json.loads(page.stored("expenses")), key=str) == sorted(
        json.loads(stored), key=str
    )


@pytest.mark.parametrize("text", ["Bread 9.80", "", '{"a": 1}', '[{"title": "Bread"}]', "[1, 2]"])
def test_another_file_is_refused_and_changes_nothing(expenses, text):
    page = expenses()
    add(page, "Bread", "2")
    stored = page.stored("expenses")
    choose(page, "other.txt", text)
    page.expect_text(REFUSED, "other.txt is no list of expenses. Nothing was added.")
    assert page.stored("expenses") == stored
    choose(page, "expenses.json", stored)
    page.expect_text(REFUSED, "")


def test_a_file_of_10_megabytes_is_refused(expenses):
    page = expenses()
    page.value(CHOOSE.replace("args[1]", "' '.repeat(10e6)"), "big.json")
    page.expect_text(REFUSED, "big.json is larger than 2 MB.")
    page.value(CHOOSE.replace("args[1]", "'[' + ' '.repeat(1.9e6) + ']'"), "spaces.json")
    page.expect_text("#imported", "0 of 0 expenses are new.")
    page.expect_text(REFUSED, "")


def test_settings_are_those_of_every_tab(expenses):
    one, other = expenses(), expenses()
    one.click("#settings")
    one.expect_visible("dialog")
    one.fill("#budget", "20")
    enter(one, "#theme", "value", "dark")
    other.expect("document.body.dataset.theme", "dark")
    other.expect_text("#left", "€20.00")
    other.expect_visible("dialog", False)
    one.press("Escape")
    one.expect_visible("dialog", False)
    one.click("#settings")
    one.expect_visible("dialog")
    one.click("dialog form button")
    one.expect_visible("dialog", False)
    add(one, "Lamp", "21,50")
    other.expect_text("#left", "-€1.50")
    assert json.loads(one.stored("settings")) == {"theme": "dark", "budget": 20}


def test_axe_finds_nothing_in_the_expenses(expenses, website):
    website.begin_with(AXE)
    page = expenses()
    add(page, "Bread", "abc")
    page.expect_text("[data-error=amount]", "Enter an amount above 0, such as 12.50.")
    assert page.value(VIOLATIONS) == []
    add(page, "Bread", "2")
    page.expect_texts(TITLES, ["Bread"])
    page.double_click(TITLES)
    assert page.value(VIOLATIONS) == []
    page.press("Escape")
    page.click("#settings")
    page.expect_visible("dialog")
    assert page.value(VIOLATIONS) == []


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
