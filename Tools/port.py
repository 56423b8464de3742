"""Succeeds when a port of this machine is free, else says why not: port.py PORT"""

import socket
import sys

port = int(sys.argv[1])
with socket.socket() as probe:
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind(("127.0.0.1", port))
        probe.listen()
    except OSError as error:
        sys.exit(f"Port {port} cannot be used: {error.strerror}.")
