"""An app written by `./build.sh new`, which depends on this package by its path.

It is next to a clone of this repository; see need_app_programs in build.sh.
"""

import re

import pytest
from conftest import DAMAGED, NOT_STORED, OTHER_VERSION, expect_problem
from test_accessibility import AXE, expect_no_violations
from website import WEB, Website

APP = WEB.parent / ".build/apps/ByPath/web"


@pytest.fixture
def website():
    """Serves the app that was written and built by the commands."""
    if not (APP / "Calling.wasm").exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test browser", pytrace=False)
    website = Website(APP)
    yield website
    website.close()


@pytest.fixture
def app(open_tab):
    """Returns a function that opens the app in another tab, and waits until it shows its state."""

    def open_running():
        tab = open_tab()
        tab.expect_text("#count", re.compile("[0-9]"))
        return tab

    return open_running


def test_it_counts_and_a_reload_keeps_the_count(app):
    page = app()
    page.expect_text("#count", "0")
    page.click("#increment")
    page.click("#increment")
    page.expect_text("#count", "2")
    assert page.stored() == "2"
    page.reload()
    page.expect_text("#count", "2")


def test_a_second_tab_follows(app):
    one, other = app(), app()
    one.click("#increment")
    other.expect_text("#count", "1")
    other.click("#increment")
    one.expect_text("#count", "2")


def test_axe_finds_nothing_in_its_page(app, website):
    website.begin_with(AXE)
    expect_no_violations(app())


def test_what_is_wrong_is_shown(app):
    page = app()
    page.value("localStorage.setItem('count', '{')")
    page.reload()
    page.expect_text("[data-text=storage-error]", DAMAGED)
    page.click("#increment")
    page.expect_text("#count", "1")
    page.expect_text("[data-text=storage-error]", "")


@pytest.mark.rule("R32")
def test_that_a_newer_version_is_open_is_said_and_only_a_click_reloads(app, website, open_tab):
    website.answer("newer", '<title>Newer</title><link rel="icon" href="data:,">')
    page, newer = app(), open_tab("newer")
    page.click("#increment")
    page.expect_text("#count", "1")
    page.expect_visible(".reload", False)
    page.value("void (globalThis.isOld = true)")
    text = '{"$version":2,"value":[1]}'
    newer.value("localStorage.setItem('count', args[0])", text)
    page.expect_text("[data-text=storage-error]", OTHER_VERSION)
    page.expect_visible(".reload")
    page.expect_text("#count", "1")
    page.click("#increment")
    page.expect_text("#count", "2")
    page.expect_text("[data-text=storage-error]", NOT_STORED)
    assert page.value("isOld"), "it has reloaded by itself"
    assert newer.stored() == text
    page.click(".reload a")
    page.expect("globalThis.isOld ?? false", False)
    page.expect_text("[data-text=storage-error]", OTHER_VERSION)
    assert newer.stored() == text


def test_an_action_that_the_program_lacks_is_named_in_the_console(website, app, problems):
    html = website.file("index.html")
    website.answer("", html.replace('data-click="increment"', 'data-click="incremnt"'))
    page = app()
    page.click("#increment")
    page.expect_text("#count", "0")
    [problem] = problems
    assert problem.startswith('console: There is no action "incremnt". There are: increment.')
    problems.clear()


def test_it_runs_under_the_policy_that_the_article_names(website, app):
    article = (WEB.parent / "docs/Documentation.docc/PageReference.md").read_text()
    policy = re.search(r"`(script-src [^`]*)`", article)[1]
    tag = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    website.answer("", website.file("index.html").replace("<head>", tag))
    website.watch()  # also records violations
    page = app()
    assert page.value("document.querySelector('meta[http-equiv]').content") == policy
    page.click("#increment")
    page.expect_text("#count", "1")


def test_a_program_that_cannot_start_is_said(website, open_tab, problems):
    website.answer("ByPath.wasm", b"", "application/wasm", status=404)
    page = open_tab()
    page.expect_text("[data-text=program-error]", re.compile(r"cannot start\. Stored values are safe"))
    assert any("404" in problem for problem in problems)
    problems.clear()


@pytest.fixture
def tally(website, open_tab):
    """Returns a function that opens the page and the script that `new` has written, for the program
    in app/, whose tally is under `.indexedDB`."""
    html = website.file("index.html").replace('"count"', '"tally"').replace('"increment"', '"add"')
    script = re.sub(r"\w+\.wasm", "Calling.wasm", website.file("main.js"))
    own = "{ imports: { mine: { count: () => 0 } } }"  # for the other tests of that program
    script = script.replace("bind(document)", f"bind(document), {own}")
    website.answer("", html)
    website.answer("main.js", script, "text/javascript")
    return open_tab


@pytest.mark.rule("R26")
def test_a_value_that_loses_nothing_needs_nothing_else_in_the_page(tally):
    page, other = tally(), tally()
    page.expect_text("#tally", "0")
    page.click("#add")
    other.expect_text("#tally", "1")
    page.reload()
    page.expect_text("#tally", "1")
    assert page.text("[data-text=storage-error]") == ""


@pytest.mark.rule("R29")
@pytest.mark.parametrize("name", ["engines.js", "indexeddb.js"])
def test_an_engine_that_was_not_put_beside_the_page_is_named_there(website, tally, problems, name):
    website.answer(name, b"", "text/javascript", status=404)
    page = tally()
    page.expect_text("[data-text=program-error]", re.compile(r"cannot start\. Stored"))
    expect_problem(problems, f"{website.address}{name} could not be loaded: put it beside sharing.js")


# A page with its own code, which contains errors, for the program in app/.
CALLING = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Calling</title>
    <link rel="icon" href="data:,">
    <script type="module" src="calling.js"></script>
  </head>
  <body>
    <output data-text="answer"></output>
    <button id="call" data-click="call">Call</button>
    <button id="misuse" data-click="misuse">Misuse</button>
    <button id="confuse" data-click="confuse">Confuse</button>
    <p data-text="running"></p>
  </body>
</html>"""

CALLING_SCRIPT = """
import { bind } from "./page.js";
import { start } from "./sharing.js";

const page = bind(document);
let calls = 0;

function count(step) {
  if (step < 0) throw new Error("my function is wrong");
  return calls += step;
}

function showMistake() {
  throw new Error("my page is wrong");
}

const set = (name, text) => name === "mistake" ? showMistake() : page.set(name, text);

start(fetch("Calling.wasm"), window, { ...page, set }, { imports: { mine: { count } } });
"""

# Records the console's output for errors.
STACKS = """
  globalThis.stacks = [];
  const { error } = console;
  console.error = (...words) => {
    stacks.push(...words.map((word) => `${word} ${word.stack}`));
    error.apply(console, words);
  };
"""


@pytest.fixture
def calling(website, open_tab):
    """Opens the page with its own code."""
    website.begin_with(STACKS)
    website.answer("calling.html", CALLING)
    website.answer("calling.js", CALLING_SCRIPT, "text/javascript")
    page = open_tab("calling.html")
    page.expect_text("[data-text=running]", "true")
    return page


def test_a_function_of_the_page_is_called(calling):
    for answer in ["1", "2"]:
        calling.click("#call")
        calling.expect_text("[data-text=answer]", answer)


@pytest.mark.parametrize(
    ("button", "said", "thrower"),
    [
        ("#misuse", "my function is wrong", "count"),
        ("#confuse", "my page is wrong", "showMistake"),
    ],
)
def test_what_the_pages_own_code_throws_is_in_the_console_with_its_stack(
    calling, problems, button, said, thrower
):
    calling.click(button)
    calling.expect("stacks.length", 1)
    (stack,) = calling.value("stacks")
    assert said in stack
    assert re.search(rf"{thrower}\W.*calling\.js:\d+:\d+", stack), stack
    assert len(problems) == 1
    problems.clear()
    calling.click("#call")
    calling.expect_text("[data-text=answer]", "1")
