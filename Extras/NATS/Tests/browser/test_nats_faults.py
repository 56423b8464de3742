"""A shared count with failing servers, expiring tokens and read-only users."""

import re
import time

import pytest
from nats_visitors import CONNECTED, expect_all, profile, servers, visitor  # noqa: F401
from test_tally import BURST

# nats_visitors has added the tools to the path.
from nats_client import Refused
from nats_configuration import VISITOR
from nats_tokens import Tokens

WITH_TOKENS = pytest.mark.parametrize("servers", [{"tokens": Tokens()}], indirect=True)
OFFLINE = re.compile(r"Offline\. .+")
NOTICE = "[data-text=storage-error]"


def give_credentials(website, code):
    """Sets other credentials for the page than the visitor's."""
    script = website.file("main.js")
    given = 'credentials = () => ({ user: "visitor", pass: "visitor" })'
    assert given in script
    website.answer("main.js", script.replace(given, f"credentials = {code}"), "text/javascript")


def give_tokens(website, servers, seconds):
    """Sets tokens for the page, each valid for some seconds; returns the list of them."""
    given = []

    def token():
        given.append(servers.tokens.user(VISITOR, seconds))
        return given[-1]

    website.answer("token", token, "text/plain")
    return given


def leader_of(servers):
    """Returns the number of the leader, as soon as there is one."""
    end = time.monotonic() + 60
    while True:
        try:
            return servers.leader()
        except (OSError, KeyError, TypeError, Refused):
            assert time.monotonic() < end, "the servers elect no leader"


FETCHED = "async () => ({ user: 'visitor', jwt: await (await fetch('token')).text() })"


@pytest.mark.rule("R30")
def test_who_may_only_read_follows_and_is_told(profile, visitor, website):
    one = visitor()
    one.click("#tally-add")
    give_credentials(website, '() => ({ user: "reader", pass: "reader" })')
    reader = profile()()
    expect_all([reader], 1)
    reader.click("#tally-add")
    reader.expect_text(NOTICE, re.compile("Access to stored values is denied"))
    one.click("#tally-add")
    expect_all([one], 2)
    reader.expect_text("#tally", "3")
    reader.expect_text("#tally-connection", CONNECTED)


@pytest.mark.rule("R28")
def test_tabs_that_recover_what_others_had_not_stored_store_it_once(profile, servers, problems):
    new_tab = profile()
    one, other = new_tab(), new_tab()
    one.click("#tally-add")
    expect_all([one, other], 1)
    servers.kill(0)
    for tab, count in [(one, 3), (other, 2)]:
        tab.expect_text("#tally-connection", OFFLINE)
        for _ in range(count):
            tab.click("#tally-add")
        tab.expect_text("#tally-pending", re.compile("to go…"))
    one.close()
    other.close()
    tabs = [new_tab() for _ in range(3)]
    servers.restart(0)
    expect_all(tabs, 6)
    problems.clear()  # a page cannot suppress the browser's report of a refused connection


# Adds as fast as commits complete, so that commits are under way from the first click to the last.
# Records the longest time without a commit.
PACED = """
  (async (count) => {
    const [button, pending] =
      ["#tally-add", "#tally-pending"].map((place) => document.querySelector(place));
    const steps = () => parseInt(pending.textContent) || 0;
    let last = performance.now(), before = steps(), change = () => {};
    globalThis.pause ??= 0;
    new MutationObserver(() => {
      const now = performance.now();
      if (steps() < before) {
        globalThis.pause = Math.max(globalThis.pause, now - last);
        last = now;
      }
      before = steps();
      change();
    }).observe(pending, { childList: true });
    for (let added = 0; added < count; added++) {
      while (steps() >= 4) await new Promise((next) => change = next);
      button.click();
    }
  })(args[0])
"""


@pytest.mark.soak
@pytest.mark.rule("R28")
@pytest.mark.parametrize("servers", [{"nodes": 3}], indirect=True)
def test_browsers_lose_nothing_while_leaders_and_a_follower_are_killed(
    browser, visitor, servers, problems, record_property
):
    count = 1000 if browser.name == "chromium" else 250
    tabs = [visitor() for _ in range(4)]
    for share in range(1, 6):
        leader = leader_of(servers)
        killed = leader if share != 3 else (leader + 1) % 3
        for tab in tabs:
            tab.value(f"void ({PACED})", count // 5)
        # A few of them are pending in each tab until all are added.
        servers.kill(killed)
        servers.restart(killed, waits=False)
        expect_all(tabs, 4 * (count // 5) * share)
    pause = max(tab.value("globalThis.pause") for tab in tabs)
    record_property("longest pause without a commit, in ms", round(pause))
    print(f"{browser.name}: the longest pause without a commit was {pause:.0f} ms")
    problems.clear()


@WITH_TOKENS
@pytest.mark.rule("R28")
def test_tokens_that_end_are_renewed_and_nothing_is_lost(visitor, servers, website, problems):
    give_credentials(website, FETCHED)
    given = give_tokens(website, servers, 4)
    tabs = [visitor(), visitor()]
    count, end = 0, time.monotonic() + 10
    while time.monotonic() < end:
        for tab in tabs:
            tab.value("document.querySelector('#tally-add').click()")
            count += 1
    expect_all(tabs, count)
    assert len(given) >= 6, "two for each tab ended while it added"
    problems.clear()


@WITH_TOKENS
@pytest.mark.rule("R29")
def test_what_was_added_without_a_token_is_stored_with_the_next_one(
    visitor, servers, website, problems
):
    give_credentials(website, FETCHED)
    give_tokens(website, servers, 3600)
    one = visitor()
    give_tokens(website, servers, 4)
    other = visitor()
    website.answer("token", "none", "text/plain")
    other.expect_text("#tally-connection", OFFLINE)
    other.click("#tally-add")
    other.click("#tally-add")
    other.expect_text("#tally-pending", "2 to go…")
    assert one.text("#tally") == "0"
    give_tokens(website, servers, 3600)
    expect_all([one, other], 2)
    problems.clear()
