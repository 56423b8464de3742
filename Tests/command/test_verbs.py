"""build.sh as it is: what it builds, how it runs the program and how it serves the page.

These tests run one after the other, since all of them build in one folder.
"""

import contextlib
import http.client
import socket
import subprocess
import sys

import pytest
from conftest import BUILD, ROOT, files, start

sys.path.insert(0, str(ROOT / "Tools"))

from ports import free_ports  # noqa: E402


def test_a_second_build_changes_nothing():
    assert start("build").status == 0
    program, toolset = ROOT / "web/demo.wasm", ROOT / ".build/toolset.json"
    names = sorted(path.name for path in (ROOT / "web").iterdir())
    before = program.read_bytes(), toolset.stat().st_mtime_ns
    assert start().status == 0
    assert (program.read_bytes(), toolset.stat().st_mtime_ns) == before
    assert sorted(path.name for path in (ROOT / "web").iterdir()) == names


def test_run_makes_its_folder_and_prints_only_what_the_program_does(tmp_path):
    folder = tmp_path / "new folder/zwölf ✓"
    result = start("run", "--dir", folder, "increment", "increment")
    assert (result.status, result.shown) == (0, ["count: 0", "count: 1", "count: 2"])
    assert result.errors == ""
    assert files(folder) == {"count.json": b"2"}


def test_run_ends_with_the_status_of_the_program(tmp_path):
    result = start("run", "--dir", tmp_path, "multiply")
    assert (result.status, result.shown) == (1, [])
    assert 'no action "multiply"' in result.errors


def test_a_relative_folder_is_one_below_where_one_is(tmp_path):
    assert start("run", "--dir", "here", "increment", cwd=tmp_path).status == 0
    assert files(tmp_path / "here") == {"count.json": b"1"}


# MARK: ./build.sh serve


@contextlib.contextmanager
def serving():
    """A running ./build.sh serve, and its port."""
    [port] = free_ports()
    process = subprocess.Popen(
        [BUILD, "serve", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        await_server(process, port)
        yield process, port
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def await_server(process, port):
    """Waits until the server responds, or ends, or claims to be ready and does not respond."""
    said = []
    for line in process.stdout:
        said.append(line)
        if f"http://localhost:{port}" in line:
            break
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=60).close()
            return
        except ConnectionRefusedError:
            continue
    pytest.fail(f"./build.sh serve {port} has ended: {''.join(said)}", pytrace=False)


@pytest.fixture(scope="module")
def port():
    """The port of a server."""
    with serving() as (_, port):
        yield port


def get(port, path):
    """The content type and the bytes at a path."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    assert response.status == 200
    kind, body = response.getheader("Content-Type"), response.read()
    connection.close()
    return kind.split(";")[0], body


@pytest.mark.parametrize(
    "path, file, kinds",
    [
        ("/", "index.html", ["text/html"]),
        ("/index.html", "index.html", ["text/html"]),
        ("/sharing.js", "sharing.js", ["text/javascript", "application/javascript"]),
        ("/demo.wasm", "demo.wasm", ["application/wasm"]),
    ],
)
def test_a_file_is_served_as_it_is_with_its_type(port, path, file, kinds):
    kind, body = get(port, path)
    assert body == (ROOT / "web" / file).read_bytes()
    assert kind in kinds


def test_it_stops_when_it_is_told_to():
    with serving() as (process, port):
        process.terminate()
        process.wait(timeout=60)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=60)
