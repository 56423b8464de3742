"""The error messages of build.sh."""

import socket

import pytest
from conftest import files

VERBS = ["build", "serve", "run", "test", "soak", "size", "api", "format", "lint", "clean"]
FAILING = "echo 'error: no such thing'; exit 1"


def expect_refusal(result, status, *parts):
    """The command must end with that status and a message on stderr with these parts."""
    assert (result.status, [part for part in parts if part not in result.errors]) == (status, [])
    assert "build.sh: " in result.errors


# MARK: Wrong usage


@pytest.mark.parametrize("verb", ["frobnicate", "Build", "--help", "verb_build"])
def test_an_unknown_verb_is_refused_and_the_verbs_are_listed(machine, verb):
    expect_refusal(machine.start(verb), 2, f"There is no verb '{verb}'", *VERBS)


@pytest.mark.parametrize("verb", ["build", "size", "format", "lint", "clean", "help"])
def test_an_argument_too_many_is_refused_and_nothing_is_done(machine, verb):
    (machine.root / ".build").mkdir()
    expect_refusal(machine.start(verb, "all", "now"), 2, f"{verb} takes no argument", "all now")
    assert (machine.root / ".build").exists()


def test_a_second_port_is_refused(machine):
    expect_refusal(machine.start("serve", "8080", "8081"), 2, "serve takes a port", "8080 8081")


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "80.5", "", "99999999999999999999"])
def test_what_is_no_port_is_refused(machine, port):
    result = machine.start("serve", port)
    expect_refusal(result, 2, f"'{port}' is not a port", "1 to 65535")
    assert len(result.errors.splitlines()) == 1


def test_a_port_in_use_is_said_before_anything_is_built(machine):
    machine.link_python()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = machine.start("serve", port)
    expect_refusal(result, 1, f"Port {port} cannot be used", "already in use", "serve PORT")


@pytest.mark.parametrize("suites", [["webb"], ["native", "webb"]])
def test_an_unknown_suite_is_refused_and_no_other_is_run(machine, suites):
    result = machine.start("test", *suites)
    expect_refusal(result, 2, "There is no suite 'webb'", "native, sanitize, wasm, js, browser")
    assert result.shown == []


def test_an_unknown_part_of_soak_is_refused_and_no_other_is_run(machine):
    result = machine.start("soak", "sanitize", "walk")
    expect_refusal(result, 2, "soak has no part 'walk'", "walks, page_walks, kills, fuzz, bench")
    assert result.shown == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1", "2"], "fuzz takes a number of seconds, got: 1 2"),
        (["soon"], "'soon' is not a number of seconds"),
        (["0"], "'0' is not a number of seconds"),
        (["-1"], "'-1' is not a number of seconds"),
        ([""], "'' is not a number of seconds"),
    ],
)
def test_what_is_no_time_to_fuzz_is_refused(machine, words, said):
    expect_refusal(machine.start("fuzz", *words), 2, said)


@pytest.mark.parametrize("words", [["safari"], ["native", "safari"], ["--fast"], [""]])
def test_an_unknown_host_to_measure_is_refused_and_nothing_is_built(machine, words):
    result = machine.start("bench", *words)
    expect_refusal(result, 2, f"There is no host '{words[-1]}'", "native, wasm, chromium")
    assert result.shown == []


@pytest.mark.parametrize("words", [["--only"], ["native", "--only", ""]])
def test_rows_to_measure_without_a_name_are_refused(machine, words):
    expect_refusal(machine.start("bench", *words), 2, "--only needs a part of the names")


@pytest.mark.parametrize(
    "words",
    [["--seconds", "9"], ["page", "--seconds", "9"], ["nats", "--seconds"], ["nats", "--seconds", "x"]],
)
def test_a_long_run_is_of_nats_and_has_seconds(machine, words):
    expect_refusal(machine.start("bench", *words), 2, "--seconds needs a number")


@pytest.mark.parametrize("words", [["--dir"], ["--dir", ""]])
def test_a_missing_folder_name_is_refused(machine, words):
    expect_refusal(machine.start("run", *words), 2, "--dir needs a folder")


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_to_is_said(machine, tmp_path, name):
    (tmp_path / "file").write_bytes(b"precious")
    result = machine.start("run", "--dir", tmp_path / name, "increment")
    expect_refusal(result, 1, f"'{tmp_path / name}' cannot be written to", "run --dir DIR")
    assert (tmp_path / "file").read_bytes() == b"precious"


# MARK: What is missing

BUILDING = [["build"], ["run", "increment"], ["test", "wasm"], ["size"]]


@pytest.mark.parametrize("words", [*BUILDING, ["test", "native"], ["lint"], ["format"]])
def test_a_missing_swift_is_said(machine, words):
    expect_refusal(machine.start(*words), 1, "Swift is missing", "https://swift.org/install")


@pytest.mark.parametrize("version", ["5.10", "6.2.4"])
@pytest.mark.parametrize("words", [*BUILDING, ["test", "native"]])
def test_an_old_swift_is_said(machine, words, version):
    machine.fake_swift(version)
    number = ".".join(version.split(".")[:2])
    parts = [f"{machine.bin}/swift is Swift {number};", "6.3 or newer", "https://swift.org/install"]
    expect_refusal(machine.start(*words), 1, *parts)


@pytest.mark.parametrize("script", ["exit 1", "echo 'no toolchain is chosen'"])
def test_a_swift_that_does_not_tell_its_version_is_said(machine, script):
    machine.fake("swift", script)
    expect_refusal(machine.start(), 1, "of an unknown version", "https://swift.org/install")


def test_a_swift_without_the_embedded_library_is_said(machine):
    machine.fake_swift()
    machine.fake("swiftc", """echo '"runtimeResourcePath": "/nowhere"'""")
    expect_refusal(machine.start(), 1, "no Embedded library for wasm32-unknown-none-wasm")


@pytest.mark.parametrize("file", ["stdint.h", "libc.a", "libclang_rt.builtins-wasm32.a"])
def test_a_sysroot_that_lacks_something_is_said(machine, file):
    machine.fake_swift()
    sysroot = machine.fake_wasi()
    next(sysroot.rglob(file)).unlink()
    result = machine.start(WASI_SYSROOT=sysroot)
    expect_refusal(result, 1, f"WASI_SYSROOT={sysroot} lacks", file, "wasi-sdk", "unset it")


def test_an_empty_sysroot_is_said(machine, tmp_path):
    machine.fake_swift()
    result = machine.start(WASI_SYSROOT=tmp_path)
    expect_refusal(result, 1, f"WASI_SYSROOT={tmp_path} lacks include/wasm32-wasi/stdint.h")


@pytest.fixture
def bare_machine(machine):
    """A machine with Swift on which build.sh takes a folder without a C library for /usr."""
    script = machine.root / "Tools/wasm.sh"
    text = script.read_text()
    assert text.count("${WASI_SYSROOT:-/usr}") == 1, "it looks elsewhere: mend this test"
    usr = machine.root.parent / "sysroot"
    script.write_text(text.replace("${WASI_SYSROOT:-/usr}", "${WASI_SYSROOT:-" + str(usr) + "}"))
    machine.fake_swift(build=FAILING)
    return machine


def test_without_root_a_missing_c_library_comes_with_the_command_to_run(bare_machine):
    command = "sudo apt-get install --no-install-recommends wasi-libc libclang-rt-dev-wasm32"
    bare_machine.fake("apt-get", "exit 99")
    expect_refusal(bare_machine.start(), 1, "Missing: the C library for wasm", command)


@pytest.mark.parametrize(("program", "name"), [("wasm-opt", "binaryen"), ("esbuild", "esbuild")])
def test_without_root_a_missing_program_comes_with_the_command_to_run(machine, program, name):
    machine.fake_swift()
    machine.fake("wasm-opt", "exit 0")
    (machine.bin / program).unlink()
    command = f"sudo apt-get install --no-install-recommends {name}"
    result = machine.start(WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, f"Missing: {program}", command)


def test_as_root_a_missing_c_library_is_installed_and_said(bare_machine):
    sysroot = bare_machine.fake_wasi()
    package, log = sysroot.with_name("package"), sysroot.with_name("apt-get.log")
    sysroot.rename(package)
    bare_machine.fake("id", "echo 0")
    bare_machine.fake(
        "apt-get", f"echo $* >>'{log}'; [ $1 = update ] || mv '{package}' '{sysroot}'"
    )
    bare_machine.fake("wasm-opt", "exit 0")
    result = bare_machine.start()
    packages = "wasi-libc libclang-rt-dev-wasm32"
    assert f"build.sh: installing the C library for wasm: {packages}" in result.shown
    assert log.read_text().splitlines() == [
        "update",
        f"install --yes --no-install-recommends {packages}",
    ]
    expect_refusal(result, 1, "The Swift build of WasmDemo failed")  # the build began


def test_as_root_a_failed_installation_is_said(bare_machine):
    bare_machine.fake("id", "echo 0")
    bare_machine.fake("apt-get", "echo 'E: no network'; exit 100")
    result = bare_machine.start()
    expect_refusal(result, 1, "Could not install the C library for wasm", ".build/apt.log")
    assert "E: no network" in (bare_machine.root / ".build/apt.log").read_text()


# MARK: What fails


@pytest.mark.parametrize("words", BUILDING)
def test_a_failed_swift_build_stops_with_its_messages(machine, words):
    machine.fake_swift(build=FAILING)
    machine.fake("wasm-opt", "echo 'wasm-opt was called'")
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "The Swift build of", "failed; its messages are above")
    said = "\n".join(result.shown) + result.errors
    assert "error: no such thing" in said and "wasm-opt was called" not in said


@pytest.mark.parametrize("words", BUILDING)
def test_a_failed_optimization_stops_and_keeps_the_old_program(machine, words):
    machine.fake_swift(build="exit 0")
    machine.fake("wasm-opt", FAILING)
    (machine.root / "web/demo.wasm").write_bytes(b"old")
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "wasm-opt could not optimize")
    assert files(machine.root / "web")["demo.wasm"] == b"old"


@pytest.fixture
def linting_machine(machine):
    """A machine where lint finds nothing: one source has a short comment, one a long string."""
    machine.fake_swift(format="exit 0", lint="exit 0")
    machine.fake_python("exit 0")
    machine.fake("deno", "exit 0")
    for folder in ["Sources/SharingCore", "Benchmarks", "Examples", "web"]:
        (machine.root / folder).mkdir(parents=True, exist_ok=True)
    (machine.root / "web/short.js").write_text("// " + "…" * 97 + "\n")
    (machine.root / "Sources/Long.swift").write_text(f'let text = "https://{"x" * 100}"\n')
    return machine


def test_comments_of_a_hundred_columns_and_longer_code_are_accepted(linting_machine):
    result = linting_machine.start("lint")
    assert (result.status, result.shown, result.errors) == (0, [], "")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("Sources/A.swift", "  /// " + "x" * 95),
        ("Sources/A.h", f"int a;  ///< {'x' * 90}"),
        ("Sources/A.c", f"int {'x' * 97};"),
        ("Tests/A.swift", f"let a = 1  // {'x' * 90}"),
        ("web/a.js", f" * {'…' * 98}"),
        ("Benchmarks/a.py", f'"""{"x" * 98}'),
        ("Tools/a.py", f"    # {'x' * 95}"),
        ("Tools/a.py", f'"""Docs.\n{"x " * 51}\n"""'),
        ("Tools/a.sh", f"# {'x' * 99}"),
    ],
)
def test_a_comment_and_a_line_of_c_beyond_a_hundred_columns_are_named(linting_machine, file, line):
    (linting_machine.root / file).write_text(f"{line}\n")
    result = linting_machine.start("lint")
    expect_refusal(result, 1, "more than 100 columns")
    assert [shown.split(": ")[0].rsplit(":", 1)[0] for shown in result.shown] == [file]


def test_a_failed_suite_is_counted_and_fails_the_run(machine):
    machine.fake_swift(test=FAILING)
    result = machine.start("test", "native")
    assert "error: no such thing" in result.shown
    assert "build.sh: swift test failed; all of it is in .build/native.log" in result.shown
    assert (result.status, result.shown[-1]) == (1, "0 passed, 1 failed")


def test_a_suite_without_a_test_is_a_failure(machine):
    machine.fake_swift(test="echo 'Build complete!'")
    result = machine.start("test", "native")
    assert "build.sh: no test has passed; see .build/native.log" in result.shown
    assert (result.status, result.shown[-1]) == (1, "0 passed, 1 failed")


@pytest.mark.parametrize(
    "commands, said, last",
    [
        ("echo '4 passed in 1s'", "4 passed", "4 passed, 0 failed"),
        (
            "echo '4 passed in 1s'; echo 'SKIPPED [8] Tests/x.py:1: on a host: it cannot'",
            "left out 8: on a host: it cannot",
            "4 passed, 0 failed",
        ),
        ("echo '0 passed in 1s'", "no test", "0 passed, 1 failed"),
        ("echo E; exit 1", "E", "0 passed, 1 failed"),
    ],
)
def test_the_wasm_suite_counts_and_says_what_is_left_out(machine, commands, said, last):
    machine.fake_swift(build="mkdir -p .build/wasm")
    machine.fake("wasm-opt", ': >"${!#}"')  # the last argument is the output
    machine.fake("openssl", "exit 99")
    clone = 'mkdir -p "${!#}"; cp "$0" "${!#}/build.sh"'  # which does nothing, either
    machine.fake("git", f"case $1 in clone) {clone} ;; esac")
    machine.fake("python3", "exit 0")  # has seen the page of an app
    machine.fake_python(commands)
    result = machine.start("test", "wasm", WASI_SYSROOT=machine.fake_wasi())
    assert any(said in line for line in result.shown)
    assert result.shown[-1] == last
    assert result.status == (0 if last.endswith(" 0 failed") else 1)


RAN_XCTEST = "echo 'Executed 9 tests, with 0 failures (0 unexpected) in 0.1 seconds'"
RAN_SWIFT_TESTING = "echo '✔ Test run with 40 tests in 2 suites passed after 1 seconds.'"


@pytest.mark.parametrize(
    "commands, last",
    [
        (f"{RAN_XCTEST}; {RAN_SWIFT_TESTING}", "49 passed, 0 failed"),
        (RAN_XCTEST, "9 passed, 1 failed"),
        (RAN_SWIFT_TESTING, "0 passed, 1 failed"),
    ],
)
def test_the_native_suite_counts_the_tests_of_both_frameworks(machine, commands, last):
    machine.fake_swift(test=commands)
    result = machine.start("test", "native")
    assert (result.status, result.shown[-1]) == (0 if last.endswith(" 0 failed") else 1, last)
