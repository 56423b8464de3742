"""A minimal NATS client over TCP for the tools and tests of this project."""

import collections
import dataclasses
import json
import secrets
import socket
import time


@dataclasses.dataclass
class Message:
    """A received message; its status is 0 if the message has none."""

    subject: str
    reply: str
    head: str
    body: bytes

    @property
    def status(self):
        return int(self.head[9:12].strip() or 0) if self.head else 0

    @property
    def headers(self):
        lines = [line.split(":", 1) for line in self.head.split("\r\n")[1:] if ":" in line]
        return {name: value.strip() for name, value in lines}

    @property
    def answer(self):
        return json.loads(self.body)


class Refused(Exception):
    """The server's -ERR reply."""


class Client:
    """A connection, for use by one thread. A user receives below `_INBOX_<user>.` only."""

    def __init__(self, port, user="admin", password="", token=None, timeout=5):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.timeout, self.buffer = timeout, b""
        self.messages, self.subscriptions = collections.defaultdict(collections.deque), 0
        self.inbox = f"_INBOX_{user}.{secrets.token_hex(8)}"
        try:
            self.info = json.loads(self.line(time.monotonic() + timeout).removeprefix("INFO "))
            options = {"jwt": token} if token else {"user": user, "pass": password}
            # A watch request has a wildcard in its subject, which `pedantic` would reject.
            options |= {"headers": True, "no_responders": True, "pedantic": False}
            options |= {"verbose": False, "protocol": 1}
            self.send(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
            self.pump(None, "PONG")
            self.answers = self.subscribe(f"{self.inbox}.*")
        except BaseException:
            self.socket.close()
            raise

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def subscribe(self, subject):
        """Subscribes, and returns the number to pass to `next`."""
        self.subscriptions += 1
        self.send(f"SUB {subject} {self.subscriptions}\r\n".encode())
        return self.subscriptions

    def publish(self, subject, body=b"", headers=None, reply=""):
        if headers is None:
            self.send(f"PUB {subject} {reply} {len(body)}\r\n".encode() + body + b"\r\n")
            return
        head = "NATS/1.0\r\n" + "".join(f"{name}: {headers[name]}\r\n" for name in headers) + "\r\n"
        head = head.encode()
        sizes = f"{len(head)} {len(head) + len(body)}"
        self.send(f"HPUB {subject} {reply} {sizes}\r\n".encode() + head + body + b"\r\n")

    def request(self, subject, body=b"", headers=None):
        """Returns the answer to a message; its status is 503 if the subject has no subscriber."""
        reply = f"{self.inbox}.{secrets.token_hex(4)}"
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.publish(subject, body, headers, reply)
        while (message := self.next(self.answers)).subject != reply:
            pass
        return message

    def next(self, subscription, timeout=None):
        """Returns the next message of a subscription. Raises TimeoutError if none arrives in
        time."""
        if not self.messages[subscription]:
            self.pump(subscription, None, timeout)
        return self.messages[subscription].popleft()

    def flush(self):
        """Waits until the server has processed all data; raises its -ERR reply, if any."""
        self.send(b"PING\r\n")
        self.pump(None, "PONG")

    # Reads until a subscription has a message, or until the awaited line arrives.
    def pump(self, subscription, awaited, timeout=None):
        end = time.monotonic() + (timeout or self.timeout)
        while True:
            line = self.line(end)
            word, _, rest = line.partition(" ")
            if word in ("MSG", "HMSG"):
                self.receive(word, rest.split(), end)
                if subscription and self.messages[subscription]:
                    return
            elif word == "PING":
                self.send(b"PONG\r\n")
            elif word == "-ERR":
                raise Refused(rest.strip("'"))
            elif word == awaited:
                return

    def receive(self, word, fields, end):
        total = int(fields[-1])
        head = int(fields[-2]) if word == "HMSG" else 0
        reply = fields[2] if len(fields) == (5 if word == "HMSG" else 4) else ""
        content = self.read(total + 2, end)
        message = Message(fields[0], reply, content[:head].decode(), content[head:total])
        self.messages[int(fields[1])].append(message)

    def send(self, content):
        self.socket.sendall(content)

    def line(self, end):
        while b"\r\n" not in self.buffer:
            self.fill(end)
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line.decode()

    def read(self, count, end):
        while len(self.buffer) < count:
            self.fill(end)
        content, self.buffer = self.buffer[:count], self.buffer[count:]
        return content

    def fill(self, end):
        self.socket.settimeout(max(end - time.monotonic(), 0.001))
        content = self.socket.recv(65536)
        if not content:
            raise ConnectionError("The server has ended the connection.")
        self.buffer += content
