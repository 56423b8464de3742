"""The real build.sh: its builds, its runs of the program and its server for the page.

These tests run in sequence, since all of them build in one folder.
"""

import socket
import subprocess
import sys
import urllib.request

import pytest
from conftest import BUILD, ROOT, files, start

sys.path.insert(0, str(ROOT / "Tools"))

from ports import free_ports  # noqa: E402
from served import await_page  # noqa: E402


def test_a_second_build_changes_nothing():
    made = [ROOT / "web/demo.wasm", ROOT / ".build/toolset.json"]
    assert start("build").status == 0
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in made]
    assert start().status == 0
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in made] == before


def test_run_makes_its_folder_where_one_is_and_prints_only_what_the_program_does(tmp_path):
    result = start("run", "--dir", "new/zwölf ✓", "increment", "increment", cwd=tmp_path)
    assert (result.status, result.shown, result.errors) == (0, ["count: 0", "count: 1", "count: 2"], "")
    assert files(tmp_path / "new/zwölf ✓") == {"count.json": b"2"}


def test_serve_serves_the_page_and_stops_when_it_is_told_to():
    [port] = free_ports()
    server = subprocess.Popen([BUILD, "serve", str(port)], stdout=subprocess.PIPE, text=True)
    try:
        said = next((line for line in server.stdout if f"http://localhost:{port}" in line), None)
        assert said, "it has ended"
        address = f"http://127.0.0.1:{port}/demo.wasm"
        await_page(server, address)
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert answer.headers.get_content_type() == "application/wasm"
            assert answer.read() == (ROOT / "web/demo.wasm").read_bytes()
        server.terminate()
        server.wait(timeout=60)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=60)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
