"""Times the workloads on each host and prints a table: bench.py [HOST…] [--quick] [--only TEXT]

Each line is a ratio to a baseline that is timed in the same run, turn by turn: a round of one, a
round of the other. The ratio shown is the median of the rounds' ratios, and beside it stand the
quartiles. The exit status is 0 whether or not budgets are kept: machines are noisy.
"""

import argparse
import pathlib
import statistics
import sys
import time
from typing import NamedTuple

from hosts import Native
from rows import BASELINES, BYTES, ROWS, Row

HERE = pathlib.Path(__file__).resolve().parent


class Plan(NamedTuple):
    """How long to measure."""

    rounds: int
    round_nanoseconds: float
    row_seconds: float


FULL = Plan(rounds=101, round_nanoseconds=5e6, row_seconds=5)
QUICK = Plan(rounds=15, round_nanoseconds=2e6, row_seconds=0.5)


class Figure(NamedTuple):
    """What a row has come to: times of one operation, and the quartiles of the ratio."""

    time: float
    baseline_time: float
    low: float
    ratio: float
    high: float


def calibrate(host, index, plan):
    """Iterations that take about a round; on the way everything gets warm."""
    iterations = 1
    while True:
        spent = max(host.run(index, iterations), 1)
        if spent >= plan.round_nanoseconds / 2:
            return max(1, round(iterations * plan.round_nanoseconds / spent))
        iterations = min(10 * iterations, 1 + int(iterations * plan.round_nanoseconds / spent))


def compare(host, subject, baseline, plan):
    """Times two workloads, (index, operations) each, in turns."""
    sides = []
    for index, operations in (subject, baseline):
        host.prepare(index)
        sides.append((index, calibrate(host, index, plan), operations))
    end = time.monotonic() + plan.row_seconds
    rounds = []
    while len(rounds) < 5 or (len(rounds) < plan.rounds and time.monotonic() < end):
        rounds.append([host.run(index, count) / count / size for index, count, size in sides])
    for index, _, _ in sides:
        host.forget(index)
    times = [statistics.median(side) for side in zip(*rounds)]
    return Figure(*times, *statistics.quantiles((a / b for a, b in rounds), n=4))


def rows_of(host, names):
    """The rows of a host: those that are written down, then the other workloads."""
    rows = ROWS[host.name]
    baseline = BASELINES[host.name]
    mentioned = {name for row in rows for name in (row.name, row.baseline)}
    return rows + [Row(name, baseline) for name in names if name not in {r.name for r in rows} and name != baseline]


def number(value):
    """Three digits, or all of those before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def verdict(value, budget):
    if budget is None:
        return ""
    return "ok" if value <= budget else "**missed**"


def print_times(host, plan, only):
    listed = host.workloads()
    indices = {name: (index, operations) for index, (name, operations) in enumerate(listed)}
    print(f"\n| {host.name} | ns | compared with | ns | ratio | quartiles | budget | |")
    print("|---|---:|---|---:|---:|---|---:|---|", flush=True)
    for row in rows_of(host, indices):
        if only not in row.name:
            continue
        got = compare(host, indices[row.name], indices[row.baseline], plan)
        cells = [
            row.name,
            number(got.time),
            row.baseline,
            number(got.baseline_time),
            number(got.ratio),
            f"{number(got.low)}–{number(got.high)}",
            "" if row.budget is None else f"{row.budget:g}",
            verdict(got.ratio, row.budget),
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


def print_bytes(host, only):
    print("\n| heap | bytes each | budget | |\n|---|---:|---:|---|")
    for name, count in host.footprints():
        budget = BYTES.get(name)
        if only in name:
            print(f"| {name} | {number(count)} | {budget or ''} | {verdict(count, budget)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hosts", nargs="*", choices=["native", []])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="a part of the names of the rows to measure")
    options = parser.parse_args()
    plan = QUICK if options.quick else FULL
    with Native(HERE / ".build/release/NativeBenchmarks") as host:
        print_times(host, plan, options.only)
        print_bytes(host, options.only)


if __name__ == "__main__":
    sys.exit(main())
