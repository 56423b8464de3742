"""A new app, deployed below a path, in each engine."""

import re
import shutil
import subprocess
import sys

import pytest
from website import WEB, Website

APP = WEB.parent / ".build/apps/ByPath/web"
TOOL = WEB.parent / "Tools/deploy.py"
PLACE = "some/path/"

pytestmark = pytest.mark.engines


@pytest.fixture
def website(tmp_path):
    """Serves deployed apps."""
    website = Website(tmp_path / "host")
    yield website
    website.close()


@pytest.fixture
def web(tmp_path):
    """Returns a copy of the app's page, which a test may change."""
    if not (APP / "ByPath.wasm").exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test browser", pytrace=False)
    folder = tmp_path / "web"
    shutil.copytree(APP, folder, ignore=shutil.ignore_patterns("Calling.wasm", "[ei]n*.js", "dev"))
    return folder


@pytest.fixture
def deploy(web, tmp_path):
    """Returns a function that deploys the app to a place of the website; the title tells its
    builds apart."""

    def deploy(title, place=PLACE):
        page = web / "index.html"
        page.write_text(re.sub("<h1>.*</h1>", f"<h1>{title}</h1>", page.read_text()))
        site = tmp_path / "host" / place
        command = [sys.executable, TOOL, web, site]
        assert subprocess.run(command, check=False).returncode == 0
        return site

    return deploy


def expect_page(tab, title, count):
    tab.expect_text("h1", title)
    tab.expect_text("#count", str(count))


def test_it_counts_and_a_reload_keeps_the_count(deploy, open_tab):
    deploy("One")
    tab = open_tab(PLACE)
    expect_page(tab, "One", 0)
    tab.click("#increment")
    expect_page(tab, "One", 1)
    tab.reload()
    expect_page(tab, "One", 1)


def test_a_tab_of_the_former_build_still_loads_its_files(deploy, open_tab):
    deploy("One")
    former = open_tab(PLACE)
    expect_page(former, "One", 0)
    deploy("Two")
    tab = open_tab(PLACE)
    expect_page(tab, "Two", 0)
    script = "document.querySelector('script[src*=main]').src"
    assert tab.value(script) != former.value(script)
    for one in [tab, former]:
        assert one.value(f"fetch({script}).then((answer) => answer.status)") == 200
    tab.click("#increment")
    expect_page(former, "One", 1)
