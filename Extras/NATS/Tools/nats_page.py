"""Serves a folder with a page, and the NATS servers for its programs, until stopped:
nats_page.py FOLDER PORT NODES NATS_PORT DATA"""

import functools
import http.server
import signal
import sys
import threading

from nats_program import Missing, text
from nats_servers import Failed, Servers
from ports import Taken


def main(folder, port, nodes, nats_port, data):
    address = f"http://localhost:{port}"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # A shell starts background processes with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    try:
        with (
            http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler) as pages,
            Servers(data, int(nodes), origins=[address], port=int(nats_port)) as servers,
        ):
            say(f"nats-server {text(servers.version)}, {amount(servers)}, with its data in {data}")
            say("for development only: its password is public, and only this machine reaches it")
            say(f"open {address}/?nats={','.join(servers.websocket)} (Ctrl-C ends)")
            threading.Thread(target=pages.serve_forever, daemon=True).start()
            signal.pause()
    except (Failed, Missing, Taken, OSError) as problem:
        sys.exit(f"build.sh: {problem}")
    except KeyboardInterrupt:
        pass


def amount(servers):
    return "one server" if len(servers.nodes) == 1 else f"a cluster of {len(servers.nodes)}"


def say(text):
    print(f"build.sh: {text}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
