"""Concurrent programs over one folder: two native ones, two under wasmtime, and one of each."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import files

TIMES = 50


@pytest.fixture(params=["headless headless", "native native", "native headless"])
def together(request):
    """Runs a program on two hosts at once; returns the two results."""
    runs = [request.getfixturevalue(name) for name in request.param.split()]

    def run(folder, *actions):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda run: run(folder, *actions), runs))

    return run


def test_programs_that_count_at_once_say_nothing_and_leave_a_whole_count(together, state, remark):
    for result in together(state, *["increment"] * TIMES):
        assert (result.status, result.errors) == (0, "")
        assert len(result.shown) == TIMES + 1
    [(name, count)] = files(state).items()
    assert name == "count.json"
    # A write between another program's read and write is lost, but a whole count is always stored.
    assert 1 <= int(count) <= 2 * TIMES
    remark(f"{int(count)} of {2 * TIMES} counted")


def test_programs_that_find_damage_at_once_keep_it(together, state):
    (state / "count.json").write_bytes(b"{garbage")
    for result in together(state, "increment"):
        assert result.status == 0
    kept = files(state)
    assert kept.pop("count.json") in (b"1", b"2")
    assert kept != {} and set(kept.values()) == {b"{garbage"}
