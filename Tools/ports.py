"""Ports of this machine. As a command, fails with a message if a port is taken: ports.py PORT
[HOST]"""

import contextlib
import os
import random
import socket
import sys


def free_ports(count=1):
    """Returns successive unused ports.

    They are outside the range that the system assigns to connections (from 32768 on Linux, from
    49152 elsewhere). A connection, even between two servers of a starting cluster, could otherwise
    take a port before its intended server.
    """
    # Each process of a test run has a thousand ports of its own.
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    start = 20000 + worker % 10 * 1000
    starts = list(range(start, start + 1000 - count + 1, count))
    random.shuffle(starts)  # other programs may search at the same time
    for first in starts:
        with contextlib.suppress(Taken):
            for port in range(first, first + count):
                require_free(port)
            return range(first, first + count)
    raise Taken(f"There are no {count} free ports in a row.")


def require_free(port, host="127.0.0.1"):
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        is_name = isinstance(error, socket.gaierror)
        reason = error.strerror if is_name else os.strerror(error.errno)
        raise Taken(f"Port {port} cannot be used: {reason}.") from None


class Taken(Exception):
    """The reason why a port is not available."""


if __name__ == "__main__":
    try:
        require_free(int(sys.argv[1]), *sys.argv[2:])
    except Taken as problem:
        sys.exit(str(problem))
