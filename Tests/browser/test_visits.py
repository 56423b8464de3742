"""What visits of a new app load, as the article about deploying says: copied, deployed, and kept by
a service worker. Measured at the host, in Chromium."""

import gzip
import hashlib
import http.server
import pathlib
import re
import shutil

import pytest
from test_deployed import WORKER, expect_page, web, write
from website import TYPES, WEB, Website

ARTICLE = WEB.parent / "docs/Documentation.docc/Deploying.md"
VISITS = ["first", "second", "after an update"]


class Host(Website):
    """A static host that compresses, sends validators, and counts the bytes that it sends."""

    sent = 0

    def __init__(self, folder):
        super().__init__(folder)
        self.stop()
        self._handler = lambda *arguments: HostHandler(self, *arguments)
        self.go_on()

    def path(self, address):
        path = self._folder / address.partition("?")[0].lstrip("/")
        return path / "index.html" if path.is_dir() else path


class HostHandler(http.server.BaseHTTPRequestHandler):
    def __init__(self, host, *arguments):
        self.host = host
        super().__init__(*arguments)

    def do_GET(self):
        path = self.host.path(self.path)
        if not path.is_file():
            return self.answer(404, {})
        body = path.read_bytes()
        headers = {
            "Content-Type": TYPES.get(path.suffix, "text/plain"),
            "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"',
            "Cache-Control": "no-cache",
        }
        if re.search("/[0-9a-f]{16}/", self.path):
            headers["Cache-Control"] = "max-age=31536000, immutable"
        if self.headers.get("If-None-Match") == headers["ETag"]:
            return self.answer(304, headers)
        made = pathlib.Path(f"{path}.br")
        if made.exists():
            headers["Content-Encoding"], body = "br", made.read_bytes()
        elif path.suffix != ".png":
            headers["Content-Encoding"], body = "gzip", gzip.compress(body, mtime=0)
        self.answer(200, headers, body)

    def answer(self, status, headers, body=b""):
        lines = [f"HTTP/1.1 {status}", *[f"{name}: {headers[name]}" for name in headers]]
        if status != 304:
            lines.append(f"Content-Length: {len(body)}")
        message = "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body
        self.host.sent += len(message)
        self.wfile.write(message)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def website(tmp_path):
    host = Host(tmp_path / "host")
    yield host
    host.close()


def change_program(web):
    """Adds a custom section to the program, as another build would change it."""
    program = web / "ByPath.wasm"
    program.write_bytes(program.read_bytes() + b"\x00\x02\x01a")


def copy(web, folder):
    shutil.copytree(web, folder, dirs_exist_ok=True)


def deploy_without_worker(web, folder):
    (web / "app.webmanifest").unlink(missing_ok=True)
    write(web, folder)


WAYS = {
    "copied": copy,
    "deployed, without a manifest": deploy_without_worker,
    "deployed": write,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_visit_loads_as_much_as_the_article_says(way, web, website, browser, tmp_path):
    deploy, folder = WAYS[way], tmp_path / "host"
    is_kept = way == "deployed"
    deploy(web, folder)
    measured = []
    with browser.profile() as profile:
        for visit in VISITS:
            with profile.tabs(website) as new_tab:
                if visit == "after an update":
                    change_program(web)
                    deploy(web, folder)
                before = website.sent
                tab = new_tab()
                tab.goto(website.address)
                expect_page(tab, "ByPath", 0)
                if is_kept:
                    tab.expect(WORKER, [f"{website.address}sharing-worker.js", "activated"])
                if is_kept and visit == "after an update":
                    tab.expect_text("[data-text=update]", re.compile("."))
                tab.page.wait_for_load_state("networkidle")
                measured.append(website.sent - before)
    assert website.problems == []
    said = documented()[way]
    assert all(abs(one - other) <= other / 50 + 200 for one, other in zip(measured, said)), measured


def documented():
    """Returns the table of the article: three numbers for each way."""
    rows = re.findall(r"^\| ([\w, ]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", ARTICLE.read_text(), re.M)
    return {way: [int(number.replace(",", "")) for number in numbers] for way, *numbers in rows}
