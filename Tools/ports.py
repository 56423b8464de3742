"""Ports of this machine. As a command it succeeds when one is free, else says why: ports.py PORT"""

import contextlib
import os
import random
import socket
import sys


def free_ports(count=1):
    """Ports, one after another, that nobody uses now.

    They are none of those that the system gives to connections (from 32768 on Linux, from 49152
    elsewhere): a connection, even one between two servers of a cluster that is starting, could
    take them before the server that they are meant for.
    """
    starts = list(range(20000, 30000, count))
    random.shuffle(starts)  # other programs look for some, too, at the same time
    for first in starts:
        with contextlib.suppress(Taken):
            for port in range(first, first + count):
                require_free(port)
            return range(first, first + count)
    raise Taken(f"There are no {count} free ports in a row.")


def require_free(port):
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise Taken(f"Port {port} cannot be used: {os.strerror(error.errno)}.") from None


class Taken(Exception):
    """Why a port cannot be used."""


if __name__ == "__main__":
    try:
        require_free(int(sys.argv[1]))
    except Taken as problem:
        sys.exit(str(problem))
