"""A page with a user who may read others' changes on a NATS server, but may not write."""

import json
import subprocess

import pytest
from nats_visitors import ROOT, servers, unexpected  # noqa: F401
from test_keys import PAGES, await_program, keys, send  # noqa: F401

SCRIPT = "Extras/NATS/Tests/browser/pages/reader.js"


def add(servers, count):
    """Adds to the count with a native program of another user."""
    program, [port] = ROOT / ".build/debug/NATSProgram", servers.client
    words = [program, f"127.0.0.1:{port}", "visitor", "visitor", "public.count", str(count)]
    subprocess.run(words, check=True, timeout=60, stdout=subprocess.PIPE)


def revision(servers):
    """Returns the number of writes to the bucket."""
    with servers.connect() as client:
        answer = client.request("$JS.API.STREAM.INFO.KV_app")
    return json.loads(answer.body)["state"]["last_seq"]


@pytest.fixture
def reader(keys, website, servers, open_tab, problems):
    website.answer("reader.html", (PAGES / "keys.html").read_text().replace("keys.js", SCRIPT))

    def reader():
        tab = open_tab(f"reader.html?nats={servers.websocket[0]}")
        tab.patience = 60
        await_program(tab)
        return tab

    yield reader
    problems[:] = unexpected(problems, servers)


@pytest.mark.rule("R30")
def test_a_reader_follows_what_another_program_commits(reader, servers):
    tab = reader()
    tab.expect_text("#read", "0")
    add(servers, 3)
    tab.expect_text("#read", "3")
    add(servers, 2)
    tab.expect_text("#read", "5")
    assert tab.text("#read-problem") == ""


@pytest.mark.rule("R30")
def test_who_may_only_read_stores_nothing_and_goes_on_reading(reader, servers):
    add(servers, 1)
    before, tab = revision(servers), reader()
    tab.expect_text("#read", "1")
    send(tab, "ann")  # the program may change this value, but not the user
    tab.expect_text("#ann-problem", "Access to stored values is denied. Allow it.")
    add(servers, 1)
    tab.expect_text("#read", "2")
    assert revision(servers) == before + 1
