"""A count that browsers and native programs share over a NATS server."""

import re
import subprocess

import pytest
from nats_visitors import ROOT, expect_all, profile, servers, visitor  # noqa: F401
from test_tally import BURST

PROGRAM = ROOT / ".build/debug/NATSProgram"


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
@pytest.mark.parametrize("tabs, count", [(2, 1000), (4, 250)])
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
    problems.clear()  # a page cannot suppress the browser's report of a refused connection


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
