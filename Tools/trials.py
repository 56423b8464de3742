"""The tests for a mutant, in mutate.py's copies of the project. Each function returns "killed",
"survived" or "not viable"."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPY = ROOT / ".build/mutate"
WASM_COPY = ROOT / ".build/mutate-wasm"
DENO = str(ROOT / ".build/python/bin/deno")
# Tests of custom engines; they do not use the shim.
OTHERS = "Tests/web/contract.test.js,Tests/web/rest.test.js"
SHIM_TESTS = [
    DENO, "test", "--allow-read", "--allow-env=DEMO", "--fail-fast", f"--ignore={OTHERS}"
]
BUILD = 1800  # seconds
# Seconds for tests without a mutant. A mutant that makes them several times slower is killed.
TESTS = 600
# A folder in memory if there is one, so that the tests of files do not wait for the disk.
FOLDERS = next((folder for folder in ["/dev/shm"] if os.access(folder, os.W_OK)), None)
limits = {}


def noticed(*tests, **options):
    """Returns the outcome of a mutant: runs tests until one fails."""
    outcome = "survived"
    for test in tests:
        outcome = test(**options)
        if outcome != "survived":
            break
    return outcome


def portable(env={}):
    """The native conformance suite: in memory, then with files, which takes longer."""
    if not env and not build("--product", "ConformanceRunner"):
        return "not viable"
    program = str(COPY / ".build/debug/ConformanceRunner")
    outcome = watch("memory", [program, "memory"], env)
    return watch("files", [program, "files"], env) if outcome == "survived" else outcome


def native(env={}):
    """The other native tests, without the long ones and the codec's."""
    return natively("native", ["--skip", r"JSON|ConformanceTests\.ConformanceTests|SimulationTests"], env)


def codec(env={}):
    """The native tests of the codec."""
    return natively("codec", ["--filter", "JSON"], env)


def natively(test, which, env):
    if not env and not build("--build-tests", "--disable-xctest"):
        return "not viable"
    program = COPY / ".build/debug/wasm-sharingPackageTests.xctest"
    return watch(test, [str(program), "--testing-library", "swift-testing", *which], env)


def javascript():
    """The tests of the shim."""
    if run([DENO, "check", "--quiet", "JavaScript"], BUILD, BUILD, lambda line: False) != 0:
        return "not viable"
    return watch("shim", SHIM_TESTS, {"NO_COLOR": "1"})


def web():
    """The tests of the shim, with the demo built from the copy."""
    command = ["./build.sh", "build"]
    if run(command, BUILD, BUILD, lambda line: False, folder=WASM_COPY) != 0:
        return "not viable"
    return watch("web", SHIM_TESTS, {"NO_COLOR": "1"}, WASM_COPY)


def build(*options):
    command = ["swift", "build", *options, "--quiet"]
    return run(command, BUILD, BUILD, lambda line: False) == 0


def watch(test, command, env, folder=COPY):
    """Runs tests until the first one fails, or until the time limit."""
    is_failure = lambda line: line.startswith(("not ok", "✘")) or "FAILED" in line
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(dir=FOLDERS) as files:
        os.chmod(files, 0o755)  # a test goes on as another user
        env = {"SHARING_DIR": files, "TMPDIR": files} | env
        status = run(command, *limits.get(test, (TESTS, TESTS)), is_failure, env, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime - before.ru_utime
    limits.setdefault(test, (10 + 4 * (time.monotonic() - start), int(5 + 4 * work)))
    return "survived" if status == 0 else "killed"


def run(command, seconds, work, is_last, env={}, folder=COPY):
    """Runs a command until it ends, prints a line that `is_last` accepts, or exceeds its time or
    processor time. Returns its exit status."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True, env={**os.environ, **env},
    ) as process:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (work, work))
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
