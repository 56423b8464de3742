"""Runs NATS servers for pages on this machine: one, or three that are a cluster.

    python3 Extras/NATS/Tools/nats.py --folder DIR [--nodes 3] [--port P] [--origin URL…]
                                      [--people NAME…] [--tokens SECONDS…]

prints a line of JSON with the addresses when the bucket is there, and runs until its input ends or
until it is told to stop.
"""

import argparse
import json
import signal
import sys

from nats_configuration import READER, VISITOR, person
from nats_program import Missing, text
from nats_servers import Failed, Servers
from nats_tokens import Tokens
from ports import Taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, help="where the data is kept")
    parser.add_argument("--nodes", type=int, choices=[1, 3], default=1)
    parser.add_argument("--port", type=int, help="the first of the ports; free ones if not given")
    parser.add_argument("--origin", nargs="*", default=["http://localhost:8080"])
    parser.add_argument("--people", nargs="*", default=[], help="users with a prefix of their own")
    how = "tokens for each user, which end after so many seconds, in place of passwords"
    parser.add_argument("--tokens", nargs="+", type=int, default=[], metavar="SECONDS", help=how)
    options = parser.parse_args()
    users = [VISITOR, READER, *map(person, options.people)]
    tokens = Tokens() if options.tokens else None
    words = [options.folder, options.nodes, users, options.origin, options.port]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # A shell starts background processes with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Servers(*words, tokens=tokens) as servers:
            print(json.dumps(addresses(servers, options.tokens)), flush=True)
            sys.stdin.read()
    except (Failed, Missing, Taken) as problem:
        sys.exit(f"nats.py: {problem}")
    except KeyboardInterrupt:
        pass


def addresses(servers, ends):
    """Returns the data that a program needs to connect, without the administrator's secrets."""
    who = servers.users if servers.tokens else []
    return {
        "websocket": servers.websocket,
        "client": servers.client,
        "bucket": servers.bucket,
        "version": text(servers.version),
        "users": {user.name: user.password for user in servers.users},
        "tokens": {user.name: [servers.tokens.user(user, end) for end in ends] for user in who},
        "processes": [process.pid for process in servers.processes],
    }


if __name__ == "__main__":
    main()
