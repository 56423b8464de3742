"""Runs a command that serves a page, with a free port as its last word, until the page responds:
served.py FOLDER COMMAND…"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

from ports import free_ports


@contextlib.contextmanager
def served(folder, *command):
    """Yields the address of the page that a command serves. At the end, interrupts it as by
    Ctrl-C."""
    with serving(folder, *command) as (process, address):
        yield address
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


@contextlib.contextmanager
def serving(folder, *command):
    """Yields the process of a command that serves a page, in its own session, and the address.
    At the end, kills all processes of the session."""
    [port] = free_ports()
    do_not_ignore_signals()
    process = subprocess.Popen(
        [*command, str(port)], cwd=folder, stdout=sys.stderr, start_new_session=True
    )
    try:
        await_page(process, f"http://localhost:{port}/")
        yield process, f"http://localhost:{port}/"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def do_not_ignore_signals():
    """Restores the default for SIGINT and SIGHUP in commands that start later. A command inherits
    ignored signals, as under nohup or in the background of a script, but not handlers."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def await_page(process, address):
    while process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=60).close()
            return
        time.sleep(0.05)
    sys.exit(f"{' '.join(process.args)} has ended, with status {process.returncode}")


def await_children(process):
    """Waits until a process, by its id, has started others, such as a build. Returns their ids, and
    those of all that they have started."""
    while not (found := children(process)):
        time.sleep(0.01)
    return found


def children(process):
    found = []
    with contextlib.suppress(OSError):  # it may have ended
        for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *children(child)]
    return found


if __name__ == "__main__":
    with served(*sys.argv[1:]):
        pass
