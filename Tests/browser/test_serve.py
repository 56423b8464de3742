"""`swift run wasm serve`: open pages follow the changes of an app's files.

The app is that of test_app.py, with a page of its own beside the app's page.
"""

import contextlib
import fcntl
import os
import re
import signal
import sys
import types

import pytest
from website import WEB

sys.path.append(str(WEB.parent / "Tools"))
from served import await_children, serving  # noqa: E402

APP = WEB.parent / ".build/apps/ByPath"
SOURCE = APP / "Sources/ByPath/ByPath.swift"
PAGE = APP / "web/followed.html"
STYLE = APP / "web/followed.css"
MORE = """
    <link rel="stylesheet" href="followed.css">
    <input name="draft">
    <p style="height: 3000px">A long page</p>
  </main>"""
A_BUILD = 240  # seconds at most, on a busy machine
# The text and its place in the panel over the page.
FAILURE = "document.querySelector('serve-failure')?.shadowRoot.textContent"


@pytest.fixture(scope="module")
def server():
    """Serves the app; yields the process and the address. Restores the app's files afterwards."""
    if not SOURCE.exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test browser", pytrace=False)
    with contextlib.ExitStack() as stack:
        lock = stack.enter_context(open(APP.parent / "served.lock", "w"))
        fcntl.flock(lock, fcntl.LOCK_EX)  # the same tests in another engine
        PAGE.write_text((APP / "web/index.html").read_text().replace("</main>", MORE))
        STYLE.write_text("h1 { color: rgb(1, 2, 3) }")
        stack.callback(PAGE.unlink)
        stack.callback(STYLE.unlink)
        stack.callback(SOURCE.write_text, SOURCE.read_text())
        process, address = stack.enter_context(serving(APP, "swift", "run", "wasm", "serve"))
        yield process, address
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


@pytest.fixture
def website(server):
    return types.SimpleNamespace(address=server[1], problems=[], watch=lambda: None)


@pytest.fixture
def page(open_tab):
    """Opens the page, and counts once."""
    tab = open_tab("followed.html")
    tab.expect_text("#count", re.compile("[0-9]"))
    tab.value("localStorage.clear()")
    tab.reload()
    tab.expect_text("#count", re.compile(r"\b0$"))
    tab.click("#increment")
    tab.expect_stored("count", "1")
    return tab


def set_heading(text):
    PAGE.write_text(re.sub("<h1>.*</h1>", f"<h1>{text}</h1>", PAGE.read_text()))


def show_count(text):
    """Changes the text that the program shows."""
    source = re.sub(r'"[^"]*\\\(count\)"', rf'"{text}\\(count)"', SOURCE.read_text())
    SOURCE.write_text(source)


def test_a_change_of_html_reloads_the_page_which_keeps_its_value_scroll_position_and_focus(page):
    # Otherwise WebKit scrolls to the field later.
    page.value("document.querySelector('[name=draft]').focus({ preventScroll: true })")
    page.value("scrollTo(0, 700)")
    page.value("void (globalThis.isOld = true)")
    heading = f"{page.text('h1')} again"
    set_heading(heading)
    page.expect_text("h1", heading)
    page.expect("globalThis.isOld ?? false", False)
    page.expect_text("#count", re.compile(r"\b1$"))
    page.expect("[scrollY, document.activeElement.name]", [700, "draft"])


def test_a_change_of_a_script_reloads_the_page(page):
    script = APP / "web/main.js"
    before = script.read_text()
    script.write_text(f"{before}globalThis.isChanged = true;\n")
    try:
        page.expect("globalThis.isChanged", True)
        page.expect_text("#count", re.compile(r"\b1$"))
    finally:
        script.write_text(before)
    page.expect("globalThis.isChanged ?? false", False)


def test_a_change_of_a_style_sheet_shows_without_a_reload(page):
    page.value("void (globalThis.isOld = true)")
    STYLE.write_text("h1 { color: rgb(4, 5, 6) }")
    page.expect("getComputedStyle(document.querySelector('h1')).color", "rgb(4, 5, 6)")
    assert page.value("isOld")
    page.expect("document.querySelectorAll('link[rel=stylesheet]').length", 1)


def test_a_page_that_was_hidden_during_a_change_follows_when_it_is_shown(page):
    hide = "Object.defineProperty(document, 'hidden', { value: args[0], configurable: true })"
    tell = "document.dispatchEvent(new Event('visibilitychange'))"
    page.value(f"void ({hide}, {tell}, globalThis.isOld = true)", True)
    heading = f"{page.text('h1')} later"
    set_heading(heading)
    text = "fetch('').then((answer) => answer.text()).then((text) => text.includes(args[0]))"
    page.expect(text, True, heading)
    assert page.value("isOld")
    page.value(f"void ({hide}, {tell})", False)
    page.expect_text("h1", heading)


def test_a_change_of_swift_reloads_the_page_with_the_new_program(page):
    page.patience = A_BUILD
    show_count("Changed: ")
    page.expect_text("#count", "Changed: 1")
    page.click("#increment")
    page.expect_text("#count", "Changed: 2")


def test_a_change_during_a_build_is_built_too(server, page):
    """The first change alone does not compile, as a file that is half written."""
    page.patience = A_BUILD
    show_count("Whole: ")
    whole = SOURCE.read_text()
    SOURCE.write_text(whole[: len(whole) // 2])
    await_children(server[0].pid)
    SOURCE.write_text(whole)
    page.expect_text("#count", "Whole: 1")
    assert page.value(f"{FAILURE} ?? ''") == ""


def test_an_error_of_the_compiler_is_shown_with_its_place_until_it_is_mended(page):
    page.patience = A_BUILD
    mended = SOURCE.read_text()
    line = mended[: mended.index("page.bindErrors")].count("\n") + 1
    SOURCE.write_text(mended.replace("page.bindErrors", "page.bindMistakes"))
    page.expect(f"{FAILURE}?.includes('Sources/ByPath/ByPath.swift:{line}:10')", True)
    assert "value of type 'Page' has no member 'bindMistakes'" in page.value(FAILURE)
    page.click("#increment")  # the page still runs
    page.expect_text("#count", re.compile("2$"))
    page.reload()
    page.expect(f"{FAILURE}?.includes('bindMistakes')", True)
    SOURCE.write_text(mended)
    page.expect(f"{FAILURE} ?? ''", "")
    page.expect_text("#count", re.compile("2$"))


def test_only_served_pages_have_the_script(page):
    assert page.value("!!document.querySelector('script[src*=\"/.serve/\"]')")
    assert "/.serve/" not in PAGE.read_text()
    written = [path for path in (APP / "web").rglob("*") if path.is_file()]
    assert not [path for path in written if b".serve/" in path.read_bytes()]
