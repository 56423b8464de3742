"""The todos on a command line, under wasmtime and built for this machine. An id is typed by its
last characters."""

import json
import re

import pytest
from conftest import files

ULID = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")


def todos(folder):
    """Returns the stored (id, title, completed) of each todo. Unchanged todos of other programs may
    still lack members."""
    stored = json.loads(files(folder)["todos-sharing.json"])
    return [(todo["id"], todo.get("title", ""), todo.get("completed", False)) for todo in stored]


def titles(folder):
    """Returns the stored (title, completed) of each todo, whose ids must be distinct ULIDs."""
    stored = todos(folder)
    ids = [id for id, *_ in stored]
    assert len(set(ids)) == len(ids) and all(map(ULID.fullmatch, ids)), ids
    return [rest for _, *rest in stored]


def ulid(number):
    """Returns an id of another program, with the end `000N`."""
    return f"{number:026}"


def put(folder, *titles, completed=()):
    """Stores todos with the ids 1, 2, 3 …, of which those with some numbers are completed."""
    stored = [
        {"id": ulid(number), "title": title, "completed": number in completed}
        for number, title in enumerate(titles, 1)
    ]
    (folder / "todos-sharing.json").write_text(json.dumps(stored))


def test_todos_are_added_toggled_edited_and_removed(run, state):
    result = run(state, "add", "Buy milk", "add", "  Eat  ")
    milk, eat = [id[-4:] for id, *_ in todos(state)]
    assert (result.status, result.errors) == (0, "")
    assert result.shown == [
        "count: 0",
        f"todos: {milk} [ ] Buy milk",
        "left: 1",
        "progress: 0 of 1 done",
        f"todos: {eat} [ ] Eat",
        "left: 2",
        "progress: 0 of 2 done",
    ]
    result = run(state, "toggle", milk, "edit", eat, "Eat more")
    assert (result.status, result.errors) == (0, "")
    assert result.shown[5:] == [
        f"todos: {milk} [x] Buy milk",
        "left: 1",
        "progress: 1 of 2 done",
        f"todos: {eat} [ ] Eat more",
    ]
    assert titles(state) == [["Buy milk", True], ["Eat more", False]]
    result = run(state, "remove", milk)
    assert result.shown[-2:] == [f"todos: {milk} removed", "progress: 0 of 1 done"]
    assert titles(state) == [["Eat more", False]]


def test_what_is_stored_is_shown_before_anything_is_done(run, state):
    put(state, "one", "two", completed=[2])
    assert run(state, "show").shown == [
        "count: 0",
        "todos: 0001 [ ] one",
        "todos: 0002 [x] two",
        "left: 1",
        "progress: 1 of 2 done",
    ]


def test_an_id_is_shown_and_typed_by_an_end_that_no_other_has(run, state):
    ids = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69GAFAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW"]
    stored = [{"id": id, "title": "t"} for id in ids]
    stored += [{"id": "71ARZ3NDEKTSV4RRFFQ69G5FAW", "title": "t"}]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    assert [line.split()[1] for line in run(state, "show").shown[1:5]] == [
        "5FAV", "AFAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW", "71ARZ3NDEKTSV4RRFFQ69G5FAW"
    ]
    assert run(state, "toggle", "5fav", "toggle", "AFAV", "toggle", ids[2]).status == 0
    assert [completed for *_, completed in todos(state)] == [True, True, True, False]
    result = run(state, "increment", "toggle", "FAV")
    assert result.status == 1
    message = 'Several ids end with "FAV".'
    assert result.errors == f"{message} 1 action before it was done.\n"


def test_all_are_toggled_and_the_completed_cleared(run, state):
    put(state, "one", "two")
    run(state, "toggle", "2", "toggle-all")
    assert [completed for _, _, completed in todos(state)] == [True, True]
    run(state, "toggle-all", "toggle", "1")
    assert [completed for _, _, completed in todos(state)] == [True, False]
    assert "todos: 0001 removed" in run(state, "clear-completed").shown
    assert todos(state) == [(ulid(2), "two", False)]


def test_to_toggle_all_of_no_todos_stores_nothing(run, state):
    assert run(state, "toggle-all").status == 0
    assert files(state) == {}


def test_an_empty_title_removes_a_todo(run, state):
    put(state, "one", "two")
    assert "todos: 0001 removed" in run(state, "edit", "1", " \t").shown
    assert todos(state) == [(ulid(2), "two", False)]


def test_to_add_wakes_nothing_else(run, state):
    put(state, "one")
    shown = run(state, "add", "two").shown[4:]
    assert shown == [
        f"todos: {todos(state)[1][0][-4:]} [ ] two",
        "left: 2",
        "progress: 0 of 2 done",
    ]


@pytest.mark.parametrize("id", ["4", "-1", "x", "", "1.5", "1 ", f"0{ulid(1)}"])
@pytest.mark.parametrize("action", [["toggle"], ["remove"], ["edit", "title"]])
def test_an_unknown_id_ends_the_command_after_the_actions_before_it(run, state, action, id):
    put(state, "one", "two")
    name, *title = action
    result = run(state, "increment", "toggle", "2", "increment", name, id, *title, "increment")
    assert result.status == 1
    assert result.errors == f'No id ends with "{id}". 3 actions before it were done.\n'
    assert files(state)["count.json"] == b"2"
    assert titles(state) == [["one", False], ["two", True]]


def test_a_todo_that_an_earlier_action_has_removed_is_unknown(run, state):
    put(state, "one", completed=[1])
    result = run(state, "clear-completed", "toggle", "1")
    assert result.status == 1
    assert result.errors == 'No id ends with "1". 1 action before it was done.\n'
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
    put(state, "one")
    before = files(state)
    result = run(state, *words)
    assert (result.status, result.shown[0]) == (2, "count: 0")
    assert "todos: 0001 [ ] one" == result.shown[1] and len(result.shown) == 4
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
    assert titles(state) == [[f"a{SPACES}b\u00a0", False]]


def test_a_title_cannot_move_the_cursor_of_a_terminal(run, state):
    run(state, "add", "a\x1b[2Jb\nc\x7f")
    assert run(state, "show").shown[1] == f"todos: {todos(state)[0][0][-4:]} [ ] a [2Jb c "
    assert titles(state) == [["a\x1b[2Jb\nc\x7f", False]]


def test_ids_are_sorted_in_the_order_of_their_making(run, state):
    for title in ["a", "b"]:
        run(state, *["add", title] * 20)
    ids = [id for id, *_ in todos(state)]
    assert len(titles(state)) == 40 and ids == sorted(ids)


def test_todos_without_ids_get_some(run, state):
    stored = [{"title": "one"}, {"title": "two"}, {"id": ulid(3), "title": "three"}]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    assert run(state, "toggle-all").status == 0
    assert titles(state) == [["one", True], ["two", True], ["three", True]]
    assert todos(state)[2][0] == ulid(3)


def test_of_todos_with_one_id_the_first_is_changed(run, state):
    stored = [{"id": ulid(5), "title": "one"}, {"id": ulid(5), "title": "two"}]
    (state / "todos-sharing.json").write_text(json.dumps(stored))
    assert run(state, "toggle", "5").status == 0
    assert todos(state) == [(ulid(5), "one", True), (ulid(5), "two", False)]
    assert run(state, "remove", "5").status == 0
    assert todos(state) == [(ulid(5), "two", False)]


@pytest.mark.parametrize("id", [5, "5", ulid(5) + "0", "01ARZ3NDEKTSV4RRFFQ69G5FAU"])
def test_a_list_with_an_id_of_another_kind_is_not_overwritten(run, state, id):
    before = json.dumps([{"id": id, "title": "one"}])
    (state / "todos-sharing.json").write_text(before)
    result = run(state, "add", "two")
    assert result.status == 1
    assert "[0].id" in result.errors
    assert files(state)["todos-sharing.json"].decode() == before


def test_todos_that_were_damaged_are_set_aside(run, state):
    (state / "todos-sharing.json").write_bytes(b'[{"id":1,"title":"milk"')
    result = run(state, "add", "bread")
    assert result.status == 0
    assert "damaged" in result.errors
    assert titles(state) == [["bread", False]]
    assert files(state)["todos-sharing.corrupt.json"] == b'[{"id":1,"title":"milk"'


def test_ten_thousand_todos_are_no_trouble(run, state):
    numbers = range(1, 10_001)
    put(state, *[f"todo {number}" for number in numbers], completed=numbers[1::2])
    result = run(state, "toggle", "5000", "add", "last", "clear-completed")
    assert result.status == 0
    assert len(todos(state)) == 5002
