"""Tests of pages in three engines: Chromium, Firefox and WebKit.

A test that asks for `tab` or `open_tab` runs in all of them:

    def test_two_tabs_follow_each_other(tab):
        one, other = tab(), tab()           # the page, once its program runs
        one.click("#increment")
        other.expect_text("#count", "1")    # waits for it
        assert other.stored("count") == "1"

tab.py defines what a tab can do. `tab.value("localStorage.getItem(args[0])", "count")` evaluates
JavaScript. Each test has a server of its own, `website`, and so an origin with an empty storage;
`website.answer("demo.wasm", …)` replaces a file, `website.begin_with("…")` runs a script before the
page's. Errors in pages are collected in `problems`: a test that expects one removes it, and any
that is left fails the test.

ENGINES lists what an engine cannot do, with the reason. A test that needs such a feature is marked
`@pytest.mark.needs("processes")`, and is skipped with that reason on engines that lack it.
A test that fails is repeated once, and named in the summary, but for those in SIMULTANEOUS.
`pytest Tests/browser --engine webkit` runs one engine's tests, `-m first` those that a person would
try first.
"""

import dataclasses
import pathlib
import re
import typing

import playwright_tab
import pytest
import webdriver_tab
from tab import Tab
from website import WEB, Website
from xdist.scheduler import LoadScopeScheduling


@dataclasses.dataclass
class Engine:
    """How to start an engine, and the features that it lacks, each with the reason."""

    start: typing.Callable
    lacks: dict[str, str]


LACKS = {
    "processes": "its driver does not tell which processes are a page's",
    "settings": "its driver does not set what a visitor prefers, such as dark colours",
}
# What is lost here once is a defect, though a repetition would keep it. The other tests are
# repeated once, in sight, since one in a thousand fails by its driver or browser.
SIMULTANEOUS = {
    "test_conformance",
    "test_engines",
    "test_nats",
    "test_nats_faults",
    "test_tally",
    "test_todos_in_two_tabs",
    "test_walk",
}
ENGINES = {
    "chromium": Engine(playwright_tab.chromium, {}),
    "firefox": Engine(playwright_tab.firefox, LACKS),
    "webkit": Engine(webdriver_tab.webkit, LACKS),
}


def pytest_addoption(parser):
    parser.addoption("--engine", action="append", choices=ENGINES, help="only this engine")
    parser.addoption("--patience", type=int, help="seconds to wait for what is expected")
    parser.addoption("--program", help="another program than web/demo.wasm")
    parser.addoption("--walk-seed", action="append", type=int, help="only the walk of this seed")
    parser.addoption("--walks", type=int, default=1, help="how many walks beside the fixed ones")
    parser.addoption("--runs", type=int, default=1, help="how often tabs race for the tally")
    parser.addoption("--walk-length", type=int, default=80, help="how many actions each has")
    parser.addoption("--walk-shrink", type=int, default=60, help="seconds to shorten a failure")
    parser.addoption("--walk-replay", help="the actions of one walk, or a file of them")


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*what): runs only in engines that have it")
    config.addinivalue_line("markers", "first: a person would try it first; a part of the quick tests")
    Tab.patience = config.getoption("patience") or Tab.patience


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        names = metafunc.config.getoption("engine") or list(ENGINES)
        metafunc.parametrize("engine", names, scope="session")
    if "race" in metafunc.fixturenames:
        metafunc.parametrize("race", range(metafunc.config.getoption("runs")))


class ByEngineAndFile(LoadScopeScheduling):
    """Hands out the tests of one file in one engine at a time, one engine after the other, so that
    each process starts each browser once."""

    def _split_scope(self, nodeid):
        return re.search("|".join(ENGINES), nodeid.partition("[")[2])[0] + nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return ByEngineAndFile(config, log)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem not in SIMULTANEOUS:
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[""]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    for what in [what for marker in item.iter_markers("needs") for what in marker.args]:
        engine = item.callspec.params["engine"]
        reason = ENGINES[engine].lacks.get(what)
        if reason:
            pytest.skip(f"in {engine}: {reason}")


@pytest.fixture(scope="session")
def browser(engine):
    """The running browser of an engine."""
    with ENGINES[engine].start() as browser:
        yield browser


@pytest.fixture(scope="session")
def program(request):
    """The path of the built program."""
    path = pathlib.Path(request.config.getoption("--program") or WEB / "demo.wasm")
    if not path.exists():
        pytest.fail(f"{path} is missing: run ./build.sh first", pytrace=False)
    return path


@pytest.fixture
def website(program):
    """Serves web/ at an address of this test's own."""
    website = Website()
    if program != WEB / "demo.wasm":
        website.answer("demo.wasm", program.read_bytes(), "application/wasm")
    yield website
    website.close()


@pytest.fixture
def problems(website):
    """The errors in the browser. A test removes those that it expects."""
    return website.problems


@pytest.fixture
def open_tab(browser, website, problems):
    """Opens an address in another tab, by default that of the page."""
    with browser.tabs(website) as new_tab:

        def open_tab(address=""):
            tab = new_tab()
            tab.goto(website.address + address)
            return tab

        yield open_tab
    assert problems == [], f"in {browser.name}"


@pytest.fixture
def tab(open_tab):
    """Opens the page in another tab of the same profile, and waits until the program runs."""

    def open_running():
        tab = open_tab()
        await_start(tab)
        return tab

    return open_running


def await_start(tab):
    """Waits until the program runs in a tab or a frame."""
    tab.expect_text("[data-text=program-error]", "")
    tab.expect_enabled("#increment")


def expect_count(tab, count):
    tab.expect_text("#count", str(count))


def expect_notice(tab, pattern):
    """Waits until the page shows a notice that matches; with None, it must show no notice."""
    tab.expect_text("[data-text=storage-error]", "" if pattern is None else pattern)
