"""The message of a program that traps because of misuse, on every host."""

import pytest
from conftest import call


@pytest.mark.parametrize(
    ("misuse", "words"),
    [
        ("nested", ["A withLock at Inner.swift:22 is nested", "at Outer.swift:11"]),
        ("missing", ["Element.swift:33: ", "the collection has 3", "$values[id: …]"]),
    ],
)
@pytest.mark.rule("R5")
def test_misuse_is_said_before_the_program_stops(runner, state, misuse, words):
    result = call(*runner(state, misuse))
    assert result.status != 0
    for part in words:
        assert part in result.errors
