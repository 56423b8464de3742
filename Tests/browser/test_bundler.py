"""The template's page, bundled by esbuild with the script and the package.json of the recipe."""

import json
import re
import shlex
import subprocess

import pytest
from inspector import expect_row, open_inspector, with_inspector
from website import WEB

ROOT = WEB.parent


ARTICLE = (ROOT / "docs/Documentation.docc/WithABundler.md").read_text()


def shown(kind):
    """Returns the block of code of a kind that the recipe shows."""
    [block] = re.findall(rf"^```{kind}\n(.*?)^```$", ARTICLE, re.MULTILINE | re.DOTALL)
    return block


@pytest.fixture
def bundle(tmp_path):
    """The files that the recipe's command makes of a script beside a checkout of this package."""
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "wasm-sharing").symlink_to(ROOT)
    (tmp_path / "package.json").write_text(shown("json"))

    def bundle(script):
        (tmp_path / "main.js").write_text(script)
        command = shlex.split(json.loads(shown("json"))["scripts"]["build"])
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        return {file.name: file.read_text() for file in (tmp_path / "dist").iterdir()}

    return bundle


def test_the_bundled_template_counts_and_loses_nothing(bundle, website, open_tab, program):
    files = bundle(shown("ts"))
    html = (ROOT / "Template/web/index.html").read_text()
    # The demo has a value under .indexedDB, for which modules are loaded.
    html = html.replace("</main>", """<output id="tally" data-text="tally"></output>
      <output id="pending" data-text="tally-pending"></output>
      <button id="add" data-click="tally">Add</button></main>""")
    website.answer("bundled.html", html)
    website.answer("MyApp.wasm", program.read_bytes(), "application/wasm")
    website.answer("icon.svg", (ROOT / "Template/web/icon.svg").read_bytes(), "image/svg+xml")
    for name, text in files.items():
        website.answer(name, text, "text/javascript")
    page = open_tab("bundled.html")
    page.expect_text("#count", "0")
    page.click("#increment")
    page.expect_text("#count", "1")
    page.click("#add")
    page.expect_text("#tally", "1")
    page.expect_text("#pending", "")
    page.reload()
    page.expect_text("#tally", "1")
    assert len(files) > 3, "the modules of engines are files of their own"


def test_the_inspector_of_a_bundled_page_is_loaded_by_its_key(bundle, website, open_tab, program):
    files = bundle(with_inspector(shown("ts"), "wasm-sharing/inspector.js"))
    website.answer("bundled.html", (ROOT / "Template/web/index.html").read_text())
    website.answer("MyApp.wasm", program.read_bytes(), "application/wasm")
    website.answer("icon.svg", (ROOT / "Template/web/icon.svg").read_bytes(), "image/svg+xml")
    for name, text in files.items():
        website.answer(name, text, "text/javascript")
    page = open_tab("bundled.html")
    page.expect_text("#count", "0")
    page.click("#increment")
    name = "'inspector'"
    loaded = f"performance.getEntriesByType('resource').some((one) => one.name.includes({name}))"
    assert page.value(loaded) is False
    open_inspector(page)
    assert page.value(loaded) is True
    expect_row(page, "localStorage count", value="1", status="stored")
