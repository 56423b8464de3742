"""What each workload is compared with on each host, and at most how many times as long it may take.

A workload that is not named here is shown too, compared with the host's first baseline.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """A line of a table."""

    name: str
    baseline: str
    budget: float | None = None


BASELINES = {"native": "lock pair"}

ROWS = {
    "native": [
        Row("read wrappedValue", "lock pair", 5),
        Row("withLock, value:, never read", "lock pair", 10),
        Row("withLock, value:, after a read", "lock pair", 10),
        Row("withLock, .inMemory, never read", "lock pair", 10),
        Row("withLock, .inMemory, after a read", "lock pair", 10),
        Row("toggle a held todo of 10,000", "lock pair", 30),
        Row("toggle a held todo of 10,000", "toggle a held todo of 10", 1.2),
        Row("toggle a held todo's .isCompleted, of 10,000", "lock pair", 30),
        Row(
            "toggle a held todo's .isCompleted, of 10,000",
            "toggle a held todo's .isCompleted, of 10",
            1.2,
        ),
        Row("toggle one of 10,000 observed rows", "toggle one of 10 observed rows", 3),
        Row(
            "withLock on two threads, per increment", "withLock, value:, never read", 4
        ),
    ],
}

BYTES = {
    ".inMemory, beyond its key": 200,
}
