"""The program under wasmtime: its output, its files, and its error messages."""

import json
import sys

import pytest
from conftest import HEADLESS, call, files
from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

ACTIONS = (
    "increment, decrement, reset, add TITLE, toggle ID, edit ID TITLE, remove ID, toggle-all, "
    "clear-completed, tally, show"
)


def test_several_actions_are_done_in_their_order(headless, state):
    result = headless(state, "increment", "increment", "decrement", "reset", "decrement")
    assert result.shown == [f"count: {count}" for count in [0, 1, 2, 1, 0, -1]]
    assert (result.status, result.errors) == (0, "")


def test_the_count_is_kept_between_runs(headless, state):
    headless(state, "increment", "increment")
    assert files(state) == {"count.json": b"2"}
    assert headless(state, "increment").shown == ["count: 2", "count: 3"]
    assert files(state) == {"count.json": b"3"}


def test_the_tally_is_kept_between_runs(headless, state):
    assert headless(state, "tally", "tally").shown == ["count: 0", "tally: 1", "tally: 2"]
    result = headless(state, "tally")
    assert (result.status, result.shown, result.errors) == (0, ["count: 0", "tally: 3"], "")


def test_to_show_the_count_writes_nothing(headless, state):
    result = headless(state, "show")
    assert (result.status, result.shown, result.errors) == (0, ["count: 0"], "")
    assert files(state) == {}


@pytest.mark.parametrize(
    "garbage, byte",
    [
        (b"{garbage", 0),
        (b"", 0),
        (b"41 41", 3),
        (b"\xff\x00", 0),
    ],
)
def test_garbage_is_said_and_kept_and_counting_goes_on(headless, state, garbage, byte):
    (state / "count.json").write_bytes(garbage)
    result = headless(state, "increment", "increment")
    assert result.shown == ["count: 0", "count: 1", "count: 2"]
    assert result.status == 0
    assert len(result.errors.splitlines()) == 1
    for part in ['"count": ', "A stored value is damaged.", 'A copy is kept under "count.corrupt".']:
        assert part in result.errors
    assert f" at byte {byte}: " in result.errors
    assert files(state) == {"count.json": b"2", "count.corrupt.json": garbage}


@pytest.mark.parametrize("text", [b'"41"', b"1.5", b"2147483648"])  # Int has 32 bits
def test_what_another_release_has_stored_is_not_overwritten(headless, state, text):
    (state / "count.json").write_bytes(text)
    result = headless(state, "increment", "increment")
    assert result.shown == ["count: 0", "count: 1", "count: 2"]
    assert result.status == 1
    assert "Another version of this app has stored a value." in result.errors
    assert files(state) == {"count.json": text}


def test_garbage_is_kept_even_when_nothing_is_changed(headless, state):
    (state / "count.json").write_bytes(b"{garbage")
    assert headless(state, "show").status == 0
    assert files(state) == {"count.json": b"{garbage", "count.corrupt.json": b"{garbage"}


def test_other_garbage_does_not_replace_what_was_kept_before(headless, state):
    (state / "count.json").write_bytes(b"second")
    (state / "count.corrupt.json").write_bytes(b"first")
    headless(state, "increment")
    [replaced] = json.loads((state / "count.replaced.json").read_bytes())
    assert replaced["text"] == "second"
    (state / "count.replaced.json").unlink()
    assert files(state) == {"count.json": b"1", "count.corrupt.json": b"first"}


@pytest.mark.parametrize("action", ["multiply", "Increment", "increment ", "", "--help", "√"])
def test_an_unknown_action_is_named_and_nothing_is_done(headless, state, action):
    (state / "count.json").write_bytes(b"5")
    result = headless(state, "increment", action, "increment")
    assert (result.status, result.shown) == (1, ["count: 5"])
    assert f'no action "{action}", so nothing was done' in result.errors
    assert f"There are: {ACTIONS}." in result.errors
    assert files(state) == {"count.json": b"5"}


def test_no_action_is_a_mistake_in_use(headless, state):
    result = headless(state)
    assert (result.status, result.shown) == (2, ["count: 0"])
    assert f"Name an action: {ACTIONS}." in result.errors


def test_without_a_folder_it_counts_in_memory_and_says_so(headless, tmp_path):
    result = headless(None, "increment", "increment", cwd=tmp_path)
    assert (result.status, result.shown) == (0, ["count: 0", "count: 1", "count: 2"])
    assert "No folder was given" in result.errors and "only until the program ends" in result.errors
    assert "--dir" in result.errors
    assert files(tmp_path) == {}


def test_what_is_no_folder_is_refused(headless, tmp_path):
    (tmp_path / "file").write_bytes(b"precious")
    for place in [tmp_path / "file", tmp_path / "file/below", tmp_path / "missing"]:
        result = headless(place, "increment")
        assert (result.status, result.shown) == (1, [])
        assert f"{place} is not a folder" in result.errors
        assert "Traceback" not in result.errors
    assert files(tmp_path) == {"file": b"precious"}


def test_a_file_that_cannot_be_replaced_is_said_and_the_value_is_shown(headless, state):
    (state / "count.json").mkdir()
    result = headless(state, "increment", "increment")
    assert (result.status, result.shown) == (1, ["count: 0", "count: 1", "count: 2"])
    # It cannot be read, and therefore is not overwritten: there is one message for both.
    assert result.errors.startswith('"count": Reading the file /state/count.json failed')
    assert result.errors.count("failed") == result.errors.count("\n") == 1
    assert [path.name for path in state.iterdir()] == ["count.json"]


def test_a_folder_that_may_only_be_read_is_said_and_the_stored_bytes_stay(program, state, tmp_path):
    (state / "count.json").write_bytes(b"5")
    engine = Engine()
    linker = Linker(engine)
    linker.define_wasi()
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = ["demo", "increment"]
    wasi.stdout_file = str(tmp_path / "shown")
    wasi.stderr_file = str(tmp_path / "errors")
    wasi.preopen_dir(str(state), "/state", fs_mutable=False)
    store.set_wasi(wasi)
    module = Module.from_file(engine, str(program))
    linker.define_unknown_imports_as_default_values(store, module)
    with pytest.raises(ExitTrap) as end:
        linker.instantiate(store, module).exports(store)["_start"](store)
    assert end.value.code == 1
    assert (tmp_path / "shown").read_text() == "count: 5\ncount: 6\n"
    assert "Writing the file /state/count.json failed" in (tmp_path / "errors").read_text()
    assert files(state) == {"count.json": b"5"}


def test_a_trap_is_said_and_the_stored_bytes_stay(headless, state):
    (state / "count.json").write_bytes(b"2147483647")
    result = headless(state, "increment")
    assert (result.status, result.shown) == (70, ["count: 2147483647"])
    assert "demo.cwasm has stopped" in result.errors
    assert files(state) == {"count.json": b"2147483647"}


def test_a_missing_or_broken_program_is_said(tmp_path):
    (tmp_path / "broken.wasm").write_bytes(b"\0asm????")
    for name, message in [("missing.wasm", "no program"), ("broken.wasm", "cannot be started")]:
        result = call(sys.executable, HEADLESS, tmp_path / name, "increment")
        assert result.status == 1
        assert message in result.errors and name in result.errors
        assert "Traceback" not in result.errors


@pytest.mark.parametrize("name", ["two words", "zwölf ✓ 十二", "quote'\"$HOME", " "])
def test_a_folder_may_have_any_name(headless, tmp_path, name):
    (tmp_path / name).mkdir()
    assert headless(tmp_path / name, "increment").shown == ["count: 0", "count: 1"]
    assert files(tmp_path / name) == {"count.json": b"1"}
