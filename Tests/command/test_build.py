"""The error messages of build.sh: one case for each kind of wrong usage, and for each kind of
missing or failing dependency."""

import os
import re
import shutil
import socket
import subprocess

import pytest
from conftest import ROOT

FAILING = "echo 'error: no such thing'; exit 1"


def expect_refusal(result, status, *parts):
    """Expects this exit status and a message on stderr with these parts."""
    assert (result.status, [part for part in parts if part not in result.errors]) == (status, [])
    assert "build.sh: " in result.errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["frobnicate"], ["There is no verb 'frobnicate'", "build", "serve", "test", "soak"]),
        (["lint", "all", "now"], ["lint takes no argument", "all now"]),
        (["size", "all"], ["size takes --folders [PROGRAM] or nothing", "all"]),
        (["serve", "8080", "8081"], ["serve takes a port", "8080 8081"]),
        (["serve", "65536"], ["'65536' is not a port", "1 to 65535"]),
        (["test", "native", "webb"], ["There is no suite 'webb'", "native", "js", "browser"]),
        (["soak", "sanitize", "walk"], ["soak has no part 'walk'", "walks", "fuzz", "mutate"]),
        (["fuzz", "soon"], ["'soon' is not a number of seconds"]),
        (["bench", "native", "safari"], ["There is no host 'safari'", "native, wasm, chromium"]),
        (["bench", "--only"], ["--only needs a part of the names"]),
        (["instructions", "wasm"], ["instructions takes --record or nothing, got: wasm"]),
        (["bench", "page", "--seconds", "9"], ["--seconds needs a number"]),
        (["run", "--dir", ""], ["--dir needs a folder"]),
    ],
)
def test_wrong_usage_is_refused_before_anything_is_done(machine, words, said):
    result = machine.start(*words)
    expect_refusal(result, 2, *said)
    assert result.shown == []


def test_the_help_begins_with_the_verbs_of_an_app(machine):
    result = machine.start("help")
    assert (result.status, result.errors) == (0, "")
    words = [line.split()[:2] for line in result.shown if line.strip()]
    app, own = words.index(["./build.sh", "--package"]), words.index(["./build.sh", "[VERB]"])
    assert words.index(["./build.sh", "new"]) < app < own
    assert {"build", "serve", "run", "test", "size"} <= {word for word, *_ in words[app:own]}
    assert {"build", "soak", "bench", "clean"} <= {word.strip(",") for word, *_ in words[own:]}


@pytest.mark.parametrize(
    ("words", "first", "others"),
    [
        (["serve", "--help"], "  serve [--docs] [PORT]", ["  serve --nats"]),
        (["serve", "8080", "-h"], "  serve [--docs] [PORT]", ["  serve --nats"]),
        (["test", "-h"], "  test  ", ["  test all", "  test SUITE"]),
        (["run", "--help"], "  run [--dir DIR] ACTION", []),
        (["lint", "--help"], "  lint  ", []),
        (["new", "--help"], "./build.sh new DIR", ["  writes one"]),
    ],
)
def test_a_verb_with_help_shows_its_lines_and_does_nothing(machine, words, first, others):
    result = machine.start(*words)
    assert (result.status, result.errors) == (0, "")
    assert result.shown[0].startswith(first)
    begins = [line for line in result.shown[1:] if not line.startswith(" " * 20)]
    assert [line for line in begins if not line.startswith(tuple(others))] == []
    assert len(begins) == len(others)


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_is_also_an_option(machine, word):
    assert machine.start(word) == machine.start("help")


def test_help_for_a_verb_that_does_not_exist_is_refused(machine):
    expect_refusal(machine.start("frobnicate", "--help"), 2, "There is no verb 'frobnicate'")


def test_each_verb_has_lines_of_help(machine):
    """The verbs are those of the cases in main of build.sh."""
    text = (ROOT / "build.sh").read_text()
    cases = text.partition("case $verb in")[2].partition("*)")[0]
    verbs = {verb for line in re.findall(r"^ *(.+)\)$", cases, re.MULTILINE) for verb in line.split(" | ")}
    assert {"new", "serve", "mutate", "help"} <= verbs
    for verb in verbs:
        assert machine.start(verb, "--help").status == 0, verb


def test_a_port_in_use_is_said_before_anything_is_built(machine):
    machine.link_python()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = machine.start("serve", port)
    expect_refusal(result, 1, f"Port {port} cannot be used", "already in use", "serve PORT")


def test_a_folder_that_cannot_be_written_to_is_said(machine, tmp_path):
    folder = tmp_path / "file/below"
    (tmp_path / "file").write_bytes(b"precious")
    result = machine.start("run", "--dir", folder, "increment")
    expect_refusal(result, 1, f"'{folder}' cannot be written to", "run --dir DIR")
    assert (tmp_path / "file").read_bytes() == b"precious"


# MARK: Missing dependencies


def test_a_missing_swift_is_said(machine):
    expect_refusal(machine.start("test", "native"), 1, "Swift is missing", "https://swift.org/install")


def test_an_old_swift_is_said(machine):
    machine.fake_swift("6.2.4")
    swift = f"{machine.bin}/swift is Swift 6.2;"
    expect_refusal(machine.start(), 1, swift, "6.3 or newer", "https://swift.org/install")


def test_a_swift_without_the_embedded_library_is_said(machine):
    machine.fake_swift()
    machine.fake("swiftc", """echo '"runtimeResourcePath": "/nowhere"'""")
    expect_refusal(machine.start(), 1, "no Embedded library for wasm32-unknown-none-wasm")


def test_a_sysroot_that_lacks_something_is_said(machine):
    machine.fake_swift()
    sysroot = machine.fake_wasi()
    next(sysroot.rglob("libc.a")).unlink()
    result = machine.start(WASI_SYSROOT=sysroot)
    expect_refusal(result, 1, f"WASI_SYSROOT={sysroot} lacks", "libc.a", "wasi-sdk", "unset it")


def test_without_root_a_missing_program_comes_with_the_command_to_run(machine):
    machine.fake_swift()
    (machine.bin / "wasm-opt").unlink(missing_ok=True)
    command = "sudo apt-get install --no-install-recommends binaryen"
    result = machine.start(WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "Missing: wasm-opt", command)


def test_without_apt_a_missing_program_comes_with_what_homebrew_has(machine):
    machine.fake_swift()
    (machine.bin / "apt-get").unlink()
    (machine.bin / "wasm-opt").unlink(missing_ok=True)
    result = machine.start(WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "Missing: wasm-opt. With Homebrew: brew install binaryen.")
    assert "apt" not in result.errors


def test_without_apt_a_missing_c_library_comes_with_a_wasi_sdk(machine):
    script, usr = machine.root / "Tools/wasm.sh", machine.root.parent / "no-sysroot"
    script.write_text(script.read_text().replace("${WASI_SYSROOT:-/usr}", f"${{WASI_SYSROOT:-{usr}}}"))
    machine.fake_swift()
    (machine.bin / "apt-get").unlink()
    result = machine.start()
    expect_refusal(result, 1, "Missing: the C library for wasm. Unpack a wasi-sdk", "WASI_SYSROOT")


def test_as_root_a_missing_c_library_is_installed_and_said(machine):
    script, usr = machine.root / "Tools/wasm.sh", machine.root.parent / "sysroot"
    text = script.read_text()
    assert text.count("${WASI_SYSROOT:-/usr}") == 1, "it looks elsewhere: mend this test"
    script.write_text(text.replace("${WASI_SYSROOT:-/usr}", "${WASI_SYSROOT:-" + str(usr) + "}"))
    machine.fake_swift(build=FAILING)
    machine.fake("wasm-opt", "exit 0")
    machine.fake("id", "echo 0")
    machine.fake("apt-get", "echo 'E: no network'; exit 100")
    result = machine.start()
    expect_refusal(result, 1, "Could not install the C library for wasm", ".build/apt.log")
    assert "E: no network" in (machine.root / ".build/apt.log").read_text()
    package = usr.with_name("package")
    machine.fake_wasi().rename(package)
    machine.fake("apt-get", f"[ $1 = update ] || mv '{package}' '{usr}'")
    result = machine.start()
    packages = "wasi-libc libclang-rt-dev-wasm32"
    assert f"build.sh: installing the C library for wasm: {packages}" in result.shown
    expect_refusal(result, 1, "The Swift build of WasmDemo failed")  # the build began


# MARK: Failures


def test_a_failed_swift_build_stops_with_its_messages(machine):
    machine.fake_swift(build=FAILING)
    machine.fake("wasm-opt", "echo 'wasm-opt was called'")
    result = machine.start(WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "The Swift build of", "failed; its messages are above")
    said = "\n".join(result.shown) + result.errors
    assert "error: no such thing" in said and "wasm-opt was called" not in said


def test_a_failed_optimization_stops_and_keeps_the_old_program(machine):
    machine.fake_swift(build="exit 0")
    machine.fake("wasm-opt", FAILING)
    (machine.root / "web/demo.wasm").write_bytes(b"old")
    result = machine.start(WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "wasm-opt could not optimize")
    assert (machine.root / "web/demo.wasm").read_bytes() == b"old"


def test_lint_names_comments_and_lines_of_c_beyond_a_hundred_columns(machine):
    machine.fake_swift(format="exit 0", lint="exit 0")
    machine.fake_python("exit 0")
    machine.fake("deno", "exit 0")
    machine.fake("check-jsonschema", "exit 0")
    for folder in ["Sources", "Extras", "Benchmarks", "Examples", "web"]:
        (machine.root / folder).mkdir(parents=True, exist_ok=True)
    lines = {
        "Sources/A.swift": "  /// " + "x" * 95,
        "Sources/A.h": f"int {'x' * 97};",
        "Tools/a.py": f'"""Docs.\n{"x " * 51}\n"""',
        "Tools/a.sh": f"# {'x' * 99}",
        "web/a.js": f" * {'…' * 98}",
    }
    accepted = {
        "web/short.js": f"// {'…' * 97}",
        "Sources/Long.swift": f'let text = "https://{"x" * 100}"',
    }
    for file, line in (lines | accepted).items():
        (machine.root / file).write_text(f"{line}\n")
    result = machine.start("lint")
    expect_refusal(result, 1, "more than 100 columns")
    assert sorted(line.split(":")[0] for line in result.shown) == sorted(lines)


# MARK: Runs of tests


def test_a_failed_suite_is_named_and_fails_the_run(machine):
    machine.fake_swift(test=FAILING)
    result = machine.start("test", "native")
    assert "error: no such thing" in result.shown
    assert "build.sh: swift test failed; all of it is in .build/native.log" in result.shown
    assert result.shown[-2:] == ["build.sh: failed: native", "0 passed, 1 failed"]
    assert result.status == 1


def test_a_suite_without_a_test_is_a_failure(machine):
    machine.fake_swift(test="echo 'Build complete!'")
    result = machine.start("test", "native")
    assert "build.sh: native: no test has passed; see .build/native.log" in result.shown
    assert (result.status, result.shown[-1]) == (1, "0 passed, 1 failed")


# The output of `swift test` for passed tests.
XCTEST = "echo 'Executed 9 tests, with 0 failures (0 unexpected) in 0.1 seconds'"
SWIFT_TESTING = "echo '✔ Test run with 40 tests in 2 suites passed after 1 seconds.'"


def test_the_native_suite_counts_the_tests_of_both_frameworks_and_says_its_time(machine):
    machine.fake_swift(test=f"{XCTEST}; {SWIFT_TESTING}")
    result = machine.start("test", "native")
    assert (result.status, result.shown[-1]) == (0, "49 passed, 0 failed")
    times = result.shown[result.shown.index("build.sh: where the time went:") + 1 : -1]
    assert [line.split(" s  ")[1] for line in times] == ["native", "in all"]


def test_a_second_run_in_the_same_clone_is_refused(machine):
    (machine.root / ".build").mkdir()
    (machine.root / ".build/run.pid").write_text(f"{os.getpid()}\n")
    result = machine.start("test", "native")
    expect_refusal(result, 1, "Tests run in this clone already", str(os.getpid()), "another clone")
    assert result.shown == []


def test_a_run_that_was_killed_holds_up_no_other(machine):
    machine.fake_swift(test=f"{XCTEST}; {SWIFT_TESTING}")
    (machine.root / ".build").mkdir()
    ended = subprocess.Popen(["true"])
    ended.wait()
    (machine.root / ".build/run.pid").write_text(f"{ended.pid}\n")
    assert machine.start("test", "native").status == 0
    assert not (machine.root / ".build/run.pid").exists()


def test_without_a_browser_the_other_quick_tests_run_and_it_says_how_to_get_one(machine):
    machine.fake_swift(build="exit 0", test=f"{XCTEST}; {SWIFT_TESTING}")
    machine.fake_python("exit 0")
    result = machine.start("test", CHROMIUM="no-chromium")
    command = "sudo apt-get install --no-install-recommends chromium"
    assert f"build.sh: Missing: no-chromium. Install it: {command}" in result.errors
    assert "build.sh: native: 40 passed" in result.shown
    assert "build.sh: failed: page in Chromium" in result.shown
    assert result.status == 1


def test_a_quick_part_runs_once_for_the_same_sources(machine):
    machine.fake_swift(build="exit 0", test=f"{XCTEST}; {SWIFT_TESTING}")
    subprocess.run(["git", "init", "--quiet", machine.root], check=True)
    shutil.copy(ROOT / ".gitignore", machine.root)
    machine.start("test", CHROMIUM="no-chromium")
    passed = "build.sh: native: passed before, with the same sources"
    assert passed in machine.start("test", "all").shown
    (machine.root / "Tools/tests.sh").open("a").write("# changed\n")
    assert passed not in machine.start("test", "all").shown
