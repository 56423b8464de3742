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
# Milliseconds after which a page that was loaded has nothing left to do.
SETTLED = 300
# Visits, and the milliseconds of one, in which a browser has surely kept what it has compiled: it
# does once that has not been added to for two seconds.
VISITS, VISIT = 3, 4_000
# With another query, a program is another one to the browser.
KNOWN, UNSEEN = "?known", "?unseen{}"
PAGE = "/Benchmarks/page/"


class Browser:
    """The program for wasm, and JavaScript beside it, in a page that times itself."""

    # Nanoseconds: a hundred steps of the page's clock.
    round = 5e5
    name: str  # what Playwright calls it
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
            # A private window would not keep what it has compiled.
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        ):
            context = getattr(playwright, cls.name).launch_persistent_context(
                profile, executable_path=shutil.which(cls.program), **cls.options
            )
            yield cls(context, url + PAGE)
            context.close()

    def renew(self):
        """Most of all for JavaScript, where a function that has met one store only is faster."""
        self._page.close()
        self._page = self._open()

    def workloads(self):
        return self._page.evaluate("list()")

    def prepare(self, index):
        self._page.evaluate("index => prepare(index)", index)

    def times(self, turns):
        return self._page.evaluate("turns => runInTurns(turns)", turns)

    def times_apart(self, indices, tasks):
        """The nanoseconds that each workload takes once, in a task of its own: means of so many."""
        return self._page.evaluate("given => runApart(...given)", [indices, tasks])

    def first_time(self, index, is_known):
        """The nanoseconds of a workload that is the first thing that a fresh page does.

        The browser has never seen the program, or it has run it on visits before.
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
        # Without it the page's clock has steps of 20 µs, each of them moved at random.
        "firefox_user_prefs": {
            "privacy.reduceTimerPrecision": False,
            "privacy.reduceTimerPrecision.unconditional": False,
        },
    }


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, isolated from other origins: then a page's clock has steps of 5 µs.

    Browsers need not ask again, as where programs have a version in their names.
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
    """The address at which a folder is served."""
    with serving(functools.partial(Handler, directory=folder)) as url:
        yield url


@contextlib.contextmanager
def serving(handler):
    """The address at which a handler answers."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
