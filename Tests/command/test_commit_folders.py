"""The messages of a program about an unusable folder of commits; it does no harm there."""

import subprocess

import pytest
from hosts import HOSTS


@pytest.fixture(params=["native", "wasmtime"])
def count(request, tmp_path_factory, tmp_path):
    """Returns a function that runs a program that counts once, and returns the program's output."""
    host = HOSTS[request.param].prepare(tmp_path_factory.mktemp("programs"))
    (tmp_path / "state").mkdir()

    def count():
        command = list(map(str, host(tmp_path / "state", "count", 1)))
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()

    count.host = request.param
    return count


@pytest.fixture
def disk(tmp_path):
    """Yields a small file system for the state, if the user may mount one."""
    folder = tmp_path / "state"
    options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(["mount", *options], capture_output=True).returncode != 0:
        pytest.skip("mounting is not permitted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def contents(folder):
    return {str(each): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def files(tmp_path, pattern):
    return sorted(each for each in tmp_path.rglob(pattern) if each.is_file())


def test_a_state_without_its_data_is_told(count, tmp_path):
    assert count() == "1"
    (data,) = files(tmp_path, "data.*")
    data.unlink()
    assert "lacks the data of the state state@1." in count()


def test_two_states_are_told(count, tmp_path):
    assert count() == "1"
    (state,) = files(tmp_path, "state@*")
    (state.parent / "state@9.other").touch()
    printed = count()
    assert "holds the states" in printed and "state@9.other" in printed


DAMAGES = {
    "cut off": b"value 1 5\ncou",
    "the last revision": b"value 9223372036854775807 5\ncount1\n1",
    "a count beyond 32 bits": b"value 1 9999999999\ncount1\n1",
    "a step beyond 32 bits": b"applied 9999999999 3\nabc",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_data_is_told_and_stays(count, tmp_path, damage):
    if damage == "a step beyond 32 bits" and count.host == "native":
        pytest.skip("Int has 64 bits here")
    assert count() == "1"
    (data,) = files(tmp_path, "data.*")
    data.write_bytes(DAMAGES[damage])
    assert f"{data.name} is damaged and is not overwritten" in count()
    assert data.read_bytes() == DAMAGES[damage]


def test_a_state_with_the_last_number_is_told_and_stays(count, tmp_path):
    assert count() == "1"
    (state,) = files(tmp_path, "state@*")
    damaged = state.with_name(state.name.replace("@1.", "@9223372036854775807."))
    state.rename(damaged)
    assert f"{damaged.name} is damaged and is not overwritten" in count()
    assert files(tmp_path, "state@*") == [damaged]


def test_a_folder_that_cannot_be_made_is_told(count, tmp_path):
    (tmp_path / "state" / ".revisions").touch()
    (tmp_path / "state" / "revisions").touch()
    assert "revisions" in count()


@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_a_folder_that_may_only_be_read_is_told_and_stays(count, disk, first):
    if not first:
        assert count() == "1"
    before = contents(disk)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    printed = count()
    assert "the folder" in printed
    # wasmtime does not report that a file system is read-only.
    assert count.host == "wasmtime" or "access is denied" in printed
    assert contents(disk) == before
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert count() == ("1" if first else "2")


def test_a_folder_without_room_is_told_and_stays(count, disk):
    assert count() == "1"
    before = contents(disk)
    filler = disk / "filler"
    try:
        with filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
    except OSError:
        filler.stat()
    assert "there is no room left" in count()
    filler.unlink()
    assert contents(disk) == before
    assert count() == "2"
