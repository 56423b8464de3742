"""The counter, driven as a person would."""

import re

from conftest import await_start, expect_count, expect_notice, stored
from playwright.sync_api import expect


def test_it_counts_from_zero(tab):
    page = tab()
    expect_count(page, 0)
    assert stored(page) is None, "a default is not written"
    for button, count in [
        ("#increment", 1),
        ("#increment", 2),
        ("#decrement", 1),
        ("#reset", 0),
        ("#decrement", -1),
    ]:
        page.click(button)
        expect_count(page, count)
        assert stored(page) == str(count)
    expect_notice(page, None)


def test_it_works_by_keyboard(tab):
    page = tab()
    names = []
    for key in ["Space", "Enter", "Enter"]:
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.id"))
        page.keyboard.press(key)
    assert sorted(names) == ["decrement", "increment", "reset"]
    page.focus("#increment")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect_count(page, 2)


def test_a_reload_keeps_the_count(tab):
    page = tab()
    page.click("#increment")
    page.click("#increment")
    page.reload()
    await_start(page)
    expect_count(page, 2)


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


def test_clearing_in_one_tab_resets_the_other(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.evaluate("localStorage.clear()")
    expect_count(other, 0)
    assert stored(other) is None


def test_removing_in_one_tab_resets_the_other(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.evaluate("localStorage.removeItem('count')")
    expect_count(other, 0)
    other.click("#increment")
    expect_count(one, 1)


def test_other_keys_change_nothing(tab):
    one, other = tab(), tab()
    one.click("#increment")
    expect_count(other, 1)
    one.evaluate("localStorage.setItem('other', '9'); sessionStorage.setItem('count', '9')")
    one.click("#increment")
    expect_count(other, 2)
    assert stored(other, "other") == "9"


def test_a_tab_that_comes_back_from_the_cache_shows_the_present(tab, base):
    page, other = tab(), tab()
    page.evaluate(
        """() => {
          addEventListener("pageshow", ({ persisted }) => globalThis.revived = persisted);
        }"""
    )
    page.goto(f"{base}/index.html")
    other.click("#increment")
    expect_count(page, 1)
    page.evaluate("() => { history.back(); }")  # go_back() waits for a load that never comes
    page.wait_for_function("globalThis.revived")
    expect_count(page, 1)
    page.click("#increment")
    expect_count(other, 2)


def test_garbage_is_kept_and_said(tab):
    page = tab()
    page.evaluate("localStorage.setItem('count', '{garbage')")
    page.reload()
    await_start(page)
    expect_count(page, 0)
    expect_notice(page, re.compile("count.*corrupt", re.DOTALL))
    page.click("#increment")
    expect_count(page, 1)
    assert stored(page) == "1"
    assert stored(page, "count.corrupt") == "{garbage"


def test_a_full_storage_is_said_and_loses_nothing(tab):
    page = tab()
    page.evaluate(
        """() => {
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
        }"""
    )
    page.reload()
    await_start(page)
    page.click("#increment")
    expect_count(page, 10)
    expect_notice(page, re.compile("not (be )?(saved|stored)|no room|full", re.IGNORECASE))
    assert stored(page) == "9"
    page.evaluate("localStorage.removeItem('filler')")
    page.click("#increment")
    expect_count(page, 11)
    expect_notice(page, None)
    assert stored(page) == "11"


def test_a_sandboxed_page_counts_in_memory_and_says_so(context, base):
    frame = f'<!DOCTYPE html><iframe sandbox="allow-scripts" src="{base}/index.html"></iframe>'
    context.route("**/sandbox", lambda route: route.fulfill(body=frame, content_type="text/html"))
    page = context.new_page()
    page.goto(f"{base}/sandbox")
    frame = page.frame_locator("iframe")
    await_start(frame)
    expect_notice(frame, re.compile("not keep"))
    frame.locator("#increment").click()
    frame.locator("#increment").click()
    expect_count(frame, 2)


def test_the_page_keeps_its_own_strict_policy(tab):
    page = tab()
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert policy == "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
    assert page.locator("script:not([src]), style, [style], [onclick]").count() == 0
    expect(page.locator("html")).to_have_attribute("lang", "en")
