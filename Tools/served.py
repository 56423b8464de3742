"""Runs a command that serves a page, with a free port as its last word, until the page answers:
served.py FOLDER COMMAND…"""

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request

from ports import free_ports


@contextlib.contextmanager
def served(folder, *command):
    """The address of the page that a command serves. In the end it is interrupted, as by Ctrl-C."""
    [port] = free_ports()
    process = subprocess.Popen(
        [*command, str(port)], cwd=folder, stdout=sys.stderr, start_new_session=True
    )
    try:
        await_page(process, f"http://localhost:{port}/")
        yield f"http://localhost:{port}/"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


def await_page(process, address):
    while process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=60).close()
            return
        time.sleep(0.05)
    sys.exit(f"{' '.join(process.args)} has ended, with status {process.returncode}")


if __name__ == "__main__":
    with served(*sys.argv[1:]):
        pass
