"""Takes walks: random use of the library that is compared with a model. walks.py (SEED [LAST] | STEPS)

A walk that goes wrong is made as short as it can be by the program itself. One that stops the program
is made shorter from here. What is printed in the end can be walked again: walks.py "append 0 7; …"."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Where a program has stopped is of no interest before the walk is short, and takes long to find.
QUIET = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
SEED = re.compile(r"^walking from seed (\d+)$", re.MULTILINE)


def take(command, first, last, where="memory"):
    """Takes the walks of some seeds with a program.
    - Returns: What has gone wrong, with the steps; None when nothing has."""
    done = run(command, "walk", where, first, last)
    if done.returncode == 0:
        return None
    if problem := told(done):
        return problem
    seeds = SEED.findall(done.stdout)
    if not seeds:
        return done.stdout + done.stderr
    steps = run(command, "steps", seeds[-1]).stdout.strip().split("; ")
    steps = shortest(command, steps, where)
    return f"seed {seeds[-1]} stops the program: {last_words(done)}. Replay: {'; '.join(steps)}"


def replay(command, steps, where="memory"):
    """Takes a walk that is written down.
    - Returns: What has gone wrong; None when nothing has."""
    done = run(command, "replay", where, steps)
    if done.returncode == 0:
        return None
    return told(done) or f"the program stops: {last_words(done)}"


def shortest(command, steps, where):
    """Takes away steps for as long as the program stops: first half of them, in the end one."""
    size = len(steps)
    while size > 0:
        start = 0
        while start < len(steps):
            fewer = steps[:start] + steps[start + size :]
            done = run(command, "replay", where, "; ".join(fewer))
            if done.returncode != 0 and not told(done):
                steps = fewer
            else:
                start += size
        size //= 2
    return steps


def run(command, *words):
    words = [*map(str, command), *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, errors="replace", env=QUIET)


def told(done):
    """What a program has said to be wrong."""
    return next((line for line in done.stdout.splitlines() if line.startswith("not ok")), None)


def last_words(done):
    lines = (done.stderr + done.stdout).strip().splitlines()
    return next((line for line in lines if "Fatal error" in line or "Sharing:" in line), lines[-1])


def main():
    program = [ROOT / ".build/debug/ConformanceRunner"]
    words = sys.argv[1:]
    if words and words[0].isdigit():
        problem = take(program, words[0], words[-1])
    else:
        problem = replay(program, "; ".join(words))
    sys.exit(problem)


if __name__ == "__main__":
    main()
