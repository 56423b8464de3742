"""A command uses the environment that the program has prepared."""

import pytest
from conftest import call, files
from hosts import build


@pytest.fixture(scope="module")
def prepared():
    """Returns the program that sets stores of its own."""
    return build("PreparedProgram")


@pytest.fixture
def run(prepared, tmp_path):
    """Returns a function that runs the program in an empty folder."""
    return lambda *words: call(prepared, *words, cwd=tmp_path)


def test_the_actions_before_a_refusal_are_stored(run):
    for number in range(3):
        result = run("engine", "expect", " ".join([str(number)] * 7), "count")
        assert (result.status, result.errors) == (0, "")
    result = run("count", "expect", "3 3 3 3 3 3 3", "count")
    refusal = "The values are 4 4 4 4 4 4 4. 1 action before it was done.\n"
    assert (result.status, result.errors) == (1, refusal)
    assert run("expect", "4 4 4 4 4 4 4").status == 0


def test_a_debounced_value_is_stored_before_a_refusal_ends_the_command(run, tmp_path):
    result = run("draft", "draft", "expect", "none")
    assert result.status == 1
    assert result.errors.endswith("2 actions before it were done.\n")
    assert files(tmp_path / "local") == {"draft.json": b"2"}


def test_an_unknown_action_makes_no_files(run, tmp_path):
    result = run("count", "nonsense")
    assert result.status == 1 and "so nothing was done" in result.errors
    assert list(tmp_path.iterdir()) == []


def test_the_stores_of_the_program_get_the_values(run, tmp_path):
    assert run("count", "count").status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "app", "files", "local", "own", "revisions", "session", "world",
    ]
    for name in ["app", "files", "local", "session"]:
        assert files(tmp_path / name) == {"value.json": b"2"}


def test_a_value_of_a_key_that_is_made_once_is_stored_once(run, tmp_path):
    for number in ["1", "2"]:
        result = run("count static")
        assert (result.status, result.shown) == (0, [f"committed: {number}"])
        assert files(tmp_path / "local") == {"static.json": number.encode()}


def test_the_receiver_of_issues_of_the_program_gets_them(run):
    result = run("count", "misuse")
    assert (result.status, result.errors) == (0, "")
    assert result.shown and all(line.startswith("issue: 'stores.local'") for line in result.shown)


def test_the_name_of_the_app_is_that_of_the_program(tmp_path):
    keys = build("KeyProgram")
    assert call(keys, "tally", cwd=tmp_path).status == 0
    result = call(keys, "expect tally", "1", "tally", cwd=tmp_path)
    assert (result.status, result.errors) == (0, "")
    assert [path.name for path in (tmp_path / ".sharing").glob("revisions*")] == ["revisions-keys"]


def test_a_document_is_imported(tmp_path):
    keys, document = build("KeyProgram"), '{"imported":"5"}'
    assert call(keys, "import", document, "expect tally", "0", cwd=tmp_path).status == 0
    assert [path.read_bytes() for path in tmp_path.rglob("imported*")] == [b"5"]


def test_a_debounced_value_that_cannot_be_stored_is_a_failure(run, tmp_path):
    (tmp_path / "local").write_bytes(b"no folder")
    result = run("draft")
    assert result.status == 1
    assert "Writing the file" in result.errors


def test_a_debounced_value_is_stored_once(run, tmp_path):
    assert run("draft", "draft").status == 0
    assert files(tmp_path / "local") == {"draft.json": b"2"}
