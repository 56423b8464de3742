"""The todos, following the TodoMVC application specification."""

import json

import pytest
from conftest import await_start
from todos import (
    add,
    begin_editing,
    edit,
    expect_todos,
    retype,
    row,
    store,
    stored_ids,
    stored_todos,
    ulid,
)


def test_without_todos_the_list_and_the_footer_are_hidden(tab):
    page = tab()
    assert page.text("h1") == "todos"
    page.expect_visible(".main", False)
    page.expect_visible(".footer", False)
    assert page.stored("todos-sharing") is None, "a default is not written"
    add(page, "Buy milk")
    page.expect_visible(".main")
    page.expect_visible(".footer")
    page.hover(row(1))
    page.click(row(1, ".destroy"))
    page.expect_visible(".main", False)
    page.expect_visible(".footer", False)


def test_the_page_begins_in_the_field_for_a_new_todo(tab):
    page = tab()
    page.expect("document.activeElement.className", "new-todo")


@pytest.mark.first
def test_a_todo_is_appended_trimmed_and_the_field_cleared(tab):
    page = tab()
    add(page, "Buy milk", "  Eat more  ")
    expect_todos(page, "Buy milk", "Eat more")
    page.expect("document.querySelector('.new-todo').value", "")
    page.expect("document.activeElement.className", "new-todo")
    assert stored_todos(page) == [("Buy milk", False), ("Eat more", False)]


def test_a_blank_todo_is_not_added(tab):
    page = tab()
    add(page, "", "   ")
    page.press("Escape")
    page.expect_texts(".todo-list li", [])
    assert page.stored("todos-sharing") is None


@pytest.mark.parametrize("title", ["<img src=x onerror=alert(1)>", "&amp; <b>", "Käse ☕ 🧀", '"\\'])
def test_a_title_is_text_and_nothing_else(tab, title):
    page = tab()
    add(page, title)
    expect_todos(page, title)
    page.expect("document.querySelectorAll('.todo-list img, .todo-list b').length", 0)
    page.reload()
    await_start(page)
    expect_todos(page, title)


@pytest.mark.first
def test_a_todo_is_completed_and_opened_again(tab):
    page = tab()
    add(page, "one", "two")
    page.click(row(2, ".toggle"))
    expect_todos(page, "one", "two", completed=[2])
    assert stored_todos(page)[1] == ("two", True)
    page.click(row(2, ".toggle"))
    expect_todos(page, "one", "two")


@pytest.mark.first
def test_a_todo_is_removed_by_its_button_which_shows_on_hover(tab):
    page = tab()
    add(page, "one", "two", "three")
    opacity = "getComputedStyle(document.querySelector(args[0])).opacity"
    page.hover("h1")
    # Without a hovering pointer, as on a phone, it is always visible.
    page.expect(opacity, "1" if page.value("matchMedia('(hover: none)').matches") else "0",
                row(2, ".destroy"))
    page.hover(row(2))
    page.expect(opacity, "1", row(2, ".destroy"))
    page.click(row(2, ".destroy"))
    expect_todos(page, "one", "three")


@pytest.mark.first
def test_what_is_left_is_counted_in_words(tab):
    page = tab()
    add(page, "one")
    page.expect("document.querySelector('.todo-count').innerText", "1 item left")
    add(page, "two")
    page.expect("document.querySelector('.todo-count').innerText", "2 items left")
    page.click(".toggle-all")
    page.expect("document.querySelector('.todo-count').innerText", "0 items left")
    assert page.text(".todo-count strong") == "0"


def test_all_are_completed_at_once_and_the_box_knows(tab):
    page = tab()
    checked = "document.querySelector('.toggle-all').checked"
    add(page, "one", "two", "three")
    page.click(row(1, ".toggle"))
    page.click(".toggle-all")
    expect_todos(page, "one", "two", "three", completed=[1, 2, 3])
    page.expect(checked, True)
    page.click(row(2, ".toggle"))
    page.expect(checked, False)
    page.click(row(2, ".toggle"))
    page.expect(checked, True)
    page.click(".toggle-all")
    expect_todos(page, "one", "two", "three")
    page.expect(checked, False)
    page.click(".toggle-all")
    page.click(".clear-completed")
    add(page, "four")
    page.expect(checked, False)


@pytest.mark.first
def test_completed_todos_are_cleared_and_the_button_comes_and_goes(tab):
    page = tab()
    add(page, "one", "two", "three")
    page.expect_visible(".clear-completed", False)
    page.click(row(2, ".toggle"))
    page.expect_text(".clear-completed", "Clear completed")
    page.expect_visible(".clear-completed")
    page.click(".clear-completed")
    expect_todos(page, "one", "three")
    page.expect_visible(".clear-completed", False)


def test_to_edit_hides_the_rest_of_the_row_and_takes_the_focus(tab):
    page = tab()
    add(page, "one", "two")
    begin_editing(page, 2)
    page.expect_visible(row(2, ".view"), False)
    page.expect_visible(row(2, ".edit"))
    page.expect("document.querySelectorAll('.editing').length", 1)
    page.expect("document.activeElement.value", "two")


@pytest.mark.first
def test_enter_saves_the_trimmed_title(tab):
    page = tab()
    add(page, "one", "two")
    edit(page, 2, "  two and a half ")
    expect_todos(page, "one", "two and a half")
    page.expect("document.querySelectorAll('.editing').length", 0)
    assert stored_todos(page)[1] == ("two and a half", False)


def test_leaving_the_field_saves_too(tab):
    page = tab()
    add(page, "one", "two")
    begin_editing(page, 1)
    retype(page, 1, "eins")
    page.click(".new-todo")
    expect_todos(page, "eins", "two")
    page.expect("document.querySelectorAll('.editing').length", 0)
    page.expect("document.activeElement.className", "new-todo")


@pytest.mark.first
def test_escape_leaves_the_title_as_it_was(tab):
    page = tab()
    add(page, "one")
    edit(page, 1, "other", key="Escape")
    expect_todos(page, "one")
    begin_editing(page, 1)
    page.expect("document.activeElement.value", "one")
    page.press("Escape")
    assert stored_todos(page) == [("one", False)]


def test_an_empty_title_removes_the_todo(tab):
    page = tab()
    add(page, "one", "two")
    edit(page, 1, "   ")
    expect_todos(page, "two")
    assert stored_todos(page) == [("two", False)]


def test_a_todo_is_edited_by_keyboard_alone(tab):
    page = tab()
    add(page, "one")
    page.focus(row(1, ".toggle"))
    page.press("Space")
    expect_todos(page, "one", completed=[1])
    page.press("Enter")
    page.expect("document.activeElement.className", "edit")
    page.press("Escape")
    page.expect("document.activeElement.className", "toggle")
    page.press("Enter")
    page.press("!")
    page.press("Enter")
    page.expect("document.activeElement.className", "toggle")
    page.expect("document.querySelector('.todo-list label').textContent.includes('!')", True)


@pytest.mark.first
def test_todos_are_kept_over_a_reload_and_the_editing_is_not(tab):
    page = tab()
    add(page, "one", "two")
    page.click(row(1, ".toggle"))
    begin_editing(page, 2)
    page.reload()
    await_start(page)
    expect_todos(page, "one", "two", completed=[1])
    page.expect("document.querySelectorAll('.editing').length", 0)


def filters(page):
    return page.texts(".filters .selected")


@pytest.mark.first
def test_the_address_says_which_todos_are_shown(tab):
    page = tab()
    add(page, "one", "two", "three")
    page.click(row(2, ".toggle"))
    assert page.texts(".filters a") == ["All", "Active", "Completed"]
    assert filters(page) == ["All"]
    for name, address, titles, completed in [
        ("active", "#/active", ["one", "three"], []),
        ("completed", "#/completed", ["two"], [1]),
        ("", "#/", ["one", "two", "three"], [2]),
    ]:
        page.click(f".filters a[href='#/{name}']")
        expect_todos(page, *titles, completed=completed)
        assert page.value("location.hash") == address
        assert filters(page) == [name.capitalize() or "All"]
        assert page.value("document.querySelector('.filters .selected').ariaCurrent") == "true"
    page.value("history.back()")
    expect_todos(page, "two", completed=[1])
    page.value("history.back()")
    expect_todos(page, "one", "three")


def test_the_filter_is_kept_over_a_reload(tab):
    page = tab()
    add(page, "one", "two")
    page.click(row(2, ".toggle"))
    page.click(".filters a[href='#/completed']")
    page.reload()
    await_start(page)
    expect_todos(page, "two", completed=[1])
    assert filters(page) == ["Completed"]


def test_an_address_that_nobody_knows_shows_all(tab):
    page = tab()
    add(page, "one")
    page.value("location.hash = '#/nonsense'")
    page.expect("location.hash", "#/nonsense")
    expect_todos(page, "one")


def test_a_todo_that_the_filter_does_not_accept_any_more_leaves(tab):
    page = tab()
    add(page, "one", "two")
    page.click(".filters a[href='#/active']")
    expect_todos(page, "one", "two")
    page.click(row(1, ".toggle"))
    expect_todos(page, "two")
    add(page, "three")
    expect_todos(page, "two", "three")
    page.click(".filters a[href='#/completed']")
    expect_todos(page, "one", completed=[1])
    add(page, "four")
    page.click(row(1, ".toggle"))
    expect_todos(page)
    page.click(".filters a[href='#/']")
    expect_todos(page, "one", "two", "three", "four")


# Records the rows that change from now on.
TOUCHED = """(() => {
  const touched = globalThis.touched = new Set();
  const list = document.querySelector(".todo-list");
  new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      const rows = target === list ? [...addedNodes, ...removedNodes] : [target];
      for (const row of rows) {
        const element = row.nodeType === 1 ? row : row.parentElement;
        touched.add(element.closest("li").querySelector("label").textContent);
      }
    }
  }).observe(list, { attributes: true, characterData: true, childList: true, subtree: true });
})()"""


def test_a_change_touches_no_other_row(tab):
    page, other = tab(), tab()
    add(page, "one", "two", "three", "four")
    expect_todos(other, "one", "two", "three", "four")
    for each in (page, other):
        each.value(TOUCHED)
    page.click(row(2, ".toggle"))
    page.hover(row(4))
    page.click(row(4, ".destroy"))
    for each in (page, other):
        expect_todos(each, "one", "two", "three", completed=[2])
        assert sorted(each.value("[...touched]")) == ["four", "two"]


# Returns whether the dot in the badge has the colour of the progress.
DOT = """(() => {
  const dot = document.querySelector(".dot"), sample = document.createElement("p");
  sample.style.background = "var(--good)";
  dot.style.transition = "none";
  document.body.append(sample);
  const [own, good] = [dot, sample].map((one) => getComputedStyle(one).backgroundColor);
  sample.remove();
  return own === good;
})()"""


def test_the_progress_beside_the_list_follows(tab):
    page = tab()
    page.expect_text(".badge", "All done")
    page.expect(DOT, True)
    page.expect_text(".done", "")
    add(page, "one", "two", "three", "four")
    page.click(row(2, ".toggle"))
    page.expect_text(".badge", "3 to do")
    page.expect(DOT, False)
    page.expect_text(".done", "1 of 4 done")
    page.expect("document.querySelector('.ring').getAttribute('stroke-dasharray')", "25 100")
    page.click(".toggle-all")
    page.expect_text(".badge", "All done")
    page.expect(DOT, True)


def test_a_box_is_checked_when_its_todo_is_completed_whatever_was_stored_unheard(tab):
    page, other = tab(), tab()
    add(page, "one")
    [id] = stored_ids(page)
    store(page, {"id": id, "title": "one", "completed": True})
    page.click(row(1, ".toggle"))
    for each in (page, other):
        expect_todos(each, "one")
    assert stored_todos(page) == [("one", False)]
    page.click(row(1, ".toggle"))
    for each in (page, other):
        expect_todos(each, "one", completed=[1])


def test_what_was_stored_unheard_is_marked_with_all_and_the_box_for_all_shows_it(tab):
    page = tab()
    add(page, "one")
    store(page, {"id": ulid(2), "title": "two"})
    page.click(".toggle-all")
    expect_todos(page, "two", completed=[1])
    page.expect("document.querySelector('.toggle-all').checked", True)


def test_a_key_that_is_held_down_is_pressed_once(tab):
    page = tab()
    add(page, "one")
    page.focus(row(1, ".toggle"))
    press = """document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, repeat: args[0] }))"""
    page.value(press, False)
    for _ in range(3):
        page.expect("document.activeElement.className", "edit")
        page.value(press, True)
    page.expect("document.activeElement.className", "edit")


@pytest.mark.parametrize("is_there_at_first", [True, False])
def test_todos_without_ids_get_some(tab, is_there_at_first):
    page, other = tab(), tab()
    store(other, {"title": "one"}, {"title": "two"}, {"id": ulid(3), "title": "three"})
    if is_there_at_first:
        page.reload()
        await_start(page)
    expect_todos(page, "one", "two", "three")
    page.click(row(2, ".toggle"))
    for each in (page, other):
        expect_todos(each, "one", "two", "three", completed=[2])
    edit(page, 1, "eins")
    expect_todos(other, "eins", "two", "three", completed=[2])
    ids = stored_ids(page)
    assert ids[2] == ulid(3)
    other.hover(row(2))
    other.click(row(2, ".destroy"))
    edit(other, 1, "uno")
    for each in (page, other):
        expect_todos(each, "uno", "three")
    assert stored_ids(page) == [ids[0], ids[2]]


def test_of_todos_with_one_id_the_first_is_shown(tab, problems):
    page, other = tab(), tab()
    store(other, *[{"id": ulid(5), "title": title} for title in ["one", "two"]],
          {"id": ulid(6), "title": "three"})
    expect_todos(page, "one", "three")
    page.click(row(1, ".toggle"))
    page.click(row(2, ".toggle"))
    expect_todos(page, "one", "three", completed=[1, 2])
    page.click(row(1, ".toggle"))
    page.click(".clear-completed")
    expect_todos(page, "one")
    page.hover(row(1))
    page.click(row(1, ".destroy"))
    expect_todos(page, "two")
    assert stored_ids(page) == [ulid(5)]
    # Each tab reports the id, once.
    told = [problem for problem in problems if ulid(5) in problem]
    assert told and len(told) <= 2
    problems[:] = [problem for problem in problems if problem not in told]


@pytest.mark.parametrize("id", [5, "5", None, "", "01ARZ3NDEKTSV4RRFFQ69G5FAU"])
def test_a_list_with_an_id_of_another_kind_is_not_overwritten(tab, id):
    page, other = tab(), tab()
    store(other, {"id": id, "title": "one"})
    page.expect("document.querySelector('[data-text=storage-error]').textContent !== ''", True)
    before = page.stored("todos-sharing")
    add(page, "two")
    expect_todos(page, "two")
    assert page.stored("todos-sharing") == before


@pytest.mark.parametrize("way", ["form", "row"])
def test_half_a_character_is_stored_as_browsers_send_it(tab, way):
    """As U+FFFD, which a field shows in its place, too."""
    page = tab()
    add(page, "one")
    if way == "row":
        begin_editing(page, 1)
    field = row(1, ".edit") if way == "row" else ".new-todo"
    # Drivers do not type half a character.
    page.value("document.querySelector(args[0]).value = JSON.parse(args[1])", field,
               json.dumps("half \ud83d"))
    page.focus(field)
    page.press("Enter")
    expect_todos(page, *["one"][: way == "form"], "half \ufffd")
