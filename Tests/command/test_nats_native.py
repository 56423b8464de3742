"""Native programs that count under one key of a NATS server."""

import json
import re
import signal
import socket
import subprocess
import sys

import pytest
from conftest import ROOT, call

sys.path.insert(0, str(ROOT / "Tools"))

from nats_configuration import READER, VISITOR, User, person  # noqa: E402
from nats_servers import Servers  # noqa: E402


@pytest.fixture(scope="session")
def nats_program():
    call("swift", "build", "--product", "NATSProgram", cwd=ROOT)
    return ROOT / ".build/debug/NATSProgram"


@pytest.fixture
def servers(tmp_path):
    everything = User("everything", "everything", writes=("",))
    with Servers(tmp_path, users=[VISITOR, READER, person("alice"), everything]) as servers:
        yield servers


@pytest.fixture
def count(nats_program, servers):
    """Starts a program that adds to a count so many times."""
    programs = []

    def count(times, key="public.count", user="visitor", password=None):
        addresses = ",".join(f"127.0.0.1:{port}" for port in servers.client)
        words = [nats_program, addresses, user, password or user, key, str(times)]
        program = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        programs.append(program)
        return program

    yield count
    for program in programs:
        program.kill()
        program.communicate()


def last_line(program):
    said, _ = program.communicate(timeout=60)
    assert program.returncode == 0, said
    return said.splitlines()[-1]


@pytest.mark.parametrize("programs", [2, 4])
def test_programs_that_count_at_once_lose_nothing(count, programs):
    for each in [count(500) for _ in range(programs)]:
        assert int(last_line(each)) >= 500
    assert last_line(count(1)) == str(programs * 500 + 1)


def test_a_program_hears_what_others_count(count):
    follower = count(0)
    assert follower.stdout.readline() == "0\n"
    assert last_line(count(3)) == "3"
    heard = 0
    while heard < 3:
        now = int(follower.stdout.readline())
        assert now >= heard
        heard = now


def test_what_is_counted_without_the_server_is_stored_when_it_is_back(count, servers):
    assert last_line(count(5)) == "5"
    servers.kill(0)
    program = count(5)
    assert "Nobody answers" in program.stdout.readline()
    servers.restart(0)
    assert last_line(program) == "10"


def test_a_server_that_is_killed_while_programs_count_loses_nothing(count, servers):
    programs = [count(2000) for _ in range(2)]
    servers.kill(0, signal.SIGKILL)
    servers.restart(0)
    for each in programs:
        last_line(each)
    assert last_line(count(1)) == "4001"


def test_a_server_that_does_not_take_the_connection_holds_up_no_other(nats_program, servers):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as silent:
        address = silent.getsockname()
        # It takes none of them; for more than two, the system does not even answer.
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        addresses = f"127.0.0.1:{address[1]},127.0.0.1:{servers.client[0]}"
        words = [nats_program, addresses, "visitor", "visitor", "public.count", "2"]
        program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            assert last_line(program) == "2"
        finally:
            program.kill()
            for one in waiting:
                one.close()


def test_who_may_not_write_a_key_is_told(count):
    assert "Permissions Violation" in count(1, key="alice.count").stdout.readline()
    assert "Permissions Violation" in count(1, user="reader").stdout.readline()
    assert last_line(count(2, user="alice", key="alice.count")) == "2"


def test_who_may_only_read_follows_what_others_count(count):
    assert last_line(count(5)) == "5"
    reader = count("read", user="reader")
    assert reader.stdout.readline() == "5\n"
    assert last_line(count(3)) == "8"
    heard = 5
    while heard < 8:
        now = int(reader.stdout.readline())
        assert now >= heard
        heard = now


def test_who_may_not_read_a_key_is_told(count):
    assert "Permissions Violation" in count("read", key="alice.count").stdout.readline()


def test_a_wrong_password_is_told_and_nothing_is_lost(count):
    program = count(1, password="wrong")
    assert "Authorization Violation" in program.stdout.readline()


@pytest.mark.parametrize("key", ["public.a b*>", "public..", "public.ü\"\n/../x"])
def test_any_text_is_a_key(count, key):
    assert last_line(count(2, key=key)) == "2"


@pytest.mark.parametrize("address", ["", "127.0.0.1", "127.0.0.1:port"])
def test_what_is_no_address_is_told(nats_program, address):
    words = [nats_program, address, "visitor", "visitor", "public.count", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as one:
        try:
            assert "is no address: write a name and a port" in one.stdout.readline()
        finally:
            one.kill()


@pytest.mark.parametrize("text", json.loads((ROOT / "Tests/nats/no-records.json").read_text()))
def test_what_another_program_has_put_there_is_kept(count, servers, text):
    with servers.connect() as client:
        client.request("$KV.app.public.count", text.encode())
        assert last_line(count(1)) == "1"
        kept = client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.count.corrupt")
        assert json.loads(kept.body)["text"] == f"No record: {text}"


def test_a_program_lists_what_is_under_a_prefix(count):
    assert last_line(count(2, key="public.a b")) == "2"
    listing = count("list", key="public.")
    assert listing.stdout.readline() == "[a b=2]\n"
    assert last_line(count(1, key="public.ä")) == "1"
    while (line := listing.stdout.readline()) != "[a b=2 ä=1]\n":
        assert re.fullmatch(r"\[a b=2( ä=\d)?\]\n", line)


def test_a_listing_goes_on_after_the_server_was_killed(count, servers):
    listing = count("list", key="public.")
    assert listing.stdout.readline() == "[]\n"
    servers.kill(0)
    servers.restart(0)
    assert last_line(count(1, key="public.a")) == "1"
    while (line := listing.stdout.readline()) != "[a=1]\n":
        assert re.fullmatch(r"\[(a=\d)?\]\n|.*(ended|answers).*\n", line)


@pytest.mark.parametrize(
    ("prefix", "said"), [("alice.", "Permissions Violation"), ("public", "ends with a dot")]
)
def test_a_prefix_that_cannot_be_listed_is_told(count, prefix, said):
    assert said in count("list", key=prefix).stdout.readline()


# What the store of one key does otherwise, since it refuses commits of others.
OTHERWISE = [
    "of a commit with a conflict, nothing is stored",
    "a commit that was made from an unknown revision is a conflict",
]


def test_the_store_of_a_key_stores_no_other(count, servers):
    assert 'The store of the key "public.a" stores no other' in count(
        "other", key="public.a"
    ).stdout.readline()


def test_the_store_of_a_key_keeps_the_contract(count):
    said, _ = count("contract", key="one", user="everything").communicate(timeout=120)
    assert said.splitlines() == OTHERWISE
