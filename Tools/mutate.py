"""Mutation testing: changes one place of the implementation at a time, and runs the tests, one of
which should fail.
mutate.py [--seconds N] [--seed N] [--list] [--log FILE] [--again] [RULE|FILE…]

Works in a copy of the project, .build/mutate. Changes one place of each rule of the design, then
another one of each, until the time is over; the seed selects the places. mutations.py has the
rules, trials.py the tests. All mutants of Swift code are one build, see variants.py.

Prints the surviving mutants at the end: a test is missing, or the mutant behaves like the original.
equivalent-mutants.txt lists the latter, each with a reason; they are not tried.

--log FILE writes the outcome of each mutant to a file, and the next run continues with the others.
--again also retries the survivors.
"""

import argparse
import concurrent.futures
import filecmp
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

from mutations import RULES, mutants_of
from trials import COPY, ROOT, WASM_COPY, codec, javascript, native, noticed, portable, web
from variants import Variants

# Runs only in a page: each mutant is built for wasm separately, and tested by the shim's tests.
WASM = ("Sources/WasiStorage/Boundary/", "Sources/WasiStorage/Stores/Browser")
CODEC = "Sources/SharingJSON/"
EQUIVALENT = ROOT / "Tools/equivalent-mutants.txt"
variants = Variants(ROOT, COPY)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--log", type=pathlib.Path, help="the file that records the outcome of each mutant")
    parser.add_argument("--again", action="store_true", help="also try mutants that have survived")
    parser.add_argument("places", nargs="*")
    options = parser.parse_args()
    queue = in_turn(groups_of(options.places), random.Random(options.seed))
    if options.list:
        print(*queue, sep="\n")
        return
    log = Log(options.log)
    todo = [mutant for mutant in queue if log.wants(mutant, options.again)]
    if todo:
        prepare(queue, log)
        try_all(todo, log, time.monotonic() + options.seconds)
    report(queue, log)


class Log:
    """The outcomes of mutants, one per line of a file."""

    def __init__(self, path):
        self.path = path
        self.outcomes = {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                *key, outcome = json.loads(line)
                self.outcomes[tuple(key)] = outcome

    def wants(self, mutant, is_again):
        outcome = self.outcomes.get(mutant.key)
        return outcome in {None, "alone"} or (is_again and outcome == "survived")

    def note(self, mutant, outcome):
        self.outcomes[mutant.key] = outcome
        if self.path:
            with self.path.open("a") as file:
                print(json.dumps([*mutant.key, outcome], ensure_ascii=False), file=file)


def groups_of(places):
    """Returns the mutants of each requested rule or file."""
    known = equivalents()
    names = places or list(RULES)
    groups = {}
    for name in names:
        paths = RULES.get(name) or [str(pathlib.Path(name))]
        missing = [path for path in paths if not (ROOT / path).is_file()]
        if missing:
            sys.exit(f"There is no rule or file {', '.join(missing)}.")
        mutants = [mutant for path in paths for mutant in mutants_of(ROOT, path)]
        groups[name] = [mutant for mutant in mutants if mutant.change not in known]
    return groups


def equivalents():
    """Returns the changes without an effect: path, line before, line after."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return {tuple(row[:3]) for row in rows}


def in_turn(groups, chance):
    """Yields one mutant of each group in turn, without repetitions."""
    for group in groups.values():
        chance.shuffle(group)
    queue, seen = [], set()
    for index in range(max(map(len, groups.values()), default=0)):
        for name, group in groups.items():
            if index < len(group) and group[index].key not in seen:
                seen.add(group[index].key)
                queue.append(group[index].of(name))
    return queue


def prepare(queue, log):
    """Updates the copy, builds all mutants in one program, and checks that the tests pass without a
    mutant."""
    # Omits mutants that do not compile, or not in one program with others.
    unfit = {"not viable", "alone"}
    fit = [mutant for mutant in queue if log.outcomes.get(mutant.key) not in unfit]
    native_ones = [mutant for mutant in fit if mutant.path.endswith(".swift") and not is_wasm(mutant)]
    variants.add(native_ones)
    print("building", flush=True)
    tests = {"shim's tests": javascript}
    bring_up_to_date(COPY, variants.files)
    if native_ones:
        weave(queue, log)
        tests |= {"portable cases": portable, "native tests": native}
    if any(mutant.path.startswith(CODEC) for mutant in native_ones):
        tests["codec's tests"] = codec
    if any(is_wasm(mutant) for mutant in fit):
        bring_up_to_date(WASM_COPY)
        tests |= {"shim's tests of what was just built": web}
    for name, test in tests.items():
        outcome = test()
        if outcome != "survived":
            sys.exit(f"The {name} do not pass with unchanged sources: {outcome}.")


def weave(queue, log):
    """Builds all mutants in one program, except those that the compiler rejects."""
    while True:
        variants.write()
        command = ["swift", "build", "--product", "ConformanceRunner", "--quiet"]
        build = subprocess.run(command, cwd=COPY, capture_output=True, text=True)
        if build.returncode == 0:
            return
        refused, unfit = variants.drop(build.stdout + build.stderr)
        if not refused | unfit:
            sys.exit(f"The unchanged sources cannot be built:\n{build.stdout}{build.stderr}")
        for mutant in queue:
            if variants.number(mutant) in refused | unfit:
                log.note(mutant, "not viable" if variants.number(mutant) in refused else "alone")
        variants.forget(refused | unfit)


def is_wasm(mutant):
    return mutant.path.startswith(WASM)


def bring_up_to_date(copy, but=()):
    """Updates a copy of the project, except some files. Leaves unchanged files alone, so that the
    build stays incremental."""
    for folder in ["Sources", "Extras", "Tests", "JavaScript", "web", "Tools"]:
        sync(pathlib.Path(folder), copy, but)
    for name in ["Package.swift", "deno.json", "build.sh"]:
        shutil.copy2(ROOT / name, copy / name)
    if (ROOT / "web/demo.wasm").exists():
        shutil.copy2(ROOT / "web/demo.wasm", copy / "web/demo.wasm")


def sync(folder, copy, but):
    source, target = ROOT / folder, copy / folder
    target.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in source.iterdir() if path.name not in {".build", "__pycache__"}}
    for path in target.iterdir():
        if path.name not in names | {".build", "ActiveMutant.swift", "demo.wasm"}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in names:
        if (source / name).is_dir():
            sync(folder / name, copy, but)
        elif str(folder / name) not in but and name != "demo.wasm" and not (
            (target / name).exists() and filecmp.cmp(source / name, target / name, shallow=False)
        ):
            shutil.copyfile(source / name, target / name)


def try_all(todo, log, end):
    """Tries mutants until the time is over."""
    def try_one(mutant):
        if log.outcomes.get(mutant.key) != "not viable" and time.monotonic() < end:
            outcome = attempt(mutant)
            log.note(mutant, outcome)
            print(f"{outcome:>10}  {mutant}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(try_one, filter(variants.number, todo)):
            pass
    for mutant in todo:
        if not variants.number(mutant):
            try_one(mutant)


def attempt(mutant):
    number = variants.number(mutant)
    if number:
        return noticed(*tests_of(mutant), env={"MUTANT": str(number)})
    path = (WASM_COPY if is_wasm(mutant) else COPY) / mutant.path
    whole = path.read_text()
    path.write_text(mutant.applied((ROOT / mutant.path).read_text()))
    try:
        if is_wasm(mutant):
            return web()
        return javascript() if mutant.path.endswith(".js") else noticed(*tests_of(mutant))
    finally:
        path.write_text(whole)


def tests_of(mutant):
    return (portable, codec, native) if mutant.path.startswith(CODEC) else (portable, native)


def report(queue, log):
    tried = [mutant for mutant in queue if log.outcomes.get(mutant.key, "alone") != "alone"]
    outcomes = [log.outcomes[mutant.key] for mutant in tried]
    survivors = [mutant for mutant in tried if log.outcomes[mutant.key] == "survived"]
    print(f"\n{len(survivors)} survived" + (":" if survivors else ""))
    for mutant in survivors:
        print(f"\n{mutant.rule} {mutant.path}:{mutant.line}\n- {mutant.before}\n+ {mutant.after}")
    print(
        f"\n{len(tried)} of {len(queue)} tried: {outcomes.count('killed')} killed, {len(survivors)} survived,"
        f" {outcomes.count('not viable')} not viable"
    )


if __name__ == "__main__":
    main()
