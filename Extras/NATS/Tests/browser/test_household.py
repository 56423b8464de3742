"""The app of the article about a household, with the server that `household` writes."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import time

import pytest
from nats_visitors import ROOT
from ports import free_ports
from website import Website

APP = ROOT / ".build/household/Shopping"
LIST = "[...document.querySelectorAll('ul span')].map((one) => one.textContent)"
BOUGHT = "[...document.querySelectorAll('ul input')].map((one) => one.checked)"
OFFLINE = "[data-text=offline]"
REFUSED = "Offline. The server refuses the user: Authorization Violation"


@pytest.fixture
def website():
    """Serves the page of the article."""
    if not (APP / "web/Shopping.wasm").exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test nats", pytrace=False)
    website = Website(APP / "web")
    yield website
    website.close()


class Household:
    """What the command has printed for a page, and the server."""

    def __init__(self, folder, page):
        self.folder, self.page, self.port = folder, page, free_ports(2)[0]
        self.server = None
        self.write()

    def write(self):
        words = [ROOT / "build.sh", "--package", APP, "household", self.folder, self.page]
        environment = {**os.environ, "NATS_PORT": str(self.port)}
        result = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        [self.command] = re.findall(r"^cd .*--config.*$", result.stdout, re.MULTILINE)
        [self.address] = re.findall(r"^http.*#household=.*$", result.stdout, re.MULTILINE)

    def start(self):
        log = open(self.folder.with_suffix(".log"), "a")
        self.server = subprocess.Popen(
            ["bash", "-c", self.command.replace("&& ", "&& exec ")], stdout=log, stderr=log
        )
        log.close()
        end = time.monotonic() + 60
        while True:
            assert time.monotonic() < end and self.server.poll() is None
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            time.sleep(0.02)

    def stop(self):
        if self.server:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait()


@pytest.fixture
def household(website, tmp_path):
    household = Household(tmp_path / "server", website.address)
    household.start()
    yield household
    household.stop()


@pytest.fixture
def device(browser, website):
    """Returns a function that opens an address in a browser with a storage of its own."""
    with contextlib.ExitStack() as profiles:

        def device(address):
            profile = profiles.enter_context(browser.profile())
            tab = profiles.enter_context(profile.tabs(website))()
            tab.patience = 60
            tab.goto(address)
            return tab

        yield device


def add(tab, title):
    tab.type("[name=title]", title)
    tab.press("Enter")


def test_two_devices_see_and_change_one_list(household, device):
    one, other = device(household.address), device(household.address)
    for tab in [one, other]:
        tab.expect_text(OFFLINE, "")
        assert tab.value("location.hash") == ""
    add(one, "Milk")
    other.expect(LIST, ["Milk"])
    add(other, "Bread")
    one.expect(LIST, ["Milk", "Bread"])
    one.click("ul input")
    other.expect(BOUGHT, [True, False])
    one.reload()
    one.expect(LIST, ["Milk", "Bread"])
    one.expect_text(OFFLINE, "")
    other.click("ul button")
    one.expect(LIST, ["Bread"])


def test_a_wrong_token_is_refused_and_said(household, device):
    one = device(household.address)
    add(one, "Milk")
    stranger = device(re.sub(r":\w+@", ":wrong@", household.address))
    stranger.expect_text(OFFLINE, REFUSED)
    add(stranger, "Poison")
    stranger.expect_text(
        "[data-text=storage-error]",
        "Stored values cannot be reached. Your changes are stored later.",
    )
    one.expect(LIST, ["Milk"])


def test_a_new_token_keeps_the_list_and_refuses_the_former_address(household, device):
    former = device(household.address)
    add(former, "Milk")
    former.expect(LIST, ["Milk"])
    former.expect("dispatchEvent(new Event('beforeunload', { cancelable: true }))", True)
    household.stop()
    (household.folder / "token").unlink()
    household.write()
    household.start()
    former.expect_text(OFFLINE, REFUSED)
    one = device(household.address)
    one.expect(LIST, ["Milk"])
    former.goto(household.address)
    former.reload()  # another fragment alone loads no page
    former.expect_text(OFFLINE, "")


def test_a_page_without_the_address_asks_for_it(household, website, device):
    asked = []
    tab = device("about:blank")

    def answer(dialog):
        asked.append(dialog.message)
        dialog.accept(household.address)

    tab.page.on("dialog", answer)
    tab.goto(website.address)
    tab.expect_text(OFFLINE, "")
    tab.reload()
    tab.expect_text(OFFLINE, "")
    assert asked == ["The address of our household"]


def test_a_page_without_an_answer_says_what_is_missing(website, device):
    device(website.address).expect_text(OFFLINE, "Offline. The address of our household")
