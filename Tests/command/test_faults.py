"""Full or read-only disks, and too long names: the stored bytes stay."""

import subprocess

import pytest
from conftest import CAP_DAC_OVERRIDE, files, without


@pytest.fixture
def disk(tmp_path):
    """Yields a small file system, if the user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(["mount", *options], capture_output=True).returncode != 0:
        pytest.skip("mounting is not permitted here; test_native.py limits the size of files")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder):
    """Writes until the disk is full."""
    try:
        with (folder / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))
    except OSError:
        (folder / "filler").stat()


def test_on_a_full_disk_the_value_is_shown_and_the_stored_bytes_stay(run, disk):
    (disk / "count.json").write_bytes(b"5")
    fill(disk)
    result = run(disk, "increment", "increment")
    assert (result.status, result.shown) == (1, ["count: 5", "count: 6", "count: 7"])
    assert result.errors.startswith('"count": ') and "Writing the file" in result.errors
    assert "there is no room left" in result.errors
    assert set(files(disk)) == {"count.json", "filler"}
    assert (disk / "count.json").read_bytes() == b"5"
    (disk / "filler").unlink()
    assert run(disk, "increment").shown == ["count: 5", "count: 6"]
    assert files(disk) == {"count.json": b"6"}


def test_on_a_disk_that_may_only_be_read_the_value_is_shown(run, host, disk):
    (disk / "count.json").write_bytes(b"5")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    result = run(disk, "increment")
    assert (result.status, result.shown) == (1, ["count: 5", "count: 6"])
    # wasmtime does not report that a file system is read-only.
    why = "access is denied" if host == "native" else "the host gave no reason"
    assert result.errors.startswith('"count": ')
    assert "Writing the file" in result.errors and why in result.errors
    assert files(disk) == {"count.json": b"5"}


def test_a_new_file_in_a_folder_that_may_not_be_written_to_is_refused(native, state):
    state.chmod(0o555)
    result = native(state, "increment", **without(CAP_DAC_OVERRIDE))
    assert (result.status, result.shown) == (1, ["count: 0", "count: 1"])
    assert "access is denied" in result.errors
    assert files(state) == {}


# MARK: Files that cannot be replaced

@pytest.fixture
def mounted(state):
    """Yields a file that is mounted as the file of the count, if the user may mount one."""
    (state / "count.json").write_bytes(b"")
    elsewhere = state.parent / "elsewhere"
    elsewhere.write_bytes(b"1000")
    paths = [str(elsewhere), str(state / "count.json")]
    if subprocess.run(["mount", "--bind", *paths], capture_output=True).returncode != 0:
        pytest.skip("mounting is not permitted here")
    yield elsewhere
    subprocess.run(["umount", paths[1]], check=True)


def test_natively_a_file_in_a_folder_that_may_not_be_written_to_is_refused_and_stays(native, state):
    (state / "count.json").write_bytes(b"1000")
    state.chmod(0o555)
    result = native(state, "increment", **without(CAP_DAC_OVERRIDE))
    assert (result.status, result.shown) == (1, ["count: 1000", "count: 1001"])
    assert "access is denied" in result.errors
    assert files(state) == {"count.json": b"1000"}


def test_natively_a_mount_point_is_refused_and_stays(native, state, mounted):
    result = native(state, "increment")
    assert (result.status, result.shown) == (1, ["count: 1000", "count: 1001"])
    assert "it is a mount point" in result.errors
    assert mounted.read_bytes() == b"1000"
    assert set(files(state)) == {"count.json"}


def test_a_path_that_is_too_long_is_said(native, tmp_path):
    for folder in [tmp_path / ("x" * 300), tmp_path / "/".join(["x" * 200] * 25)]:
        result = native(folder, "increment")
        assert result.shown[0] == "count: 0"
        assert result.status == 1
        assert "the name has more than 255 bytes" in result.errors
    assert files(tmp_path) == {}
