"""Deployed apps as installed on a phone. Their pictures are in .build/screens, for people."""

import subprocess
import sys

import pytest
from own_chromium import OwnChromium
from test_deployed import APP, TOOL
from test_screens import SCREENS
from website import WEB, Website

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
# Fingers need 24 pixels: WCAG 2.2, 2.5.8. The box of a label or of a hidden element is no target.
TOO_SMALL = """[...document.querySelectorAll("a, button, input")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.checkVisibility() && (width < 24 || height < 24);
}).map((one) => one.outerHTML)"""
BRIGHTNESS = """getComputedStyle(document.querySelector("h1")).color.match(/\\d+/g)
  .reduce((sum, part) => sum + Number(part) / 3, 0)"""


@pytest.fixture
def installed(browser, tmp_path):
    """Returns a function that deploys a folder, and opens it as an installed app on a phone."""
    website = Website(tmp_path / "host")
    running = []

    def installed(web, scheme):
        subprocess.run([sys.executable, TOOL, web, tmp_path / "host/app"], check=True)
        profile = tmp_path / "profile"
        profile.mkdir()
        running.append(OwnChromium(browser.playwright, profile, f"{website.address}app/"))
        tab = running[0].first()
        session = tab.page.context.new_cdp_session(tab.page)
        session.send("Emulation.setDeviceMetricsOverride", PHONE)
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        return tab

    yield installed
    for one in running:
        one.kill()
    website.close()


@pytest.mark.needs("processes")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["template", "demo"])
def test_an_installed_app_fits_a_phone(installed, name, scheme):
    tab = installed({"template": APP, "demo": WEB}[name], scheme)
    assert tab.value("matchMedia('(display-mode: standalone) and (hover: none)').matches")
    tab.expect_text("#count", "0")
    tab.click("#increment")
    tab.expect_text("#count", "1")
    if name == "demo":
        for title in ["Buy milk", "Write to Ada about the engine"]:
            tab.type(".new-todo", title)
            tab.press("Enter")
        tab.click(".todo-list .toggle")
        tab.expect("document.querySelectorAll('.todo-list .completed').length", 1)
    SCREENS.mkdir(parents=True, exist_ok=True)
    tab.page.screenshot(path=SCREENS / f"phone-{name}-{scheme}.png", full_page=True)
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value(TOO_SMALL) == []
    assert (tab.value(BRIGHTNESS) > 128) == (scheme == "dark")
