"""The engine of `.indexedDB` keys, which is loaded automatically if the page passes none."""

import re

import pytest
from conftest import await_start, expect_problem
from test_start import module

# The script that `./build.sh new` writes, for the demo's program.
SCRIPT = """
  import { bind } from "./page.js";
  import { start } from "./sharing.js";

  start(fetch("demo.wasm", { cache: "no-cache" }), window, bind(document));
"""
# The names of the origin's databases.
DATABASES = "indexedDB.databases().then((all) => all.map(({ name }) => name).sort())"
OWN_ITEMS = "Object.keys(localStorage).filter((key) => key.startsWith('sharing')).sort()"
# Starts the demo's program a second time, with an object in place of the page.
SECOND = """
  const second = globalThis.second = {};
  start(fetch("demo.wasm"), window, {
    set: (name, text) => (second[name] = text, 1),
    ready: (send) => second.send = send,
    fail: (message) => second.failure = message,
  });
"""


@pytest.fixture
def plain(website, open_tab):
    """Returns a function that opens the page in another tab, with the script of a new app."""
    website.answer("main.js", SCRIPT, "text/javascript")

    def open_running():
        tab = open_tab()
        await_start(tab)
        return tab

    return open_running


def test_modules_that_a_program_does_not_want_are_not_asked_for(website, open_tab):
    asked = []
    find = website.find
    website.find = lambda path: (asked.append(path), find(path))[1]
    website.answer("plain.wasm", module(event="nop"), "application/wasm")
    html = '<link rel="icon" href="data:,"><p data-text="running"></p>'
    website.answer("plain.html", html + '<script type="module" src="plain.js"></script>')
    website.answer("plain.js", SCRIPT.replace("demo.wasm", "plain.wasm"), "text/javascript")
    page = open_tab("plain.html")
    page.expect_text("[data-text=running]", "true")
    scripts = {path for path in asked if path.endswith(".js")}
    assert scripts == {"plain.js", "page.js", "sharing.js"}


@pytest.mark.rule("R26")
def test_a_value_survives_a_reload_and_is_followed(plain):
    one, other = plain(), plain()
    one.click("#tally-add")
    one.expect_text("#tally", "1")
    one.expect_text("#tally-pending", "")
    other.expect_text("#tally", "1")
    one.reload()
    one.expect_text("#tally", "1")
    assert one.text("[data-text=storage-error]") == ""


@pytest.mark.rule("R29")
@pytest.mark.parametrize("name", ["engines.js", "indexeddb.js"])
def test_without_a_missing_file_the_program_does_not_start_and_nothing_is_lost(
    website, plain, open_tab, problems, name
):
    one = plain()
    one.click("#tally-add")
    one.expect_text("#tally-pending", "")
    one.close()
    website.answer(name, b"", "text/javascript", status=404)
    other = open_tab()
    other.expect_text("[data-text=program-error]", re.compile(r"cannot start\. Stored"))
    expect_problem(problems, f"{website.address}{name} could not be loaded: put it beside sharing.js")
    website.answer(name, website.file(name), "text/javascript")
    other.close()  # WebKit keeps a failed module for the lifetime of the tab
    plain().expect_text("#tally", "1")


@pytest.mark.rule("R28")
def test_apps_of_one_origin_with_names_do_not_meet(website, open_tab):
    website.answer("empty", '<link rel="icon" href="data:,">')
    for name in ["", "one", "two"]:
        option = f', {{ name: "{name}" }}' if name else ""
        script = SCRIPT.replace("bind(document))", f"bind(document){option})")
        website.answer(f"main{name}.js", script, "text/javascript")
        html = website.file("index.html").replace("main.js", f"main{name}.js")
        website.answer(f"app{name}.html", html)

    def open_app(name):
        tab = open_tab(f"app{name}.html")
        await_start(tab)
        return tab

    one, other, plain, again = (open_app(name) for name in ["one", "two", "", "one"])
    one.click("#tally-add")
    one.click("#tally-add")
    again.expect_text("#tally", "2")
    other.click("#tally-add")
    other.expect_text("#tally-pending", "")
    for tab, tally in [(one, "2"), (other, "1"), (plain, "0")]:
        tab.reload()
        await_start(tab)
        tab.expect_text("#tally", tally)
    one.expect(DATABASES, ["sharing", "sharing/one", "sharing/two"])
    one.expect(OWN_ITEMS, ["sharing/one.copy.tally", "sharing/two.copy.tally"])


def test_two_programs_of_one_page_follow_each_other(website, open_tab):
    website.answer("main.js", SCRIPT + SECOND, "text/javascript")
    page = open_tab()
    await_start(page)
    page.expect("typeof second.send", "function")
    page.click("#increment")
    page.expect("second.count", "1")
    page.value("second.send('increment')")
    page.expect_text("#count", "2")
    page.click("#tally-add")
    page.expect("second.tally", "1")
    page.value("second.send('tally')")
    page.expect_text("#tally", "2")
    assert page.stored() == "2"
