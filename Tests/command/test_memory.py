"""A program's memory: its growth, and its size after a long run."""

import pytest
from hosts import suite
from wasmtime import Engine, Linker, Module, Store, WasiConfig

PAGE = 65536


@pytest.fixture(scope="module")
def engine():
    return Engine()


@pytest.fixture(scope="module")
def conformance(engine):
    return Module.from_file(engine, str(suite()))


def test_three_million_turns_take_no_more_memory_than_one(engine, conformance):
    # The memory of wasm never shrinks, so shorter runs cannot have more. The largest demand for
    # blocks of each size is random, and is reached after this many turns.
    one = run(engine, conformance, "soak", "1000000")
    assert run(engine, conformance, "soak", "3000000") == one


def test_a_program_asks_for_more_than_it_needs_and_does_with_less(engine, program):
    module = Module.from_file(engine, str(program))
    store, exports = started(engine, module)
    before = exports["memory"].size(store)
    assert exports["sharing_inbox"](store, 20 * PAGE) > 0
    asked_for = exports["memory"].size(store) - before
    assert asked_for > 24  # blocks have 16, 24, 32 … pages

    store, exports = started(engine, module)
    store.set_limits(memory_size=(before + asked_for - 1) * PAGE)
    assert exports["sharing_inbox"](store, 20 * PAGE) > 0


def started(engine, module, *words):
    """Returns a store with a program that has not run yet, and its exports."""
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = ["program", *words]
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    linker = Linker(engine)
    linker.define_wasi()
    linker.define_unknown_imports_as_default_values(store, module)
    return store, linker.instantiate(store, module).exports(store)


def run(engine, module, *words):
    """Returns the program's memory in bytes at its end, which is deterministic."""
    store, exports = started(engine, module, *words)
    exports["_start"](store)
    return exports["memory"].data_len(store)
