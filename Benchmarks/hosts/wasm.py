import contextlib
import importlib.metadata
import pathlib
import tempfile
import time

from wasmtime import Engine, Linker, Module, Store, WasiConfig

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "page/benchmarks.wasm"


class Wasm:
    """The program for wasm in wasmtime. The host times the calls."""

    title = f"wasmtime {importlib.metadata.version('wasmtime')}"
    round = 5e5

    def __init__(self, folder, engine=None):
        self._folder = folder
        self._engine = engine or Engine()
        self._module = Module.from_file(self._engine, PROGRAM)

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        with tempfile.TemporaryDirectory() as folder:
            yield cls(folder)

    def renew(self):
        """Starts the program with a folder of its own."""
        self._store = self.new_store()
        wasi = WasiConfig()
        wasi.preopen_dir(tempfile.mkdtemp(dir=self._folder), ".")
        self._store.set_wasi(wasi)
        linker = self.new_linker()
        linker.define_unknown_imports_as_default_values(self._store, self._module)
        self._exports = linker.instantiate(self._store, self._module).exports(self._store)
        self._exports["_initialize"](self._store)

    def new_store(self):
        return Store(self._engine)

    def new_linker(self):
        linker = Linker(self._engine)
        linker.define_wasi()
        return linker

    def workloads(self):
        count = self._call("count")
        return [(self._name(index), self._call("operations", index)) for index in range(count)]

    def prepare(self, index):
        self._call("prepare", index)
        self._overhead = min(self._time(index, 0) for _ in range(20))  # 20 µs

    def times(self, turns):
        return [self._time(index, count) - self._overhead for index, count in turns]

    def _time(self, index, iterations):
        run, store = self._exports["bench_run"], self._store
        start = time.perf_counter_ns()
        run(store, index, iterations)
        return time.perf_counter_ns() - start

    def _call(self, name, *arguments):
        return self._exports[f"bench_{name}"](self._store, *arguments)

    def _name(self, index):
        start = self._call("name", index)
        text = self._exports["memory"].read(self._store, start, start + 100)
        return text[: text.index(0)].decode()
