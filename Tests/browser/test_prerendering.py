"""Pages that Chromium prerenders because of another page's speculation rules."""

import shutil
import subprocess
import threading

import pytest
from test_keys import PAGES, PROGRAM

# The first page. When the other one is prerendered, it stores a value and navigates there.
FIRST = """<!DOCTYPE html>
<html lang="en">
  <head>
    <title>First</title>
    <script type="speculationrules">
      {"prerender": [{"source": "list", "urls": ["%(address)s"], "eagerness": "immediate"}]}
    </script>
    <script type="module">
      const until = async (isSo) => {
        while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      await until(async () => await (await fetch("stage")).text() === "prerendered");
      %(store)s
      location.href = "%(address)s";
    </script>
  </head>
</html>"""

# Runs in the prerendered page: reports its shown value.
WATCHER = """
  if (document.prerendering) {
    const until = async (selector, text) => {
      while (document.querySelector(selector)?.textContent !== text) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    addEventListener("load", async () => {
      await until("%(place)s", "%(before)s");
      fetch("/prerendered");
      document.addEventListener("prerenderingchange", async () => {
        await until("%(place)s", "%(after)s");
        fetch("/shown");
      });
    });
  }
"""

SESSION = {
    "address": "keys.html",
    "place": "#visit",
    "before": "",
    "after": "new",
    "store": """sessionStorage.setItem("visit", '"new"');""",
}
INDEXED_DB = {
    "address": "index.html",
    "place": "#tally",
    "before": "0",
    "after": "1",
    "store": """
      const frame = document.createElement("iframe");
      frame.src = "index.html?other";
      document.body.append(frame);
      const place = (selector) => frame.contentDocument?.querySelector(selector);
      await until(() => place("#tally")?.textContent === "0" && !place("#tally-add:disabled"));
      place("#tally-add").click();
      await until(() => place("#tally").textContent === "1");
      await until(() => place("#tally-pending").textContent === "");
    """,
}


@pytest.fixture
def launch(website, tmp_path):
    """Yields a function that starts Chromium without a driver: with one, it prerenders nothing."""
    running = []

    def launch(address):
        options = ["--no-sandbox", "--headless=new", "--no-first-run"]
        command = [shutil.which("chromium"), *options, f"--user-data-dir={tmp_path}", address]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        running.append(subprocess.Popen(command, **quiet))

    yield launch
    for process in running:
        process.kill()
        process.wait()


@pytest.mark.needs("processes")
@pytest.mark.parametrize("case", [SESSION, INDEXED_DB], ids=["sessionStorage", "IndexedDB"])
def test_a_prerendered_page_shows_what_is_stored_when_it_is_shown(engine, launch, website, case):
    if case is SESSION:
        assert PROGRAM.exists(), f"{PROGRAM} is missing: run ./build.sh test browser"
        website.answer("keys.html", (PAGES / "keys.html").read_text())
        website.answer("keys.js", (PAGES / "keys.js").read_text(), "text/javascript")
        website.answer("keys.wasm", PROGRAM.read_bytes(), "application/wasm")
    prerendered, shown = threading.Event(), threading.Event()
    website.answer("prerendered", lambda: prerendered.set() or "")
    website.answer("shown", lambda: shown.set() or "")
    website.answer("stage", lambda: "prerendered" if prerendered.is_set() else "")
    website.answer("first.html", FIRST % case)
    website.begin_with(WATCHER % case)
    launch(website.address + "first.html")
    assert prerendered.wait(120), "the page is not prerendered"
    assert shown.wait(60), "the page shows what was stored before"
