"""Programs that count in one folder at the same time: none of them loses a step."""

import random
import subprocess
import time

import pytest
from hosts import HOSTS

TIMES = 2000


@pytest.fixture
def counters(tmp_path_factory, tmp_path):
    """Starts programs that count in one folder: two native ones, and two under wasmtime."""
    folder = tmp_path / "state"
    folder.mkdir()
    place = tmp_path_factory.mktemp("programs")
    hosts = [HOSTS[name].prepare(place) for name in ["native", "wasmtime", "native", "wasmtime"]]
    running = []

    def start(count):
        for host in hosts[:count]:
            command = list(map(str, host(folder, "count", TIMES)))
            running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return running

    yield start
    for process in running:
        process.kill()
        process.wait()


def stored(running):
    """Returns the numbers that each program has printed."""
    return [[int(line) for line in process.communicate()[0].split()] for process in running]


@pytest.mark.parametrize("programs", [2, 4])
def test_programs_that_count_at_the_same_moment_lose_nothing(counters, programs):
    counted = stored(counters(programs))
    assert [len(numbers) for numbers in counted] == programs * [TIMES]
    assert max(map(max, counted)) == programs * TIMES
    for numbers in counted:
        assert numbers == sorted(set(numbers))


def test_what_a_killed_program_has_stored_is_counted_once(counters):
    running = counters(4)
    time.sleep(random.uniform(0.1, 0.5))
    for process in running[:2]:
        process.kill()
    counted = stored(running)
    lines = sum(len(numbers) for numbers in counted)
    # A killed program may not have printed its last stored value.
    assert lines <= max(map(max, counted[2:])) <= lines + 2
