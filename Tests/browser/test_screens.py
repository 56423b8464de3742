"""Screenshots of the page in .build/screens, for people; also checks that nothing exceeds the
page's width."""

import pathlib

import pytest
from inspector import ROOT, damage, expect_row, open_inspector
from todos import add, row

SCREENS = pathlib.Path(__file__).resolve().parents[2] / ".build/screens"
TODOS = ["Buy milk", "Write to Ada about the engine", "Water the plants", "a" * 90]


def look(page, name):
    page.page.screenshot(path=SCREENS / f"{page.engine}-{name}.png", full_page=True)


@pytest.mark.needs("settings")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800, 360])
def test_nothing_sticks_out(tab, scheme, width):
    page = tab()
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.page.set_viewport_size({"width": width, "height": 900})
    look(page, f"empty-{scheme}-{width}")
    add(page, *TODOS)
    page.click(row(1, ".toggle"))
    page.click("#increment")
    damage(page, "count")
    page.expect("document.querySelector('[data-text=storage-error]').textContent.length > 0", True)
    page.expect("document.documentElement.scrollWidth <= innerWidth", True)
    look(page, f"{scheme}-{width}")
    open_inspector(page)
    expect_row(page, "localStorage count", status="damaged")
    page.value(f"{ROOT}.querySelectorAll('details').forEach((each) => each.open = true)")
    page.expect(f"{ROOT}.querySelector('ul').scrollWidth <= innerWidth", True)
    page.expect("document.documentElement.scrollWidth <= innerWidth", True)
    look(page, f"inspector-{scheme}-{width}")
    moving = """[...document.querySelectorAll("*")].filter((one) =>
      getComputedStyle(one).transitionDuration.split(", ").some((time) => time !== "0s")).length"""
    assert page.value(moving) == 0, "somebody has asked for less motion"


def test_the_page_loads_nothing_that_is_not_its_own(tab):
    page = tab()
    loaded = page.value("performance.getEntriesByType('resource').map(({ name }) => name)")
    own = page.value("location.origin") + "/"
    assert all(name.startswith(own) for name in loaded)
    names = {name.removeprefix(own) for name in loaded}
    assert {"style.css", "main.js", "page.js", "sharing.js", "demo.wasm"} <= names
