"""Counts the cases that have passed, by rule of docs/DESIGN.md and by host.

Suites write one line for each case to .build/conformance/HOST.log. `python Tests/rules.py` prints a
table of them, and fails if a rule has no case on a host and HOLES has no reason for that.

As a plugin of pytest (`-p rules`) it counts tests marked `@pytest.mark.rule("R20")` as cases, too.
"""

import collections
import pathlib
import re
import sys
from fnmatch import fnmatch

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1] / ".build/conformance"
RULES = [f"R{number}" for number in range(1, 34)]
COLUMNS = [
    *[f"{host} memory" for host in ["native", "wasmtime", "wasmkit", "node"]],
    *[f"{host} files" for host in ["native", "wasmtime", "wasmkit", "node"]],
    *[f"{engine} localStorage" for engine in ["chromium", "firefox", "webkit"]],
]

# Rules that cannot be shown on some hosts, and why.
HOLES = [
    ("R20", "* memory", "no JavaScript is called without a page"),
    ("R20", "* files", "no JavaScript is called without a page"),
    ("R*", "wasmkit files", "wasmkit has no path_rename, so it can replace no file"),
]

LINE = re.compile(r"ok (\w+): (R\d+) ")


def record(host, text):
    """Appends what a suite has printed about its cases to the log of a host."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Several processes write at once: each appends with one unbuffered write.
    with (FOLDER / f"{host}.log").open("ab", buffering=0) as log:
        log.write(text.encode())


def counts():
    """The number of passed cases by column and rule."""
    passed = collections.Counter()
    for log in FOLDER.glob("*.log"):
        for line in set(log.read_text().splitlines()):
            if found := LINE.match(line):
                passed[f"{log.stem} {found[1]}", found[2]] += 1
    return passed


def reason(rule, column):
    """Why a rule cannot be shown in a column; None when it can."""
    for rules, columns, why in HOLES:
        if fnmatch(rule, rules) and fnmatch(column, columns):
            return f"{rules} on {columns}: {why}"


def main():
    passed = counts()
    if not passed:
        sys.exit("No suite has been run: ./build.sh test")
    width = max(map(len, COLUMNS))
    print(" " * width, *[f"{rule:>3}" for rule in RULES])
    for column in COLUMNS:
        print(f"{column:{width}}", *[f"{passed[column, rule] or '-':>3}" for rule in RULES])
    empty = [(rule, column) for rule in RULES for column in COLUMNS if not passed[column, rule]]
    for why in sorted({reason(*cell) for cell in empty} - {None}):
        print("-", why)
    print(sum(passed.values()), "cases passed")
    holes = [f"{rule} on {column}" for rule, column in empty if reason(rule, column) is None]
    if holes:
        sys.exit(f"No case has passed for {', '.join(holes)}")


# MARK: As a plugin of pytest

# Where a test keeps its values, by the fixture that names its host.
KINDS = {"runner_host": "files", "engine": "localStorage"}


def pytest_configure(config):
    config.addinivalue_line("markers", "rule(name): is a case of this rule of the design")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    marker = item.get_closest_marker("rule")
    if marker and report.when == "call" and report.passed:
        where = item.callspec.params
        name = next(name for name in KINDS if name in where)
        host, kind = where[name], KINDS[name]
        record(host, f"ok {kind}: {marker.args[0]} {item.name}\n")
    return report


if __name__ == "__main__":
    main()
