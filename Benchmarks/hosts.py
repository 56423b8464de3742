"""Where workloads run. A host lists them, prepares them, and times a number of iterations.

`renew` begins anew, with nothing prepared: a row must not depend on those before it.
"""

import contextlib
import functools
import http.server
import importlib.metadata
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
NATIVE = HERE / ".build/release/NativeBenchmarks"
WASM = HERE / "page/benchmarks.wasm"


class Native:
    """The program for this machine, which reads commands and times itself."""

    title = f"native, {platform.system()} {platform.machine()}"

    def __init__(self):
        self._process = None

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        host = cls()
        try:
            yield host
        finally:
            host._end()

    def renew(self):
        self._end()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen([NATIVE], **pipes, text=True, bufsize=1)

    def workloads(self):
        """Names, and how many operations an iteration does, in the order of their indices."""
        lines = [self._ask("list"), *iter(self._answer, "")]
        return [(name, int(count)) for name, count in (line.split("\t") for line in lines)]

    def prepare(self, index):
        self._ask(f"prepare {index}")

    def run(self, index, iterations):
        """The nanoseconds that so many iterations take."""
        return int(self._ask(f"run {index} {iterations}"))

    def footprints(self):
        """What takes how many bytes of the heap."""
        # Without the cache of a thread, whose blocks count as given out.
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        output = subprocess.check_output([NATIVE, "bytes"], env=environment, text=True)
        lines = (line.split("\t") for line in output.splitlines())
        return [(name, float(count)) for name, count in lines]

    def _ask(self, command):
        self._process.stdin.write(command + "\n")
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{NATIVE} has ended with status {self._process.wait()}")
        return line.rstrip("\n")

    def _end(self):
        if self._process:
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()


class Wasm:
    """The program for wasm in wasmtime. Calling it takes some microseconds, once a round."""

    def __init__(self):
        import wasmtime

        self.title = f"wasmtime {importlib.metadata.version('wasmtime')}"
        self._wasmtime = wasmtime
        self._engine = wasmtime.Engine()
        self._module = wasmtime.Module.from_file(self._engine, WASM)

    @classmethod
    def started(cls):
        return contextlib.nullcontext(cls())

    def renew(self):
        self._store = self._wasmtime.Store(self._engine)
        self._store.set_wasi(self._wasmtime.WasiConfig())
        linker = self._wasmtime.Linker(self._engine)
        linker.define_wasi()
        linker.define_unknown_imports_as_default_values(self._store, self._module)
        self._exports = linker.instantiate(self._store, self._module).exports(self._store)
        self._exports["_initialize"](self._store)

    def workloads(self):
        count = self._call("count")
        return [(self._name(index), self._call("operations", index)) for index in range(count)]

    def prepare(self, index):
        self._call("prepare", index)

    def run(self, index, iterations):
        run, store = self._exports["bench_run"], self._store
        start = time.perf_counter_ns()
        run(store, index, iterations)
        return time.perf_counter_ns() - start

    def _call(self, name, *arguments):
        return self._exports[f"bench_{name}"](self._store, *arguments)

    def _name(self, index):
        start = self._call("name", index)
        bytes = self._exports["memory"].read(self._store, start, start + 100)
        return bytes[: bytes.index(0)].decode()


class Chromium:
    """The program for wasm, and JavaScript beside it, in a page that times itself."""

    def __init__(self, browser, url):
        self.title = f"Chromium {browser.version}"
        self._page = browser.new_page()
        self._page.on("pageerror", lambda error: print(error, file=sys.stderr))
        self._url = url

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        from playwright.sync_api import sync_playwright

        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        with sync_playwright() as playwright, served(WASM.parent) as url:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            yield cls(browser, url)
            browser.close()

    def renew(self):
        """A page of its own also for JavaScript, which gets slower when it has been used in more
        than one way."""
        self._page.goto(self._url)
        self._page.wait_for_function("crossOriginIsolated && globalThis.list", timeout=10_000)

    def workloads(self):
        return self._page.evaluate("list()")

    def prepare(self, index):
        self._page.evaluate("index => prepare(index)", index)

    def run(self, index, iterations):
        return self._page.evaluate("([index, count]) => run(index, count)", [index, iterations])


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, isolated from other origins: then the page's clock has steps of 5 µs."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def served(folder):
    """The address at which a folder is served."""
    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


HOSTS = {"native": Native, "wasm": Wasm, "chromium": Chromium}
