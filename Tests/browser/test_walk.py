"""A random walk over the page agrees with its model; see walk/."""

import datetime
import functools
import json
import pathlib

import pytest
from walk.actions import Actions
from walk.shrink import shrunk
from walk.walk import HASTE, PATIENCE, walk
from website import WEB, Website

TODAY = int(datetime.date.today().strftime("%Y%j"))  # different each day
FIXED = [pytest.param(seed, marks=pytest.mark.soak) for seed in [0, 2, 6, 8, 2026328]]


def pytest_generate_tests(metafunc):
    option = metafunc.config.getoption
    if option("--walk-replay"):
        metafunc.parametrize("seed", ["replay"])
    elif "seed" in metafunc.fixturenames:
        drawn = range(TODAY, TODAY + option("--walks"))
        metafunc.parametrize("seed", option("--walk-seed") or [*FIXED, *drawn])


@pytest.fixture
def repeat(browser, program):
    """Returns a function that runs actions in new tabs of a browser, at a separate address."""

    def repeat(tabs, next_action, patience=PATIENCE):
        website = Website()
        website.answer("demo.wasm", program.read_bytes(), "application/wasm")
        with browser.tabs(website) as new_tab:
            failure = walk(new_tab, website, tabs, next_action, patience)
        website.close()
        return failure

    return repeat


def test_a_walk(repeat, seed, engine, request):
    option = request.config.getoption
    if seed == "replay":
        text = option("--walk-replay")
        text = text if text.startswith("[") else pathlib.Path(text).read_text()
        tabs, *actions = json.loads(text)
        failure = replay(repeat, tabs, actions)
    else:
        actions = Actions(seed, option("--walk-length"))
        tabs = actions.tabs
        failure = repeat(tabs, actions)
        if failure:
            again = functools.partial(replay, repeat, tabs)
            failure = shrunk(failure, again, option("--walk-shrink"))
    if failure:
        report(f"{engine}-{seed}", tabs, failure)


def replay(repeat, tabs, actions):
    rest = iter(actions)
    return repeat(tabs, lambda _: next(rest, None), HASTE)


def report(name, tabs, failure):
    lines = ",\n".join(map(json.dumps, [tabs, *failure.actions]))
    (WEB.parent / f".build/walk-{name}.json").write_text(f"[{lines}]")
    differences = "\n".join(f"{where}: {ascii(found)[:300]}, not {ascii(wanted)[:300]}"
                            for where, wanted, found in failure.differences[:4])
    pytest.fail(f"{name}\n{differences}\n[{lines}]", pytrace=False)
