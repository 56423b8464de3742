"""Writers that are killed at any moment: readers get a whole value, the old or the new one.

`--kills 5000` kills that many writers on each host.
"""

import os
import random
import signal
import subprocess
import time

import pytest

pytestmark = [pytest.mark.needs("files"), pytest.mark.rule("R18")]

LENGTH = 300_000


class Writer:
    """A program that stores long texts in sequence under a key, until it is killed."""

    def __init__(self, command):
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "stored\n"

    def is_stopped_within_a_write(self, folder):
        """Stops the program when it has made a temporary file. Returns whether it has it still."""
        former = temporary_files(folder)
        while not (made := temporary_files(folder) - former):
            assert self.process.poll() is None
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        return any(path.exists() for path in made)

    def kill_within_a_write(self, folder):
        while not self.is_stopped_within_a_write(folder):
            self.process.send_signal(signal.SIGCONT)
        self.kill()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def temporary_files(folder):
    return set(folder.glob("*.sharing-tmp"))


@pytest.fixture
def rounds(request, runner, remark):
    """Yields the requested number of rounds, and prints a remark on their results."""
    count = request.config.getoption("--kills")
    yield range(count)
    torn = len(temporary_files(request.getfixturevalue("state")))
    remark(f"{count} rounds, {torn} writers killed in the middle of a write")


def expect_whole(path):
    """Expects one whole text in the file."""
    text = path.read_bytes()
    assert len(text) == LENGTH + 2
    assert text == b'"' + text[1:2] * LENGTH + b'"'


def expect_nothing_else(folder, *names):
    """Expects only temporary files of killed writers besides the values."""
    others = {path.name for path in folder.iterdir() if path.suffix != ".sharing-tmp"}
    assert others == set(names)


def test_a_killed_writer_leaves_a_whole_value(runner, state, rounds):
    for _ in rounds:
        writer = Writer(runner(state, "write", "text"))
        time.sleep(random.uniform(0, 0.02))
        writer.kill()
        expect_whole(state / "text.json")
    expect_nothing_else(state, "text.json")


def test_a_writer_that_is_killed_within_a_write_leaves_a_whole_value(runner, state, rounds):
    for _ in rounds:
        Writer(runner(state, "write", "text")).kill_within_a_write(state)
        expect_whole(state / "text.json")
    expect_nothing_else(state, "text.json")
    assert len(temporary_files(state)) == len(rounds)


def test_who_reads_while_others_write_and_are_killed_sees_whole_values(runner, state, rounds):
    for _ in rounds:
        writers = [Writer(runner(state, "write", key)) for key in ["same", "same", "own"]]
        end = time.monotonic() + random.uniform(0, 0.1)
        while time.monotonic() < end:
            expect_whole(state / "same.json")
            expect_whole(state / "own.json")
        for writer in writers:
            writer.kill()
            expect_whole(state / "same.json")
            expect_whole(state / "own.json")
    expect_nothing_else(state, "same.json", "own.json")


def test_what_killed_writers_have_left_is_removed_when_it_is_old(runner, state):
    Writer(runner(state, "write", "text")).kill_within_a_write(state)
    leftovers = temporary_files(state)
    assert leftovers
    for path in leftovers:
        os.utime(path, (0, 0))
    Writer(runner(state, "write", "text")).kill()
    assert not any(path.exists() for path in leftovers)
    expect_whole(state / "text.json")
