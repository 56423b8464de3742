"""Times the workloads on each host and prints a table: bench.py [HOST…] [--quick] [--only TEXT]

Each line is a ratio to a baseline that is timed in the same run: they take turns, a round of one, a
round of the other. The table shows the median of the rounds' ratios and their quartiles. The exit
status is 0 whether or not budgets are met: machines are noisy.
"""

import argparse
import math
import statistics
import sys
import time
from typing import NamedTuple

from hosts import HOSTS
from rows import BASELINES, BYTES, PARTS, ROWS, Row, Way

# Rounds per request to a host: a request to a page takes at least a millisecond.
BATCH = 5
# Tasks per round in which each side runs once: a page's clock has few steps in one task.
TASKS = 20


class Plan(NamedTuple):
    """The duration of the measurement of a row."""

    sessions: int  # each in a fresh process, instance or page: compilation and memory layout vary
    rounds: int  # of a session
    warm_up: float  # nanoseconds of each side, in each session
    seconds: float  # the limit for a session's rounds
    first_times: int  # of a row that is timed cold


FULL = Plan(sessions=5, rounds=60, warm_up=100e6, seconds=1, first_times=25)
QUICK = Plan(sessions=3, rounds=20, warm_up=30e6, seconds=0.2, first_times=5)


class Figure(NamedTuple):
    """The result of a row: times of one operation, and the quartiles of the ratio."""

    time: float
    baseline_time: float
    low: float
    ratio: float
    high: float


def calibrate(host, index, plan):
    """Runs until caches, compilers and growing lists are warm.

    Returns the number of iterations of an undisturbed round.
    """
    iterations, warm, fastest = 1, 0, math.inf
    while warm < plan.warm_up:
        [spent] = host.times([(index, iterations)])
        warm += spent
        if spent < host.round / 10:  # too short for a page's clock
            iterations *= 10
            continue
        fastest = min(fastest, spent / iterations)
        iterations = max(1, round(host.round / fastest))
    return iterations


def warmed_up(host, workloads, plan):
    """Prepares workloads, (index, operations) each, in a fresh process, instance or page.

    Returns the number of iterations per round of each.
    """
    host.renew()
    for index, _ in workloads:
        host.prepare(index)
    return [calibrate(host, index, plan) for index, _ in workloads]


def session(host, workloads, plan):
    """Yields the times of two workloads, which take turns."""
    counts = warmed_up(host, workloads, plan)
    turns = [(index, count) for (index, _), count in zip(workloads, counts)]
    end = time.monotonic() + plan.seconds
    for _ in range(plan.rounds // BATCH):
        times = iter(host.times(turns * BATCH))
        for spent in zip(times, times):
            yield [
                time / count / operations
                for time, count, (_, operations) in zip(spent, counts, workloads)
            ]
        if time.monotonic() > end:
            return


def session_apart(host, workloads, plan):
    """Yields the same, with a task for each turn."""
    warmed_up(host, workloads, plan)
    for _ in range(plan.rounds):
        times = host.times_apart([index for index, _ in workloads], TASKS)
        yield [time / operations for time, (_, operations) in zip(times, workloads)]


def first_times(host, workloads, plan, is_known):
    """Yields the times of two workloads that run once, each in a fresh host.

    The host may have run the program before.
    """
    for _ in range(plan.first_times):
        yield [host.first_time(index, is_known) / operations for index, operations in workloads]


def compare(host, workloads, plan, way):
    if way in (Way.FIRST_VISIT, Way.LATER_VISIT):
        rounds = list(first_times(host, workloads, plan, way is Way.LATER_VISIT))
    else:
        turns = session_apart if way is Way.APART else session
        rounds = [times for _ in range(plan.sessions) for times in turns(host, workloads, plan)]
    times = [statistics.median(side) for side in zip(*rounds)]
    return Figure(*times, *statistics.quantiles((a / b for a, b in rounds), n=4))


def rows_of(host, names):
    """Returns the rows of a host: first the ones in rows.py, then the other workloads."""
    written = ROWS[host]
    mentioned = {name for row in written for name in (row.name, row.baseline)}
    others = [name for name in names if name not in mentioned | PARTS]
    return written + [Row(name, BASELINES[host]) for name in others]


def number(value):
    """Formats with three digits, or with all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def verdict(value, budget):
    if budget is None:
        return ""
    return "ok" if value <= budget else "**missed**"


def print_times(name, host, plan, only):
    host.renew()
    listed = enumerate(host.workloads())
    workloads = {workload: (index, size) for index, (workload, size) in listed}
    rows = rows_of(name, workloads)
    for row in rows:
        if row.name not in workloads or row.baseline not in workloads:
            sys.exit(f"rows.py names a workload that {host.title} does not have: {row}")
    rows = [row for row in rows if only in row.name + row.way.value]
    if rows:
        print(f"\n| {host.title} | ns | compared with | ns | ratio | quartiles | budget | |")
        print("|---|---:|---|---:|---:|---|---:|---|")
    for row in rows:
        sides = (workloads[row.name], workloads[row.baseline])
        print_row(row, compare(host, sides, plan, row.way))


def print_row(row, got):
    cells = [
        row.name + row.way.value,
        number(got.time),
        row.baseline,
        number(got.baseline_time),
        number(got.ratio),
        f"{number(got.low)}–{number(got.high)}",
        "" if row.budget is None else f"{row.budget:g}",
        verdict(got.ratio, row.budget),
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


def print_bytes(host):
    print("\n| heap | bytes each | budget | |\n|---|---:|---:|---|")
    for name, count in host.footprints():
        budget = BYTES.get(name)
        print(f"| {name} | {number(count)} | {budget or ''} | {verdict(count, budget)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hosts", nargs="+", choices=HOSTS)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, less warming up")
    parser.add_argument("--only", default="", help="a part of the rows' names, or heap")
    options = parser.parse_args()
    plan = QUICK if options.quick else FULL
    for name in options.hosts:
        with HOSTS[name].started() as host:
            print_times(name, host, plan, options.only)
            if name == "native" and options.only in ("", "heap"):
                print_bytes(host)


if __name__ == "__main__":
    main()
