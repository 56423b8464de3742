"""Two tabs show the same todos, and do not change the text that a user is typing in one of them."""

import pytest
from todos import add, begin_editing, edit, expect_todos, retype, row, stored_ids, stored_todos


@pytest.mark.first
def test_each_follows_what_the_other_does(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")
    other.click(row(1, ".toggle"))
    expect_todos(one, "milk", "tea", completed=[1])
    edit(other, 2, "coffee")
    expect_todos(one, "milk", "coffee", completed=[1])
    one.click(".toggle-all")
    expect_todos(other, "milk", "coffee", completed=[1, 2])
    one.click(row(2, ".toggle"))
    other.expect_text(".todo-count strong", "1")
    other.click(".clear-completed")
    expect_todos(one, "coffee")
    one.value("localStorage.clear()")
    expect_todos(other)
    other.expect_visible(".footer", False)


def test_each_has_a_filter_of_its_own(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")  # a new row would move the link during the click
    other.click(".filters a[href='#/active']")
    one.click(row(1, ".toggle"))
    expect_todos(other, "tea")
    expect_todos(one, "milk", "tea", completed=[1])
    one.click(row(1, ".toggle"))
    expect_todos(other, "milk", "tea")


def expect_typing(page, text):
    page.expect("[document.activeElement.className, document.activeElement.value]", ["edit", text])


def test_a_row_in_which_one_types_is_not_disturbed(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea", "bread")
    expect_todos(other, "milk", "tea", "bread")
    begin_editing(one, 2)
    retype(one, 2, "green tea")
    edit(other, 2, "black tea")
    other.click(row(2, ".toggle"))
    other.click(row(1, ".toggle"))
    other.click(".clear-completed")
    add(other, "salt")
    one.expect_texts(".todo-list label", ["black tea", "bread", "salt"])
    expect_typing(one, "green tea")
    assert stored_todos(other) == [("bread", False), ("salt", False)]


def test_what_is_typed_in_a_row_that_others_have_removed_is_saved(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")
    begin_editing(one, 1)
    retype(one, 1, "oat milk")
    other.hover(row(1))
    other.click(row(1, ".destroy"))
    one.expect_text(".todo-count strong", "1")
    expect_typing(one, "oat milk")
    one.press("Enter")
    expect_todos(one, "tea", "oat milk")
    expect_todos(other, "tea", "oat milk")


@pytest.mark.parametrize("end", ["Enter", "another field"])
def test_what_is_typed_in_a_row_is_never_the_title_of_another_todo(tab, end):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")
    begin_editing(one, 2)
    retype(one, 2, "green tea")
    other.hover(row(2))
    other.click(row(2, ".destroy"))
    add(other, "Call the doctor")
    one.expect_texts(".todo-list label", ["milk", "tea", "Call the doctor"])
    if end == "Enter":
        one.press(end)
    else:
        one.come_to_front()
        one.click(".new-todo")
    for page in (one, other):
        expect_todos(page, "milk", "Call the doctor", "green tea")
    assert len(stored_ids(one)) == 3


def test_a_todo_that_others_have_removed_does_not_come_back_when_nothing_was_typed(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")
    begin_editing(one, 1)
    other.hover(row(1))
    other.click(row(1, ".destroy"))
    one.expect_text(".todo-count strong", "1")
    one.press("Enter")
    for page in (one, other):
        expect_todos(page, "tea")


def test_a_title_that_others_have_changed_stays_when_nothing_was_typed(tab):
    one, other = tab(), tab()
    add(one, "milk")
    expect_todos(other, "milk")
    begin_editing(one, 1)
    edit(other, 1, "oat milk")
    add(other, "tea")
    one.expect("document.querySelectorAll('.todo-list li').length", 2)
    one.press("Enter")
    for page in (one, other):
        expect_todos(page, "oat milk", "tea")


@pytest.mark.first
def test_two_tabs_that_add_at_the_same_moment_make_no_id_twice(tab):
    """Neither tab has received the other's event; both todos have distinct ids."""
    one, other = tab(), tab()
    add(one, "milk")
    expect_todos(other, "milk")
    ids = set(stored_ids(one))
    before = one.stored("todos-sharing")
    for page in (one, other):
        # Simulates that neither has read the other's stored todos.
        page.value("localStorage.setItem('todos-sharing', args[0])", before)
        add(page, "tea")
        ids.add(stored_ids(page)[-1])
        page.reload()
    assert len(ids) == 3


def test_a_row_that_others_have_removed_leaves_when_its_editing_is_cancelled(tab):
    one, other = tab(), tab()
    add(one, "milk", "tea")
    expect_todos(other, "milk", "tea")
    begin_editing(one, 1)
    other.hover(row(1))
    other.click(row(1, ".destroy"))
    one.expect_text(".todo-count strong", "1")
    one.expect_texts(".todo-list label", ["milk", "tea"])
    one.press("Escape")
    expect_todos(one, "tea")


def test_a_row_in_which_one_types_stays_when_the_list_is_emptied(tab):
    one, other = tab(), tab()
    add(one, "milk")
    expect_todos(other, "milk")
    begin_editing(one, 1)
    other.value("localStorage.clear()")
    one.expect_text(".badge", "All done")
    expect_typing(one, "milk")
    one.press("Escape")
    expect_todos(one)
    one.expect_visible(".main", False)


def test_a_title_shows_as_others_have_changed_it_once_the_editing_is_cancelled(tab):
    one, other = tab(), tab()
    add(one, "milk")
    expect_todos(other, "milk")
    begin_editing(one, 1)
    edit(other, 1, "oat milk")
    other.click(row(1, ".toggle"))
    one.expect_text(".badge", "All done")
    one.press("Escape")
    expect_todos(one, "oat milk", completed=[1])
