"""The portable suite over the real localStorage of each engine."""

import os
import pathlib

import pytest
import rules
from website import WEB, Website

PAGE = pathlib.Path(__file__).with_name("conformance")
SUITE = pathlib.Path(os.environ.get("SUITE", WEB.parent / ".build/conformance.wasm"))


@pytest.fixture
def website():
    """Serves the suite in a page, with the released shim."""
    if not SUITE.exists():
        pytest.fail(f"{SUITE} is missing: run ./build.sh test browser", pytrace=False)
    website = Website(PAGE)
    website.answer("conformance.wasm", SUITE.read_bytes(), "application/wasm")
    yield website
    website.close()


@pytest.mark.first
def test_every_case_holds(open_tab, engine):
    tab = open_tab()
    tab.patience = 60
    tab.expect("typeof report", "object")
    report = tab.value("report")
    rules.record(engine, "\n".join(report["lines"]) + "\n")
    assert [line for line in report["lines"] if line.startswith("not ok")] == []
    assert report["lines"][-1].endswith(" passed, 0 failed")
    assert report["writes"] > 500, "the page's storage was not used"


def test_random_use_agrees_with_the_model(open_tab):
    """Uses seeds of the day: the fixed seeds are cases of the suite."""
    tab = open_tab(f"#{1000 * int(os.environ.get('SHARING_WALK_SEED', '1'))}")
    tab.patience = 60
    tab.expect("typeof report", "object")
    report = tab.value("report")
    assert report["lines"][-1] == "all went well"
    assert report["writes"] > 100, "the page's storage was not used"
