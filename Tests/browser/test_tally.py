"""A count without lost updates, under concurrent additions."""

import re

import pytest
from conftest import await_start, expect_details, expect_notice

BURST = """
  (async (count) => {
    const button = document.querySelector("#tally-add"), { port1, port2 } = new MessageChannel();
    for (let done = 0; done < count; done++) {
      await new Promise((next) => { port1.onmessage = next; port2.postMessage(0); });
      button.click();
    }
  })(args[0])
"""
STORED = """
  new Promise((resolve, reject) => {
    const request = indexedDB.open("sharing", 1);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const { result } = request;
      const get = result.transaction("values").objectStore("values").get("tally");
      get.onsuccess = () => { result.close(); resolve(get.result?.text ?? null); };
    };
  })
"""


@pytest.mark.first
@pytest.mark.rule("R26")
def test_the_tally_is_stored_followed_and_loaded(tab):
    one, other = tab(), tab()
    one.expect_text("#tally", "0")
    one.click("#tally-add")
    one.expect_text("#tally", "1")
    one.expect_text("#tally-pending", "")
    other.expect_text("#tally", "1")
    other.click("#tally-add")
    one.expect_text("#tally", "2")
    one.reload()
    one.expect_text("#tally", "2")
    one.expect(STORED, "2")


@pytest.mark.rule("R28")
@pytest.mark.parametrize("tabs, count", [(2, 1000), pytest.param(4, 500, marks=pytest.mark.soak)])
def test_tabs_that_add_at_the_same_moment_lose_nothing(tab, tabs, count, race):
    opened = [tab() for _ in range(tabs)]
    for each in opened:
        each.value(f"void ({BURST})", count)
    for each in opened:
        each.patience = 60
        each.expect_text("#tally", str(tabs * count))
        each.expect_text("#tally-pending", "")
    opened[0].expect(STORED, str(tabs * count))


@pytest.mark.rule("R28")
def test_what_was_shown_when_a_page_is_left_is_stored_once(tab, website):
    website.answer("elsewhere", '<link rel="icon" href="data:,">')
    one, other = tab(), tab()
    one.expect_text("#tally", "0")
    one.value(
        """
        void setTimeout(() => {
          const button = document.querySelector("#tally-add");
          addEventListener("pagehide", () => button.click());
          for (let done = 0; done < 100; done++) button.click();
          location.href = args[0];
        })
        """,
        website.address + "elsewhere",
    )
    one.expect("!document.querySelector('#tally')", True)
    other.value("document.querySelector('#tally-add').click()")
    next_one = tab()
    next_one.expect_text("#tally", "102")
    other.expect_text("#tally", "102")
    next_one.expect(STORED, "102")


@pytest.mark.rule("R29")
def test_a_page_in_the_cache_holds_up_nobody_and_goes_on_when_it_returns(tab, website):
    one, other = tab(), tab()
    for returns in range(1, 6):
        leave_with_a_change(one, website)
        other.expect_text("#tally", str(2 * returns - 1))
        is_revived = go_back(one)
        expect_to_go_on(one, other, 2 * returns)
        # A browser may load a page again instead, for example when memory is scarce.
        if is_revived:
            return
    pytest.fail(f"{one.engine}: the page was loaded again {returns} times, and never revived")


@pytest.mark.rule("R30")
def test_a_page_shows_when_it_returns_what_was_changed_meanwhile(tab, website):
    one, other = tab(), tab()
    leave_with_a_change(one, website)
    other.expect_text("#tally", "1")
    other.click("#tally-add")
    other.expect_text("#tally-pending", "")
    # From the cache, or reloaded.
    go_back(one)
    one.expect_text("#tally", "2")
    expect_to_go_on(one, other, 3)


def leave_with_a_change(tab, website):
    """Navigates away immediately after a change."""
    tab.value("globalThis.wasLeft = true")
    tab.value("document.querySelector('#tally-add').click()")
    tab.goto(f"{website.address}index.html")
    # In WebKit, a page that is left while it loads its program reports that it cannot start.
    await_start(tab)


def go_back(tab):
    """Goes back to the page, and returns whether it came from the back/forward cache."""
    tab.value("void setTimeout(() => history.back())")
    tab.expect("location.pathname", "/")
    await_start(tab)
    return tab.value("!!globalThis.wasLeft")


def expect_to_go_on(one, other, count):
    # In Firefox, Playwright would wait for a load that never comes.
    one.value("document.querySelector('#tally-add').click()")
    for each in (one, other):
        each.expect_text("#tally", str(count))
        each.expect_text("#tally-pending", "")
    other.expect(STORED, str(count))


@pytest.mark.first
@pytest.mark.rule("R30")
def test_the_count_of_the_last_visit_is_there_at_once(tab):
    one = tab()
    one.click("#tally-add")
    one.expect_text("#tally-pending", "")
    one.expect("localStorage.getItem('sharing.copy.tally')", "1")
    one.reload()
    one.expect_text("#tally", "1")
    one.click("#tally-add")
    one.expect(STORED, "2")


@pytest.mark.rule("R29")
def test_a_database_that_cannot_be_opened_is_told_and_nothing_is_lost(open_tab, website):
    website.begin_with(
        """
        if (!localStorage.getItem("first")) {
          localStorage.setItem("first", "gone");
          IDBFactory.prototype.open = () => { throw new DOMException("No.", "UnknownError"); };
        }
        """
    )
    one = open_tab()
    one.click("#tally-add")
    one.expect_text("#tally", "1")
    expect_notice(one, "Access to stored values is denied. Allow it.")
    expect_details(website, '"indexedDB" has failed: UnknownError')
    other = open_tab()
    other.expect_text("#tally", "1")
    other.expect(STORED, "1")
