"""Temporary files of crashed writers are removed, those of running writers are not."""

import os
import time

import pytest
from conftest import files


def leave(path, seconds_ago):
    """Writes a file with a modification time in the past."""
    path.write_bytes(b"half")
    then = time.time() - seconds_ago
    os.utime(path, (then, then))


def test_an_old_temporary_file_is_removed_by_the_next_write(run, state):
    leave(state / "count.json.0123abcd.sharing-tmp", 601 + 60)
    leave(state / "other.json.0123abcd.sharing-tmp", 86400)
    assert run(state, "show").status == 0
    assert len(files(state)) == 2
    assert run(state, "increment").status == 0
    assert files(state) == {"count.json": b"1"}


@pytest.mark.parametrize("age", [0, 300, -3600])
def test_a_temporary_file_that_somebody_may_be_writing_stays(run, state, age):
    leave(state / "count.json.0123abcd.sharing-tmp", age)
    assert run(state, "increment").status == 0
    assert files(state) == {"count.json": b"1", "count.json.0123abcd.sharing-tmp": b"half"}


def test_files_of_others_stay(run, state):
    names = ["count.json.0123abcd.tmp", "notes.sharing", "sharing-tmp", "old.sharing-tmp.json"]
    for name in names:
        leave(state / name, 86400)
    (state / "folder.0123abcd.sharing-tmp").mkdir()
    assert run(state, "increment").status == 0
    left = {path.name for path in state.iterdir()}
    assert left == {"count.json", "folder.0123abcd.sharing-tmp", *names}


def test_however_many_they_are_some_writes_later_none_is_left(run, state):
    for number in range(100):
        leave(state / f"count.json.{number:08x}.sharing-tmp", 86400)
    for _ in range(6):
        assert run(state, "increment").status == 0
    assert files(state) == {"count.json": b"6"}
