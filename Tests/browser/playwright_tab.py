"""Chromium and Firefox, driven by Playwright."""

import contextlib
import os
import shutil

import pytest
from playwright.sync_api import Error, sync_playwright
from tab import Leaving, Tab


class PlaywrightTab(Tab):
    """A page, or a frame in a page."""

    def __init__(self, engine, page, frame=None):
        super().__init__(engine)
        self.page = page
        self._place = frame or page

    def goto(self, address):
        self._place.goto(address)

    def reload(self):
        self.page.reload()

    def value(self, expression, *args):
        try:
            return self._place.evaluate(f"async (args) => ({expression})", list(args))
        except Error as error:
            if "context was destroyed" in error.message:
                raise Leaving(f"{self.engine}: {expression}") from None
            raise

    # A click waits until its element stands still in two frames, and a hidden tab draws few frames.

    def click(self, selector):
        self.come_to_front()
        self._place.click(selector)

    def click_twice(self, selector):
        self.come_to_front()
        self._place.dblclick(selector)
        # In Firefox, Playwright sends two single clicks without this event.
        if self.engine == "firefox":
            self._place.dispatch_event(selector, "dblclick", {"bubbles": True, "detail": 2})

    def come_to_front(self):
        self.page.bring_to_front()

    def hover(self, selector):
        self.come_to_front()
        self._place.hover(selector)

    def press(self, key):
        self.page.keyboard.press(key)

    def type(self, selector, text):
        self._place.type(selector, text)

    def frame(self, selector):
        element = self._place.wait_for_selector(selector)
        return PlaywrightTab(self.engine, self.page, element.content_frame())

    def close(self):
        self.page.close()


class PlaywrightBrowser:
    """A browser with tabs opened by Playwright."""

    def __init__(self, playwright, name, context):
        self.playwright = playwright
        self.name = name
        self.version = context.browser.version
        self._context = context

    @contextlib.contextmanager
    def profile(self):
        """Yields another profile of this browser with separate storage."""
        context = self._context.browser.new_context()
        try:
            yield PlaywrightBrowser(self.playwright, self.name, context)
        finally:
            context.close()

    @contextlib.contextmanager
    def tabs(self, website):
        """Yields a function that opens tabs; closes them at the end, and records errors."""
        opened = []

        def note_console(message):
            if message.type in ("error", "warning"):
                website.note(f"console: {message.text}")

        def note_request(request):
            if not request.url.startswith(website.address):
                website.problems.append(f"request to another origin: {request.url}")

        def open_tab():
            page = self._context.new_page()
            page.set_default_timeout(1000 * Tab.patience)
            page.on("console", note_console)
            page.on("pageerror", lambda error: website.problems.append(f"uncaught: {error}"))
            page.on("request", note_request)
            opened.append(PlaywrightTab(self.name, page))
            return opened[-1]

        yield open_tab
        for tab in opened:
            tab.close()


@contextlib.contextmanager
def chromium():
    options = {
        # There is no graphics card. Without the second option, a process simulates one.
        "args": ["--no-sandbox", "--disable-gpu"],
        # Browsers keep pages for back navigation, so tests need this feature, too.
        "ignore_default_args": ["--disable-back-forward-cache"],
    }
    with launched("chromium", os.environ.get("CHROMIUM", "chromium"), options) as browser:
        yield browser


@contextlib.contextmanager
def firefox():
    options = {
        "channel": "moz-firefox",  # a Firefox of the system instead of Playwright's own
        # Otherwise Firefox keeps one more process in reserve.
        "firefox_user_prefs": {"dom.ipc.processPrelaunch.enabled": False},
    }
    with launched("firefox", "firefox-esr", options) as browser:
        yield browser


@contextlib.contextmanager
def launched(name, program, options):
    """Yields a running browser."""
    path = shutil.which(program)
    if not path:
        pytest.fail(f"{name} is missing: ./build.sh test browser installs it", pytrace=False)
    with sync_playwright() as playwright:
        browser = getattr(playwright, name).launch(
            executable_path=path, timeout=120_000, **options
        )
        yield PlaywrightBrowser(playwright, name, browser.new_context())
        browser.close()
