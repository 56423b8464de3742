"""The list of visitors of the page: entries that come and go, over a NATS server."""

import re

import pytest
from nats_visitors import ROOT, profile, servers, visitor  # noqa: F401
from test_accessibility import AXE, expect_no_violations

NAMES = ".here .name"
SHOWN = "[...document.querySelectorAll('.here .name')].map((one) => one.textContent).sort()"
SAYS = ".here [role=status]"
ALONE = "Nobody else: open this page in another browser."
OFFLINE = "Offline: these were here last."

# Visitors renew their entries as often as possible, and the test controls their clocks. A page that
# dies gets no events of its end.
CLOCK = """
  const { now } = Date, { setInterval } = window;
  globalThis.ahead = 0;
  Date.now = () => now() + ahead;
  window.setInterval = (run, time) => setInterval(run, time === 20_000 ? 100 : time);
  addEventListener("pagehide", (event) => {
    if (globalThis.isDead) event.stopImmediatePropagation();
  }, true);
"""


@pytest.fixture(autouse=True)
def program():
    """Checks that the program of the list is built; returns the page's program."""
    if not (ROOT / "web/presence.wasm").exists():
        pytest.fail("web/presence.wasm is missing: run ./build.sh test nats", pytrace=False)
    return ROOT / "web/demo.wasm"


def name_of(tab):
    return tab.value("JSON.parse(localStorage.getItem('visitor')).name")


def expect_here(*tabs):
    """Waits until each tab shows all of them and no others."""
    for tab in tabs:
        expect_shown(tab, *tabs)
        tab.expect_text(SAYS, f"{len(tabs)} people" if len(tabs) > 1 else ALONE)


def expect_shown(tab, *others):
    tab.expect(SHOWN, sorted(map(name_of, others)))


def own(tab):
    """Returns the name of the visitor with the note "you" in a tab."""
    return tab.value(
        """[...document.querySelectorAll(".here li")].flatMap((row) =>
          row.querySelector(".note").textContent === "you"
            ? [row.querySelector(".name").textContent] : [])"""
    )


@pytest.fixture
def leave(website):
    """Leaves the page, like a user who closes the tab: drivers close tabs more abruptly."""
    website.answer("elsewhere", '<link rel="icon" href="data:,">')
    return lambda tab: tab.goto(website.address + "elsewhere")


@pytest.mark.rule("R30")
def test_visitors_see_one_another_come_and_go(visitor, leave):
    one = visitor()
    expect_here(one)
    other = visitor()
    expect_here(one, other)
    assert (own(one), own(other)) == ([name_of(one)], [name_of(other)])
    leave(other)
    expect_here(one)


@pytest.mark.rule("R30")
def test_the_tabs_of_a_browser_are_one_visitor_who_stays_until_the_last_has_gone(
    profile, visitor, leave
):
    new_tab, witness = profile(), visitor()
    one, other = new_tab(), new_tab()
    assert name_of(one) == name_of(other)
    for tab in [one, witness]:
        expect_shown(tab, one, witness)
    leave(one)
    witness.value("new Promise((resolve) => setTimeout(resolve, 200))")
    expect_shown(witness, other, witness)
    other.reload()
    expect_shown(other, other, witness)
    leave(other)
    expect_here(witness)


@pytest.mark.rule("R30")
def test_a_visitor_who_was_killed_is_hidden_after_a_minute(visitor, website):
    website.begin_with(CLOCK)
    one, other, dead = visitor(), visitor(), visitor()
    expect_here(one, other, dead)
    dead.value("void (globalThis.isDead = true)")
    dead.close()
    for tab in [one, other]:
        tab.value("void (ahead = 50_000)")
    for tab in [one, other]:
        tab.value("new Promise((resolve) => setTimeout(resolve, 300))")
        assert len(tab.texts(NAMES)) == 3
    for tab in [one, other]:
        tab.value("void (ahead = 71_000)")
    expect_here(one, other)


@pytest.mark.rule("R29")
def test_visitors_without_the_server_are_those_who_were_here_last(visitor, servers, problems):
    one, other = visitor(), visitor()
    expect_here(one, other)
    servers.kill(0)
    for tab in [one, other]:
        tab.expect_text(SAYS, OFFLINE)
        assert len(tab.texts(NAMES)) == 2
    servers.restart(0)
    third = visitor()
    expect_here(one, other, third)
    problems.clear()  # a page cannot suppress the browser's report of a refused connection


@pytest.mark.rule("R30")
def test_a_visitor_who_comes_back_from_another_page_is_here_again(visitor, leave):
    one, other = visitor(), visitor()
    expect_here(one, other)
    leave(other)
    expect_here(one)
    other.value("void history.back()")
    other.expect_text(SAYS, "2 people")
    expect_here(one, other)


def test_axe_finds_nothing_where_others_are_here(visitor, website):
    website.begin_with(AXE)
    one, other = visitor(), visitor()
    expect_here(one, other)
    one.value("Promise.all(document.getAnimations().map(({ finished }) => finished))")
    expect_no_violations(one)


def test_a_page_without_a_server_loads_nothing_of_it(open_tab):
    tab = open_tab()
    tab.expect_text("[data-text=program-error]", "")
    loaded = tab.value("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not re.search("presence|nats", " ".join(loaded))
    assert tab.text(".here") is None
