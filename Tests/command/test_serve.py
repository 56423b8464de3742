"""./build.sh serve: the page and the program as a browser gets them."""

import contextlib
import http.client
import socket
import subprocess

import pytest
from conftest import BUILD, ROOT


@contextlib.contextmanager
def serving():
    """A running ./build.sh serve, and its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
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
    """Waits until the server answers, or has ended, or has said that it is ready and is not."""
    said = []
    for line in process.stdout:
        said.append(line)
        if f"http://localhost:{port}" in line:
            break
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
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
    """The type and the bytes of what is at a path."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
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
        process.wait(timeout=10)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=10)
