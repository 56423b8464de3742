"""Apps as `./build.sh new` writes them, which depend on this package by path and by git URL."""

import re

import pytest
from test_accessibility import AXE, expect_no_violations
from website import WEB, Website

APPS = WEB.parent / ".build/apps"


@pytest.fixture(params=["ByPath", "ByURL"])
def website(request):
    """Serves an app that was written and built by commands."""
    folder = APPS / request.param / "web"
    if not (folder / f"{request.param}.wasm").exists():
        pytest.fail(f"{folder} is not built: run ./build.sh test browser", pytrace=False)
    website = Website(folder)
    yield website
    website.close()


@pytest.fixture
def app(open_tab):
    """Opens the app in another tab, and waits until it shows its state."""

    def open_running():
        tab = open_tab()
        tab.expect_text("#count", re.compile("[0-9]"))
        return tab

    return open_running


def test_it_counts_and_a_reload_keeps_the_count(app):
    page = app()
    page.expect_text("#count", "0")
    page.click("#increment")
    page.click("#increment")
    page.expect_text("#count", "2")
    assert page.stored() == "2"
    page.reload()
    page.expect_text("#count", "2")


def test_a_second_tab_follows(app):
    one, other = app(), app()
    one.click("#increment")
    other.expect_text("#count", "1")
    other.click("#increment")
    one.expect_text("#count", "2")


def test_axe_finds_nothing_in_its_page(app, website):
    website.begin_with(AXE)
    expect_no_violations(app())


def test_what_is_wrong_is_shown(app):
    page = app()
    page.value("localStorage.setItem('count', '{')")
    page.reload()
    page.expect_text("[data-text=notice]", re.compile("count"))
    page.click("#increment")
    page.expect_text("#count", "1")
    page.expect_text("[data-text=notice]", "")


def test_it_runs_under_the_policy_that_the_article_names(website, app):
    article = (WEB.parent / "docs/Documentation.docc/InAPage.md").read_text()
    policy = re.search(r"`(script-src [^`]*)`", article)[1]
    tag = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    website.answer("", website.file("index.html").replace("<head>", tag))
    website.watch()  # of violations, too
    page = app()
    assert page.value("document.querySelector('meta[http-equiv]').content") == policy
    page.click("#increment")
    page.expect_text("#count", "1")


def test_a_program_that_cannot_start_is_said(website, open_tab, problems):
    for name in ["ByPath", "ByURL"]:
        website.answer(f"{name}.wasm", b"", "application/wasm", status=404)
    page = open_tab()
    page.expect_text("[data-text=status]", re.compile("cannot start .*404"))
    assert any("404" in problem for problem in problems)
    problems.clear()
