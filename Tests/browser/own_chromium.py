"""A Chromium for one test with a persistent profile. The test may kill its processes, or see an app
in a window of its own."""

import os
import shutil
import signal
import subprocess
import time

from playwright_tab import PlaywrightTab


class OwnChromium:
    """A running browser over a profile folder; it opens tabs at the address of a website. With the
    address of an app, its first window is that of the installed app."""

    def __init__(self, playwright, profile, app=None):
        self._storage = profile / "Default/Local Storage/leveldb"
        port = profile / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        options = ["--no-sandbox", "--headless=new", "--no-first-run", "--remote-debugging-port=0"]
        # A spare process does not run a page.
        options.append("--disable-features=SpareRendererForSitePerProcess")
        program = shutil.which(os.environ.get("CHROMIUM", "chromium"))
        first = f"--app={app}" if app else "about:blank"
        command = [program, *options, f"--user-data-dir={profile}", first]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, **quiet)
        wait_until(lambda: port.exists() and "\n" in port.read_text(), "Chromium does not start")
        address = f"http://127.0.0.1:{port.read_text().splitlines()[0]}"
        self._browser = playwright.chromium.connect_over_cdp(address)
        self._session = self._browser.new_browser_cdp_session()

    def open(self, address):
        tab = PlaywrightTab("chromium", self._browser.contexts[0].new_page())
        tab.goto(address)
        return tab

    def first(self):
        """Returns the first window."""
        return PlaywrightTab("chromium", self._browser.contexts[0].pages[0])

    def kill_pages(self, but=frozenset()):
        """Kills every other page process, and waits until the browser has detected it."""
        killed = self.pages() - but
        assert killed
        for process in killed:
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: not killed & self.pages(), "Chromium does not notice that pages are gone")

    def pages(self):
        """Returns the processes that run pages."""
        processes = self._session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {process["id"] for process in processes if process["type"] == "renderer"}

    def kill(self):
        """Kills the browser."""
        self._process.kill()
        self._process.wait()

    def wait_for_disk(self, action):
        """Runs an action, and waits until Chromium writes its storage to the disk."""
        before = self._sizes()
        action()
        wait_until(lambda: self._sizes() != before, "Chromium writes nothing to the disk")

    def _sizes(self):
        return {file.name: file.stat().st_size for file in self._storage.iterdir()}


def wait_until(condition, message):
    end = time.monotonic() + 120  # a browser starts slowly on a busy machine
    while not condition():
        assert time.monotonic() < end, message
        time.sleep(0.02)
