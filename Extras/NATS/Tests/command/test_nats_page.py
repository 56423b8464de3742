"""./build.sh serve --nats with a fake build, and the search for nats-server."""

import contextlib
import http.client
import re
import signal
import socket
import subprocess
import sys

import pytest
from conftest import ROOT, call
from test_build import expect_refusal
from test_nats import await_end

sys.path.insert(0, str(ROOT / "Extras/NATS/Tools"))

import nats_program  # noqa: E402
from ports import free_ports  # noqa: E402

BUILT = ".build/wasm/wasm32-unknown-none-wasm/release"
OLD, NEW = (f"echo 'nats-server: v{version}'" for version in ["2.9.10", "2.10.27"])


@pytest.fixture
def building(machine):
    """Returns a machine with Python, on which a build succeeds at once."""
    machine.link_python()
    making = "; ".join(f"echo wasm >{BUILT}/{name}.wasm" for name in ["WasmDemo", "WasmPresence"])
    machine.fake_swift(build=f"mkdir -p {BUILT}; {making}")
    machine.fake("wasm-opt", 'cp "${@: -3:1}" "${@: -1}"')
    (machine.root / "web/index.html").write_text("the page")
    return machine


@contextlib.contextmanager
def serving(machine, *words):
    """Yields a running ./build.sh serve --nats: the ports of its page and servers, and its
    output."""
    page, *servers = free_ports(10)
    environment = {
        "PATH": str(machine.bin),
        "WASI_SYSROOT": str(machine.fake_wasi()),
        "NATS_SERVER": nats_program.find(3),
        "NATS_PORT": str(servers[0]),
    }
    process = subprocess.Popen(
        [machine.root / "build.sh", "serve", "--nats", *words, str(page)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = []
        for line in process.stdout:
            said.append(line.rstrip())
            if "?nats=" in line:
                break
        ports = [int(port) for port in re.findall(r"ws://127\.0\.0\.1:(\d+)", said[-1])]
        assert ports != [], said
        yield process, page, ports, said
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def get(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", "/")
        return connection.getresponse().read()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_page_and_a_server_start_and_end_together(building, ending):
    with serving(building) as (process, page, [port], said):
        assert said[-1] == (
            f"build.sh: open http://localhost:{page}/?nats=ws://127.0.0.1:{port} (Ctrl-C ends)"
        )
        assert any("for development only" in line for line in said)
        assert get(page) == b"the page"
        socket.create_connection(("127.0.0.1", port)).close()
        configuration = (building.root / ".build/nats/alone.conf").read_text()
        assert f'allowed_origins: ["http://localhost:{page}"]' in configuration
        process.send_signal(ending)
        assert process.wait(timeout=60) == {signal.SIGKILL: -9}.get(ending, 0)
        await_end(port)
        await_end(page)


def test_three_servers_are_a_cluster_and_the_page_is_told_of_all(building):
    with serving(building, "3") as (process, page, ports, said):
        assert len(ports) == 3, said
        process.terminate()
        for port in ports:
            await_end(port)


# MARK: Wrong usage


@pytest.mark.parametrize("count", ["2", "0", "5", "x", "three", "-1", "3.0", ""])
def test_another_number_of_servers_is_refused(machine, count):
    said = f"'{count}' is not a number of servers: use 1, or 3 for a cluster."
    expect_refusal(machine.start("serve", "--nats", count), 2, said)


@pytest.mark.parametrize("words", [["--docs", "--nats"], ["--nats", "--docs"]])
def test_the_documentation_needs_no_servers(machine, words):
    expect_refusal(machine.start("serve", *words), 2, "serve takes --docs or --nats, not both.")


@pytest.mark.parametrize("words", [["70000"], ["3", "70000"], ["1", "http"]])
def test_what_is_no_port_is_refused(machine, words):
    expect_refusal(machine.start("serve", "--nats", *words), 2, f"'{words[-1]}' is not a port")


@pytest.mark.parametrize("port", ["nats", "0", "08", "65530", " "])
def test_what_is_no_port_for_servers_is_refused(machine, port):
    machine.link_python()
    page = free_ports()[0]
    result = machine.start("serve", "--nats", page, NATS_PORT=port)
    expect_refusal(result, 2, f"NATS_PORT={port} is not a port")


def test_a_port_in_use_is_said_before_anything_is_built(machine):
    machine.link_python()
    with socket.create_server(("127.0.0.1", 0)) as other:
        page, port = free_ports()[0], other.getsockname()[1]
        taken = machine.start("serve", "--nats", port)
        result = machine.start("serve", "--nats", page, NATS_PORT=port - 1)
    expect_refusal(taken, 1, f"Port {port} cannot be used", "Choose another port")
    expect_refusal(result, 1, f"Port {port} cannot be used", "already in use", "NATS_PORT")


# MARK: Where nats-server comes from


def test_an_old_server_is_refused_for_a_cluster(machine):
    machine.link_python()
    machine.fake("nats-server", OLD)
    result = machine.start(
        "serve",
        "--nats",
        "3",
        free_ports()[0],
        NATS_SERVER=machine.bin / "nats-server",
        NATS_PORT=free_ports(9)[0],
    )
    expect_refusal(result, 1, "nats-server is 2.9.10; in a cluster it loses updates")


def find(machine, nodes, **variables):
    """Returns the machine's output about the server that it would use."""
    program = machine.root / "Extras/NATS/Tools/nats_program.py"
    environment = {"PATH": str(machine.bin), **variables}
    return call(machine.bin / "python3", "-B", program, nodes, env=environment)


@pytest.mark.parametrize("nodes", [1, 3])
def test_an_installed_server_that_is_new_enough_is_used(machine, nodes):
    machine.link_python()
    machine.fake("nats-server", NEW)
    result = find(machine, nodes)
    said = f"build.sh: using nats-server 2.10.27: {machine.bin}/nats-server"
    assert (result.status, result.shown) == (0, [said])


def test_without_apt_an_older_one_is_used_alone_and_refused_for_a_cluster(machine):
    machine.link_python()
    machine.fake("nats-server", OLD)
    said = f"build.sh: using nats-server 2.9.10: {machine.bin}/nats-server"
    assert find(machine, 1).shown == [said]
    expect_refusal(
        find(machine, 3), 1, "2.10.27 or later is missing", "no apt", "https://nats.io/download"
    )


def test_a_failed_download_is_said(machine):
    machine.link_python()
    machine.fake("dpkg-deb", "exit 99")
    machine.fake("apt-get", "echo no network; exit 100")
    result = find(machine, 1)
    log = machine.root / ".build/nats-server.log"
    expect_refusal(result, 1, f"apt could not fetch it; see {log}", "https://nats.io/download")
    assert "no network" in log.read_text()
    assert [path.name for path in log.parent.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize(
    "path, said",
    [("/nowhere/nats", "/nowhere/nats cannot be run"), ("/bin/true", "is not nats-server")],
)
def test_a_named_program_that_is_no_server_is_said(machine, path, said):
    machine.link_python()
    expect_refusal(find(machine, 1, NATS_SERVER=path), 1, said)


def test_the_next_releases_sources_are_the_machines_own(tmp_path, monkeypatch):
    apt, copies = tmp_path / "apt", tmp_path / "copies"
    (apt / "sources.list.d").mkdir(parents=True)
    copies.mkdir()
    (apt / "sources.list").write_text("deb http://mirror.example/debian bookworm main\n")
    (apt / "sources.list.d/other.sources").write_text("URIs: https://other.example\n")
    monkeypatch.setattr(nats_program, "APT", apt)
    monkeypatch.setattr(nats_program, "os_release", lambda: "VERSION_CODENAME=bookworm\n")
    assert nats_program.copy_sources(copies) == "trixie"
    assert {file.name: file.read_text() for file in copies.iterdir()} == {
        "sources.list": "deb http://mirror.example/debian trixie main\n"
    }
