"""The portable suite on every host without a page, in memory and in files."""

import re
import subprocess

import pytest
import rules
from conftest import call, files
from hosts import HOSTS, LOST_VALUE
from wasmtime import Engine, Instance, Module, Store, wat2wasm


def expect_all_to_hold(runner, where, state, host):
    done = call(*runner(state, where))
    text = "\n".join(done.shown) + "\n"
    rules.record(host, text)
    assert [line for line in done.shown if line.startswith("not ok")] == []
    assert re.search(r"^[1-9]\d* passed, 0 failed$", text, re.MULTILINE), text[-500:] + done.errors
    assert done.status == 0


def test_every_case_holds_in_memory(runner, runner_host, state):
    expect_all_to_hold(runner, "memory", state, runner_host)
    assert files(state) == {}


@pytest.mark.needs("files")
def test_every_case_holds_in_files(runner, runner_host, state):
    expect_all_to_hold(runner, "files", state, runner_host)


def test_wasmkit_reads_files_and_still_cannot_replace_one(tmp_path, state):
    """If this fails, wasmkit can write files: remove the missing feature from HOSTS and HOLES."""
    (state / "notes").mkdir()
    (state / "notes/numbers.json").write_bytes(b"[7,8]")
    command = HOSTS["wasmkit"].prepare(tmp_path)
    number, said = call(*command(state, "document")).shown
    assert number == "3"
    assert "Writing the file" in said
    assert files(state / "notes") == {"numbers.json": b"[7,8]"}


def test_wasmkit_still_loses_a_value(tmp_path):
    """If this fails, wasmkit computes the right result: use the optimized program again."""
    program = tmp_path / "sum.wasm"
    program.write_bytes(wat2wasm(LOST_VALUE))
    store = Store(Engine())
    instance = Instance(store, Module.from_file(store.engine, str(program)), [])
    assert instance.exports(store)["sum"](store, 0, 0) == 28
    command = ["wasmkit", "run", program, "sum", "i32:0", "i32:0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[WasmTypes.Value.i32(20)]"
