"""The time of day in a program."""

import time

import pytest
from conftest import call


@pytest.mark.needs("clock")
def test_now_is_the_time_of_day(runner, state):
    before = int(time.time() * 1000)
    (now,) = call(*runner(state, "now")).shown
    assert before <= int(now) <= time.time() * 1000 + 1
