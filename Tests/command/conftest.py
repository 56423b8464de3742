"""The demo on a command line, and build.sh with fakes in place of other programs."""

import ctypes
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from hosts import HEADLESS, HOSTS, ROOT, build, compiled


def pytest_addoption(parser):
    parser.addoption(
        "--kills", type=int, default=10, help="how often a crash test kills writers, on each host"
    )
    parser.addoption(
        "--walks", type=int, default=100, help="from how many seeds the library is used, on each host"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*what): runs only on hosts that have it")


def pytest_generate_tests(metafunc):
    if "runner_host" in metafunc.fixturenames:
        metafunc.parametrize("runner_host", HOSTS, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    for what in [what for marker in item.iter_markers("needs") for what in marker.args]:
        host = item.callspec.params["runner_host"]
        reason = HOSTS[host].lacks.get(what)
        if reason:
            pytest.skip(f"on {host}: {reason}")


def pytest_terminal_summary(terminalreporter):
    reports = [one for some in terminalreporter.stats.values() for one in some]
    for report in reports:
        if getattr(report, "when", None) == "teardown":
            for remark in dict(report.user_properties).values():
                terminalreporter.write_line(remark)


@pytest.fixture
def walks(request):
    return request.config.getoption("--walks")


@pytest.fixture
def remark(request, record_property):
    """Returns a function that prints a remark about a test at the end, from any process."""
    return lambda text: record_property("remark", f"{request.node.name}: {text}")


BUILD = ROOT / "build.sh"


@dataclasses.dataclass
class Result:
    """The output of a command and its exit status."""

    status: int
    shown: list[str]
    errors: str


def call(*command, **options):
    """Runs a command to its end. Its output must be UTF-8, regardless of stored bytes."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    done = subprocess.run(list(map(str, command)), text=True, encoding="utf-8", **options)
    return Result(done.returncode, (done.stdout or "").splitlines(), done.stderr)


def start(*words, **options):
    """Runs the real ./build.sh."""
    return call(BUILD, *words, **options)


@pytest.fixture(scope="session")
def program():
    """Returns the path of the built program."""
    path = ROOT / "web/demo.wasm"
    if not path.exists():
        pytest.fail(f"{path} is missing: run ./build.sh first", pytrace=False)
    return path


@pytest.fixture(scope="session")
def compiled_program(program, tmp_path_factory):
    """Returns the path of the built program, compiled for wasmtime."""
    return compiled(program, tmp_path_factory.mktemp("compiled"))


@pytest.fixture(scope="session")
def native_program():
    """Returns the path of the demo, built for this machine."""
    return build("WasmDemo")


@pytest.fixture(scope="session")
def runner(runner_host, tmp_path_factory):
    """Returns the command that runs the conformance suite over a folder, on each host."""
    return HOSTS[runner_host].prepare(tmp_path_factory.mktemp(runner_host))


@pytest.fixture
def headless(compiled_program):
    """Returns a function that runs the program under wasmtime, with or without a folder for
    state."""

    def run(folder, *actions, **options):
        place = [] if folder is None else [f"--dir={folder}"]
        return call(sys.executable, HEADLESS, *place, compiled_program, *actions, **options)

    return run


@pytest.fixture
def native(native_program):
    """Returns a function that runs the program on this machine, with a state folder or its
    default."""

    def run(folder, *actions, **options):
        environment = {name: os.environ[name] for name in os.environ if name != "SHARING_DIR"}
        if folder is not None:
            environment["SHARING_DIR"] = str(folder)
        return call(native_program, *actions, env=environment, **options)

    return run


@pytest.fixture(params=["headless", "native"])
def host(request):
    """The host of a test's program: wasmtime or this machine."""
    return request.param


@pytest.fixture
def run(request, host):
    """Returns the function that runs the program on the host."""
    return request.getfixturevalue(host)


@pytest.fixture
def state(tmp_path):
    """Returns an empty folder for state."""
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


# <linux/prctl.h> and <linux/capability.h>
PR_CAPBSET_DROP, CAP_CHOWN, CAP_DAC_OVERRIDE = 24, 0, 1


def without(capability):
    """Returns options that start a process without one of root's capabilities. It stays root, so
    that it can read the program, which other users may not be allowed to read."""
    if os.geteuid() != 0:
        return {}
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # must not be loaded after the fork

    def give_up():
        if prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "root cannot give up a capability")

    return {"preexec_fn": give_up}


def files(folder):
    """Returns the bytes of every file in a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Machine:
    """A copy of build.sh on a machine with only the programs that a test provides."""

    # The programs of every Debian, without Swift and Python, and git.
    BASE = (
        "awk bash cat cmp cp dirname env find git grep gzip head mkdir mktemp mv paste realpath rm"
        " sed sha1sum sort tail tee touch wc xargs"
    ).split()

    def __init__(self, folder):
        self.root = folder / "project"
        self.bin = folder / "bin"
        self.bin.mkdir()
        for part in "build.sh Tools JavaScript Extras Template Tests/requirements.txt".split():
            copy = self.root / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy)
            else:
                shutil.copy(ROOT / part, copy)
        (self.root / "web").mkdir()
        for name in self.BASE:
            self.link(name)
        self.link("esbuild")  # it copies the scripts of each page
        self.fake("id", "echo 1000")
        self.fake("apt-get", "exit 100")

    def link(self, name, path=None):
        """Adds a program of the real machine."""
        path = path or shutil.which(name)
        if path is None:
            pytest.fail(f"{name} is missing on this machine", pytrace=False)
        (self.bin / name).symlink_to(path)

    def link_python(self):
        """Adds the Python that runs the tests, without its virtual environment."""
        self.link("python3", pathlib.Path(sys.executable).resolve())

    def fake(self, name, script):
        """Adds a program that runs a script."""
        (self.bin / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
        (self.bin / name).chmod(0o755)

    def fake_swift(self, version="6.3.1", **verbs):
        """Adds a Swift of a version; `build=` and `test=` are the scripts of its commands."""
        cases = "\n".join(f"  {verb}) {script} ;;" for verb, script in verbs.items())
        says = f"echo 'Swift version {version} (swift-{version}-RELEASE)'"
        self.fake("swift", f"case $1 in\n  --version) {says} ;;\n{cases}\n  *) exit 99 ;;\nesac")
        resources = self.root.parent / "swift"
        (resources / "embedded/wasm32-unknown-none-wasm").mkdir(parents=True, exist_ok=True)
        self.fake("swiftc", f"""echo '"runtimeResourcePath": "{resources}"'""")

    def fake_python(self, script):
        """Adds Python tools in .build/python, with a Python that runs a script."""
        tools = self.root / ".build/python"
        tools.mkdir(parents=True)
        shutil.copy(self.root / "Tests/requirements.txt", tools)
        self.fake("python", script)
        (tools / "bin").symlink_to(self.bin)

    def fake_wasi(self):
        """Adds a C library for wasm."""
        sysroot = self.root.parent / "sysroot"
        for file in [
            "include/wasm32-wasi/stdint.h",
            "lib/wasm32-wasi/libc.a",
            "lib/llvm-99/lib/clang/99/lib/wasi/libclang_rt.builtins-wasm32.a",
        ]:
            (sysroot / file).parent.mkdir(parents=True, exist_ok=True)
            (sysroot / file).touch()
        return sysroot

    def start(self, *words, **variables):
        """Runs this machine's ./build.sh to its end."""
        return call(self.root / "build.sh", *words, env=self.environment(variables), cwd=self.root)

    def begin(self, *words, **variables):
        """Starts this machine's ./build.sh, with a pipe for its output."""
        return subprocess.Popen(
            [self.root / "build.sh", *map(str, words)],
            env=self.environment(variables), cwd=self.root, stdout=subprocess.PIPE, text=True,
        )

    def environment(self, variables):
        variables = {name: str(value) for name, value in variables.items()}
        return {"PATH": str(self.bin), "LC_ALL": "C.UTF-8", **variables}


@pytest.fixture
def machine(tmp_path):
    """Returns a machine with the basic programs of a Debian, and a user other than root."""
    return Machine(tmp_path)
