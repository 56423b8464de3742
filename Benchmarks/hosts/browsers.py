import contextlib
import functools
import http.server
import itertools
import os
import pathlib
import shutil
import sys
import tempfile
import threading

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Milliseconds until a loaded page is idle.
SETTLED = 300
# Visits, and the milliseconds of one, after which a browser has certainly cached the compiled code:
# it does so after two seconds without additions.
VISITS, VISIT = 3, 4_000
# The browser treats a program with another query as a different program.
KNOWN, UNSEEN = "?known", "?unseen{}"
PAGE = "/Benchmarks/page/"


class Browser:
    """The program for wasm and scripts in JavaScript, in a page that times itself."""

    # Nanoseconds: a hundred steps of the page's clock.
    round = 5e5
    name: str  # the name in Playwright
    program: str
    options: dict

    def __init__(self, context, url):
        self.title = f"{self.name.capitalize()} {context.browser.version}"
        self._url = url
        self._context = context
        self._counter = itertools.count(1)
        self._visited = set()
        self._page = self._open()
        self._page.evaluate("storeTodos()")

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        with (
            sync_playwright() as playwright,
            served(ROOT) as url,
            # A private window would not cache compiled code.
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        ):
            context = getattr(playwright, cls.name).launch_persistent_context(
                profile, executable_path=shutil.which(cls.program), **cls.options
            )
            yield cls(context, url + PAGE)
            context.close()

    def renew(self):
        """A fresh page is important for JavaScript: a function that has met only one store is
        faster."""
        self._page.close()
        self._page = self._open()

    def workloads(self):
        return self._page.evaluate("list()")

    def prepare(self, index):
        self._page.evaluate("index => prepare(index)", index)

    def times(self, turns):
        return self._page.evaluate("turns => runInTurns(turns)", turns)

    def times_apart(self, indices, tasks):
        """Returns the mean nanoseconds of each workload, run once in each of a number of tasks."""
        return self._page.evaluate("given => runApart(...given)", [indices, tasks])

    def first_time(self, index, is_known):
        """Returns the nanoseconds of a workload that runs first in a fresh page.

        The browser has never loaded the program, or it has run it on earlier visits.
        """
        if not is_known:
            return self._do_first(index, UNSEEN.format(next(self._counter)))
        if index not in self._visited:
            self._visited.add(index)
            for _ in range(VISITS):
                self._do_first(index, KNOWN)
                self._page.wait_for_timeout(VISIT)
        return self._do_first(index, KNOWN)

    def _do_first(self, index, query):
        self._page.evaluate("tidy()")
        self._page.close()
        self._page = self._open(query)
        self._page.wait_for_timeout(SETTLED)
        self.prepare(index)
        [time] = self.times([(index, 1)])
        return time

    def _open(self, query=""):
        page = self._context.new_page()
        page.on("pageerror", lambda error: print(error, file=sys.stderr))
        page.goto(self._url + query)
        page.wait_for_function("crossOriginIsolated && globalThis.list", timeout=10_000)
        return page


class Chromium(Browser):
    name, program = "chromium", os.environ.get("CHROMIUM", "chromium")
    options = {"args": ["--no-sandbox"]}


class Firefox(Browser):
    name, program = "firefox", "firefox-esr"
    options = {
        # A Firefox of the system rather than Playwright's own.
        "channel": "moz-firefox",
        # Otherwise the page's clock has steps of 20 µs with random jitter.
        "firefox_user_prefs": {
            "privacy.reduceTimerPrecision": False,
            "privacy.reduceTimerPrecision.unconditional": False,
        },
    }


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, isolated from other origins, so that a page's clock has steps of 5 µs.

    Browsers need not revalidate, as for programs with a version in their names.
    """

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def served(folder):
    """Yields the address at which a folder is served."""
    with serving(functools.partial(Handler, directory=folder)) as url:
        yield url


@contextlib.contextmanager
def serving(handler):
    """Yields the address at which a handler answers."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
