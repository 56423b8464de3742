"""Tokens in place of passwords: an operator, the two accounts, and the tokens of a login service.

The names of keys and tokens are NATS's (nkeys, JWT). `openssl` creates the keys and signs.
"""

import base64
import functools
import json
import pathlib
import secrets
import subprocess
import tempfile
import time

from nats_configuration import permissions, services

PREFIXES = {"operator": 14 << 3, "account": 0, "user": 20 << 3}
UNLIMITED = {"subs": -1, "data": -1, "payload": -1}
ACCOUNT = {**UNLIMITED, "imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
STORAGE = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}


class Key:
    """A key pair. Its public part is the name of an operator, an account or a user."""

    def __init__(self, kind):
        self.secret = openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER")
        shown = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", given=self.secret)
        raw = bytes([PREFIXES[kind]]) + shown[-32:]
        self.kind = kind
        self.name = base64.b32encode(raw + checksum(raw)).decode().rstrip("=")

    def token(self, key, name, claims, **more):
        """Returns a token for a key, signed with this one."""
        body = {"jti": secrets.token_hex(8), "iat": int(time.time()), "iss": self.name, **more}
        body |= {"sub": key.name, "name": name, "nats": {**claims, "type": key.kind, "version": 2}}
        head = {"typ": "JWT", "alg": "ed25519-nkey"}
        parts = [encoded(json.dumps(part)) for part in (head, body)]
        return ".".join([*parts, encoded(self.sign(".".join(parts)))])

    def sign(self, text):
        with tempfile.TemporaryDirectory() as folder:  # openssl signs the contents of a file
            secret, message = pathlib.Path(folder, "secret"), pathlib.Path(folder, "message")
            secret.write_bytes(self.secret)
            message.write_text(text)
            files = ["-inkey", secret, "-in", message]
            return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", *files)


class Tokens:
    """The operator and the accounts of a bucket; creates tokens for its users.

    The data in a folder belongs to these accounts: other accounts cannot access it.
    """

    def __init__(self, bucket="app"):
        self.bucket, self.operator = bucket, Key("operator")
        self.system, self.store, self.pages = (Key("account") for _ in range(3))

    def admin(self):
        return self.store.token(Key("user"), "admin", {"bearer_token": True, **UNLIMITED})

    def user(self, user, seconds):
        """Returns a token that a page can use without a key. The server closes its connection when
        it expires."""
        publish, subscribe = permissions(user, self.bucket)
        claims = {"bearer_token": True, "pub": {"allow": publish}, "sub": {"allow": subscribe}}
        end = int(time.time()) + seconds
        return self.pages.token(Key("user"), user.name, {**claims, **UNLIMITED}, exp=end)

    @functools.cached_property
    def lines(self):
        """Returns the lines of the configuration that replace the accounts."""
        exports = [claim(subject) for subject, _ in services(self.bucket)] + [WATCHES]
        imports = [claim(*service) for service in services(self.bucket)] + [WATCHES]
        imports = [{**one, "account": self.store.name} for one in imports]
        accounts = {
            self.system: ("SYS", {"limits": ACCOUNT}),
            self.store: ("STORE", {"limits": ACCOUNT | STORAGE, "exports": exports}),
            self.pages: ("PAGES", {"limits": ACCOUNT, "imports": imports}),
        }
        system = {"system_account": self.system.name}
        return [
            f"operator: {self.operator.token(self.operator, 'operator', system)}",
            f"system_account: {self.system.name}",
            "resolver: MEMORY",
            "resolver_preload {",
            *[f"  {key.name}: {self.operator.token(key, *accounts[key])}" for key in accounts],
            "}",
        ]


WATCHES = {"name": "watch", "subject": "watch.>", "type": "stream"}


def claim(subject, to=""):
    name = {"local_subject": to} if to else {}
    return {"name": subject, "subject": subject, "type": "service", **name}


def encoded(content):
    content = content.encode() if isinstance(content, str) else content
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def checksum(content):
    """Returns the CRC-16/XMODEM checksum, as in nkeys."""
    rest = 0
    for byte in content:
        rest ^= byte << 8
        for _ in range(8):
            rest = (rest << 1 ^ (0x1021 if rest & 0x8000 else 0)) & 0xFFFF
    return rest.to_bytes(2, "little")


def openssl(*words, given=b""):
    return subprocess.run(["openssl", *words], input=given, check=True, capture_output=True).stdout
