"""The leaf node of the article "A NATS server for pages", with the article's configuration."""

import contextlib
import re
import subprocess
import time

import pytest
from conftest import ROOT
from test_nats import ALICE, commit, commit_soon, load, watch

# test_nats has added the tools to the path.
import nats_servers
from nats_client import Client
from nats_servers import Servers
from ports import free_ports


def block(title):
    """Returns the article's block of configuration with this first word."""
    text = (ROOT / "docs/Documentation.docc/NATSServer.md").read_text()
    blocks = [part.split("```")[0] for part in text.split("```conf\n")[1:]]
    return next(block for block in blocks if block.startswith(title))


@pytest.fixture
def leaf(tmp_path, monkeypatch):
    """Yields a client of a leaf node, and one of the server with the data."""
    plain = nats_servers.configuration
    hub_port, leaf_port = free_ports(2)

    def with_leaf_nodes(servers, node):
        text = plain(servers, node)
        text = re.sub(r"(PAGES {\s+users: \[)", r"\1 { user: leaf, password: leaf }", text)
        text = re.sub(r"(imports: \[)", lambda found: found[1] + block("{ service"), text)
        return f'{text}leafnodes {{ listen: "127.0.0.1:{hub_port}" }}\n'

    monkeypatch.setattr(nats_servers, "configuration", with_leaf_nodes)
    file, log = tmp_path / "leaf.conf", tmp_path / "leaf.log"
    text = re.sub(r'"tls://[^"]*"', f'"nats-leaf://leaf:leaf@127.0.0.1:{hub_port}"', block("leaf"))
    text = text.replace('password: "…"', 'password: "alice"')
    file.write_text(f'server_name: leaf\nlisten: "127.0.0.1:{leaf_port}"\n{text}')
    with contextlib.ExitStack() as ends:
        servers = ends.enter_context(Servers(tmp_path / "data", users=[ALICE]))
        process = subprocess.Popen(
            [servers.program, "--config", file], stderr=ends.enter_context(log.open("w"))
        )
        ends.callback(process.wait)
        ends.callback(process.terminate)
        end = time.monotonic() + 20
        while "Leafnode connection created" not in log.read_text():
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield (
            ends.enter_context(Client(leaf_port, "alice", "alice")),
            ends.enter_context(servers.connect(user=ALICE)),
        )


def test_a_leaf_node_passes_on_commits_and_reads_and_watches(leaf):
    far, near = leaf
    revision = commit_soon(far, "alice.x", b"1")["seq"]
    assert load(near, "alice.x").body == load(far, "alice.x").body == b"1"
    error = commit(far, "alice.x", b"2", revision + 1)["error"]
    assert error["err_code"] == 10071
    news = far.subscribe("watch.alice.1")
    assert "error" not in watch(far, "alice.")
    assert "seq" in commit(near, "alice.y", b"3")
    assert [far.next(news).body for _ in range(2)] == [b"1", b"3"]
