"""Users with expiring tokens in place of passwords, as a login service gives them to a page."""

import base64
import contextlib
import socket
import time

import pytest
from test_nats import ALICE, BOB, ORIGIN, commit, load, running, watch

# test_nats has added the tools to the path.
from nats_client import Client, Refused
from nats_servers import Servers
from nats_tokens import Tokens


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Yields one server."""
    folder = tmp_path_factory.mktemp("tokens")
    with Servers(folder, users=[], origins=[ORIGIN], tokens=Tokens()) as servers:
        yield servers


@pytest.fixture
def connect(servers):
    """Yields a function that connects as a user with a token for an hour, or as the
    administrator."""
    with contextlib.ExitStack() as clients:
        yield lambda user=None: clients.enter_context(servers.connect(user=user))


def test_a_token_is_enough_to_commit_and_to_watch(connect):
    alice = connect(ALICE)
    revision = commit(alice, "alice.x", b"1", 0)["seq"]
    assert commit(alice, "alice.x", b"2", 0)["error"]["err_code"] == 10071
    news = alice.subscribe("watch.alice.1")
    assert "error" not in watch(alice, "alice.")
    shown = alice.next(news)
    assert (shown.body, shown.reply.split(".")[5]) == (b"1", str(revision))


@pytest.mark.parametrize("subject", ["$KV.app.bob.x", "$JS.API.STREAM.DELETE.KV_app"])
def test_a_token_is_for_ones_own_prefix(connect, subject):
    with pytest.raises(Refused, match="Permissions Violation for Publish"):
        connect(ALICE).request(subject)


def test_an_answer_to_another_ones_key_does_not_overwrite_it(connect):
    alice, bob = connect(ALICE), connect(BOB)
    commit(bob, "bob.x", b"mine")
    alice.publish("$KV.app.alice.y", b"", reply="$KV.app.bob.x")
    alice.flush()
    commit(alice, "alice.after", b"")
    assert load(bob, "bob.x").body == b"mine"


def test_a_connection_ends_with_its_token(servers):
    with servers.connect(token=servers.tokens.user(ALICE, 3), user=ALICE) as alice:
        assert "seq" in commit(alice, "alice.before", b"1")
        end = time.monotonic() + 20
        with pytest.raises((Refused, OSError)):
            while time.monotonic() < end:
                commit(alice, "alice.before", b"1")
                time.sleep(0.1)


def test_what_is_no_token_of_now_is_refused(servers):
    forged = Tokens().user(ALICE, 3600)
    for token in [servers.tokens.user(ALICE, -1), forged, "no.token.at-all", None]:
        with pytest.raises(Refused, match="Authorization Violation"):
            Client(servers.client[0], "alice", "alice", token)


@pytest.mark.parametrize("has_cookie", [True, False])
def test_a_cookie_can_have_the_token(servers, has_cookie):
    token = servers.tokens.user(ALICE, 3600)
    port = servers.nodes[0].websocket
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        lines = [
            "GET / HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            f"Origin: {ORIGIN}",
            *([f"Cookie: nats={token}"] if has_cookie else []),
        ]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        received = connection.recv(4096)  # before that, a frame would be rejected
        assert received.startswith(b"HTTP/1.1 101 ")
        message = b'CONNECT {"verbose":false}\r\nPING\r\n'
        connection.sendall(bytes([0x82, 0x80 | len(message), 0, 0, 0, 0]) + message)
        with contextlib.suppress(ConnectionResetError):
            while b"PONG" not in received and (more := connection.recv(4096)):
                received += more
        assert (b"PONG" in received) == has_cookie


def test_the_tool_prints_tokens_with_the_ends_that_it_is_given(tmp_path):
    with running(tmp_path, "--people", "alice", "--tokens", "3600", "-1") as (_, printed):
        port, (valid, over) = printed["client"][0], printed["tokens"]["alice"]
        with Client(port, "alice", token=valid) as alice:
            assert "seq" in commit(alice, "alice.x", b"1")
        with pytest.raises(Refused, match="Authorization Violation"):
            Client(port, "alice", token=over)
