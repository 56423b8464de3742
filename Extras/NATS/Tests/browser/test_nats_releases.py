"""Two releases of an app in browsers that share values over a NATS server.

An older release's changes wait in its own browser until that loads the newer program.
"""

import contextlib

import pytest
from nats_visitors import servers, unexpected  # noqa: F401
from test_keys import PAGES, await_program
from test_nats_reader import SCRIPT
from test_releases import OUTDATED, add, first, note, put, second, sees, serve_releases, waits

pytestmark = pytest.mark.rule("R32")


@pytest.fixture
def visitor(browser, website, servers, problems):  # noqa: F811
    """Yields a function that creates a profile and returns a function to open a release there, at a
    value."""
    serve_releases(website)
    website.answer("releases.html", (PAGES / "keys.html").read_text().replace("keys.js", SCRIPT))
    with contextlib.ExitStack() as profiles:

        def visitor():
            own = profiles.enter_context(browser.profile())
            new_tab = profiles.enter_context(own.tabs(website))

            def open_release(name, value):
                tab = new_tab()
                tab.patience = 120  # a commit that fails several times is retried after up to 30 s
                words = f"nats={servers.websocket[0]}&user=visitor&program={name}#world/{value}"
                tab.goto(f"{website.address}releases.html?{words}")
                await_program(tab)
                return tab

            return open_release

        yield visitor
    assert unexpected(problems, servers) == [], f"in {browser.name}"


def test_what_an_older_browser_adds_waits_there_for_the_newer_program(visitor):
    one, other = visitor(), visitor()
    older, newer = one("First", "notes"), other("Second", "notes")
    add(older, note(1))
    sees(older, [note(1)])
    sees(newer, [note(1)])
    add(newer, note(2, "starred"))
    sees(newer, [note(1), note(2, "starred")])
    sees(older, [note(1)], OUTDATED)
    add(older, note(3))
    waits(older, [note(1), note(3)])
    add(newer, note(4))
    sees(newer, [note(1), note(2, "starred"), note(4)])
    waits(older, [note(1), note(3)])
    older.close()
    older = one("First", "notes")
    waits(older, [note(1), note(3)])
    add(older, note(5))
    waits(older, [note(1), note(3), note(5)])
    older.close()
    updated = one("Second", "notes")
    every = [note(1), note(2, "starred"), note(4), note(3), note(5)]
    for tab in (updated, newer):
        sees(tab, every)
    add(updated, note(6, "starred"))
    for tab in (updated, newer):
        sees(tab, [*every, note(6, "starred")])


def test_a_newer_tab_of_the_same_browser_stores_what_an_older_one_changes(visitor):
    one, other = visitor(), visitor()
    older, newer, far = one("First", "jobs"), one("Second", "jobs"), other("Second", "jobs")
    add(older, first(1, "a"))
    sees(older, [first(1, "a")])
    add(far, second(2, "b"))
    sees(far, [second(1, "a"), second(2, "b")])
    sees(older, [first(1, "a")], OUTDATED)
    put(older, [first(1, "A")])
    sees(older, [first(1, "A")], OUTDATED)
    for tab in (newer, far):
        sees(tab, [second(1, "A"), second(2, "b")])


def test_numbers_of_older_browsers_add_when_these_load_the_newer_program(
    visitor, servers, problems  # noqa: F811
):
    browsers = [visitor() for _ in range(3)]
    newer, *older = [
        open_release(name, "time")
        for open_release, name in zip(browsers, ["Second", "First", "First"])
    ]
    add(older[0], 1)
    for tab, time in zip([newer, *older], [10, 1, 1]):
        sees(tab, time)
    add(newer, 5)  # tenths
    for tab in older:
        sees(tab, 1, OUTDATED)
    for tab in older:
        add(tab, 2)
        waits(tab, 3)
    servers.kill(0)
    for tab in older:
        add(tab, 1)
        waits(tab, 4)
        tab.close()
    servers.restart(0)
    updated = [open_release("Second", "time") for open_release in browsers[1:]]
    for tab in [newer, *updated]:
        sees(tab, 75)
    problems.clear()  # a page cannot suppress the browser's report of a refused connection
