"""A count that browsers share over a NATS server, and native programs with them."""

import contextlib
import re
import subprocess
import sys

import pytest
from conftest import await_start
from test_tally import BURST
from website import WEB

ROOT = WEB.parent
sys.path.insert(0, str(ROOT / "Tools"))

from nats_servers import Servers  # noqa: E402

PROGRAM = ROOT / ".build/debug/NATSProgram"


@pytest.fixture
def servers(website, tmp_path):
    """A server that takes connections of this test's pages."""
    with Servers(tmp_path, origins=[website.address.rstrip("/")]) as servers:
        yield servers


@pytest.fixture
def visitor(browser, website, servers, problems):
    """Opens the page with the server's address in a profile of its own."""
    with contextlib.ExitStack() as profiles:

        def visitor():
            tab = profiles.enter_context(browser.tabs(website))()
            open_page(tab, website, servers)
            tab.patience = 60
            return tab

        yield visitor
    # A server of another port is another origin.
    ports = [address.rpartition(":")[2] for address in servers.websocket]
    unexpected = [line for line in problems if not line.endswith(tuple(f":{one}/" for one in ports))]
    assert unexpected == [], f"in {browser.name}"


def open_page(tab, website, servers):
    tab.goto(f"{website.address}?nats={','.join(servers.websocket)}")
    await_start(tab)
    tab.expect_text("#tally-connection", "One count for everybody.")


def expect_all(tabs, count):
    for tab in tabs:
        tab.expect_text("#tally", str(count))
        tab.expect_text("#tally-pending", "")


def native(servers, count):
    addresses = ",".join(f"127.0.0.1:{port}" for port in servers.client)
    words = [PROGRAM, addresses, "visitor", "visitor", "public.tally", str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.rule("R30")
def test_a_count_follows_that_of_other_browsers(visitor):
    one, other = visitor(), visitor()
    one.click("#tally-add")
    other.expect_text("#tally", "1")
    other.click("#tally-add")
    expect_all([one, other], 2)
    one.reload()
    expect_all([one], 2)


@pytest.mark.rule("R28")
@pytest.mark.parametrize("tabs, count", [(2, 1000), (4, 500)])
def test_browsers_that_add_at_the_same_moment_lose_nothing(visitor, tabs, count):
    opened = [visitor() for _ in range(tabs)]
    for tab in opened:
        tab.value(f"void ({BURST})", count)
    expect_all(opened, tabs * count)


@pytest.mark.rule("R28")
def test_a_native_program_and_browsers_lose_nothing(visitor, servers):
    opened = [visitor(), visitor()]
    with native(servers, 300) as program:
        for tab in opened:
            tab.value(f"void ({BURST})", 300)
        said, _ = program.communicate(timeout=60)
    assert 300 <= int(said) <= 900
    expect_all(opened, 900)


@pytest.mark.rule("R29")
def test_what_is_added_without_the_server_is_stored_when_it_is_back(visitor, servers, problems):
    one, other = visitor(), visitor()
    one.click("#tally-add")
    expect_all([one, other], 1)
    servers.kill(0)
    one.expect_text("#tally-connection", re.compile(r"Offline\. .+"))
    for _ in range(3):
        one.click("#tally-add")
    one.expect_text("#tally", "4")
    one.expect_text("#tally-pending", "3 to go…")
    servers.restart(0)
    expect_all([one, other], 4)
    one.expect_text("#tally-connection", "One count for everybody.")
    problems.clear()  # a page cannot keep the browser from telling of a refused connection


@pytest.mark.rule("R28")
def test_what_was_added_before_a_reload_without_the_server_is_stored_once(
    visitor, servers, problems
):
    one, other = visitor(), visitor()
    one.click("#tally-add")
    expect_all([one, other], 1)
    servers.kill(0)
    one.expect_text("#tally-connection", re.compile(r"Offline\. .+"))
    one.click("#tally-add")
    one.expect_text("#tally-pending", "1 to go…")
    one.reload()
    servers.restart(0)
    expect_all([one, other], 2)
    problems.clear()
