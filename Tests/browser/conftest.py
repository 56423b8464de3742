"""A server for web/, a Chromium, and the program as the page and as a command line see it."""

import functools
import http.server
import os
import pathlib
import shutil
import threading

import pytest
from playwright.sync_api import expect, sync_playwright

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def end_headers(self):
        # A sandboxed frame has an origin of its own, which may load modules only if it is let in.
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def program():
    """The path of the built program."""
    path = WEB / "demo.wasm"
    if not path.exists():
        pytest.fail(f"{path} is missing: run ./build.sh first", pytrace=False)
    return path


@pytest.fixture(scope="session")
def base(program):
    """The address of web/."""
    handler = functools.partial(Handler, directory=str(WEB))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.fail("Chromium is missing: apt-get install chromium, or set CHROMIUM", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox"],
            # People go back to a page that was kept, so tests do.
            ignore_default_args=["--disable-back-forward-cache"],
        )
        yield browser
        browser.close()


@pytest.fixture
def problems():
    """What went wrong in the browser. A test that expects something of it takes it out."""
    return []


@pytest.fixture
def context(browser, base, problems):
    """A fresh profile, in which nothing goes wrong and nothing is asked of another origin."""

    def note_console(message):
        if message.type in ("error", "warning"):
            problems.append(f"console: {message.text}")

    def note_request(request):
        if not request.url.startswith(base + "/"):
            problems.append(f"request to another origin: {request.url}")

    context = browser.new_context()
    context.set_default_timeout(10_000)
    context.on("console", note_console)
    context.on("weberror", lambda error: problems.append(f"uncaught: {error.error}"))
    context.on("request", note_request)
    yield context
    context.close()
    assert problems == []


@pytest.fixture
def tab(context, base):
    """Opens the page in another tab of the same profile, and waits until the program runs."""

    def open_tab():
        page = context.new_page()
        page.goto(base)
        await_start(page)
        return page

    return open_tab


def await_start(frame):
    """Waits until the program runs in a page or a frame."""
    expect(frame.locator("[data-text=status]")).to_be_empty()
    expect(frame.locator("#increment")).to_be_enabled()


def expect_count(frame, count):
    expect(frame.locator("#count")).to_have_text(str(count))


def expect_notice(frame, pattern):
    """Waits until the page says something of that pattern; it says nothing where that is None."""
    notice = frame.locator("[data-text=notice]")
    if pattern is None:
        expect(notice).to_be_empty()
    else:
        expect(notice).to_have_text(pattern)


def stored(page, key="count"):
    """The bytes under a key of localStorage, None where there are none."""
    return page.evaluate("key => localStorage.getItem(key)", key)
