"""Two releases of an app in tabs of one browser. The older cannot read what the newer adds."""

import re

import pytest
from test_keys import keys, send  # noqa: F401, the fixture

pytestmark = pytest.mark.rule("R32")

KEPT = re.compile("kept in this browser")


@pytest.fixture
def release(keys):  # noqa: F811
    def open_release(name, *, shown):
        tab = keys()
        send(tab, f"{name} release")
        tab.expect_text("#release", shown)
        return tab

    return open_release


def add(tab, number, *, shown):
    send(tab, "note", str(number))
    tab.expect_text("#release", shown)


def expect_stored(tab, *, shown):
    tab.expect_text("#release", shown)
    tab.expect_text("#release-saving", "")


def test_a_newer_tab_stores_what_an_older_one_adds(release):
    older = release("older", shown="")
    add(older, 1, shown="1")
    expect_stored(older, shown="1")
    newer = release("newer", shown="1")
    add(newer, 2, shown="1, 2")
    older.expect_text("#release-problem", re.compile("another release"))
    older.expect_text("#release", "1")
    add(older, 3, shown="1, 3")
    expect_stored(newer, shown="1, 2, 3")
    expect_stored(older, shown="1, 3")


def test_what_an_older_tab_adds_waits_for_the_next_newer_one(release):
    older = release("older", shown="")
    add(older, 1, shown="1")
    expect_stored(older, shown="1")
    newer = release("newer", shown="1")
    add(newer, 2, shown="1, 2")
    expect_stored(newer, shown="1, 2")
    newer.close()
    add(older, 3, shown="1, 3")
    older.expect_text("#release-problem", KEPT)
    older.close()
    older = release("older", shown="1, 3")
    add(older, 4, shown="1, 3, 4")
    older.expect_text("#release-problem", KEPT)
    newer = release("newer", shown="1, 2, 3, 4")
    expect_stored(newer, shown="1, 2, 3, 4")
    expect_stored(older, shown="1, 3, 4")
    assert newer.value("Object.keys(localStorage).filter((key) => key.includes('~'))") == []


def test_a_tab_that_is_closed_at_once_loses_nothing(release):
    older = release("older", shown="")
    newer = release("newer", shown="")
    add(newer, 2, shown="2")
    older.expect_text("#release-problem", re.compile("another release"))
    newer.close()
    older.value("send('note', '3')")
    older.close()
    expect_stored(release("newer", shown="2, 3"), shown="2, 3")
