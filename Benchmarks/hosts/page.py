import contextlib
import functools
import json
import os
import pathlib
import shutil

from playwright.sync_api import sync_playwright

from .browsers import Handler, serving

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = ROOT / ".build/apps/ByPath/web"

# Steps that run in the page, and return their milliseconds.
STEPS = """
  let at = 0;
  const timed = (step) => {
    const start = performance.now();
    step();
    return performance.now() - start;
  };
  globalThis.toggle = () => {
    const boxes = document.querySelectorAll(".toggle");
    at = (at + 4999) % boxes.length;
    return timed(() => boxes[at].click());
  };
  globalThis.add = () => {
    const field = document.querySelector(".new-todo");
    field.value = "One more thing to do";
    const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
    return timed(() => field.dispatchEvent(enter));
  };
  // When the page is what it shall be, for the first time: since the navigation began.
  globalThis.ready = (isReady, after) => new Promise((resolve) => {
    const check = () => isReady() && after(() => resolve(performance.now()));
    const observer = new MutationObserver(() => {
      if (check()) observer.disconnect();
    });
    observer.observe(document, { attributes: true, childList: true, subtree: true });
  });
  globalThis.painted = ready(
    () => document.querySelectorAll(".todo-list li").length >= todoCount,
    (done) => requestAnimationFrame(() => setTimeout(done)) || true,
  );
  const isLive = () => /[0-9]/.test(document.querySelector("#count")?.textContent) &&
    document.querySelector("#increment")?.matches(":enabled");
  globalThis.live = ready(isLive, (done) => done() || true);
  globalThis.livePainted = ready(
    isLive,
    (done) => requestAnimationFrame(() => setTimeout(done)) || true,
  );
"""

WORKLOADS = [
    (f"{page}{what}", path, expression, reloads)
    for what, expression, reloads in [
        ("toggle one of 10,000 todos", "toggle()", False),
        ("add one to 10,000 todos", "add()", False),
        ("first paint of 10,000 todos", "painted", True),
        ("first paint of 50,000 todos", "painted", True),
        ("a live counter, from navigation", "live", True),
    ]
    for page, path in [("", "index.html"), ("plain script: ", "plain.html")]
] + [
    ("first paint of the template's counter", "app/index.html", "livePainted", True),
    ("plain script: first paint of the template's counter", "app/plain.html", "livePainted", True),
]


def todos(count):
    """Returns the stored text of a number of todos."""
    return json.dumps(
        [
            {
                "id": f"{number:026}",
                "title": f"Something to do, number {number}",
                "completed": number % 3 == 0,
            }
            for number in range(1, count + 1)
        ],
        separators=(",", ":"),
    )


class Page:
    """The demo's page, and the same page with a handwritten script."""

    # Nanoseconds, less than one step takes.
    round = 1e6

    def __init__(self, browser, url):
        self.title = f"the page in Chromium {browser.version}"
        self._browser = browser
        self._url = url
        self._pages = {}

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        with sync_playwright() as playwright, serving(functools.partial(PageHandler)) as url:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            yield cls(browser, url)
            browser.close()

    def renew(self):
        for page in self._pages.values():
            page.context.close()
        self._pages = {}

    def workloads(self):
        return [(name, 1) for name, *_ in WORKLOADS]

    def prepare(self, index):
        """Opens a fresh profile; stores the todos, except for the counter's workloads."""
        page = self._browser.new_context().new_page()
        page.goto(f"{self._url}/favicon.svg")
        name = WORKLOADS[index][0]
        count = 50_000 if "50,000" in name else 10_000
        if "counter" not in name:
            store = "todos => localStorage.setItem('todos-sharing', todos)"
            page.evaluate(store, todos(count))
        page.add_init_script(f"globalThis.todoCount = {count}; {STEPS}")
        self._pages[index] = page
        self._load(index)
        page.evaluate("live")

    def times(self, turns):
        return [self._time(index) * 1e6 * iterations for index, iterations in turns]

    def _time(self, index):
        _, _, expression, reloads = WORKLOADS[index]
        if reloads:
            self._load(index)
        return self._pages[index].evaluate(expression)

    def _load(self, index):
        self._pages[index].goto(f"{self._url}/{WORKLOADS[index][1]}")


class PageHandler(Handler):
    """Serves web/, the output of `./build.sh new` as app/, and for both as plain.html the same page
    with a handwritten script."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=ROOT / "web")

    def translate_path(self, path):
        if path.startswith("/plain"):
            return str(ROOT / "Benchmarks/script" / path[1:])
        if path.startswith("/app/"):
            return str(APP / path.removeprefix("/app/"))
        return super().translate_path(path)

    def do_GET(self):
        if self.path == "/plain.html":
            text = (ROOT / "web/index.html").read_text()
            lines = [line for line in text.splitlines() if "preload" not in line]
            text = "\n".join(lines).replace("main.js", "plain.js")
        elif self.path == "/app/plain.html":
            text = (APP / "index.html").read_text().replace("main.js", "/plain-counter.js")
        else:
            return super().do_GET()
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
