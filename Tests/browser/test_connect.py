"""A program that a loader of the tests' own runs, with C code that calls it out of turn."""

import pathlib

import pytest
from conftest import expect_problem

PAGES = pathlib.Path(__file__).parent / "pages"
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/loader.wasm"


@pytest.fixture
def loaded(website, open_tab):
    """Opens a page with the loader in another tab, told what to leave out or where to throw."""
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is missing: run ./build.sh test browser", pytrace=False)
    website.answer("loader.wasm", PROGRAM.read_bytes(), "application/wasm")
    script = (PAGES / "loader.js").read_text()

    def open_page(given="{}", status="ready", head=""):
        # A page of its own for each way to load.
        name = f"loader{abs(hash((given, head)))}"
        html = (PAGES / "loader.html").read_text().replace("loader.js", f"{name}.js")
        website.answer(f"{name}.html", html.replace("<head>", f"<head>{head}"))
        beginning = f"globalThis.given = {given};\n"
        website.answer(f"{name}-given.js", beginning, "text/javascript")
        website.answer(f"{name}.js", f'import "./{name}-given.js";\n{script}', "text/javascript")
        tab = open_tab(f"{name}.html")
        tab.expect_text("#status", status)
        return tab

    return open_page


def test_a_program_counts_saves_and_survives_a_reload(loaded):
    page = loaded()
    page.expect_text("#count", "0")
    page.click("#increment")
    page.expect_text("#count", "1")
    page.click("#twice")
    page.expect_text("#count", "3")
    page.expect_text("#runs", "3")
    assert page.stored() == "3"
    page.reload()
    page.expect_text("#count", "3")


def test_a_click_that_changes_a_value_twice_runs_observers_once(loaded):
    page = loaded()
    page.click("#twice")
    page.expect_text("#count", "2")
    page.expect_text("#runs", "2")


def test_two_tabs_follow_each_other(loaded):
    one, other = loaded(), loaded()
    one.click("#increment")
    other.expect_text("#count", "1")
    other.click("#increment")
    one.expect_text("#count", "2")


def test_a_draft_is_stored_when_the_program_is_stopped(loaded):
    page = loaded()
    page.click("#draft")
    assert page.stored("draft") is None
    page.value("sharing.program.stop()")
    assert page.stored("draft") == "1"


def test_a_setter_that_throws_in_an_observer_stops_the_program_and_is_said(loaded, problems):
    page, other = loaded("{ limit: 3 }"), loaded()
    page.click("#increment")
    page.click("#increment")
    page.expect_text("#count", "2")
    page.click("#increment")
    page.expect_text("#status", "The program has stopped.")
    page.click("#increment")
    page.click("#twice")
    assert (page.text("#count"), page.stored()) == ("2", "2")
    expect_problem(problems, "the setter says no")
    other.click("#increment")
    other.expect_text("#count", "3")
    assert other.stored() == "3"
    assert problems == []


def test_a_trap_stores_nothing_of_its_click_and_another_tab_goes_on(loaded, problems):
    page, other = loaded(), loaded()
    page.click("#increment")
    other.expect_text("#count", "1")
    page.click("#trap")
    page.expect_text("#status", "The program has stopped.")
    page.click("#increment")
    assert page.stored() == "1"
    expect_problem(problems, "withLock")
    other.click("#increment")
    other.expect_text("#count", "2")
    assert page.text("#count") == "1"
    assert problems == []


def test_a_loader_that_does_not_attach_is_told_so(loaded, problems):
    loaded('{ without: "attach" }', "The program cannot start.")
    expect_problem(problems, "before attach: pass the instance to attach")


@pytest.mark.engines
def test_a_program_that_is_not_there_is_said(loaded, problems):
    loaded('{ without: "module" }', "The program cannot start.")
    expect_problem(problems, "No program could be loaded")


def test_imports_that_are_not_there_are_explained(loaded, problems):
    loaded('{ without: "imports" }', "The program cannot start.")
    expect_problem(problems, 'Its loader gives it no module "sharing"')


@pytest.mark.parametrize("policy", ["script-src 'self'"])
def test_a_content_security_policy_without_wasm_is_explained(loaded, problems, policy):
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    loaded(status="The program cannot start.", head=head)
    expect_problem(problems, "Add 'wasm-unsafe-eval' to script-src of its")


def test_a_policy_that_allows_wasm_is_enough(loaded):
    head = """<meta http-equiv="Content-Security-Policy"
      content="default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'">"""
    page = loaded(head=head)
    page.click("#increment")
    page.expect_text("#count", "1")
