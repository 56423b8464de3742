"""Writes a NATS server for one household: household.py DIR PAGE PORT [SERVER]

PAGE is the address at which devices open the page. DIR gets the server's configuration, its data
with an empty bucket, and a token, which later calls use again. PORT is the first of two ports.

A page at http: reaches the server at the page's host, or at SERVER, without encryption. A page at
https: needs encryption: Caddy gets a certificate for the host SERVER, and forwards connections.
"""

import pathlib
import secrets
import shlex
import sys
from urllib.parse import urlsplit

import segno
from nats_configuration import User
from nats_program import Missing
from nats_servers import Failed, Servers
from ports import Taken

USER = "home"


class Refusal(Exception):
    """The reason why nothing was written."""


def main(folder, page, port, server=None):
    folder = pathlib.Path(folder).resolve()
    try:
        parts = split(page)
        is_encrypted = parts.scheme == "https"
        if is_encrypted and not server:
            raise Refusal("A page at https: needs the name of the server's machine, for a certificate.")
        user = User(USER, token_of(folder), writes=(f"{USER}.",))
        name = server or (f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname)
        place = name if is_encrypted else f"{name}:{port}"
        host = "127.0.0.1" if is_encrypted else "0.0.0.0"
        origin = f"{parts.scheme}://{parts.netloc}"
        with Servers(folder, users=[user], origins=[origin], port=int(port), host=host) as servers:
            program = shlex.quote(str(servers.program))  # it has created the bucket now
    except (Refusal, Failed, Missing, Taken, OSError) as problem:
        sys.exit(f"build.sh: {problem}")
    address = f"ws{'s' * is_encrypted}://{USER}:{user.password}@{place}"
    address = f"{page.partition('#')[0]}#household={address}"
    print(f"build.sh: wrote {folder}. Run these two lines on the server's machine:\n")
    print(f"cd {shlex.quote(str(folder))} && {program} --config alone.conf")
    if is_encrypted:
        print(f"caddy reverse-proxy --from {server} --to 127.0.0.1:{port}\n")
    else:
        print(f"swift run wasm serve --release --host 0.0.0.0 {parts.port or 80}\n")
    print(f"build.sh: open this address once on each device, and show it to nobody else:\n\n{address}\n")
    segno.make(address).terminal(compact=True)
    if not is_encrypted:
        print("build.sh: without https:, everyone in this network can read the token and the data")


def split(page):
    """Returns the parts of the address of a page."""
    refusal = Refusal(f"'{page}' is no address of a page, such as http://192.168.1.20:8080/")
    try:
        parts = urlsplit(page)
        parts.port  # noqa: B018: it may be no number
    except ValueError:
        raise refusal from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise refusal
    return parts


def token_of(folder):
    """Returns the token in a folder, or a new one if there is none."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "alone.conf").exists():
        raise Refusal(f"{folder} has other files. Name a new folder.")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    (folder / ".gitignore").write_text("*\n")
    file = folder / "token"
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(secrets.token_hex(16))
    return file.read_text().strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
