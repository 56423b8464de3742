"""What a visitor sees while the program loads, when it cannot start, and when it stops."""

import re

import pytest
from conftest import await_start, expect_count, stored
from playwright.sync_api import expect
from wasmtime import wat2wasm


def module(version=1, event="unreachable"):
    """A program that speaks this version of the ABI and does this at an event of the page."""
    return bytes(
        wat2wasm(
            f"""(module
              (import "sharing" "console_write"
                (func $console_write (param i32 i32 i32) (result i32)))
              (memory (export "memory") 1)
              (data (i32.const 0) "the last words")
              (func (export "_initialize"))
              (func (export "sharing_abi_version") (result i32) i32.const {version})
              (func (export "sharing_start"))
              (func (export "sharing_inbox") (param i32) (result i32) i32.const 1024)
              (func (export "sharing_page_event") (param i32 i32) {event})
              (func (export "sharing_page_shown") (param i32))
              (func (export "sharing_page_hidden"))
              (func (export "sharing_storage_changed") (param i32 i32)))"""
        )
    )


@pytest.fixture
def page_with(context, base):
    """Opens the page with another program; where there is none, the server does not find it."""

    def open_page(program):
        def answer(route):
            if program is None:
                route.fulfill(status=404)
            else:
                route.fulfill(body=program, content_type="application/wasm")

        context.route("**/demo.wasm", answer)
        page = context.new_page()
        page.goto(base)
        return page

    return open_page


def expect_failure(page, problems, pattern):
    """The page says what is wrong, offers nothing to click, and the console has the details."""
    expect(page.locator("[data-text=status]")).to_have_text(re.compile(pattern))
    expect(page.locator("#increment")).to_be_disabled()
    assert problems != []
    problems.clear()


def test_the_page_waits_for_the_program(context, base):
    held = []
    context.route("**/demo.wasm", lambda route: held.append(route))
    page = context.new_page()
    page.goto(base)
    expect(page.locator("[data-text=status]")).to_have_text("Starting…")
    for button in ["#increment", "#decrement", "#reset"]:
        expect(page.locator(button)).to_be_disabled()
    held.pop().continue_()
    await_start(page)
    expect_count(page, 0)


def test_a_program_of_another_version_is_refused(page_with, problems):
    page = page_with(module(version=7))
    expect_failure(page, problems, r"ABI version is 7, not 1: reload, or run \./build\.sh")


def test_a_missing_program_is_said(page_with, problems):
    expect_failure(page_with(None), problems, r"cannot start \(404 for http.*/demo\.wasm\)")


def test_a_broken_program_is_said(page_with, problems):
    expect_failure(page_with(b"<!DOCTYPE html>"), problems, r"cannot start \(.*magic")


def test_a_browser_without_webassembly_is_told(context, base, problems):
    context.add_init_script("delete globalThis.WebAssembly")
    page = context.new_page()
    page.goto(base)
    expect_failure(page, problems, "this browser has no WebAssembly")


def test_a_trap_is_said_and_the_stored_bytes_stay(page_with, problems):
    page = page_with(module())
    await_start(page)
    page.evaluate("localStorage.setItem('count', '41')")
    page.click("#increment")
    expect_failure(page, problems, r"has stopped \(unreachable\)\. What was stored is safe")
    assert stored(page) == "41"


def test_the_last_words_before_a_trap_are_shown(page_with, problems):
    words = "(drop (call $console_write (i32.const 2) (i32.const 0) (i32.const 14))) unreachable"
    page = page_with(module(event=words))
    await_start(page)
    page.click("#increment")
    expect_failure(page, problems, r"has stopped \(the last words\)")
