"""The baseline of each workload on each host, and the maximum ratio.

A workload without a row is shown too, compared with the host's first baseline.
"""

from enum import Enum
from typing import NamedTuple


class Way(Enum):
    """How a workload is timed; the values are labels in the tables."""

    AGAIN = ""  # repeatedly, in one task
    APART = ", one a task"  # each in a task of its own, like a user action
    FIRST_VISIT = ", cold"  # first in a fresh page; the browser has not loaded it before
    LATER_VISIT = ", cold, on a later visit"  # first in a fresh page, after earlier visits


class Row(NamedTuple):
    """A line of a table."""

    name: str
    baseline: str
    budget: float | None = None
    way: Way = Way.AGAIN


LOCK = "recursive lock pair"
TOGGLE = "toggle a held todo of 10,000"
TOGGLE_PART = "toggle a held todo's .isCompleted, of 10,000"


def sharing_against(store, budgets):
    """Returns rows for changes of a number, against a handwritten store."""
    sides = [
        ("no observer", "no subscriber"),
        ("1 observer", "1 subscriber"),
        ("per observer of 10,000", "per subscriber of 10,000"),
    ]
    return [
        Row(f"withLock, {key}, {ours}", f"{store}, {theirs}", budget)
        for key in ("value:", ".inMemory")
        for (ours, theirs), budget in zip(sides, budgets)
    ]


# Sinks without tracking, like the subscribers of other stores.
SINKS = [
    Row("withLock, value:, 1 sink", "JavaScript closure store, 1 subscriber", 4.2),
    Row(
        "withLock, value:, per sink of 10,000",
        "JavaScript closure store, per subscriber of 10,000",
        1.9,
    ),
]

# Against the subscriber list of a library.
FAN_OUT = [
    Row(
        f"withLock, value:, per {theirs} of 10,000",
        "JavaScript set store, per subscriber of 10,000",
        1.5,
    )
    for theirs in ("observer", "sink")
]

# A long list must not be slower than a short one.
LISTS = [
    Row(TOGGLE, "toggle a held todo of 10", 1.2),
    Row("toggle a held todo of 100,000", TOGGLE, 1.5),
    Row(TOGGLE_PART, "toggle a held todo's .isCompleted, of 10", 1.2),
    Row("find $todos[id:] and toggle, of 10,000", "find $todos[id:] and toggle, of 10", 1.5),
    Row("find $todos[id:] and toggle, of 100,000", "find $todos[id:] and toggle, of 10,000", 1.5),
    Row("toggle one of 10,000 observed rows", "toggle one of 10 observed rows", 3),
]

# The cost of reading or copying a whole text is at most linear.
LONG_LISTS = [
    Row("load 100,000 todos from memory", "load 10,000 todos from memory", 12),
    Row("toggle one of 100,000 todos in memory", "toggle one of 10,000 todos in memory", 12),
    Row(
        "a row hears that one of 100,000 in memory is another",
        "a row hears that one of 10,000 in memory is another",
        12,
    ),
]

# Elements that are not encoded again cost almost nothing.
ONE_CHANGED = Row("encode one changed todo of 10,000", "encode 10,000 todos", 0.1)

# Commits in a folder, against the same system calls by hand.
FOLDER = [
    Row(f"commit a number in a folder{which}", "write, rename and unlink a number's files", budget)
    for which, budget in [("", 1.5), (" that is not followed", None)]
]

# Values in a page's storage, against handwritten code.
STORED = [
    Row("change a stored number", "setItem of a number", 1.1, Way.APART),
    Row("change a stored number", "getItem and setItem of a number", 1.12, Way.APART),
    Row("look at an item and write it", "setItem of a number", way=Way.APART),
    Row("change a stored number", "setItem of a number"),
    Row("change a stored number", "getItem and setItem of a number"),
    Row(
        "wrapper of a stored key, each of 10,000", "object with a closure, each of 10,000", 3
    ),
    Row("toggle one of 10,000 stored todos", "stringify and setItem of 10,000 todos", 0.75),
    Row(
        "first change of 10,000 loaded todos",
        "stringify and setItem of 10,000 todos",
        0.6,
        Way.FIRST_VISIT,
    ),
    *[
        Row("load 10,000 stored todos", "getItem and parse of 10,000 todos", budget, way)
        for way, budget in [(Way.LATER_VISIT, 1.5), (Way.FIRST_VISIT, 1.25)]
    ],
    Row(
        "a row hears that another tab has toggled one of 10,000",
        "JSON.parse of what another tab has stored",
        0.25,
    ),
    Row("encode 10,000 todos", "JSON.stringify of 10,000 todos"),
    Row("decode 10,000 todos", "JSON.parse of 10,000 todos"),
    ONE_CHANGED,
]

# The cost of a merge is at most linear in the length of the list.
MERGING = [
    Row(
        "toggle one of 8,000 todos where another program was first",
        "toggle one of 1,000 todos where another program was first",
        12,
    ),
]

# Concurrent changes of two tabs, against changes of one.
MERGING_IN_A_PAGE = [
    Row(
        f"toggle and commit one of {count} todos where another tab was first",
        f"toggle and commit one of {count} todos",
        3,
    )
    for count in ("1,000", "4,000", "8,000")
]

# Commits in a page, against IndexedDB by hand.
COMMITS = [
    Row("commit an update", "transaction of a get and a put", 1.3),
    Row(
        "commit 1,000 updates, one a task", "coalesce 1,000 additions by hand, one a task", 2.7
    ),
    Row(
        "an update, until another tab shows it",
        "a transaction and a message, until another tab shows it",
        1.5,
    ),
    Row(
        "the update itself",
        "setItem of the journal's text, and removeItem of the former",
        1.6,
        Way.APART,
    ),
]

# The rows for every browser. The budgets are Chromium's.
IN_A_PAGE = [
    *sharing_against("JavaScript closure store", [4, 4.2, 3.2]),
    *SINKS,
    *FAN_OUT,
    *LISTS,
    *LONG_LISTS,
    *MERGING,
    *STORED,
    *COMMITS,
    *MERGING_IN_A_PAGE,
]

ROWS = {
    "native": [
        Row("read wrappedValue", LOCK, 5),
        Row("withLock, value:, no observer", LOCK, 6),
        Row("withLock, value:, read before", LOCK, 6),
        Row("withLock, .inMemory, no observer", LOCK, 6),
        Row("withLock, .inMemory, read before", LOCK, 6),
        Row(TOGGLE, LOCK, 30),
        Row(TOGGLE_PART, LOCK, 30),
        *LISTS,
        *LONG_LISTS,
        Row("withLock on two threads, per increment", "withLock, value:, no observer", 4),
        Row("encode 10,000 todos", "JSONEncoder of 10,000 todos", 0.1),
        Row("decode 10,000 todos", "JSONDecoder of 10,000 todos", 0.1),
        ONE_CHANGED,
        *MERGING,
        *FOLDER,
    ],
    "wasm": [
        *sharing_against("closure store", [5, 5, 5]),
        *LISTS,
        *LONG_LISTS,
        *MERGING,
        ONE_CHANGED,
        *FOLDER,
    ],
    "page": [
        Row(name, f"plain script: {name}", budget)
        for name, budget in [
            ("toggle one of 10,000 todos", 0.35),
            ("add one to 10,000 todos", 0.54),
            ("first paint of 10,000 todos", 1),
            ("first paint of 50,000 todos", 1.2),
            ("a live counter, from navigation", 1.3),
            ("first paint of the template's counter", 2),
        ]
    ],
    "chromium": IN_A_PAGE,
    "firefox": IN_A_PAGE,
}

# Workloads that are only parts of JavaScript workloads.
PARTS = {"the rows of 10,000 stored todos"}

# The baseline for all other workloads of a host.
BASELINES = {
    "native": LOCK,
    "wasm": "closure store, no subscriber",
    "chromium": "JavaScript closure store, no subscriber",
    "firefox": "JavaScript closure store, no subscriber",
    "page": "plain script: toggle one of 10,000 todos",
}

# The maximum heap bytes per object.
BYTES = {
    ".inMemory, beyond its key": 200,
    ".inMemory, beyond its key and its wrapper": 200,
}
