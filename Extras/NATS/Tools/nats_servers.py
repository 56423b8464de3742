"""NATS servers for pages on this machine, and their bucket."""

import ctypes
import fcntl
import os
import pathlib
import secrets
import signal
import subprocess
import time

import nats_program
from nats_client import Client, Refused
from nats_configuration import READER, VISITOR, Node, User, configuration
from ports import free_ports, require_free

# Errors of a server that has just started: too few peers, no leader, no JetStream.
SOON = {10005, 10006, 10008, 10009, 10039}


class Servers:
    """The servers, with their data in a folder, and a bucket.

    With `tokens` (nats_tokens.py), users have no passwords. Pages connect to `host`. The servers
    end with the thread that started them, so they never outlive this program.
    """

    def __init__(
        self,
        folder,
        nodes=1,
        users=(VISITOR, READER),
        origins=("http://localhost:8080",),
        port=None,
        bucket="app",
        tokens=None,
        host="127.0.0.1",
    ):
        self.folder, self.bucket = pathlib.Path(folder).resolve(), bucket
        self.users, self.origins, self.tokens, self.host = users, origins, tokens, host
        self.program = nats_program.find(nodes)
        self.version = nats_program.version(self.program)
        count = 2 if nodes == 1 else 3 * nodes
        ports = range(port, port + count) if port else free_ports(count)
        for one in ports:
            require_free(one)
        # A cluster cannot use the data of a single server, so the names differ.
        names = ["alone"] if nodes == 1 else [f"node{number + 1}" for number in range(nodes)]
        routes = [0] if nodes == 1 else ports[2 * nodes :]
        self.nodes = list(map(Node, names, ports[nodes:], ports, routes))
        self.admin = User("admin", secrets.token_hex(16))
        self.processes = [None] * nodes

    @property
    def websocket(self):
        """The addresses for pages."""
        return [f"ws://127.0.0.1:{node.websocket}" for node in self.nodes]

    @property
    def client(self):
        """The ports for native programs."""
        return [node.client for node in self.nodes]

    def start(self):
        """Starts all servers; returns when the bucket exists."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock.close()
            raise Failed(f"Another server runs with the data in {self.folder}.") from None
        try:
            try:
                self.start_all(timeout=45)
            except NotReady:
                # Servers of a cluster that start together may reject each other permanently: seen
                # on a busy machine. After a restart they have each other's state.
                self.end_all()
                self.start_all(timeout=90)
        except BaseException:
            self.stop()
            raise
        return self

    def start_all(self, timeout):
        """Starts the servers of a locked folder; waits until the bucket exists."""
        for number in range(len(self.nodes)):
            self.restart(number, waits=False)
        self.create_bucket(timeout=timeout)

    def restart(self, number, waits=True):
        """Starts a stopped server."""
        node = self.nodes[number]
        file = self.folder / f"{node.name}.conf"
        file.touch(mode=0o600)
        file.write_text(configuration(self, node))
        with open(self.log(number), "a") as log:
            self.processes[number] = subprocess.Popen(
                [self.program, "--config", file.name],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=end_with_parent,
            )
        if waits:
            self.create_bucket(number)

    def kill(self, number, how=signal.SIGKILL):
        """Ends a server immediately."""
        process = self.processes[number]
        if process:
            process.send_signal(how)
            process.wait()
            self.processes[number] = None

    def stop(self):
        """Ends all servers and unlocks the folder."""
        self.end_all()
        self.lock.close()

    def end_all(self):
        """Ends the running servers; the folder stays locked."""
        for process in filter(None, self.processes):
            process.terminate()
        for number, process in enumerate(self.processes):
            try:
                if process:
                    process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill(number)
        self.processes = [None] * len(self.nodes)

    __enter__ = start

    def __exit__(self, *_):
        self.stop()

    def connect(self, number=0, user=None, token=None):
        """Returns a client of a server, for the administrator if no user is given."""
        if self.tokens and not token:
            token = self.tokens.user(user, 3600) if user else self.tokens.admin()
        user = user or self.admin
        return Client(self.nodes[number].client, user.name, user.password, token)

    def leader(self):
        """Returns the number of the server that accepts the bucket's commits."""
        number = next(number for number, process in enumerate(self.processes) if process)
        with self.connect(number) as client:
            info = client.request(f"$JS.API.STREAM.INFO.KV_{self.bucket}").answer
        return [node.name for node in self.nodes].index(info["cluster"]["leader"])

    def create_bucket(self, number=0, timeout=90, **settings):
        """Creates the bucket, if missing, as soon as the servers accept requests; with optional
        settings of its stream."""
        wanted = {
            "name": f"KV_{self.bucket}",
            "subjects": [f"$KV.{self.bucket}.>"],
            "max_msgs_per_subject": 64,
            "discard": "new",
            "num_replicas": len(self.nodes),
            "allow_direct": True,
            "allow_rollup_hdrs": False,
            "deny_delete": True,
            "storage": "file",
            **settings,
        }
        end, why = time.monotonic() + timeout, "no answer"
        while time.monotonic() < end:
            self.require_alive()
            try:
                with self.connect(number) as client:
                    answer = client.request(f"$JS.API.STREAM.CREATE.{wanted['name']}", wanted)
                error = {} if answer.status else answer.answer.get("error")
                if not error and not answer.status:
                    return
                why = error.get("description", f"status {answer.status}")
                if error and error["err_code"] not in SOON:
                    raise Failed(f"The bucket in {self.folder} could not be made: {why}.")
            except (OSError, Refused) as problem:
                why = str(problem)
            time.sleep(0.05)
        raise NotReady(f"The servers were not ready within {timeout} s: {why}.")

    def require_alive(self):
        """Raises an error if a server has ended: without it, the bucket would never be created."""
        for number, process in enumerate(self.processes):
            if process and process.poll() is not None:
                name = self.nodes[number].name
                raise Failed(f"The server {name} has ended: {self.last_line(number)}")

    def log(self, number):
        return self.folder / f"{self.nodes[number].name}.log"

    def last_line(self, number):
        lines = self.log(number).read_text().splitlines()
        return lines[-1] if lines else "it has printed nothing."


class Failed(Exception):
    """The reason why the servers do not run."""


class NotReady(Failed):
    """The servers run, but do not accept requests."""


prctl = getattr(ctypes.CDLL(None), "prctl", None)  # on Linux only


def end_with_parent():
    if prctl:
        prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG of <linux/prctl.h>
    os.setpgrp()  # the parent handles Ctrl-C and ends all servers
