"""Private files stay private, and shared files stay shared."""

import os
import stat

import pytest
from conftest import CAP_CHOWN, files, without


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("before", [0o600, 0o640, 0o644, 0o660, 0o666, 0o604])
def test_a_file_that_is_replaced_keeps_its_permissions(run, state, before):
    (state / "count.json").write_bytes(b"5")
    (state / "count.json").chmod(before)
    assert run(state, "increment", umask=0).status == 0
    assert files(state) == {"count.json": b"6"}
    assert mode(state / "count.json") == before


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_that_the_user_has_chosen(run, state, umask):
    assert run(state, "increment", umask=umask).status == 0
    assert mode(state / "count.json") == 0o666 & ~umask


def test_the_copy_of_a_damaged_file_is_private(run, host, state):
    (state / "count.json").write_bytes(b"secret")
    (state / "count.json").chmod(0o640)
    assert run(state, "increment", umask=0o022).status == 0
    assert files(state) == {"count.json": b"1", "count.corrupt.json": b"secret"}
    # WASI has no permissions: there, the tool that starts the host has chosen a umask.
    assert mode(state / "count.corrupt.json") == (0o600 if host == "native" else 0o640)


def test_under_wasi_all_is_as_private_as_the_most_private_file(headless, state):
    (state / "below").mkdir()
    for name, permissions in [("count.json", 0o644), ("below/other", 0o640), ("third", 0o604)]:
        (state / name).write_bytes(b"5")
        (state / name).chmod(permissions)
    assert headless(state, "increment", umask=0).status == 0
    assert mode(state / "count.json") == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files of other groups")
@pytest.mark.parametrize(("before", "after"), [(0o640, 0o600), (0o664, 0o644), (0o604, 0o600)])
def test_a_group_that_cannot_be_kept_leaves_nobody_more_than_before(run, state, before, after):
    (state / "count.json").write_bytes(b"5")
    (state / "count.json").chmod(before)
    os.chown(state / "count.json", 1234, 1234)
    assert run(state, "increment", umask=0, **without(CAP_CHOWN)).status == 0
    assert mode(state / "count.json") == after


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_natively_root_leaves_a_file_to_its_owner(native, state):
    (state / "count.json").write_bytes(b"5")
    os.chown(state / "count.json", 1234, 5678)
    assert native(state, "increment").status == 0
    status = (state / "count.json").stat()
    assert (status.st_uid, status.st_gid) == (1234, 5678)
