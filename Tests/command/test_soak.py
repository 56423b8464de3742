"""Memory of a program that runs for a long time."""

from hosts import suite
from wasmtime import Engine, Linker, Module, Store, WasiConfig


def test_a_million_turns_take_no_more_memory_than_a_tenth_of_them():
    engine = Engine()
    module = Module.from_file(engine, str(suite()))
    # Memory of wasm never shrinks: what it is between is between these.
    assert memory_after(1_000_000, engine, module) == memory_after(100_000, engine, module)


def memory_after(turns, engine, module):
    """How many bytes of memory the program has after so many turns; they are always the same."""
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = ["conformance", "soak", str(turns)]
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    linker = Linker(engine)
    linker.define_wasi()
    linker.define_unknown_imports_as_default_values(store, module)
    exports = linker.instantiate(store, module).exports(store)
    exports["_start"](store)
    return exports["memory"].data_len(store)
