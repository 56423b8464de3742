"""A server for web/, with a new address for each test, so that its storage is initially empty."""

import functools
import http.server
import pathlib
import re
import threading
import typing

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}

# Reports errors in a page to the server, for browsers whose driver does not.
WATCHER = """
  const tell = (problem) => {
    const request = new XMLHttpRequest();
    request.open("POST", "problem", false);
    request.send(problem);
  };
  for (const level of ["error", "warn"]) {
    const { [level]: write } = console;
    console[level] = (...words) => {
      tell(`console: ${words.join(" ")}`);
      write.apply(console, words);
    };
  }
  addEventListener("error", ({ message }) => tell(`uncaught: ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => tell(`uncaught: ${reason}`));
  addEventListener("securitypolicyviolation", ({ blockedURI }) => tell(`blocked: ${blockedURI}`));
"""


class Answer(typing.NamedTuple):
    """A response of the server."""

    body: bytes | str | typing.Callable[[], str]
    type: str
    status: int


# The texts of a StorageError for the developer, with and without a key.
VALUE_ERROR = re.compile(
    'console: ("[^"]+": |A stored value is|Another version of|Your change |Access to stored|There is no '
    "room for|Stored values cannot)"
)


class Website:
    """Serves a folder, with a test's own responses in place of its files."""

    def __init__(self, folder=WEB):
        self.problems = []
        self.details = []  # of errors of stored values, which a page shows in other words
        self.is_open = True  # access for pages of other origins
        self._folder = folder
        self._answers = {}
        self._held = {}
        self._scripts = []
        self._handler = functools.partial(Handler, self)
        self._serve(server_at_new_port(self._handler))
        self.address = f"http://localhost:{self._server.server_port}/"

    def _serve(self, server):
        self._server = server
        self._server.daemon_threads = True
        # Each test stops its server, so the interval of its checks is short.
        serve = functools.partial(self._server.serve_forever, poll_interval=0.01)
        threading.Thread(target=serve, daemon=True).start()

    def stop(self):
        """Ends the server, so that browsers find no network."""
        self._server.shutdown()
        self._server.server_close()

    def go_on(self):
        """Starts the server again, at the same address."""
        address = ("127.0.0.1", self._server.server_port)
        self._serve(http.server.ThreadingHTTPServer(address, self._handler))

    def note(self, text):
        """Notes an error or a warning of a page: a problem, or the details of a value's error."""
        found = self.details if VALUE_ERROR.match(text) else self.problems
        found.append(text)

    def answer(self, path, body=b"", type="text/html", status=200):
        """Sets the response at a path, such as `demo.wasm`; a function creates a new one each
        time."""
        self._answers[path] = Answer(body, type, status)

    def file(self, name):
        """Returns the text of a file in the folder."""
        return (self._folder / name).read_text()

    def hold(self, path):
        """Delays the response at a path until the returned event is `set()`."""
        return self._held.setdefault(path, threading.Event())

    def begin_with(self, script):
        """Runs a script in every page before its own."""
        self._scripts.append(script)
        self.answer("begin.js", "\n".join(self._scripts), "text/javascript")

    def watch(self):
        """Records errors of pages in `problems`."""
        if WATCHER not in self._scripts:
            self.begin_with(WATCHER)

    def close(self):
        for event in self._held.values():
            event.set()
        self.stop()

    def find(self, path):
        """Returns the answer at a path."""
        if path in self._held:
            self._held[path].wait()
        body, type, status = self._answers.get(path) or self._read(path)
        body = body() if callable(body) else body
        body = body.encode() if isinstance(body, str) else body
        if type == "text/html" and self._scripts:
            body = body.replace(b"<head>", b'<head><script src="/begin.js"></script>', 1)
        return Answer(body, type, status)

    def _read(self, path):
        # Scripts of the tests import others of the repository by their relative paths.
        is_script = path.startswith(("JavaScript/", "Extras/", "Tests/"))
        file = (WEB.parent if is_script else self._folder) / path
        if file.is_dir():
            file /= "index.html"
        if file.is_file():
            return Answer(file.read_bytes(), TYPES.get(file.suffix, "text/plain"), 200)
        return Answer(b"", "text/plain", 404)


used_ports = set()


def server_at_new_port(handler):
    """Returns a server at a port that no earlier test has used, since the browser keeps its
    storage."""
    servers = []
    while not servers or servers[-1].server_port in used_ports:
        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
    for other in servers[:-1]:
        other.server_close()
    used_ports.add(servers[-1].server_port)
    return servers[-1]


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, website, *arguments):
        self.website = website
        super().__init__(*arguments)

    def do_GET(self):
        self._say(self.website.find(self.path.partition("?")[0].lstrip("/")))

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.website.note(text)
        self._say(Answer(b"", "text/plain", 204))

    def _say(self, answer):
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        # A sandboxed frame has an opaque origin, which needs permission to load modules.
        if self.website.is_open:
            self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *arguments):
        pass
