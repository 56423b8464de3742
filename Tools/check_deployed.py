"""Looks at a deployed app as a visitor would: check_deployed.py DIR [SECONDS]

Serves DIR below a path, opens it in Chromium in a fresh profile, and loads it again; once more
without the server, if the app has a manifest. Fails if no program starts within some seconds, if a
request fails, or if the page or the console has an error.
"""

import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

from playwright.sync_api import sync_playwright

PLACE = "some/path"
# Counts the programs that the page has started.
COUNT_PROGRAMS = """
  globalThis.startedPrograms = 0;
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const { [name]: start } = WebAssembly;
    WebAssembly[name] = async (...words) => {
      const result = await start.apply(WebAssembly, words);
      startedPrograms += 1;
      return result;
    };
  }
"""
# Requests what the page names beside its scripts and styles, such as its icons.
FETCH_LINKS = """
  Promise.all([...document.querySelectorAll("link[href]")].map(({ href }) =>
    href.startsWith(location.origin) && fetch(href)))
"""
MESSAGES = """
  ["program-error", "storage-error"].flatMap((name) =>
    [...document.querySelectorAll(`[data-text=${name}]`)].map((one) => one.textContent.trim()))
    .filter(Boolean)
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@contextlib.contextmanager
def served(folder):
    """Serves a folder below a path of a new server; yields the server and the page's address."""
    with tempfile.TemporaryDirectory() as root:
        place = pathlib.Path(root) / PLACE
        place.parent.mkdir(parents=True)
        place.symlink_to(pathlib.Path(folder).resolve())
        handler = functools.partial(Handler, directory=root)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield server, f"http://localhost:{server.server_port}/{PLACE}/"
            server.shutdown()


@contextlib.contextmanager
def browser_tab(problems):
    """Yields a page of a fresh profile; adds what goes wrong in it to a list."""
    with sync_playwright() as playwright:
        program = shutil.which(os.environ.get("CHROMIUM", "chromium"))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_init_script(COUNT_PROGRAMS)
        page.on("console", lambda said: said.type == "error" and problems.append(said.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("response", lambda answer: note_answer(answer, problems))
        yield page
        browser.close()


def note_answer(answer, problems):
    if answer.status >= 400:
        problems.append(f"{answer.url} is answered by {answer.status}")


def expect_start(page, problems, seconds, when):
    """Waits until the page has started a program and is at rest."""
    end = time.monotonic() + seconds
    while not page.evaluate("startedPrograms") and not problems:
        if time.monotonic() > end:
            problems.append("no program has started")
        page.wait_for_timeout(20)
    page.wait_for_load_state("networkidle")
    problems += page.evaluate(MESSAGES)
    if problems:
        sys.exit("\n".join([f"{when}:", *dict.fromkeys(problems)]))
    print(f"build.sh: {when}, the program runs")


def main(folder, seconds=60):
    problems = []
    with served(folder) as (server, address), browser_tab(problems) as page:
        page.goto(address)
        page.evaluate(FETCH_LINKS)
        expect_start(page, problems, float(seconds), "at a first visit")
        page.reload()
        expect_start(page, problems, float(seconds), "after a reload")
        if (pathlib.Path(folder) / "app.webmanifest").exists():
            page.evaluate("navigator.serviceWorker.ready")
            server.shutdown()
            server.server_close()
            page.reload()
            expect_start(page, problems, float(seconds), "without a network")


if __name__ == "__main__":
    main(*sys.argv[1:])
