"""Debounced changes are written when the program ends."""

import pytest
from conftest import call, files

pytestmark = [pytest.mark.needs("files"), pytest.mark.rule("R12")]


def test_a_debounced_value_is_written_at_the_end_of_the_run(runner, state):
    assert call(*runner(state, "debounced")).status == 0
    assert files(state) == {"late.json": b"2"}
