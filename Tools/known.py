"""Makes the known mistakes (mistakes.py) in the implementation, one at a time, and checks that the
walk named with each finds it within its time in CI. mutate.py --known [--third N] [TEXT…]

A walk is random use, compared with a model: of the library, of threads, of the page, or of
programs that commit. Mistakes in the engine of a page have to be found by its tests."""

import subprocess
import sys
import time

import engine_mistakes
from mistakes import MISTAKES
from trials import BUILD, COPY, ROOT, WASM_COPY, build, run, watch

# The seeds of the walks that CI runs on each host without a page: see test_walk.py.
SEEDS = ("1", "100")
# Those of the schedules of commits, as many as `./build.sh soak` runs.
SCHEDULES = ("1", "10000")
# Some mistakes stop the program: no time is spent on printing its stack.
QUIET = {"SWIFT_BACKTRACE": "enable=no"}


def library(env):
    program = str(COPY / ".build/debug/ConformanceRunner")
    return watch("library", [program, "walk", "memory", *SEEDS], QUIET | env)


def threads(env):
    program = str(COPY / ".build/debug/wasm-sharingPackageTests.xctest")
    command = [program, "--testing-library", "swift-testing", "--filter", "ThreadWalkTests"]
    return watch("threads", command, QUIET | env)


def commits(env):
    program = str(COPY / ".build/debug/ConformanceRunner")
    return watch("commits", [program, "commits", *SCHEDULES], QUIET | env)


# What to build for a walk, and how to run it.
WALKS = {
    "library": (["--product", "ConformanceRunner"], library),
    "commits": (["--product", "ConformanceRunner"], commits),
    "threads": (["--build-tests", "--disable-xctest"], threads),
}


# What a browser runs.
IN_BROWSER = {
    "page": ["--walk-shrink", "0", "Tests/browser/test_walk.py"],
    **{name: [f"Tests/browser/test_{name}.py"] for name in engine_mistakes.ALL},
}


def in_browser(walk, edits=()):
    """Runs a walk or tests in one browser, with the page of a copy with the mistake."""
    for path, before, after in edits:
        text = (WASM_COPY / path).read_text()
        if text.count(before) != 1:
            sys.exit(f"{path} has no place for a known mistake: {before}")
        (WASM_COPY / path).write_text(text.replace(before, after))
    if run(["./build.sh", "build"], BUILD, BUILD, lambda line: False, folder=WASM_COPY) != 0:
        return "not viable"
    python = str(ROOT / ".build/python/bin/python")
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "rules", "--engine", "chromium"]
    if edits:
        options += ["--patience", "10", "--timeout", "40"]
    command = [python, "-m", "pytest", *options, *IN_BROWSER[walk]]
    return watch(walk, command, {"PYTHONPATH": "Tests", "PYTHONDONTWRITEBYTECODE": "1"}, WASM_COPY)


def try_known(variants, texts, third, bring_up_to_date):
    """Tries the mistakes whose name or walk contains one of the texts; all without a text. With a
    number, only each third of them, from another one for the next number."""
    chosen = [
        mistake for mistake in MISTAKES
        if not texts or any(text in f"{mistake.walk}: {mistake.name}" for text in texts)
    ]
    if not chosen:
        sys.exit(f"There is no mistake {', '.join(texts)}.")
    if third is not None:
        chosen = chosen[third % 3 :: 3]
    woven = [mistake for mistake in chosen if mistake.walk in WALKS]
    for mistake in woven:
        for edit in mistake.edits:
            variants.put(mistake, *edit)
    bring_up_to_date(COPY, variants.files)
    prepare(variants, {mistake.walk for mistake in woven})
    survivors = [mistake for mistake in woven if not is_found(mistake, woven_in(variants, mistake))]
    for walk in IN_BROWSER:
        mistakes = [mistake for mistake in chosen if mistake.walk == walk]
        survivors += try_in_browser(walk, mistakes, bring_up_to_date)
    print(f"\n{len(chosen) - len(survivors)} of {len(chosen)} known mistakes were found")
    if survivors:
        sys.exit("\n".join(f"not found by the walk of the {m.walk}: {m.name}" for m in survivors))


def try_in_browser(walk, mistakes, bring_up_to_date):
    """Builds the page anew for each mistake: it has no environment variable to choose by."""
    survivors = []
    for mistake in [None, *mistakes] if mistakes else []:
        bring_up_to_date(WASM_COPY)
        if mistake is None:
            if in_browser(walk) != "survived":
                sys.exit(f"The walk of the {walk} fails before there is a mistake.")
        elif not is_found(mistake, lambda: in_browser(walk, mistake.edits)):
            survivors.append(mistake)
    return survivors


def woven_in(variants, mistake):
    """Runs the mistake's walk with the program that contains all mistakes, and this one chosen."""
    env = {"MUTANT": str(variants.numbers[mistake.key])}
    return lambda: WALKS[mistake.walk][1](env)


def prepare(variants, walks):
    if walks:
        print("building", flush=True)
    variants.write()
    for walk in sorted(walks):
        options, take = WALKS[walk]
        if not build(*options):
            done = subprocess.run(["swift", "build", *options], cwd=COPY, capture_output=True, text=True)
            sys.exit(f"What is known cannot be built:\n{done.stdout}{done.stderr}")
        if take({"MUTANT": "0"}) != "survived":
            sys.exit(f"The walk of the {walk} fails before there is a mistake.")


def is_found(mistake, take):
    start = time.monotonic()
    outcome = take()
    seconds = time.monotonic() - start
    print(f"{outcome:>10} in {seconds:4.1f} s  {mistake.walk}: {mistake.name}", flush=True)
    return outcome == "killed"
