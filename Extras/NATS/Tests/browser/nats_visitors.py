"""Common parts of the tests of pages that share a count over NATS servers."""

import contextlib
import functools
import re
import sys

import pytest
from conftest import await_start
from website import WEB

ROOT = WEB.parent
sys.path.insert(0, str(ROOT / "Extras/NATS/Tools"))

from nats_servers import Servers  # noqa: E402

CONNECTED = "One count for everybody."


@pytest.fixture
def servers(request, website, tmp_path):
    """Yields servers that accept connections of this test's pages: one, or as the test's parameters
    say."""
    options = getattr(request, "param", {})
    with Servers(tmp_path, origins=[website.address.rstrip("/")], **options) as servers:
        yield servers


@pytest.fixture
def profile(browser, website, servers, problems):
    """Yields a function that creates a profile and returns a function to open the page there."""
    with contextlib.ExitStack() as profiles:

        def profile():
            own = profiles.enter_context(browser.profile())
            return functools.partial(open_page, profiles.enter_context(own.tabs(website)))

        def open_page(new_tab):
            tab = new_tab()
            # A commit that fails several times is retried after up to 30 s.
            tab.patience = 120
            tab.goto(f"{website.address}?nats={','.join(servers.websocket)}")
            await_start(tab)
            return tab

        yield profile
    assert unexpected(problems, servers) == [], f"in {browser.name}"


def unexpected(problems, servers):
    """Returns the problems that do not concern connections to the servers."""
    # A server at another port is another origin. A page may end, or give up, while it connects.
    # These are the messages of Chromium and Firefox.
    ports = "|".join(address.rpartition(":")[2] for address in servers.websocket)
    ends = ["$", "' failed: WebSocket is closed before", r"\.$"]
    allowed = re.compile(f":({ports})/({'|'.join(ends)})")
    return [line for line in problems if not allowed.search(line)]


@pytest.fixture
def visitor(profile):
    """Returns a function that opens the page in a new profile, and waits until it is connected."""

    def visitor():
        tab = profile()()
        tab.expect_text("#tally-connection", CONNECTED)
        return tab

    return visitor


def expect_all(tabs, count):
    """Waits until the tabs show the count, and all changes are stored."""
    for tab in tabs:
        tab.expect_text("#tally", str(count))
        tab.expect_text("#tally-pending", "")
