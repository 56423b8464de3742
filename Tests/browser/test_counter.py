"""The counter, with the input of a person."""

import json
import re

import pytest
from conftest import ASKS, DAMAGED, FULL, NOT_STORED, OTHER_VERSION, await_start, expect_count, expect_details, expect_notice

# Stores a 9, then fills the storage to the last byte.
FILL = """(() => {
  localStorage.setItem("count", "9");
  for (let size = 1 << 22, text = ""; size >= 1; size >>= 1) {
    try {
      localStorage.setItem("filler", text + "x".repeat(size));
      text += "x".repeat(size);
      size <<= 1;
    } catch {
      // There is room for less.
    }
  }
})()"""


@pytest.mark.first
def test_it_counts_from_zero(tab):
    page = tab()
    expect_count(page, 0)
    assert page.stored() is None, "a default is not written"
    for button, count in [
        ("#increment", 1),
        ("#increment", 2),
        ("#decrement", 1),
        ("#reset", 0),
        ("#decrement", -1),
    ]:
        page.click(button)
        expect_count(page, count)
        assert page.stored() == str(count)
    expect_notice(page, None)


@pytest.mark.first
def test_it_works_by_keyboard(tab):
    page = tab()
    names = []
    for key in ["Space", "Enter", "Enter"]:
        page.press("Tab")
        names.append(page.value("document.activeElement.id"))
        page.press(key)
    assert sorted(names) == ["decrement", "increment", "reset"]
    page.focus("#increment")
    page.press("Enter")
    page.press("Space")
    expect_count(page, 2)


@pytest.mark.first
@pytest.mark.rule("R11")
def test_a_reload_keeps_the_count(tab):
    page = tab()
    page.click("#increment")
    page.click("#increment")
    page.reload()
    await_start(page)
    expect_count(page, 2)


@pytest.mark.first
@pytest.mark.rule("R14")
def test_two_tabs_follow_each_other(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    other.click("#increment")
    expect_count(one, 2)
    one.click("#decrement")
    expect_count(other, 1)
    other.click("#reset")
    expect_count(one, 0)


@pytest.mark.rule("R14")
def test_clearing_in_one_tab_resets_the_other(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.value("localStorage.clear()")
    expect_count(other, 0)
    assert other.stored() is None


@pytest.mark.rule("R14")
def test_removing_in_one_tab_resets_the_other(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.value("localStorage.removeItem('count')")
    expect_count(other, 0)
    other.click("#increment")
    expect_count(one, 1)


@pytest.mark.rule("R14")
def test_other_keys_change_nothing(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.value("localStorage.setItem('other', '9')")
    one.value("sessionStorage.setItem('count', '9')")
    one.click("#increment")
    expect_count(other, 2)
    assert other.stored("other") == "9"


@pytest.mark.rule("R13")
def test_a_tab_that_comes_back_from_the_cache_shows_the_present(tab, website):
    page, other = tab(), tab()
    page.value("addEventListener('pageshow', ({ persisted }) => globalThis.revived = persisted)")
    page.goto(f"{website.address}index.html")
    other.click("#increment")
    expect_count(page, 1)
    page.value("void history.back()")
    page.expect("globalThis.revived", True)
    expect_count(page, 1)
    # In Firefox, Playwright would wait for a load that never comes.
    page.value("document.querySelector('#increment').click()")
    expect_count(other, 2)


@pytest.mark.rule("R15")
def test_what_another_release_has_stored_is_not_overwritten(tab):
    page = tab()
    page.value("localStorage.setItem('count', '{\"count\":41}')")
    page.reload()
    await_start(page)
    expect_count(page, 0)
    expect_notice(page, OTHER_VERSION)
    page.click("#increment")
    expect_count(page, 1)
    expect_notice(page, NOT_STORED)
    assert page.stored() == '{"count":41}'
    page.value("localStorage.setItem('count', '41')")
    page.click("#increment")
    expect_count(page, 42)
    assert page.stored() == "42"
    assert [each["text"] for each in json.loads(page.stored("count.replaced"))] == ["1"]


@pytest.mark.first
@pytest.mark.rule("R15")
def test_garbage_is_kept_and_said(tab, website):
    page = tab()
    page.value("localStorage.setItem('count', '{garbage')")
    page.reload()
    await_start(page)
    expect_count(page, 0)
    expect_notice(page, DAMAGED)
    expect_details(website, '"count": .*count.corrupt.*at byte 0')
    page.click("#increment")
    expect_count(page, 1)
    assert page.stored() == "1"
    assert page.stored("count.corrupt") == "{garbage"


@pytest.mark.first
@pytest.mark.rule("R16")
def test_a_full_storage_is_said_and_loses_nothing(tab):
    page = tab()
    page.value(FILL)
    page.reload()
    await_start(page)
    page.click("#increment")
    expect_count(page, 10)
    expect_notice(page, FULL)
    assert page.stored() == "9"
    assert page.value(ASKS)
    page.value("localStorage.removeItem('filler')")
    page.click("#increment")
    expect_count(page, 11)
    assert not page.value(ASKS)
    expect_notice(page, None)
    assert page.stored() == "11"


@pytest.mark.rule("R21")
def test_a_sandboxed_page_counts_in_memory_and_says_so(open_tab, website):
    # In WebKit, the policy's 'self' is the frame's opaque origin: name the server instead.
    policy = website.file("index.html").replace("'self'", website.address)
    website.answer("index.html", policy)
    icon = '<link rel="icon" href="data:,">'
    website.answer("sandbox", f'{icon}<iframe sandbox="allow-scripts" src="index.html"></iframe>')
    frame = open_tab("sandbox").frame("iframe")
    await_start(frame)
    expect_notice(frame, re.compile("not allowed to store"))
    frame.click("#increment")
    frame.click("#increment")
    expect_count(frame, 2)


def test_the_page_keeps_its_own_strict_policy(tab):
    page = tab()
    policy = page.value("document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert policy == (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "connect-src 'self' ws://127.0.0.1:* ws://localhost:*"  # a development server
    )
    inline = "document.querySelectorAll('script:not([src]), style, [style], [onclick]').length"
    assert page.value(inline) == 0
    assert page.value("document.documentElement.lang") == "en"
