"""The portable suite on every host without a page, in memory and in files."""

import re

import pytest
import rules
from conftest import call, files
from hosts import HOSTS


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


def test_wasmkit_still_cannot_replace_a_file(tmp_path):
    """When this fails, the hole of wasmkit in HOSTS can be closed."""
    call(*HOSTS["wasmkit"].prepare(tmp_path)(tmp_path, "debounced"))
    assert not (tmp_path / "late.json").exists()
