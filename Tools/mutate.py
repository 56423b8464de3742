"""Mutation testing: breaks the implementation in one place after the other, and sees whether a test
fails. mutate.py [--seconds N] [--seed N] [--list] [RULE|FILE…]

Works in a copy of the project, .build/mutate. It breaks one place of each rule of the design, then
another one of each, and so on until the time is over: which ones is drawn from the seed. Rules are
in Tools/mutations.py. What no test has noticed is printed in the end: a test is missing, or the
change makes no difference to anybody; such ones are listed in Tools/equivalent-mutants.txt, each
with a reason, and are not tried again.
"""

import argparse
import filecmp
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mutations import RULES, mutants_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPY = ROOT / ".build/mutate"
EQUIVALENT = ROOT / "Tools/equivalent-mutants.txt"
BUILD = 900  # seconds
# Seconds for tests before anything is broken. A mutant that takes several times as long as that is
# noticed by it.
TESTS = 600
limits = {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only print what could be tried")
    parser.add_argument("places", nargs="*")
    options = parser.parse_args()
    groups = groups_of(options.places)
    queue = in_turn(groups, random.Random(options.seed))
    if options.list:
        print(*queue, sep="\n")
        return
    prepare()
    result = try_all(queue, time.monotonic() + options.seconds)
    report(result, len(queue))


def groups_of(places):
    """The mutants of each rule, or of each file, that was asked for."""
    known = equivalents()
    names = places or list(RULES)
    groups = {}
    for name in names:
        paths = RULES.get(name) or [str(pathlib.Path(name))]
        missing = [path for path in paths if not (ROOT / path).is_file()]
        if missing:
            sys.exit(f"There is no rule or file {', '.join(missing)}.")
        mutants = [mutant for path in paths for mutant in mutants_of(ROOT, path)]
        groups[name] = [mutant for mutant in mutants if mutant.key not in known]
    return groups


def equivalents():
    """The changes that make no difference: path, line before and line after."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return {tuple(row[:3]) for row in rows}


def in_turn(groups, chance):
    """One mutant of each group, then another one of each, and no mutant twice."""
    for group in groups.values():
        chance.shuffle(group)
    queue, seen = [], set()
    for index in range(max(map(len, groups.values()), default=0)):
        for name, group in groups.items():
            if index < len(group) and group[index].key not in seen:
                seen.add(group[index].key)
                queue.append(group[index].of(name))
    return queue


def prepare():
    """Brings the copy up to date. Files that are the same stay, so that little is built anew."""
    for folder in ["Sources", "Tests", "web", "Tools"]:
        sync(ROOT / folder, COPY / folder)
    for name in ["Package.swift", "deno.json"]:
        shutil.copy2(ROOT / name, COPY / name)
    print("building what is not broken", flush=True)
    if (ROOT / "web/demo.wasm").exists():
        shutil.copy2(ROOT / "web/demo.wasm", COPY / "web/demo.wasm")
    tests = {"portable cases": portable, "native tests": native, "shim's tests": javascript}
    for name, test in tests.items():
        outcome = test()
        if outcome != "survived":
            sys.exit(f"The {name} do not pass before anything is broken: {outcome}.")


def sync(source, target):
    target.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in source.iterdir() if path.name not in {".build", "__pycache__"}}
    for path in target.iterdir():
        if path.name not in names and path.name != ".build":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in names:
        if (source / name).is_dir():
            sync(source / name, target / name)
        elif not (target / name).exists() or not filecmp.cmp(
            source / name, target / name, shallow=False
        ):
            shutil.copyfile(source / name, target / name)


def try_all(queue, end):
    """Tries mutants until the time is over: pairs of a mutant and what became of it."""
    result = []
    for mutant in queue:
        if time.monotonic() > end:
            break
        outcome = attempt(mutant)
        result.append((mutant, outcome))
        print(f"{outcome:>10}  {mutant}", flush=True)
    return result


def attempt(mutant):
    path = COPY / mutant.path
    whole = path.read_text()
    path.write_text(mutant.applied(whole))
    try:
        if mutant.path.endswith(".js"):
            return javascript()
        outcome = portable()
        return native() if outcome == "survived" else outcome
    finally:
        path.write_text(whole)


# Tests: each says what became of a mutant.


def portable():
    """The conformance suite, natively."""
    if not build("--product", "ConformanceRunner"):
        return "not viable"
    with tempfile.TemporaryDirectory() as folder:
        program = COPY / ".build/debug/ConformanceRunner"
        return watch(portable, [str(program)], env={**os.environ, "SHARING_DIR": folder})


def native():
    """The other native tests, without the long ones."""
    if not build("--build-tests", "--disable-xctest"):
        return "not viable"
    skipped = "ConformanceTests|RobustnessTests|CorpusTests|StressTests|SimulationTests"
    return watch(native, ["swift", "test", "--skip-build", "--disable-xctest", "--skip", skipped])


def javascript():
    """The tests of the shim."""
    deno = str(ROOT / ".build/python/bin/deno")
    if run([deno, "check", "--quiet", "web"], BUILD, lambda line: False) != 0:
        return "not viable"
    command = [deno, "test", "--allow-read", "--fail-fast"]
    return watch(javascript, command, env={**os.environ, "NO_COLOR": "1"})


def build(*options):
    command = ["swift", "build", *options, "--quiet"]
    return run(command, BUILD, lambda line: False) == 0


def watch(test, command, **options):
    """Runs tests up to the first one that fails, or until they take too long."""
    is_failure = lambda line: line.startswith(("not ok", "✘")) or "FAILED" in line
    start = time.monotonic()
    status = run(command, limits.get(test, TESTS), is_failure, **options)
    limits.setdefault(test, 10 + 4 * (time.monotonic() - start))
    return "survived" if status == 0 else "killed"


def run(command, seconds, is_last, **options):
    """Runs a command until it prints such a line, or takes too long; its exit status."""
    with subprocess.Popen(
        command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True, **options,
    ) as process:
        deadline = threading.Timer(seconds, kill, [process])
        deadline.start()
        try:
            for line in process.stdout:
                if is_last(line):
                    kill(process)
                    return 1
            return process.wait()
        finally:
            deadline.cancel()


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def report(result, total):
    outcomes = [outcome for _, outcome in result]
    survivors = [mutant for mutant, outcome in result if outcome == "survived"]
    print(f"\n{len(survivors)} survived" + (":" if survivors else ""))
    for mutant in survivors:
        print(f"\n{mutant.rule} {mutant.path}:{mutant.line}\n- {mutant.before}\n+ {mutant.after}")
    print(
        f"\n{len(result)} of {total} tried: {outcomes.count('killed')} killed, {len(survivors)} survived,"
        f" {outcomes.count('not viable')} not viable"
    )


if __name__ == "__main__":
    main()
