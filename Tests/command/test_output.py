"""Output that cannot be written is reported, and changes are stored nevertheless."""

import json
import os
import subprocess

import pytest
from conftest import files


@pytest.fixture(params=["a full disk", "a pipe that nobody reads", "nothing"])
def output(request):
    """Yields options of a process with an unwritable standard output."""
    if request.param == "nothing":
        yield {"preexec_fn": lambda: os.close(1)}
        return
    if request.param == "a full disk":
        stream = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, stream = os.pipe()
        os.close(reader)
    yield {"stdout": stream}
    os.close(stream)


def test_output_that_cannot_be_written_is_said_and_what_was_done_is_stored(run, state, output):
    result = run(state, "increment", "increment", **output)
    assert result.status == 1
    assert result.errors == "The output cannot be written, so not everything was shown.\n"
    assert files(state) == {"count.json": b"2"}


def test_errors_that_nobody_can_see_change_nothing(run, state):
    with open("/dev/full", "w") as full:
        result = run(state, "increment", "add", stderr=full)
    assert (result.status, result.shown) == (2, ["count: 0"])
    assert files(state) == {}


def test_without_any_standard_stream_the_files_are_whole(run, state):
    def close():
        os.closerange(0, 3)

    result = run(state, "increment", "add", "milk", preexec_fn=close, stdin=subprocess.DEVNULL)
    assert result.status == 1
    stored = files(state)
    assert stored.pop("count.json") == b"1"
    [todo] = json.loads(stored.pop("todos-sharing.json"))
    assert (todo["title"], stored) == ("milk", {})
