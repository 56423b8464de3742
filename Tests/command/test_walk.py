"""Random use of the library on every host without a page, with fixed seeds and seeds of the day."""

import os
import sys

from conftest import ROOT

sys.path.append(str(ROOT / "Tools"))
import walks as library  # noqa: E402


def test_random_use_agrees_with_the_model(runner, state, walks):
    assert library.take(runner(state), 1, walks) is None
    first = 1000 * int(os.environ.get("SHARING_WALK_SEED", "1"))
    assert library.take(runner(state), first, first + walks // 4) is None


def test_a_program_that_stops_without_a_word_is_told_with_its_status():
    assert library.replay(["bash", "-c", "exit 70"], "append 0 7") == "the program stops: status 70"


def test_a_walk_is_written_down_and_walked_again(runner, state):
    steps = library.run(runner(state), "steps", 3).stdout.strip()
    assert library.replay(runner(state), steps) is None
    assert library.replay(runner(state), "append 0 7; hop 1 1") == "not ok: one of the steps is none"
