"""A folder, a pipe, a socket or a device in place of a key's file; and symbolic links."""

import os
import socket

import pytest
from conftest import files


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(path.parent)  # the path of a socket must be short
        listener.bind(path.name)
        os.chdir(here)


ODD = {
    "a folder": lambda path: path.mkdir(),
    "a pipe, socket, device": os.mkfifo,
    "a pipe, socket, device ": make_socket,
    "circle of links": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_no_file_is_said_once_and_stays(run, state, what):
    ODD[what](state / "count.json")
    before = os.lstat(state / "count.json")
    result = run(state, "increment", timeout=60)
    assert (result.status, result.shown) == (1, ["count: 0", "count: 1"])
    # It cannot be read, and therefore is not overwritten: there is one message for both.
    assert result.errors.count("\n") == result.errors.count("count.json failed: ") == 1
    assert result.errors.startswith('"count": Reading the file')
    assert what.strip() in result.errors
    after = os.lstat(state / "count.json")
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert [path.name for path in state.iterdir()] == ["count.json"]


def test_a_file_larger_than_memory_is_said_and_stays(run, host, state):
    # Native programs may have memory for all sizes that fit an `Int32`.
    size = 2**31 if host == "native" else 2**31 - 1
    with open(state / "count.json", "wb") as file:
        file.truncate(size)
    result = run(state, "increment")
    assert (result.status, result.shown) == (1, ["count: 0", "count: 1"])
    assert "count.json failed: it is larger than the available memory." in result.errors
    assert (state / "count.json").stat().st_size == size


@pytest.mark.parametrize("place", ["elsewhere.json", "below/elsewhere.json", "second.json"])
def test_a_link_stays_and_what_it_leads_to_is_replaced(run, state, place):
    (state / "below").mkdir()
    (state / "second.json").symlink_to("below/last.json")
    target = state / place
    target.write_bytes(b"5")
    (state / "count.json").symlink_to(place)
    assert run(state, "increment").shown == ["count: 5", "count: 6"]
    assert os.readlink(state / "count.json") == place
    assert target.read_bytes() == b"6"
    names = {path.name for path in [*state.iterdir(), *(state / "below").iterdir()]}
    assert names == {"count.json", "below", "second.json", target.resolve().name}


def test_a_link_to_what_is_not_there_yet_has_it_made(run, state):
    (state / "count.json").symlink_to("new/count")
    assert run(state, "increment").shown == ["count: 0", "count: 1"]
    assert os.readlink(state / "count.json") == "new/count"
    assert files(state / "new") == {"count": b"1"}


@pytest.mark.parametrize("isAbsolute", [False, True])
def test_a_link_out_of_the_folder_is_followed_where_the_host_lets_one(run, host, state, isAbsolute):
    target = state.parent / "outside"
    target.write_bytes(b"5")
    link = str(target) if isAbsolute else "../outside"
    (state / "count.json").symlink_to(link)
    result = run(state, "increment")
    if host == "native":
        assert (result.status, result.shown) == (0, ["count: 5", "count: 6"])
        assert target.read_bytes() == b"6"
    else:
        assert (result.status, result.shown) == (1, ["count: 0", "count: 1"])
        assert "the targets of its links" in result.errors
        assert target.read_bytes() == b"5"
    assert os.readlink(state / "count.json") == link


def test_a_link_that_is_removed_leaves_what_it_led_to(run, state):
    (state / "elsewhere").write_bytes(b"[]")
    (state / "todos-sharing.json").symlink_to("elsewhere")
    assert run(state, "add", "milk").status == 0
    assert (state / "todos-sharing.json").is_symlink()
    assert b"milk" in (state / "elsewhere").read_bytes()
