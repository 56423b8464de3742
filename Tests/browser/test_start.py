"""The page while the program loads, if it cannot start, and when it stops."""

import re

import pytest
from conftest import await_start, expect_count, expect_problem
from wasmtime import wat2wasm
from website import WEB

# The ABI version of the shim.
BOUNDARY = (WEB.parent / "JavaScript/sharing/boundary.js").read_text()
VERSION = int(re.search(r"abiVersion = (\d+);", BOUNDARY)[1])


def module(version=VERSION, event="unreachable"):
    """Returns a program with an ABI version that executes an instruction at each event of the
    page."""
    return bytes(
        wat2wasm(
            f"""(module
              (import "sharing" "console_write"
                (func $console_write (param i32 i32 i32) (result i32)))
              (memory (export "memory") 1)
              (data (i32.const 0) "the last words")
              (func (export "_initialize"))
              (func (export "sharing_abi_version") (result i32) i32.const {version})
              (func (export "sharing_start"))
              (func (export "sharing_inbox") (param i32) (result i32) i32.const 1024)
              (func (export "sharing_page_event") (param i32 i32) {event})
              (func (export "sharing_page_shown") (param i32))
              (func (export "sharing_page_hidden"))
              (func (export "sharing_storage_changed") (param i32 i32)))"""
        )
    )


@pytest.fixture
def page_with(open_tab, website):
    """Returns a function that opens the page with another program; with None, the server has no
    program."""

    def open_page(program):
        status = 404 if program is None else 200
        website.answer("demo.wasm", program or b"", "application/wasm", status)
        return open_tab()

    return open_page


def expect_failure(page, problems, what, reason):
    """Expects an error message and nothing to click on the page, and the reason in the console."""
    message = f"The program {what}. Stored values are safe. Reload the page."
    page.expect_text("[data-text=program-error]", message)
    page.expect_enabled("#increment", False)
    expect_problem(problems, reason)


@pytest.mark.first
def test_the_page_waits_for_the_program(open_tab, website):
    arrival = website.hold("demo.wasm")
    page = open_tab()
    page.expect_text("[data-text=program-error]", re.compile("^Starting…"))
    for button in ["#increment", "#decrement", "#reset"]:
        page.expect_enabled(button, False)
    arrival.set()
    await_start(page)
    expect_count(page, 0)


def test_who_has_scrolled_while_the_program_loads_stays_there(open_tab, website):
    arrival = website.hold("demo.wasm")
    page = open_tab()
    page.expect_text("[data-text=program-error]", re.compile("^Starting…"))
    page.value("scrollTo(0, 1e6)")
    place = "document.querySelector('#counter-heading').getBoundingClientRect().top"
    assert page.value(place) < 0
    arrival.set()
    await_start(page)
    page.expect("document.activeElement.className", "new-todo")
    # Work scheduled by the focus runs before the second of these frames.
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.value(place) < 0


def test_a_page_that_may_not_run_its_script_says_what_to_do(open_tab, website, problems):
    """A page with an opaque origin loads modules only from a server that permits it."""
    website.is_open = False
    icon = '<link rel="icon" href="data:,">'
    website.answer("sandbox", f'{icon}<iframe sandbox="allow-scripts" src="index.html"></iframe>')
    page = open_tab("sandbox")
    frame = page.frame("iframe")
    frame.expect_text("[data-text=program-error]", re.compile("Starting….* in a tab of its own", re.DOTALL))
    frame.expect("getComputedStyle(document.querySelector('.late')).visibility", "visible")
    frame.expect_enabled("#increment", False)
    page.goto("about:blank")  # otherwise the browser reports it later, too
    problems.clear()


def test_a_program_of_another_version_is_refused(page_with, problems):
    page = page_with(module(version=7))
    expect_failure(page, problems, "cannot start", rf"ABI version is 7, not {VERSION}: reload, or rebuild")


@pytest.mark.first
def test_a_missing_program_is_said(page_with, problems):
    expect_failure(page_with(None), problems, "cannot start", r"404 for http.*/demo\.wasm")


def test_a_broken_program_is_said(page_with, problems):
    page = page_with(b"<!DOCTYPE html>")
    expect_failure(page, problems, "cannot start", "magic|doesn't start with")


def test_a_browser_without_webassembly_is_told(open_tab, website, problems):
    website.begin_with("delete globalThis.WebAssembly")
    expect_failure(open_tab(), problems, "cannot start", "undefined|WebAssembly")


@pytest.mark.rule("R20")
def test_a_trap_is_said_and_the_stored_bytes_stay(page_with, problems):
    page = page_with(module())
    await_start(page)
    page.value("localStorage.setItem('count', '41')")
    page.click("#increment")
    expect_failure(page, problems, "has stopped", "[Uu]nreachable")
    assert page.stored() == "41"


@pytest.mark.rule("R20")
def test_the_last_words_before_a_trap_are_in_the_console(page_with, problems):
    words = "(drop (call $console_write (i32.const 2) (i32.const 0) (i32.const 14))) unreachable"
    page = page_with(module(event=words))
    await_start(page)
    page.click("#increment")
    expect_failure(page, problems, "has stopped", "the last words")


def test_a_failed_program_is_restarted_by_start_with_the_same_binding(
    page_with, website, program, problems
):
    main = website.file("main.js")
    first = 'start(fetch(program, { cache: "no-cache" }), window, bind(document), '
    again = "const binding = bind(document);\nglobalThis.run = () => "
    assert first in main
    main = main.replace(first, again + first.replace("bind(document)", "binding"))
    website.answer("main.js", main + "run();", "text/javascript")
    page = page_with(module())
    await_start(page)
    for count in [1, 2]:
        website.answer("demo.wasm", module(), "application/wasm")
        page.value("run()")
        await_start(page)
        page.click("#increment")
        expect_failure(page, problems, "has stopped", "[Uu]nreachable")
        website.answer("demo.wasm", program.read_bytes(), "application/wasm")
        page.value("run()")
        await_start(page)
        page.click("#increment")
        expect_count(page, count)
        assert page.stored() == str(count)


def test_a_script_of_the_page_says_what_it_has_stored(open_tab, website):
    main = website.file("main.js").replace("start(fetch", "globalThis.program = start(fetch")
    website.answer("main.js", main, "text/javascript")
    page = open_tab()
    await_start(page)
    page.value("localStorage.setItem('count', '5')")
    page.value("program.then((program) => program.changed('coun'))")
    expect_count(page, 0)
    page.value("program.then((program) => program.changed('count'))")
    expect_count(page, 5)
    page.value("localStorage.clear()")
    page.value("program.then((program) => program.changed())")
    expect_count(page, 0)


def test_a_mistake_in_a_pages_own_script_is_in_the_console_and_the_program_goes_on(
    open_tab, website, problems
):
    script = (WEB.parent / "JavaScript/page.js").read_text()
    script = script.replace("set,\n", "set: (...given) => sett(...given),\n")
    script = script.replace('"./page/', '"/JavaScript/page/')
    website.answer("page.js", script, "text/javascript")
    page = open_tab()
    await_start(page)
    page.click("#increment")
    page.expect_stored("count", "1")
    # Firefox's driver reports only the class of an Error object.
    known = [problem for problem in problems if "sett" in problem or problem == "console: Error"]
    assert known == problems != []
    problems.clear()
