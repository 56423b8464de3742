"""Native programs that count under one key of a NATS server."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT, call

sys.path.insert(0, str(ROOT / "Extras/NATS/Tools"))

from nats_configuration import READER, VISITOR, User, person  # noqa: E402
from nats_program import find as find_server  # noqa: E402
from nats_servers import Servers  # noqa: E402
from ports import free_ports  # noqa: E402


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
    """Yields a function that starts a program that adds to a count a number of times."""
    programs = []

    def count(
        times, *hears, key="public.count", user="visitor", password=None, before="", env=None
    ):
        addresses = before + ",".join(f"127.0.0.1:{port}" for port in servers.client)
        words = [nats_program, addresses, user, password or user, key, str(times), *hears]
        program = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
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
    assert "No server answers" in program.stdout.readline()
    servers.restart(0)
    assert last_line(program) == "10"


def test_a_server_that_is_killed_while_programs_count_loses_nothing(count, servers):
    programs = [count(2000) for _ in range(2)]
    servers.kill(0, signal.SIGKILL)
    servers.restart(0)
    for each in programs:
        last_line(each)
    assert last_line(count(1)) == "4001"


def test_a_server_that_does_not_take_the_connection_holds_up_no_other(count):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as silent:
        address = silent.getsockname()
        # It accepts none of them; for more than two, the system does not even answer.
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        try:
            assert last_line(count(2, before=f"127.0.0.1:{address[1]},")) == "2"
        finally:
            for one in waiting:
                one.close()


def test_a_server_that_says_nothing_holds_up_no_other(count):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # the system accepts connections for it
        assert last_line(count(2, before=f"127.0.0.1:{silent.getsockname()[1]},")) == "2"


@pytest.mark.parametrize(
    "line", ["MSG 5", "MSG a 1 -5", "HMSG a 1 9 5", "HMSG a 1 -1 5", f"MSG a 1 {2**63 - 1}"]
)
def test_a_server_that_breaks_the_protocol_holds_up_no_other(count, line):
    with socket.create_server(("127.0.0.1", 0)) as broken:
        program = count(2, before=f"127.0.0.1:{broken.getsockname()[1]},")
        with broken.accept()[0] as connection:
            connection.sendall(f"INFO {{}}\r\n{line}\r\n123456789\r\n".encode())
            assert last_line(program) == "2"


# A resolver that slowly fails to find the address of a name.
SLOW_NAMES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>
typedef int find(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints,
                struct addrinfo **found) {
  if (!strcmp(name, "slow.invalid")) sleep(600);
  return ((find *)dlsym(RTLD_NEXT, "getaddrinfo"))(name, port, hints, found);
}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is of Linux")
def test_a_name_that_takes_long_to_find_holds_up_no_other(count, tmp_path):
    source, library = tmp_path / "slow.c", tmp_path / "slow.so"
    source.write_text(SLOW_NAMES)
    call("clang", "-shared", "-fPIC", "-o", library, source)
    env = {**os.environ, "LD_PRELOAD": str(library)}
    assert last_line(count(2, before="slow.invalid:4222,", env=env)) == "2"


def test_a_server_that_requires_tls_is_told_and_how_to_do_without(nats_program, tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    call(
        *["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"],
        *["-keyout", key, "-out", certificate],
    )
    [port] = free_ports(1)
    words = ["--addr", "127.0.0.1", "--port", str(port), "--tls"]
    words += ["--tlscert", certificate, "--tlskey", key]
    with open(tmp_path / "log", "w") as log:
        server = subprocess.Popen([find_server(), *words], stdout=log, stderr=log)
    words = [nats_program, f"127.0.0.1:{port}", "visitor", "visitor", "public.count", "read"]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        while "requires TLS" not in (line := program.stdout.readline()):
            assert "No server answers" in line  # it is starting
        assert "stunnel" in line
    finally:
        program.kill()
        program.communicate()
        server.kill()
        server.wait()


def test_that_nobody_answers_is_told_once(nats_program):
    addresses = [f"127.0.0.1:{port}" for port in free_ports(2)]
    words = [nats_program, ",".join(addresses), "visitor", "visitor", "public.count", "read"]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    line = program.stdout.readline()
    assert any(f"No server answers at {address}." in line for address in addresses), line
    time.sleep(5)  # each has been asked again
    program.kill()
    assert program.communicate()[0] == ""


def test_what_is_stored_is_asked_for_before_it_is_known_if_it_can_be_followed(
    nats_program, servers, count
):
    assert last_line(count(2)) == "2"
    asked, have_waited = threading.Event(), []

    def pass_on(source, target, wait):
        content = b""
        while part := source.recv(65536):
            content += part
            wait(part, content)
            target.sendall(part)

    def note(_, content):
        # The list of replaced values is asked for after the answer to this one, which may be held.
        if b"DIRECT.GET" in content:
            asked.set()

    def hold_back(part, _):
        if b"num_pending" in part:  # the answer to a client that wants to follow
            have_waited.append(asked.wait(10))

    with socket.create_server(("127.0.0.1", 0)) as proxy:
        address = f"127.0.0.1:{proxy.getsockname()[1]}"
        words = [nats_program, address, "visitor", "visitor", "public.count", "read"]
        program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        near, far = proxy.accept()[0], socket.create_connection(("127.0.0.1", servers.client[0]))
        ways = [(near, far, note), (far, near, hold_back)]
        for way in ways:
            threading.Thread(target=pass_on, args=way, daemon=True).start()
        try:
            assert program.stdout.readline() == "2\n"
            assert have_waited and all(have_waited)
        finally:
            program.kill()
            program.communicate()
            for one in (near, far):
                with contextlib.suppress(OSError):  # the other side may have closed it
                    one.shutdown(socket.SHUT_RDWR)
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


def test_who_may_not_hear_of_changes_of_a_key_is_told_once_and_others_go_on(count):
    refused = count("read", "watch.alice", key="public.a")
    assert "Permissions Violation for Subscription" in refused.stdout.readline()
    assert last_line(count(3, key="public.b")) == "3"
    time.sleep(5)  # it is recreated after three seconds without data, which does not apply here
    refused.kill()
    assert refused.stdout.read() == ""


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
            assert "is not an address: write a host and a port" in one.stdout.readline()
        finally:
            one.kill()


@pytest.mark.parametrize("text", json.loads((ROOT / "Extras/NATS/Tests/script/no-records.json").read_text()))
def test_what_another_program_has_put_there_is_kept(count, servers, text):
    with servers.connect() as client:
        client.request("$KV.app.public.count", text.encode())
        assert last_line(count(1)) == "1"
        kept = client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.count.corrupt")
        assert json.loads(kept.body)["text"] == f"No record: {text}"


def test_bytes_that_are_not_utf8_are_kept_as_a_page_keeps_them(count, servers):
    with servers.connect() as client:
        client.request("$KV.app.public.count", b"\xff7")
        assert last_line(count(1)) == "1"
        kept = client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.count.corrupt")
        assert json.loads(kept.body)["text"] == "No record: \ufffd7"


def test_bytes_that_are_not_utf8_are_not_stored_and_the_program_is_told(count, servers):
    line = count("bytes", key="public.bytes").stdout.readline()
    assert '"public.bytes" is not UTF-8' in line
    with servers.connect() as client:
        assert client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.bytes").status == 404


def count_once(program):
    """Has a program that counts lines count; returns its lines until that is stored."""
    print(file=program.stdin, flush=True)
    return lines_until("stored", program)


def lines_until(last, program):
    told = []
    while (line := program.stdout.readline()) != f"{last}\n":
        assert line, told
        told.append(line)
    return told


def stored_count(client):
    body = client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.count").body
    return json.loads(body)["text"]


def test_a_bucket_that_was_made_anew_can_be_used(count, servers):
    program = count("lines")
    for _ in range(5):
        count_once(program)
    with servers.connect() as client:
        client.request("$JS.API.STREAM.DELETE.KV_app")
        servers.create_bucket()
        # As restored from a backup: the key has an older revision.
        client.request("$KV.app.public.count", b'{"seen":[],"text":"40"}')
        for expected in ["41", "42"]:
            assert count_once(program) == []
            assert stored_count(client) == expected


def test_changes_in_a_bucket_that_was_made_anew_are_heard_after_a_commit(count, servers):
    program = count("watch")
    with servers.connect() as client:
        for revision in range(1, 6):
            client.request("$KV.app.public.count", b'{"seen":[],"text":"1"}')
            assert program.stdout.readline() == f"{revision}\n"
        client.request("$JS.API.STREAM.DELETE.KV_app")
        servers.create_bucket()
        client.request("$KV.app.public.count", b'{"seen":[],"text":"2"}')
        print(5, file=program.stdin, flush=True)
        # Revisions grow for the program, also where those of the bucket begin again.
        lines_until("conflict with 7", program)
        client.request("$KV.app.public.count", b'{"seen":[],"text":"3"}')
        lines_until("8", program)


def restore(servers, client, texts):
    """Replaces the bucket as a back-up does: with older revisions of its keys."""
    client.request("$JS.API.STREAM.DELETE.KV_app")
    servers.create_bucket()
    for key, text in texts:
        record = json.dumps({"seen": [], "text": text})
        client.request(f"$KV.app.public.{key}", record.encode())


def test_who_only_reads_is_shown_a_bucket_that_was_restored(count, servers):
    with servers.connect() as client:
        restore(servers, client, [("count", str(number)) for number in range(1, 6)])
        program = count("read")
        assert program.stdout.readline() == "5\n"
        restore(servers, client, [("count", "40")])
        lines_until("40", program)
        client.request("$KV.app.public.count", b'{"seen":[],"text":"41"}')
        lines_until("41", program)
        # As many revisions as before, with other texts.
        restore(servers, client, [("count", "50"), ("count", "51")])
        lines_until("51", program)
        restore(servers, client, [])
        lines_until("0", program)


def test_a_program_that_counts_shows_what_a_restored_bucket_has(count, servers):
    program = count("shows")
    for expected in "12345":
        print(file=program.stdin, flush=True)
        lines_until(expected, program)
    with servers.connect() as client:
        restore(servers, client, [("count", "40")])
        print(file=program.stdin, flush=True)
        lines_until("41", program)
        assert stored_count(client) == "41"


def test_a_copy_of_a_replaced_value_in_a_restored_bucket_is_not_told(count, servers):
    with servers.connect() as client:
        copies = [("count.replaced", "7"), ("count.replaced", "8")]
        restore(servers, client, [*copies, ("count", "1")])
        program = count("shows")
        print(file=program.stdin, flush=True)
        lines_until("2", program)
        restore(servers, client, [copies[0], ("count", "40")])
        print(file=program.stdin, flush=True)
        lines_until("41", program)
        time.sleep(4)  # the consumer of the copies begins again after three seconds
        print(file=program.stdin, flush=True)
        assert lines_until("42", program) == []


def test_a_commit_that_waits_for_a_server_without_its_data_is_stored(count, servers):
    program = count("lines")
    for _ in range(5):
        count_once(program)
    servers.kill(0)
    shutil.rmtree(servers.folder / "alone")
    print(file=program.stdin, flush=True)
    assert "unavailable" in program.stdout.readline()
    servers.restart(0)
    lines_until("stored", program)
    with servers.connect() as client:
        assert stored_count(client) == "1"


def test_a_store_that_is_released_ends_its_consumers(count, servers):
    def followed():
        consumers = client.request("$JS.API.CONSUMER.LIST.KV_app").answer["consumers"]
        return sum(one.get("push_bound", False) for one in consumers)

    def wait_for(number):
        end = time.monotonic() + 20
        while followed() != number:
            assert time.monotonic() < end, followed()
            time.sleep(0.05)

    with servers.connect() as client:
        program = count("release")
        wait_for(2)  # of the key, and of the copies of replaced values
        print(file=program.stdin, flush=True)
        wait_for(0)


def test_of_64_clients_the_one_is_forgotten_that_has_not_committed_for_longest(count, servers):
    # In the page's order: the last one first.
    record = {"seen": [[f"c{number}", 1] for number in range(64)], "text": "5"}
    with servers.connect() as client:
        client.request("$KV.app.public.count", json.dumps(record).encode())
        assert last_line(count(1)) == "6"
        stored = client.request("$JS.API.DIRECT.GET.KV_app.$KV.app.public.count")
        [own, *others] = json.loads(stored.body)["seen"]
        assert own[1] > 0 and others == record["seen"][:63]


def test_who_may_not_hear_of_changes_is_told_once_and_others_go_on(count):
    assert last_line(count(1, key="public.a")) == "1"
    refused = count("read", "watch.alice", key="public.a")
    assert "Permissions Violation for Subscription" in refused.stdout.readline()
    reader = count("read", key="public.a")
    assert reader.stdout.readline() == "1\n"
    assert last_line(count(1, key="public.a")) == "2"
    assert reader.stdout.readline() == "2\n"
    time.sleep(5)  # it is recreated after three seconds without data, which does not apply here
    refused.kill()
    assert refused.stdout.read() == ""


def test_who_may_not_hear_of_changes_is_not_told_again_when_the_server_is_back(count, servers):
    refused = count("read", "watch.alice", key="public.a")
    assert "Permissions Violation for Subscription" in refused.stdout.readline()
    servers.kill(0)
    servers.restart(0)
    # The server's message contains a subject, a different one now.
    assert last_line(count(1, key="public.a")) == "1"
    time.sleep(5)
    refused.kill()
    assert "Permissions Violation" not in refused.stdout.read()


def test_who_may_no_longer_hear_is_told_once_and_shown_all_when_that_is_over(count, servers):
    def begin_anew(*users):
        servers.users = users
        servers.kill(0)
        servers.restart(0)

    program = count("read")
    assert program.stdout.readline() == "0\n"
    for _ in range(2):
        begin_anew(User("visitor", "visitor", writes=("presence.",)), person("alice"))
        # It is rejected on each connection.
        assert last_line(count(1, user="alice")) in "12"
    begin_anew(VISITOR, person("alice"))
    told = []
    while (line := program.stdout.readline()) != "2\n":
        if told or line != "0\n":  # the first run is repeated if the answer comes meanwhile
            told.append(line)
    assert [line for line in told if "Permissions Violation" in line] == told[:1], told
    assert last_line(count(1)) == "3"
    assert "3" in program.stdout.readline()


def test_that_the_server_takes_no_more_consumers_is_told_once_and_tried_again(count, servers):
    with servers.connect() as client:

        def consumers():
            return client.request("$JS.API.CONSUMER.NAMES.KV_app").answer["consumers"]

        client.request("$JS.API.STREAM.DELETE.KV_app")
        servers.create_bucket(max_consumers=2)
        first = count("read", key="public.first")
        while len(consumers()) < 2:  # of the key, and of the copies of replaced values
            time.sleep(0.05)
        program = count("read")
        line = program.stdout.readline()
        assert "quotaExceeded" in line and "maximum consumers limit reached" in line
        time.sleep(4)  # it has retried
        first.kill()
        for name in consumers():
            client.request(f"$JS.API.CONSUMER.DELETE.KV_app.{name}")
        assert program.stdout.readline() == "0\n"


def test_who_may_not_hear_of_answers_is_told(count):
    for how in [1, "read"]:
        program = count(how, "watch.visitor", "_INBOX_alice", key="public.count")
        assert "Permissions Violation for Subscription" in program.stdout.readline()


def test_a_bucket_that_is_not_there_is_told_once_and_read_when_it_is(count, servers):
    with servers.connect() as client:
        client.request("$JS.API.STREAM.DELETE.KV_app")
    reader = count("read")
    assert 'The bucket "app" does not answer' in reader.stdout.readline()
    time.sleep(4)  # it has retried
    servers.create_bucket()
    assert reader.stdout.readline() == "0\n"


# Differences of the store of one key, since it rejects commits of other keys.
OTHERWISE = [
    "of a commit with a conflict, nothing is stored",
    "a commit that was made from an unknown revision is a conflict",
]


def test_the_store_of_a_key_stores_no_other(count, servers):
    assert 'This store is for the key "public.a" only' in count(
        "other", key="public.a"
    ).stdout.readline()


def test_the_store_of_a_key_keeps_the_contract(count):
    said, _ = count("contract", key="one", user="everything").communicate(timeout=120)
    assert said.splitlines() == OTHERWISE
