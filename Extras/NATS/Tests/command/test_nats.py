"""NATS servers started by nats.py: the bucket, and the permissions of its users."""

import base64
import concurrent.futures
import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from conftest import ROOT, call

TOOL = ROOT / "Extras/NATS/Tools/nats.py"
sys.path.insert(0, str(TOOL.parent))

from nats_client import Client, Refused  # noqa: E402
from nats_configuration import READER, VISITOR, User, configuration, person  # noqa: E402
from nats_servers import Failed, NotReady, Servers  # noqa: E402

ORIGIN = "http://localhost:8080"
ALICE, BOB = person("alice"), person("bob")
WRONG_SEQUENCE, WRONG_FILTER, CYCLE = 10071, 10131, 10081


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Yields one server."""
    users = [VISITOR, READER, ALICE, BOB]
    with Servers(tmp_path_factory.mktemp("nats"), users=users, origins=[ORIGIN]) as servers:
        yield servers


@pytest.fixture
def connect(servers):
    """Yields a function that connects as a user, or as the administrator."""
    with contextlib.ExitStack() as clients:
        yield lambda user=None: clients.enter_context(servers.connect(user=user))


def commit(client, key, body, expected=None):
    """Returns the server's answer to a commit on top of a revision, or on top of any revision."""
    headers = {"Nats-Expected-Last-Subject-Sequence": expected}
    return client.request(f"$KV.app.{key}", body, {} if expected is None else headers).answer


def commit_soon(client, key, body):
    """Commits as soon as the client's server has found the leader; before that, it answers 503."""
    end = time.monotonic() + 20
    while (message := client.request(f"$KV.app.{key}", body)).status == 503:
        assert time.monotonic() < end
        time.sleep(0.05)
    return message.answer


def load(client, key):
    return client.request(f"$JS.API.DIRECT.GET.KV_app.$KV.app.{key}")


def watch(client, prefix, **options):
    """Returns the server's answer to a watch of all keys below the prefix of a subject."""
    config = {
        "name": "watch1",
        "deliver_subject": "watch.alice.1",
        "ack_policy": "none",
        "mem_storage": True,
        "num_replicas": 1,
        "deliver_policy": "last_per_subject",
        "filter_subject": f"$KV.app.{prefix}>",
        **options,
    }
    subject = f"KVAPI.CREATE.{config['name']}.$KV.app.{prefix}>"
    return client.request(subject, {"stream_name": "KV_app", "config": config}).answer


# MARK: The bucket


def test_the_bucket_is_there_with_its_configuration(connect):
    config = connect().request("$JS.API.STREAM.INFO.KV_app").answer["config"]
    expected = {
        "subjects": ["$KV.app.>"],
        "storage": "file",
        "num_replicas": 1,
        "discard": "new",
        "max_msgs_per_subject": 64,
        "allow_direct": True,
        "deny_delete": True,
        "allow_rollup_hdrs": False,
    }
    assert {name: config.get(name) for name in expected} == expected


def test_a_commit_on_top_of_another_revision_is_refused(connect):
    alice = connect(ALICE)
    revision = commit(alice, "alice.count", b"1", 0)["seq"]
    assert commit(alice, "alice.count", b"2", revision)["seq"] > revision
    error = commit(alice, "alice.count", b"2", revision)["error"]
    assert error["err_code"] == WRONG_SEQUENCE
    assert error["description"] == f"wrong last sequence: {revision + 1}"
    assert load(alice, "alice.count").body == b"2"


def test_history_is_bounded_and_commits_go_on(connect):
    alice, key = connect(ALICE), {"subjects_filter": "$KV.app.alice.long"}
    for number in range(100):
        assert "seq" in commit(alice, "alice.long", str(number).encode())
    state = connect().request("$JS.API.STREAM.INFO.KV_app", key).answer["state"]
    assert state["subjects"] == {"$KV.app.alice.long": 64}


def test_a_watch_shows_what_is_there_and_what_comes(connect):
    alice, bob = connect(ALICE), connect(BOB)
    commit(bob, "public.a", b"1")
    news = alice.subscribe("watch.alice.1")
    assert "error" not in watch(alice, "public.")
    commit(bob, "public.b", b"2")
    shown = [alice.next(news) for _ in range(2)]
    assert [(one.subject, one.body) for one in shown] == [
        ("$KV.app.public.a", b"1"),
        ("$KV.app.public.b", b"2"),
    ]
    assert all(one.reply.startswith("$JS.ACK.KV_app.watch1.") for one in shown)


def article(title):
    """Returns the block of configuration with this first word, without site-specific values."""
    text = (ROOT / "docs/Documentation.docc/NATSServer.md").read_text()
    block = next(block for block in text.split("```conf\n") if block.startswith(title))
    return plain(block.split("```")[0])


def plain(text):
    """Returns a configuration without passwords, ports, folders, quotes, commas and spaces."""
    text = re.sub(r'password: "[^"]*"|route:[^@]*@|127.0.0.1:\d+|store_dir: .*', "", text)
    return re.sub(r'[\s",]', "", text)


def test_the_article_shows_the_configuration(tmp_path):
    alice = User("alice", "alice", writes=("alice.",))
    servers = Servers(tmp_path, users=[alice], origins=[ORIGIN])
    servers.version = (2, 10, 27)
    assert plain(configuration(servers, servers.nodes[0])) == article("server_name")


def test_the_article_shows_what_a_cluster_adds(tmp_path):
    servers = Servers(tmp_path, nodes=3)
    assert article("cluster") in plain(configuration(servers, servers.nodes[0]))


# MARK: Permissions


@pytest.mark.parametrize(
    "subject",
    [
        "$KV.app.bob.x",
        "$KV.app.x",
        "$JS.API.DIRECT.GET.KV_app.$KV.app.bob.x",
        "KVAPI.CREATE.w.$KV.app.bob.>",
        "KVAPI.CREATE.w.$KV.app.>",
        "$JS.API.CONSUMER.CREATE.KV_app.w.$KV.app.alice.>",
        "$JS.API.STREAM.PURGE.KV_app",
        "$JS.API.STREAM.DELETE.KV_app",
    ],
)
def test_what_is_not_alices_is_denied_to_her(connect, subject):
    with pytest.raises(Refused, match="Permissions Violation for Publish"):
        connect(ALICE).request(subject)


@pytest.mark.parametrize("subject", ["$KV.app.>", "watch.bob.>", "_INBOX_bob.>", ">"])
def test_what_others_receive_is_denied_to_her(connect, subject):
    alice = connect(ALICE)
    alice.subscribe(subject)
    with pytest.raises(Refused, match="Permissions Violation for Subscription"):
        alice.flush()


@pytest.mark.parametrize("subject", ["$KV.app.public.tally", "$KV.app.presence.x"])
def test_a_reader_cannot_write_what_a_visitor_writes(connect, subject):
    assert "seq" in connect(VISITOR).request(subject, b"1").answer
    assert load(connect(READER), subject.removeprefix("$KV.app.")).body == b"1"
    with pytest.raises(Refused, match="Permissions Violation for Publish"):
        connect(READER).request(subject, b"2")


@pytest.mark.parametrize(
    "subject", ["$KV.app.alice.x", "$JS.API.DIRECT.GET.KV_app.$KV.app.alice.x"]
)
def test_an_answer_to_another_ones_key_does_not_overwrite_it(connect, subject):
    alice, bob = connect(ALICE), connect(BOB)
    commit(bob, "bob.x", b"mine")
    alice.publish(subject, b"", reply="$KV.app.bob.x")
    alice.flush()
    commit(alice, "alice.after", b"")
    assert load(bob, "bob.x").body == b"mine"


@pytest.mark.parametrize(
    "options, error",
    [
        ({"filter_subject": "$KV.app.bob.>"}, WRONG_FILTER),
        ({"filter_subject": ""}, WRONG_FILTER),
        ({"deliver_subject": "$KV.app.bob.x"}, CYCLE),
    ],
)
def test_a_watch_of_her_own_keys_cannot_name_anothers(connect, options, error):
    assert watch(connect(ALICE), "alice.", **options)["error"]["err_code"] == error


def test_a_watch_delivered_to_the_administrators_subjects_changes_nothing(connect):
    alice, admin = connect(ALICE), connect()
    commit(alice, "alice.x", b"")
    before = admin.request("$JS.API.STREAM.INFO.KV_app").answer["state"]["messages"]
    watch(alice, "alice.", name="purge", deliver_subject="$JS.API.STREAM.PURGE.KV_app")
    time.sleep(0.2)  # otherwise it would be delivered at once
    assert admin.request("$JS.API.STREAM.INFO.KV_app").answer["state"]["messages"] == before
    consumer = admin.request("$JS.API.CONSUMER.INFO.KV_app.purge").answer
    assert consumer["delivered"]["consumer_seq"] == 0


@pytest.mark.parametrize(
    "user, password", [("admin", ""), ("admin", "admin"), ("alice", "bob"), ("nobody", "")]
)
def test_a_wrong_password_is_refused(servers, user, password):
    with pytest.raises(Refused, match="Authorization Violation"):
        Client(servers.client[0], user, password)


@pytest.mark.parametrize(
    "origin, status",
    [
        (ORIGIN, 101),
        ("http://localhost:8081", 403),
        ("https://localhost:8080", 403),
        ("http://evil.example", 403),
        ("null", 403),
    ],
)
def test_only_the_page_may_open_a_websocket(servers, origin, status):
    port = servers.nodes[0].websocket
    key = base64.b64encode(bytes(16)).decode()
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nOrigin: {origin}\r\n\r\n".encode()
        )
        assert int(connection.recv(4096).split()[1]) == status


def test_other_machines_cannot_reach_it(servers):
    said = servers.log(0).read_text()
    assert "Listening for client connections on 127.0.0.1:" in said
    assert "Listening for websocket clients on ws://127.0.0.1:" in said
    assert "0.0.0.0" not in said


# MARK: Starting and ending


def test_a_killed_server_that_is_started_again_has_all_data(tmp_path):
    with Servers(tmp_path, users=[ALICE]) as servers:
        with servers.connect(user=ALICE) as alice:
            revision = commit(alice, "alice.x", b"kept")["seq"]
        servers.kill(0)
        servers.restart(0)
        with servers.connect(user=ALICE) as alice:
            assert load(alice, "alice.x").headers["Nats-Sequence"] == str(revision)
    with Servers(tmp_path, users=[ALICE]) as servers, servers.connect(user=ALICE) as alice:
        assert load(alice, "alice.x").body == b"kept"


@contextlib.contextmanager
def running(folder, *options):
    """Yields the tool and its printed output."""
    process = subprocess.Popen(
        [sys.executable, TOOL, "--folder", folder, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def await_end(port):
    """Waits until a port has no listener."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.02)
    pytest.fail("The server still runs.", pytrace=False)


@pytest.mark.parametrize("ending", ["input", signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_server_ends_with_the_tool(tmp_path, ending):
    with running(tmp_path, "--people", "alice") as (process, printed):
        assert printed["users"] == {name: name for name in ["visitor", "reader", "alice"]}
        if ending == "input":
            process.stdin.close()
        else:
            process.send_signal(ending)
        await_end(printed["client"][0])


def test_servers_that_are_not_ready_are_started_again(tmp_path, monkeypatch):
    create_bucket, started = Servers.create_bucket, []

    def create(servers, timeout):
        started.append(servers.processes[0].pid)
        if len(started) == 1:
            raise NotReady("no suitable peers for placement")
        create_bucket(servers, timeout=timeout)

    monkeypatch.setattr(Servers, "create_bucket", create)
    with Servers(tmp_path, users=[ALICE]) as servers, servers.connect(user=ALICE) as alice:
        assert commit(alice, "alice.count", "1")["seq"] == 1
        assert started[1] == servers.processes[0].pid != started[0]


def test_two_servers_cannot_use_the_same_data(tmp_path):
    with running(tmp_path):
        result = call(sys.executable, TOOL, "--folder", tmp_path)
    assert result.status == 1
    assert f"nats.py: Another server runs with the data in {tmp_path}" in result.errors


def test_a_port_in_use_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = call(sys.executable, TOOL, "--folder", tmp_path, "--port", port)
    assert (result.status, result.shown) == (1, [])
    assert f"Port {port} cannot be used: Address already in use." in result.errors


# MARK: A cluster


def test_that_a_node_has_ended_is_said_at_once(tmp_path):
    servers = Servers(tmp_path, nodes=3)
    with socket.create_server(("127.0.0.1", servers.client[2])):
        with pytest.raises(Failed, match="node3 has ended: .*address already in use"):
            servers.start()


def count_up(servers, number, times):
    """Adds one to a number at a time. The value also records the finished additions, so that a
    commit with a lost answer is not repeated."""
    done = 0
    while done < times:
        with contextlib.suppress(OSError), servers.connect(number, ALICE) as client:
            while done < times:
                loaded = load(client, "alice.count")
                value = json.loads(loaded.body or '{"count": 0, "seen": {}}')
                if value["seen"].get(str(number)) == done + 1:
                    done += 1
                    continue
                value["count"] += 1
                value["seen"][str(number)] = done + 1
                revision = loaded.headers.get("Nats-Sequence", 0)
                # Without a leader there is no answer in JSON, and a wrong revision is rejected.
                headers = {"Nats-Expected-Last-Subject-Sequence": revision}
                client.request("$KV.app.alice.count", json.dumps(value).encode(), headers)


def test_a_cluster_loses_no_update_when_its_leader_is_killed(tmp_path, remark):
    start = time.monotonic()
    with Servers(tmp_path, nodes=3, users=[ALICE]) as servers:
        started, info = time.monotonic(), "$JS.API.STREAM.INFO.KV_app"
        with servers.connect() as admin:
            assert admin.request(info).answer["config"]["num_replicas"] == 3
        leader = servers.leader()
        others = [number for number in range(3) if number != leader]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            writers = [pool.submit(count_up, servers, number, 100) for number in others]
            time.sleep(0.1)
            servers.kill(leader)
            for writer in writers:
                writer.result(timeout=60)
        counted = time.monotonic()
        with servers.connect(others[0]) as admin:
            last = {"last_by_subj": "$KV.app.alice.count"}
            answer = admin.request("$JS.API.STREAM.MSG.GET.KV_app", last).answer
        value = json.loads(base64.b64decode(answer["message"]["data"]))
        assert value == {"count": 200, "seen": dict.fromkeys(map(str, others), 100)}
        servers.restart(leader)
        with servers.connect(leader, ALICE) as alice:
            assert "seq" in commit_soon(alice, "alice.after", b"1")
        remark(f"started in {started - start:.1f} s, 200 commits in {counted - started:.1f} s")


@pytest.fixture
def old_server(tmp_path):
    """Returns a server that is too old for a cluster."""
    path = tmp_path / "nats-server"
    path.write_text("#!/bin/sh\necho 'nats-server: v2.9.10'\n")
    path.chmod(0o755)
    return path


def test_an_old_server_is_refused_in_a_cluster(old_server, tmp_path):
    words = [sys.executable, TOOL, "--folder", tmp_path / "data", "--nodes", 3]
    result = call(*words, env={"NATS_SERVER": str(old_server)})
    assert (result.status, result.shown) == (1, [])
    said = f"{old_server} is 2.9.10; in a cluster it loses updates. 2.10.27 or later is needed."
    assert said in result.errors
