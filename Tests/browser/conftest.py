"""Tests of pages in three engines: Chromium, Firefox and WebKit.

A test with the fixture `tab` or `open_tab` runs in all of them:

    def test_two_tabs_follow_each_other(tab):
        one, other = tab(), tab()           # the page, once its program runs
        one.click("#increment")
        other.expect_text("#count", "1")    # waits for it
        assert other.stored("count") == "1"

tab.py defines the methods of a tab. `tab.value("localStorage.getItem(args[0])", "count")` evaluates
JavaScript. Each test has a server of its own, `website`, and so an origin with an empty storage.
`website.answer("demo.wasm", …)` replaces a file, `website.begin_with("…")` runs a script before the
page's. Errors in pages are collected in `problems`: a test that expects one removes it, and any
remaining error fails the test.

ENGINES lists the missing features of each engine, with reasons. A test that needs such a feature is
marked `@pytest.mark.needs("processes")`, and is skipped with that reason on engines without it. The
files in IN_EVERY_ENGINE and the tests marked `first` or `engines` run in all engines, the others in
Chromium only, unless an engine or `--every-engine` is given. A test marked `soak` takes long, and
runs only with `--soak`. A failed test is repeated once and listed in the summary, except the tests
in SIMULTANEOUS.
`pytest Tests/browser --engine webkit` runs one engine's tests, `-m first` the tests of the main
features.
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
    """The start function of an engine, and its missing features with reasons."""

    start: typing.Callable
    lacks: dict[str, str]


# Whether the browser would ask before the page is left.
ASKS = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"

LACKS = {
    "processes": "its driver does not tell which processes are a page's",
    "settings": "its driver does not set what a visitor prefers, such as dark colours",
}
# Tests whose subject differs between engines: the portable cases, storage, events of other tabs,
# IndexedDB, addresses, loading. Of the other files, the tests marked `first` or `engines` run in
# each engine, and the rest in Chromium only: in Chromium, these files take 197 s of one process,
# and the others 600 s, without those of the documentation. `./build.sh soak engines` runs all tests
# in the other engines.
IN_EVERY_ENGINE = {
    "test_conformance",
    "test_engines",
    "test_keys",
    "test_prerendering",
    "test_start",
    "test_tally",
    "test_walk",
}
# A loss in one of these tests is a defect, although a repetition would hide it. The other tests are
# repeated once, with a report, since one in a thousand fails because of its driver or browser.
SIMULTANEOUS = {
    "test_conformance",
    "test_controls_walk",
    "test_engines",
    "test_nats",
    "test_nats_faults",
    "test_nats_releases",
    "test_releases",
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
    parser.addoption("--every-engine", action="store_true", help="all tests in all engines")
    parser.addoption("--soak", action="store_true", help="also the tests marked soak")
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
    config.addinivalue_line("markers", "engines: its subject differs between engines")
    config.addinivalue_line("markers", "soak: takes long; a part of the soak tests")
    Tab.patience = config.getoption("patience") or Tab.patience


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        option = metafunc.config.getoption
        runs_in_every_engine = (
            option("every_engine")
            or metafunc.module.__name__ in IN_EVERY_ENGINE
            or metafunc.definition.get_closest_marker("first")
            or metafunc.definition.get_closest_marker("engines")
        )
        names = option("engine") or (list(ENGINES) if runs_in_every_engine else ["chromium"])
        metafunc.parametrize("engine", names, scope="session")
    if "race" in metafunc.fixturenames:
        metafunc.parametrize("race", range(metafunc.config.getoption("runs")))


class ByEngineAndFile(LoadScopeScheduling):
    """Distributes the tests of one file in one engine at a time, engine by engine, so that each
    process starts each browser once."""

    def _split_scope(self, nodeid):
        return re.search("|".join(ENGINES), nodeid.partition("[")[2])[0] + nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return ByEngineAndFile(config, log)


def pytest_collection_modifyitems(config, items):
    if not config.getoption("soak"):
        left_out = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
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
    """Yields the running browser of an engine."""
    with ENGINES[engine].start() as browser:
        yield browser


@pytest.fixture(scope="session")
def program(request):
    """Returns the path of the built program."""
    path = pathlib.Path(request.config.getoption("--program") or WEB / "demo.wasm")
    if not path.exists():
        pytest.fail(f"{path} is missing: run ./build.sh first", pytrace=False)
    return path


@pytest.fixture
def website(program):
    """Serves web/ at an address for this test only."""
    website = Website()
    if program != WEB / "demo.wasm":
        website.answer("demo.wasm", program.read_bytes(), "application/wasm")
    yield website
    website.close()


@pytest.fixture
def problems(website):
    """Returns the errors in the browser. A test removes the expected ones."""
    return website.problems


@pytest.fixture
def open_tab(browser, website, problems):
    """Yields a function that opens an address, by default the page's, in another tab."""
    with browser.tabs(website) as new_tab:

        def open_tab(address=""):
            tab = new_tab()
            tab.goto(website.address + address)
            return tab

        yield open_tab
    assert problems == [], f"in {browser.name}"


@pytest.fixture
def tab(open_tab):
    """Returns a function that opens the page in another tab of the same profile, and waits until
    the program runs."""

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


# What the drivers of Firefox and WebKit report of an Error object.
ENDS = ("Error", "{}")


def expect_problem(problems, pattern):
    """Expects errors in the console, one of which matches, and forgets them."""
    found = [problem for problem in problems if re.search(pattern, problem) or problem.endswith(ENDS)]
    assert found, problems
    problems.clear()


DAMAGED = "A stored value is damaged. It is kept, but not shown."
OTHER_VERSION = (
    "Another version of this app has stored a value. Update the app, or reload its page."
)
NOT_STORED = f"{OTHER_VERSION} Your last changes are not stored: copy them."
WAITING = (
    "Your change is kept for another version of this app. Update the app, or reload its page."
)
FULL = "There is no room for your change. Free some, and change it again."
UNREACHABLE = "Stored values cannot be reached. Your changes are stored later."


def expect_details(website, pattern):
    """Expects the details of an error of a value in the console of a page that shows it."""
    assert any(re.search(pattern, details) for details in website.details), website.details


def expect_notice(tab, pattern):
    """Waits until the page shows a notice that matches, or, with None, no notice."""
    tab.expect_text("[data-text=storage-error]", "" if pattern is None else pattern)
