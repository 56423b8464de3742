"""The stored values after a program traps, or a page or a browser is killed."""

import re

import pytest
from conftest import ASKS, NOT_STORED, await_start, expect_count, expect_notice
from own_chromium import OwnChromium
from test_tally import BURST, STORED


@pytest.mark.rule("R20")
def test_a_trap_in_a_click_is_said_and_the_other_tab_and_a_reload_go_on(tab, problems):
    page, other = tab(), tab()
    page.value("localStorage.setItem('count', '2147483647')")  # Int has 32 bits
    page.click("#increment")
    page.expect_text("[data-text=program-error]", re.compile(r"has stopped\. Stored values are safe"))
    page.expect_enabled("#increment", False)
    assert problems != []
    problems.clear()
    assert page.stored() == "2147483647"
    expect_count(other, 2147483647)
    other.click("#decrement")
    expect_count(other, 2147483646)
    page.reload()
    await_start(page)
    expect_count(page, 2147483646)


@pytest.mark.rule("R32")
def test_the_browser_asks_before_a_page_with_a_change_that_is_not_stored_is_left(tab, problems):
    page = tab()
    page.click("#increment")
    assert not page.value(ASKS)
    page.value("localStorage.setItem('count', '\"one\"')")
    page.reload()
    await_start(page)
    assert not page.value(ASKS)
    page.click("#increment")
    page.expect(ASKS, True)
    assert page.stored() == '"one"'
    page.expect_text("[data-text=storage-error]", NOT_STORED)
    page.value("localStorage.setItem('count', '7')")
    page.click("#increment")
    page.expect(ASKS, False)


@pytest.fixture
def launch(browser, tmp_path):
    """Yields a function that starts Chromium with this test's profile, also repeatedly."""
    running = []

    def launch():
        running.append(OwnChromium(browser.playwright, tmp_path))
        return running[-1]

    yield launch
    running[-1].kill()


def open_counter(chromium, website):
    """Opens the page; returns the shown count and the tab."""
    tab = chromium.open(website.address)
    await_start(tab)
    expect_notice(tab, None)
    return int(tab.text("#count")), tab


@pytest.mark.needs("processes")
def test_what_a_page_has_shown_is_there_after_it_was_killed(launch, website):
    chromium = launch()
    shown = 0
    for clicks in [1, 5, 2, 1, 3]:
        count, tab = open_counter(chromium, website)
        assert count == shown
        for _ in range(clicks):
            tab.click("#increment")
        shown = int(tab.text("#count"))
        assert shown == count + clicks
        chromium.kill_pages()


@pytest.mark.needs("processes")
@pytest.mark.rule("R28")
def test_what_the_tally_had_shown_when_its_tab_was_killed_is_there_once(launch, website):
    chromium = launch()
    added = 0
    for clicks in (1, 7, 40):
        _, tab = open_counter(chromium, website)
        tab.expect_text("#tally", str(added))
        added += clicks
        shown = tab.value(
            """
            (() => {
              const button = document.querySelector("#tally-add");
              for (let done = 0; done < args[0]; done++) button.click();
              return document.querySelector("#tally").textContent;
            })()
            """,
            clicks,
        )
        assert shown == str(added)
        chromium.kill_pages()
    _, tab = open_counter(chromium, website)
    tab.expect_text("#tally", str(added))
    tab.expect_text("#tally-pending", "")


@pytest.mark.needs("processes")
@pytest.mark.rule("R28")
def test_what_a_tab_had_shown_when_it_was_killed_while_another_one_adds_is_there_once(
    launch, website, race
):
    chromium = launch()
    _, other = open_counter(chromium, website)
    others = chromium.pages()
    _, tab = open_counter(chromium, website)
    other.value(f"void ({BURST})", 1000)
    tab.value(BURST, 200)
    chromium.kill_pages(but=others)
    with pytest.raises(Exception, match="crashed"):
        tab.value("1")
    _, last = open_counter(chromium, website)
    for each in (other, last):
        each.patience = 60
        each.expect_text("#tally", "1200")
        each.expect_text("#tally-pending", "")
    last.expect(STORED, "1200")


@pytest.mark.needs("processes")
def test_what_was_on_the_disk_is_there_after_the_browser_was_killed(launch, website):
    chromium = launch()
    _, tab = open_counter(chromium, website)
    chromium.wait_for_disk(lambda: tab.click("#increment"))
    chromium.kill()
    count, _ = open_counter(launch(), website)
    assert count == 1


@pytest.mark.needs("processes")
def test_a_browser_that_is_killed_leaves_an_old_value_or_the_new_one(launch, website):
    """Chromium delays its writes by some seconds: the last change is stored completely or not at
    all."""
    chromium = launch()
    for _ in range(3):
        before, tab = open_counter(chromium, website)
        tab.click("#increment")
        expect_count(tab, before + 1)
        chromium.kill()
        chromium = launch()
        after, _ = open_counter(chromium, website)
        assert after in (before, before + 1)
