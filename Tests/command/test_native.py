"""The program built for this machine behaves like the wasm one, over the same files."""

import re
import resource

import pytest
from conftest import call, files
from hosts import build


@pytest.mark.parametrize(
    "before, actions",
    [
        ({}, ["show"]),
        ({}, ["increment", "increment", "decrement", "reset", "increment"]),
        ({"count.json": b" 41\n"}, ["increment"]),
        ({"count.json": b"-1"}, ["decrement", "show"]),
        ({"count.json": b"0"}, ["reset"]),
        ({"count.json": b"{garbage"}, ["increment"]),
        ({"count.json": b"{garbage", "count.corrupt.json": b"older"}, ["increment"]),
        ({"count.json": b"5"}, ["increment", "multiply"]),
        ({"count.json": b"5"}, []),
    ],
)
def test_both_print_and_keep_the_same(headless, native, tmp_path, before, actions):
    ends = []
    for name, run in [("wasm", headless), ("native", native)]:
        folder = tmp_path / name
        folder.mkdir()
        for file, text in before.items():
            (folder / file).write_bytes(text)
        result = run(folder, *actions)
        # Replaced values have the time, also in their ids.
        kept = {
            name: re.sub(rb'"(id|time)":"?[0-9-]+"?', b"", text)
            for name, text in files(folder).items()
        }
        ends.append((result, kept))
    assert ends[0] == ends[1]


def test_each_goes_on_where_the_other_has_stopped(headless, native, state):
    assert native(state, "increment").shown == ["count: 0", "count: 1"]
    assert headless(state, "increment").shown == ["count: 1", "count: 2"]
    assert native(state, "increment").shown == ["count: 2", "count: 3"]
    assert files(state) == {"count.json": b"3"}


def test_a_missing_folder_is_made_when_something_is_written(native, tmp_path):
    folder = tmp_path / "a/new one/√"
    assert native(folder, "show").status == 0
    assert files(tmp_path) == {}
    assert native(folder, "increment").status == 0
    assert files(folder) == {"count.json": b"1"}


def test_the_folder_is_called_sharing_when_none_is_chosen(native, tmp_path):
    assert native(None, "increment", cwd=tmp_path).status == 0
    assert files(tmp_path / ".sharing") == {"count.json": b"1"}


def test_a_folder_that_cannot_be_is_said_and_the_value_is_shown(native, tmp_path):
    (tmp_path / "file").write_bytes(b"precious")
    for place in [tmp_path / "file", tmp_path / "file/below"]:
        result = native(place, "increment")
        assert (result.status, result.shown) == (1, ["count: 0", "count: 1"])
        assert f"Writing the file {place}/count.json failed" in result.errors
    assert files(tmp_path) == {"file": b"precious"}


def fill_disk():
    """Runs in a starting process: prevents files from growing, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_full_disk_is_said_and_the_stored_bytes_stay(native, state):
    (state / "count.json").write_bytes(b"5")
    # Python ignores SIGXFSZ, and the program inherits this: its writes fail as on a full disk.
    result = native(state, "increment", preexec_fn=fill_disk, restore_signals=False)
    assert (result.status, result.shown) == (1, ["count: 5", "count: 6"])
    assert f"Writing the file {state}/count.json failed" in result.errors
    assert files(state) == {"count.json": b"5"}


def test_a_program_of_a_page_names_the_word_that_makes_it_a_command(tmp_path):
    result = call(build("WasmCounter"), "increment", cwd=tmp_path)
    assert (result.status, result.shown) == (2, [])
    assert "'struct App: PageApp, CommandApp'" in result.errors
    assert files(tmp_path) == {}
