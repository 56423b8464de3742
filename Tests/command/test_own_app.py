"""`swift run wasm` in an app written by `./build.sh new`, next to a clone of this repository;
see need_app_by_path in build.sh."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sys
import time
import urllib.parse
import urllib.request

import pytest
from conftest import ROOT, call, files

sys.path.append(str(ROOT / "Tools"))
from served import await_children, served, serving  # noqa: E402

APP = ROOT / ".build/apps/ByPath"
SOURCES = APP / "Sources/ByPath"


@pytest.fixture(scope="module", autouse=True)
def app():
    if not (APP / "web/ByPath.wasm").exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test wasm", pytrace=False)


def wasm(*words):
    """Runs a verb, which must succeed; returns its output."""
    result = call("swift", "run", "wasm", *words, cwd=APP)
    assert result.status == 0, result.errors
    return result.shown


def test_a_verb_with_help_shows_its_lines():
    first, *_ = wasm("serve", "--help")
    assert first == "  serve [--release] [--host HOST] [PORT]"


def test_build_says_what_it_has_built():
    last = wasm("build")[-1]
    assert last.startswith(f"build.sh: built {APP}/web/ByPath.wasm: ")
    assert "bytes gzip" in last


def test_run_of_a_program_of_a_page_names_the_word_that_makes_it_a_command(tmp_path):
    result = call("swift", "run", "wasm", "run", "--dir", tmp_path, "increment", cwd=APP)
    assert (result.status, result.shown) == (2, [])
    assert "'struct App: PageApp, CommandApp'" in result.errors
    assert files(tmp_path) == {}


def test_size_adds_up_what_a_browser_loads():
    sizes = {name: int(number) for number, *_, name in map(str.split, wasm("size"))}
    total = sizes.pop("all")
    # The engines are there only for a second program, which tests of the page build there.
    engines = {"engines.js", "indexeddb.js"} if (APP / "web/Calling.wasm").exists() else set()
    own = {"ByPath.wasm", "index.html", "main.js", "page.js", "sharing.js"}
    assert sizes.keys() == own | engines
    assert total == sum(sizes.values())


def test_test_runs_the_test_that_the_app_has():
    (summary,) = [line for line in wasm("test") if " Test run with " in line]
    assert "Test run with 2 tests in 1 suite passed" in summary


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Deploys the app, and lets `deploy` check it; returns the folder."""
    folder = tmp_path_factory.mktemp("deployed") / "site"
    shown = wasm("deploy", folder, "--check")
    for when in ["at a first visit", "after a reload", "without a network"]:
        assert f"build.sh: {when}, the program runs" in shown
    return folder


def test_deploy_writes_a_page_and_a_folder_of_the_other_files(site):
    [program] = site.glob("*/ByPath.wasm")
    assert program.read_bytes() == (APP / "web/ByPath.wasm").read_bytes()
    assert f"{program.parent.name}/main.js" in (site / "index.html").read_text()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("page.js", None, "page.js is answered by 404"),
        ("main.js", "", "no program has started"),
        ("main.js", "import './sharing.js'; unknown();", "unknown is not defined"),
    ],
)
def test_the_check_of_a_deployed_app_names_what_is_wrong(site, tmp_path, file, text, said):
    broken = tmp_path / "broken"
    shutil.copytree(site, broken)
    [path] = broken.glob(f"*/{file}")
    path.unlink() if text is None else path.write_text(text)
    result = call(sys.executable, ROOT / "Tools/check_deployed.py", broken, 5)
    assert result.status == 1
    assert result.errors.startswith("at a first visit:\n")
    assert said in result.errors


def test_serve_ends_when_its_terminal_is_closed():
    with serving(APP, "swift", "run", "wasm", "serve") as (process, address):
        process.send_signal(signal.SIGHUP)
        process.wait(60)
        end = time.monotonic() + 60
        while is_served(address):
            assert time.monotonic() < end, "the server goes on"
            time.sleep(0.1)


def is_served(address):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", urllib.parse.urlsplit(address).port)) == 0


def test_serve_can_be_interrupted_though_its_parents_ignore_that(tmp_path):
    """Simulates tests that run under nohup."""
    script = tmp_path / "ignoring.py"
    script.write_text(
        "import runpy, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        f"sys.path.insert(0, {str(ROOT / 'Tools')!r})\n"
        f"sys.argv[1:] = [{str(APP)!r}, 'swift', 'run', 'wasm', 'serve']\n"
        f"runpy.run_path({str(ROOT / 'Tools/served.py')!r}, run_name='__main__')\n"
    )
    result = call(sys.executable, script, timeout=300)
    assert result.status == 0, result.errors


def test_serve_serves_the_page_until_it_is_interrupted():
    with served(APP, "swift", "run", "wasm", "serve") as address:
        with urllib.request.urlopen(address) as page:
            html = re.sub(rb'<script [^>]*"/\.serve/[^>]*></script>', b"", page.read())
            assert html == (APP / "web/index.html").read_bytes()
        with urllib.request.urlopen(f"{address}ByPath.wasm") as program:
            assert program.headers["Content-Type"] == "application/wasm"
        # `swift build` and `swift test` do not wait for the server.
        beside = call("swift", "build", "--product", "wasm", cwd=APP, timeout=300)
        assert beside.status == 0, beside.errors
        assert "Another instance of SwiftPM" not in "\n".join(beside.shown) + beside.errors
    # The port is free again.
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", urllib.parse.urlsplit(address).port))


def test_serve_answers_at_another_address_only_where_that_is_given():
    for options in [], ["--host", "0.0.0.0"]:
        with serving(APP, "swift", "run", "wasm", "serve", *options) as (_, address):
            with socket.socket() as client:
                other = ("127.0.0.2", urllib.parse.urlsplit(address).port)
                assert (client.connect_ex(other) == 0) == bool(options)


# MARK: Other programs


@pytest.fixture
def source():
    """Yields the app's only Swift file, and restores it afterwards."""
    path = SOURCES / "ByPath.swift"
    text = path.read_text()
    yield path
    for file in SOURCES.iterdir():
        file.unlink()
    path.write_text(text)


def test_serve_that_is_interrupted_ends_a_build_too(source):
    with serving(APP, "swift", "run", "wasm", "serve") as (process, _):
        source.write_text(f"{source.read_text()}// changed\n")
        builds = await_children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)
        end = time.monotonic() + 60
        while any(map(is_running, builds)):
            assert time.monotonic() < end, "the build goes on"
            time.sleep(0.1)


def test_serve_answers_though_the_program_does_not_compile_and_builds_it_when_it_is_mended(source):
    text = source.read_text()
    source.write_text(text.replace("@Shared", "@Shred"))
    with (
        serving(APP, "swift", "run", "wasm", "serve") as (_, address),
        urllib.request.urlopen(f"{address}.serve/events", timeout=60) as events,
    ):
        states = (json.loads(line[6:]) for line in events if line.startswith(b"data: "))
        failure = next(states)["failure"]
        assert re.fullmatch(r"Sources/ByPath/ByPath\.swift:\d+:\d+", failure["place"])
        assert "Shred" in failure["message"] and "@Shred" in failure["source"]
        source.write_text(text)
        while next(states)["failure"]:
            pass


def is_running(process):
    """Returns whether a process, by its id, has not ended."""
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def test_run_of_a_command_does_what_is_asked_and_keeps_it(source, tmp_path):
    page = source.read_text()
    source.write_text(page.replace(": PageApp {", ": PageApp, CommandApp {"))
    shown = wasm("run", "--dir", tmp_path, "increment")
    assert shown[-2:] == ["count: 0", "count: 1"]
    assert files(tmp_path) == {"count.json": b"1"}
    source.write_text(page)
    wasm("build")  # for the tests of the page


@pytest.mark.parametrize("others", [{}, {"Other.swift": "struct Other {}\n"}], ids=["alone", "two"])
def test_a_program_without_main_is_an_error_of_the_build(source, others):
    before = (APP / "web/ByPath.wasm").read_bytes()
    source.write_text(source.read_text().replace("@main\n", ""))
    for name, text in others.items():
        (SOURCES / name).write_text(text)
    result = call(ROOT / "build.sh", "--package", APP, "build")
    assert result.status == 1
    assert "ByPath has no entry point. Write @main before the type that is a PageApp." in result.errors
    assert (APP / "web/ByPath.wasm").read_bytes() == before
