"""`household`: the server that it writes for the devices of one household."""

import re
import stat
import sys

import pytest
from conftest import ROOT, call

sys.path.insert(0, str(ROOT / "Extras/NATS/Tools"))

from ports import free_ports  # noqa: E402

HOME = "http://192.168.1.20:8080/"
RENTED = "https://ann.example/Shopping/"


@pytest.fixture
def write(tmp_path):
    """Returns a function that writes a server into a folder, and returns what is printed."""
    port = free_ports(2)[0]

    def write(page, *server):
        tool = ROOT / "Extras/NATS/Tools/household.py"
        return call(sys.executable, "-B", tool, tmp_path / "a server", page, port, *server), port

    return write


def token(tmp_path):
    return (tmp_path / "a server/token").read_text()


def test_a_server_at_home_is_reached_without_encryption(write, tmp_path):
    result, port = write(HOME)
    assert result.status == 0, result.errors
    folder = tmp_path / "a server"
    start, serve = result.shown[2:4]
    assert re.fullmatch(f"cd '{folder}' && [^ ]*nats-server --config alone.conf", start)
    assert serve == "swift run wasm serve --release --host 0.0.0.0 8080"
    assert f"{HOME}#household=ws://home:{token(tmp_path)}@192.168.1.20:{port}" in result.shown
    assert "everyone in this network can read the token" in result.shown[-1]
    configuration = (folder / "alone.conf").read_text()
    assert f'listen: "0.0.0.0:{port}"' in configuration
    assert 'allowed_origins: ["http://192.168.1.20:8080"]' in configuration


def test_a_rented_machine_encrypts_by_caddy(write, tmp_path):
    result, port = write(RENTED, "home.example.net")
    assert result.status == 0, result.errors
    assert result.shown[3] == f"caddy reverse-proxy --from home.example.net --to 127.0.0.1:{port}"
    assert f"{RENTED}#household=wss://home:{token(tmp_path)}@home.example.net" in result.shown
    configuration = (tmp_path / "a server/alone.conf").read_text()
    assert f'listen: "127.0.0.1:{port}"' in configuration
    assert 'allowed_origins: ["https://ann.example"]' in configuration


def test_the_token_stays_until_it_is_removed_and_is_not_for_others(write, tmp_path):
    write(HOME)
    folder, first = tmp_path / "a server", token(tmp_path)
    assert len(first) == 32
    write(RENTED, "home.example.net")
    assert token(tmp_path) == first
    (folder / "token").unlink()
    write(HOME)
    assert token(tmp_path) != first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ["token", "alone.conf"]:
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert (folder / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (RENTED, "A page at https: needs the name of the server's machine"),
        ("192.168.1.20:8080", "'192.168.1.20:8080' is no address of a page"),
        ("file:///index.html", "'file:///index.html' is no address of a page"),
        ("http://home:http/", "'http://home:http/' is no address of a page"),
    ],
)
def test_a_page_that_no_device_can_open_is_refused(write, tmp_path, page, said):
    result, _ = write(page)
    assert result.status == 1
    assert said in result.errors
    assert not (tmp_path / "a server").exists()


def test_a_page_at_a_numeric_address_of_the_new_kind(write, tmp_path):
    result, port = write("http://[fd00::1]:8080/")
    assert result.status == 0, result.errors
    assert f"http://[fd00::1]:8080/#household=ws://home:{token(tmp_path)}@[fd00::1]:{port}" in (
        result.shown
    )


def test_a_folder_with_other_files_is_refused(write, tmp_path):
    folder = tmp_path / "a server"
    folder.mkdir()
    (folder / "index.html").touch()
    result, _ = write(HOME)
    assert result.status == 1
    assert f"{folder} has other files. Name a new folder." in result.errors
    assert [file.name for file in folder.iterdir()] == ["index.html"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["server"], 2, "household takes a folder, the address of the page"),
        (["web", HOME], 1, "is in the folder of the page"),
        (["web/server", HOME], 1, "is in the folder of the page"),
        (["web/../web/./server", HOME], 1, "is in the folder of the page"),
    ],
)
def test_household_says_how_it_is_used(machine, words, status, said):
    app = machine.root / "Notes"
    app.mkdir()
    (app / "Package.swift").touch()
    words = [f"Notes/{word}" if word.startswith("web") else word for word in words]
    result = machine.start("--package", "Notes", "household", *words)
    assert result.status == status
    assert said in result.errors
