"""Three releases of one app in tabs of one browser.

Each test checks what a person sees in all tabs after each step. FirstRelease and the others, in
Tests/programs, have the values: the second release has another kind of note, the third one less.
Jobs and the time have other forms in each, the title in the second. The plans have a version
without a migration in the second, the amount another type.
"""

import json
import pathlib
import re

import pytest
from conftest import NOT_STORED, WAITING, expect_details
from own_chromium import OwnChromium
from test_keys import await_program, send, serve

pytestmark = pytest.mark.rule("R32")

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/wasm-debug/wasm32-unknown-none-wasm/debug"
RELEASES = ("First", "Second", "Third")
OUTDATED = "true"
VIEW = """
  (() => {
    const text = (id) => document.getElementById(id)?.textContent ?? "";
    return [JSON.parse(text("value")), text("outdated"), text("saving")];
  })()
"""

REPLACED = """
  new Promise((resolve) => {
    indexedDB.open("sharing").onsuccess = ({ target: { result } }) => {
      const values = result.transaction("values").objectStore("values");
      values.get(`${args[0]}.replaced`).onsuccess = ({ target }) => {
        result.close();
        resolve(target.result?.text);
      };
    };
  })
"""


@pytest.fixture
def app(website):
    """Serves the releases; returns a function that returns the address of one, at a value."""
    serve_releases(website)
    return lambda name, value, store: f"keys.html?program={name}#{store}/{value}"


def serve_releases(website):
    serve(website, **{name: BUILT / f"{name}Release.wasm" for name in RELEASES})


@pytest.fixture
def release(app, open_tab):
    """Returns a function that opens a release in another tab, at a value."""

    def open_release(name, value, store="indexedDB"):
        tab = open_tab(app(name, value, store))
        await_program(tab)
        return tab

    return open_release


def add(tab, element):
    send(tab, "add", json.dumps(element))


def put(tab, value):
    send(tab, "set", json.dumps(value))


def sees(tab, value, outdated=""):
    """Waits until a tab shows a value and one of the messages, and nothing is being saved."""
    tab.expect(VIEW, [value, outdated, ""])


def waits(tab, value):
    """Waits until a tab shows a value with changes that wait for another release."""
    tab.expect(VIEW, [value, OUTDATED, "saving"])
    tab.expect_text("#storage-error", re.compile(re.escape(WAITING)))


def note(number, kind="plain"):
    return {"id": number, "kind": kind}


def first(number, title):
    return {"id": number, "title": title}


def second(number, name):
    return {"id": number, "name": name}


def third(number, label):
    return {"id": number, "label": label}


def waiting(tab):
    """Returns the names of the journals with changes that wait for another release."""
    return tab.value(
        """
        Object.keys(localStorage).filter((key) => (
          key.startsWith("sharing.journal.") && localStorage[key].includes('"waits":true')
        ))
        """
    )


def test_a_case_of_an_enum_is_added(release):
    older = release("First", "notes")
    add(older, note(1))
    sees(older, [note(1)])
    newer = release("Second", "notes")
    sees(newer, [note(1)])
    add(newer, note(2, "starred"))
    sees(newer, [note(1), note(2, "starred")])
    sees(older, [note(1)], OUTDATED)
    add(older, note(3))
    sees(newer, [note(1), note(2, "starred"), note(3)])
    sees(older, [note(1), note(3)], OUTDATED)
    add(newer, note(4))
    sees(newer, [note(1), note(2, "starred"), note(3), note(4)])
    sees(older, [note(1), note(3)], OUTDATED)
    assert waiting(newer) == []
    put(newer, [note(1), note(3), note(4)])  # what is stored is for both again
    sees(older, [note(1), note(3), note(4)])
    add(older, note(5))
    for tab in (older, newer):
        sees(tab, [note(1), note(3), note(4), note(5)])


def test_a_case_of_an_enum_is_removed(release):
    older = release("Second", "notes")
    add(older, note(1, "dated"))
    sees(older, [note(1, "dated")])
    newer = release("Third", "notes")
    sees(newer, [], OUTDATED)
    add(newer, note(2, "starred"))
    sees(older, [note(1, "dated"), note(2, "starred")])
    sees(newer, [note(2, "starred")], OUTDATED)
    put(older, [note(1), note(2, "starred")])
    for tab in (older, newer):
        sees(tab, [note(1), note(2, "starred")])
    add(newer, note(3))
    for tab in (older, newer):
        sees(tab, [note(1), note(2, "starred"), note(3)])


def test_a_field_is_renamed_with_a_migration(release):
    older = release("First", "jobs")
    add(older, first(1, "a"))
    sees(older, [first(1, "a")])
    newer = release("Second", "jobs")
    sees(newer, [second(1, "a")])
    add(older, first(2, "b"))  # nothing of the second version is stored yet
    sees(older, [first(1, "a"), first(2, "b")])
    sees(newer, [second(1, "a"), second(2, "b")])
    add(newer, second(3, "c"))
    sees(newer, [second(1, "a"), second(2, "b"), second(3, "c")])
    sees(older, [first(1, "a"), first(2, "b")], OUTDATED)
    put(older, [first(1, "A"), first(2, "b")])
    sees(newer, [second(1, "A"), second(2, "b"), second(3, "c")])
    sees(older, [first(1, "A"), first(2, "b")], OUTDATED)
    put(newer, [second(1, "A"), second(2, "B"), second(3, "c")])
    add(older, first(4, "d"))
    sees(newer, [second(1, "A"), second(2, "B"), second(3, "c"), second(4, "d")])
    sees(older, [first(1, "A"), first(2, "b"), first(4, "d")], OUTDATED)
    older.close()
    older = release("Second", "jobs")
    sees(older, [second(1, "A"), second(2, "B"), second(3, "c"), second(4, "d")])


def test_a_version_has_no_migration(release, website):
    older = release("First", "plans")
    add(older, first(1, "a"))
    sees(older, [first(1, "a")])
    newer = release("Second", "plans")
    sees(newer, [])
    add(newer, second(2, "b"))
    waits(newer, [second(2, "b")])
    expect_details(website, "version 1")
    sees(older, [first(1, "a")])
    add(older, first(3, "c"))
    sees(older, [first(1, "a"), first(3, "c")])
    waits(newer, [second(2, "b")])
    older.close()
    older = release("First", "plans")  # a roll-back
    sees(older, [first(1, "a"), first(3, "c")])
    add(older, first(4, "d"))
    sees(older, [first(1, "a"), first(3, "c"), first(4, "d")])
    newest = release("Third", "plans")  # with the migration
    every = [second(1, "a"), second(3, "c"), second(4, "d"), second(2, "b")]
    for tab in (newest, newer):
        sees(tab, every)
    sees(older, [first(1, "a"), first(3, "c"), first(4, "d")], OUTDATED)
    add(older, first(5, "e"))
    for tab in (newest, newer):
        sees(tab, [*every, second(5, "e")])
    sees(older, [first(1, "a"), first(3, "c"), first(4, "d"), first(5, "e")], OUTDATED)
    assert waiting(newest) == []


def test_a_type_is_changed_without_a_version(release):
    older = release("First", "amount")
    add(older, 3)
    sees(older, 3)
    newer = release("Second", "amount")
    sees(newer, "", OUTDATED)
    put(newer, "four")
    waits(newer, "four")
    sees(older, 3)
    add(older, 2)
    sees(older, 5)
    waits(newer, "four")
    newer.close()
    newer = release("Second", "amount")
    waits(newer, "four")
    for number in (6, 7):
        add(older, 1)
        sees(older, number)
    older.reload()
    await_program(older)
    sees(older, 7)
    add(older, 1)
    sees(older, 8)
    waits(newer, "four")


def test_a_release_is_rolled_back_and_delivered_again(release):
    tab = release("First", "notes")
    add(tab, note(1))
    sees(tab, [note(1)])
    tab.close()
    tab = release("Second", "notes")
    sees(tab, [note(1)])
    add(tab, note(2, "starred"))
    sees(tab, [note(1), note(2, "starred")])
    tab.close()
    tab = release("First", "notes")
    sees(tab, [], OUTDATED)  # the newer release has written this browser's copy
    add(tab, note(3))
    waits(tab, [note(3)])
    tab.reload()
    await_program(tab)
    waits(tab, [note(3)])
    add(tab, note(4))
    waits(tab, [note(3), note(4)])
    tab.close()
    tab = release("Second", "notes")
    sees(tab, [note(1), note(2, "starred"), note(3), note(4)])
    assert waiting(tab) == []
    tab.reload()
    await_program(tab)
    sees(tab, [note(1), note(2, "starred"), note(3), note(4)])


def test_a_roll_back_in_a_browser_that_has_never_run_it_begins_with_the_default(release):
    newer = release("Second", "jobs")
    add(newer, second(1, "a"))
    sees(newer, [second(1, "a")])
    newer.close()
    older = release("First", "jobs")
    sees(older, [], OUTDATED)
    add(older, first(2, "b"))
    waits(older, [first(2, "b")])
    older.close()
    newer = release("Second", "jobs")
    sees(newer, [second(1, "a"), second(2, "b")])


def test_three_releases_are_open_at_once(release):
    one = release("First", "jobs")
    two = release("Second", "jobs")
    three = release("Third", "jobs")
    add(one, first(1, "a"))
    sees(one, [first(1, "a")])
    sees(two, [second(1, "a")])
    sees(three, [third(1, "a")])
    add(two, second(2, "b"))
    sees(one, [first(1, "a")], OUTDATED)
    sees(two, [second(1, "a"), second(2, "b")])
    sees(three, [third(1, "a"), third(2, "b")])
    add(three, third(3, "c"))
    sees(one, [first(1, "a")], OUTDATED)
    sees(two, [second(1, "a"), second(2, "b")], OUTDATED)
    sees(three, [third(1, "a"), third(2, "b"), third(3, "c")])
    add(one, first(4, "d"))
    sees(three, [third(1, "a"), third(2, "b"), third(3, "c"), third(4, "d")])
    add(two, second(5, "e"))
    sees(one, [first(1, "a"), first(4, "d")], OUTDATED)
    sees(two, [second(1, "a"), second(2, "b"), second(5, "e")], OUTDATED)
    sees(three, [third(1, "a"), third(2, "b"), third(3, "c"), third(4, "d"), third(5, "e")])
    three.close()
    put(one, [first(1, "A"), first(4, "d")])
    put(two, [second(1, "a"), second(2, "b"), second(5, "E")])
    waits(one, [first(1, "A"), first(4, "d")])
    waits(two, [second(1, "a"), second(2, "b"), second(5, "E")])
    three = release("Third", "jobs")
    sees(three, [third(1, "A"), third(2, "b"), third(3, "c"), third(4, "d"), third(5, "E")])
    sees(one, [first(1, "A"), first(4, "d")], OUTDATED)
    sees(two, [second(1, "a"), second(2, "b"), second(5, "E")], OUTDATED)
    assert waiting(three) == []


def test_a_number_adds_over_three_forms(release):
    one, two = release("First", "time"), release("Second", "time")
    add(one, 1)
    sees(one, 1)
    sees(two, 10)
    add(two, 1)
    sees(one, 1, OUTDATED)
    sees(two, 11)
    add(one, 2)
    sees(one, 3, OUTDATED)
    sees(two, 31)
    three = release("Third", "time")
    sees(three, 310)
    add(three, 1)
    sees(one, 3, OUTDATED)
    sees(two, 31, OUTDATED)
    sees(three, 311)
    for tab in (one, two):
        add(tab, 1)
    sees(one, 4, OUTDATED)
    sees(two, 32, OUTDATED)
    sees(three, 421)


def test_a_text_of_an_older_release_that_gives_way_can_be_taken_back(release):
    older, newer = release("First", "title"), release("Second", "title")
    put(older, "a")
    sees(older, "a")
    sees(newer, "# a")
    put(newer, "# b")
    sees(newer, "# b")
    sees(older, "a", OUTDATED)
    put(older, "c")
    sees(newer, "# c")
    sees(older, "c", OUTDATED)
    newer.expect(REPLACED, re.compile("# b"), "title")


def test_an_older_tab_that_is_closed_at_once_loses_nothing(release):
    older, newer = release("First", "notes"), release("Second", "notes")
    add(newer, note(1, "starred"))
    sees(newer, [note(1, "starred")])
    sees(older, [], OUTDATED)
    newer.close()
    add(older, note(2))
    older.close()
    newer = release("Second", "notes")
    sees(newer, [note(1, "starred"), note(2)])
    older = release("First", "notes")
    add(older, note(3))
    older.close()
    newer.reload()  # a running tab learns of a change that waits from the tab that made it
    await_program(newer)
    sees(newer, [note(1, "starred"), note(2), note(3)])


@pytest.mark.needs("processes")
def test_a_tab_that_is_killed_loses_nothing(app, browser, website, tmp_path):
    chromium = OwnChromium(browser.playwright, tmp_path)

    def release(name):
        tab = chromium.open(website.address + app(name, "notes", "indexedDB"))
        await_program(tab)
        return tab

    try:
        newer = release("Second")
        add(newer, note(1, "starred"))
        sees(newer, [note(1, "starred")])
        older = release("First")
        sees(older, [], OUTDATED)
        add(older, note(2))
        chromium.kill_pages()  # before or after the newer tab has stored the change
        newer = release("Second")
        sees(newer, [note(1, "starred"), note(2)])
        chromium.kill_pages()
        older = release("First")
        sees(older, [], OUTDATED)
        add(older, note(4))
        chromium.kill_pages()
        newer = release("Second")
        sees(newer, [note(1, "starred"), note(2), note(4)])
    finally:
        chromium.kill()


def test_both_releases_go_on_without_the_network(release, website):
    older, newer = release("First", "notes"), release("Second", "notes")
    website.close()
    add(newer, note(1, "starred"))
    sees(newer, [note(1, "starred")])
    sees(older, [], OUTDATED)
    add(older, note(2))
    sees(newer, [note(1, "starred"), note(2)])
    sees(older, [note(2)], OUTDATED)


# MARK: localStorage

CHANGES = {
    "a case": ("notes", [note(1)], [note(1), note(2, "starred")], [note(1), note(3)]),
    "a field": ("jobs", [first(1, "a")], [second(1, "b")], [first(1, "c")]),
    "a number": ("time", 1, 12, 3),
    "a text": ("title", "a", "# b", "c"),
    "a type": ("amount", 1, "one", 2),
}


@pytest.mark.parametrize("value, stored, newest, change", CHANGES.values(), ids=CHANGES)
def test_local_storage_refuses_what_an_older_tab_changes_and_says_so(
    release, value, stored, newest, change
):
    older = release("First", value, "localStorage")
    put(older, stored)
    sees(older, stored)
    if value == "amount":
        older.value("localStorage.clear()")  # no release reads both
    newer = release("Second", value, "localStorage")
    put(newer, newest)
    sees(newer, newest)
    text = newer.stored(value)
    sees(older, stored, OUTDATED)
    put(older, change)
    sees(older, change, OUTDATED)
    older.expect_text("#storage-error", NOT_STORED)
    sees(newer, newest)
    older.close()
    newer.reload()
    await_program(newer)
    sees(newer, newest)
    assert newer.stored(value) == text
