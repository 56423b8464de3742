"""The todos on a command line, under wasmtime and built for this machine."""

import json

import pytest
from conftest import files


def todos(folder):
    """Returns the stored (id, title, completed) of each todo. Unchanged todos of other programs may
    still lack members."""
    stored = json.loads(files(folder)["todos-sharing.json"])
    return [(todo["id"], todo.get("title", ""), todo.get("completed", False)) for todo in stored]


def test_todos_are_added_toggled_edited_and_removed(run, state):
    result = run(state, "add", "Buy milk", "add", "  Eat  ", "toggle", "1", "edit", "2", "Eat more")
    assert (result.status, result.errors) == (0, "")
    assert result.shown == [
        "count: 0",
        "todos: 1 [ ] Buy milk",
        "left: 1",
        "progress: 0 of 1 done",
        "todos: 2 [ ] Eat",
        "left: 2",
        "progress: 0 of 2 done",
        "todos: 1 [x] Buy milk",
        "left: 1",
        "progress: 1 of 2 done",
        "todos: 2 [ ] Eat more",
    ]
    assert todos(state) == [(1, "Buy milk", True), (2, "Eat more", False)]
    assert run(state, "remove", "1").shown[-2:] == ["todos: 1 removed", "progress: 0 of 1 done"]
    assert todos(state) == [(2, "Eat more", False)]


def test_what_is_stored_is_shown_before_anything_is_done(run, state):
    run(state, "add", "one", "add", "two", "toggle", "2")
    assert run(state, "show").shown == [
        "count: 0",
        "todos: 1 [ ] one",
        "todos: 2 [x] two",
        "left: 1",
        "progress: 1 of 2 done",
    ]


def test_all_are_toggled_and_the_completed_cleared(run, state):
    run(state, "add", "one", "add", "two", "toggle", "2", "toggle-all")
    assert [completed for _, _, completed in todos(state)] == [True, True]
    run(state, "toggle-all", "toggle", "1")
    assert [completed for _, _, completed in todos(state)] == [True, False]
    assert "todos: 1 removed" in run(state, "clear-completed").shown
    assert todos(state) == [(2, "two", False)]


def test_to_toggle_all_of_no_todos_stores_nothing(run, state):
    assert run(state, "toggle-all").status == 0
    assert files(state) == {}


def test_an_empty_title_removes_a_todo(run, state):
    run(state, "add", "one", "add", "two")
    assert "todos: 1 removed" in run(state, "edit", "1", " \t").shown
    assert todos(state) == [(2, "two", False)]


def test_to_add_wakes_nothing_else(run, state):
    run(state, "add", "one")
    assert run(state, "add", "two").shown[4:] == [
        "todos: 2 [ ] two",
        "left: 2",
        "progress: 0 of 2 done",
    ]


@pytest.mark.parametrize("id", ["4", "0", "-1", "x", "", "1.5", "1 ", "99999999999999999999"])
@pytest.mark.parametrize("action", [["toggle"], ["remove"], ["edit", "title"]])
def test_an_unknown_id_ends_the_command_after_the_actions_before_it(run, state, action, id):
    run(state, "add", "one", "add", "two", "increment")
    name, *title = action
    result = run(state, "increment", "add", "three", "toggle", "3", name, id, *title, "increment")
    assert result.status == 1
    assert result.errors == f'There is no todo "{id}". 3 actions before it were done.\n'
    assert files(state)["count.json"] == b"2"
    assert todos(state) == [(1, "one", False), (2, "two", False), (3, "three", True)]


def test_a_todo_that_an_earlier_action_has_removed_is_unknown(run, state):
    run(state, "add", "one", "toggle", "1")
    result = run(state, "clear-completed", "toggle", "1")
    assert result.status == 1
    assert result.errors == 'There is no todo "1". 1 action before it was done.\n'
    assert todos(state) == []


def test_a_word_that_is_not_utf_8_is_a_mistake_in_use(run, state):
    run(state, "add", "one")
    before = files(state)
    result = run(state, "increment", "add", "caf\udce9")  # Python's form of the byte E9
    assert (result.status, result.shown) == (2, [])
    assert "not UTF-8" in result.errors and "Nothing was done." in result.errors
    assert "Traceback" not in result.errors
    assert files(state) == before


@pytest.mark.parametrize("words", [["add"], ["toggle"], ["edit", "1"], ["increment", "remove"]])
def test_a_missing_word_is_a_mistake_in_use(run, state, words):
    run(state, "add", "one")
    before = files(state)
    result = run(state, *words)
    assert (result.status, result.shown[0]) == (2, "count: 0")
    assert "todos: 1 [ ] one" == result.shown[1] and len(result.shown) == 4
    assert "Arguments are missing: " in result.errors and "Nothing was done." in result.errors
    assert files(state) == before


def test_a_todo_without_a_title_is_not_added(run, state):
    result = run(state, "add", "  ")
    assert (result.status, result.shown) == (1, ["count: 0"])
    assert result.errors == "A todo needs a title. Nothing was done.\n"
    assert files(state) == {}


SPACES = "\t\n\f\r "


def test_a_title_is_trimmed_as_html_does(run, state):
    run(state, "add", f"{SPACES}a{SPACES}b\u00a0{SPACES}")
    assert todos(state) == [(1, f"a{SPACES}b\u00a0", False)]


def test_a_title_cannot_move_the_cursor_of_a_terminal(run, state):
    run(state, "add", "a\x1b[2Jb\nc\x7f")
    assert run(state, "show").shown[1] == "todos: 1 [ ] a [2Jb c "
    assert todos(state) == [(1, "a\x1b[2Jb\nc\x7f", False)]


def test_ids_go_on_behind_the_highest_and_never_overflow(run, state):
    stored = [{"id": 7, "title": "seven"}, {"id": 3, "title": "three", "completed": True}]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    run(state, "add", "eight")
    assert [id for id, _, _ in todos(state)] == [7, 3, 8]
    for highest, next in [(2**31 - 1, 2**31), (2**53 - 1, 2)]:
        (state / "todos-sharing.json").write_text(json.dumps([{"id": highest}, {"id": 1}]))
        run(state, "add", "next")
        assert [id for id, _, _ in todos(state)] == [highest, 1, next]


def test_an_id_is_not_made_again_when_its_todo_was_removed(run, state):
    assert run(state, "add", "a", "add", "b", "remove", "2", "add", "c").status == 0
    assert todos(state) == [(1, "a", False), (3, "c", False)]
    run(state, "remove", "3")
    run(state, "add", "d")
    assert todos(state) == [(1, "a", False), (4, "d", False)]
    for odd in [b"x", b"", b"-7", b"9223372036854775807"]:
        (state / "todos-last-id.json").write_bytes(odd)
        run(state, "add", "e")
        assert [id for id, _, _ in todos(state)] == [1, 4, 5]
        run(state, "remove", "5")


def test_todos_that_have_one_id_are_told_apart(run, state):
    """Includes ids that a page rounds to the same number, and missing ids."""
    ids = [5, 5, 2**53, -(2**63), -1]
    stored = [{"id": id, "title": f"{id}"} for id in ids] + [{"title": "0"}, {"title": "none"}]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    assert run(state, "toggle", "6", "remove", "5").status == 0
    assert [(id, completed) for id, _, completed in todos(state)] == [
        (6, True), (7, False), (8, False), (-1, False), (0, False), (9, False)
    ]


def test_todos_that_were_damaged_are_set_aside(run, state):
    (state / "todos-sharing.json").write_bytes(b'[{"id":1,"title":"milk"')
    result = run(state, "add", "bread")
    assert result.status == 0
    assert "damaged" in result.errors
    assert todos(state) == [(1, "bread", False)]
    assert files(state)["todos-sharing.corrupt.json"] == b'[{"id":1,"title":"milk"'


def test_ten_thousand_todos_are_no_trouble(run, state):
    stored = [{"id": id, "title": f"todo {id}", "completed": id % 2 == 0} for id in range(1, 10_001)]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    result = run(state, "toggle", "5000", "add", "last", "clear-completed")
    assert result.status == 0
    assert len(todos(state)) == 5002
