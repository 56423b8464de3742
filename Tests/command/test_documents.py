"""Documents are files at the program's own paths."""

import pytest
from conftest import call, files

pytestmark = pytest.mark.needs("files")


def test_a_document_is_a_file_by_its_path(runner, state):
    command = runner(state, "document")
    assert call(*command, cwd=state).shown == ["1", "saved"]
    assert call(*command, cwd=state).shown == ["2", "saved"]
    assert files(state / "notes") == {"numbers.json": b"[0,1]"}
    (state / "notes/numbers.json").write_text(" [ 7, 8, 9 ] ")
    assert call(*command, cwd=state).shown == ["4", "saved"]
    assert files(state / "notes") == {"numbers.json": b"[7,8,9,3]"}


def test_a_document_that_is_damaged_is_kept_beside_its_path(runner, state):
    (state / "notes").mkdir()
    (state / "notes/numbers.json").write_text("[7,")
    assert call(*runner(state, "document"), cwd=state).shown == ["1", "saved"]
    assert files(state / "notes") == {"numbers.json": b"[0]", "numbers.json.corrupt": b"[7,"}


def test_a_document_that_cannot_be_written_is_said(runner, state):
    (state / "notes").write_text("no folder")
    number, said = call(*runner(state, "document"), cwd=state).shown
    assert number == "1"
    assert "Writing the file" in said and "notes/numbers.json failed" in said
    assert (state / "notes").read_text() == "no folder"
