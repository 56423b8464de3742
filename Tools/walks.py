"""Runs walks: random use of the library, compared with a model. walks.py (SEED [LAST] | STEPS)

The program itself shrinks a walk that fails; this script shrinks a walk that crashes the program.
The printed steps can be run again: walks.py "append 0 7; …"."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Printing the stack of a crashed program takes long, and only the shortest walk needs it.
QUIET = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
SEED = re.compile(r"^walking from seed (\d+)$", re.MULTILINE)


def take(command, first, last, where="memory"):
    """Runs the walks of some seeds with a program.
    - Returns: The failure with its steps; None when there is none."""
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
    """Runs the steps of a walk.
    - Returns: The failure; None when there is none."""
    done = run(command, "replay", where, steps)
    if done.returncode == 0:
        return None
    return told(done) or f"the program stops: {last_words(done)}"


def shortest(command, steps, where):
    """Removes steps while the program still crashes without them: first half of them, at last
    one."""
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
    """Returns the failure that a program has printed."""
    return next((line for line in done.stdout.splitlines() if line.startswith("not ok")), None)


def last_words(done):
    """Returns the reason why a program has stopped: a trap of a release build prints none."""
    lines = (done.stderr + done.stdout).strip().splitlines() or [f"status {done.returncode}"]
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
