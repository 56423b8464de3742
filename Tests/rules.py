"""Which rules of the design have been seen to hold, and on which host.

Suites write a line a case into .build/conformance/HOST.log; `python Tests/rules.py` makes a table
of them, and fails where a rule has no case on a host and no reason for that stands in HOLES.

As a plugin of pytest (`-p rules`) this adds a test marked `@pytest.mark.rule("R20")` to the cases.
"""

import collections
import pathlib
import re
import sys
from fnmatch import fnmatch

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1] / ".build/conformance"
RULES = [f"R{number}" for number in range(1, 24)]
COLUMNS = [
    *[f"{host} memory" for host in ["native", "wasmtime", "wasmkit", "node"]],
    *[f"{host} files" for host in ["native", "wasmtime", "wasmkit", "node"]],
    *[f"{engine} localStorage" for engine in ["chromium", "firefox", "webkit"]],
]

# What cannot be shown where, and why.
HOLES = [
    ("R20", "* memory", "no JavaScript is called without a page"),
    ("R20", "* files", "no JavaScript is called without a page"),
    ("R*", "wasmkit files", "wasmkit has no path_rename, so it can replace no file"),
]

LINE = re.compile(r"ok (\w+): (R\d+) ")


def record(host, text):
    """Keeps what a suite has printed about its cases on a host."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Several processes write at once: each in one piece, at the end.
    with (FOLDER / f"{host}.log").open("ab", buffering=0) as log:
        log.write(text.encode())


def counts():
    """How many cases have passed, by column and rule."""
    passed = collections.Counter()
    for log in FOLDER.glob("*.log"):
        for line in set(log.read_text().splitlines()):
            if found := LINE.match(line):
                passed[f"{log.stem} {found[1]}", found[2]] += 1
    return passed


def reason(rule, column):
    """Why a rule cannot be shown there; None when it can."""
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

# What a test keeps its values in, by the fixture that says where it runs.
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
