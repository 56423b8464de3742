"""The articles about other loaders, followed word for word: Tools/guides.py takes their blocks.

JavaScriptKit and elementary-ui are not there: files of guides/ stand in for their runtimes."""

import pathlib
import re

import pytest
from conftest import expect_problem
from website import WEB, Website

ROOT = WEB.parent
BUILT = ROOT / ".build/guides"
CATALOG = ROOT / "docs/Documentation.docc"
GUIDES = pathlib.Path(__file__).parent / "guides"
ATTACHING = """instrumentInstance: (instance, { _swift }) =>
    sharing.attach(instance, { signals: [_swift.UnsafeEventLoopYield] }),
"""


@pytest.fixture
def website(request):
    """Serves the page of an article."""
    folder = BUILT / request.param / "web"
    if not (folder / f"{request.param}.wasm").exists():
        pytest.fail(f"{folder} is not built: run ./build.sh test browser", pytrace=False)
    website = Website(folder)
    website.answer("favicon.ico", type="image/x-icon")  # browsers ask for it
    for name in ["runtime.js", "elementary.js"]:
        website.answer(name, (GUIDES / name).read_text(), "text/javascript")
    yield website
    website.close()


def expect_a_counter(open_tab):
    one, other = open_tab("index.html"), open_tab("index.html")
    for count in ["0", "1", "2"]:
        one.expect_text("#count", count)
        other.expect_text("#count", count)
        one.click("#increment")
    other.expect_text("#count", "3")
    one.reload()
    one.expect_text("#count", "3")
    assert one.text("#status") == ""


@pytest.mark.parametrize("website", ["Counter"], indirect=True)
def test_a_page_with_a_loader_of_its_own_counts(open_tab):
    expect_a_counter(open_tab)


@pytest.mark.parametrize("website", ["App"], indirect=True)
def test_a_page_over_the_runtime_of_javascriptkit_counts(open_tab):
    expect_a_counter(open_tab)


@pytest.mark.parametrize("website", ["App"], indirect=True)
def test_a_page_over_the_runtime_of_elementary_ui_counts(website, open_tab):
    article = (CATALOG / "WithElementaryUI.md").read_text()
    [script] = re.findall(r"^```js\n(.*?)^```$", article, re.MULTILINE | re.DOTALL)
    script = f'import {{ runApplication }} from "./elementary.js";\n{script}'
    website.answer("main.js", script, "text/javascript")
    expect_a_counter(open_tab)


@pytest.mark.parametrize("website", ["App"], indirect=True)
@pytest.mark.parametrize(
    "instead",
    ["instrumentInstance: (instance) => instance,\n", "instrumentInstance: () => {},\n"],
)
def test_a_forgotten_attach_is_said(website, open_tab, problems, instead):
    website.answer("instantiate.js", website.file("instantiate.js").replace(
        "_swift: swift });", "_swift: swift }) ?? instance;"), "text/javascript")
    script = website.file("main.js")
    assert ATTACHING in script
    website.answer("main.js", script.replace(ATTACHING, instead), "text/javascript")
    page = open_tab("index.html")
    page.expect_text("#status", "The program cannot start.")
    expect_problem(problems, "before attach: pass the instance to attach")


@pytest.mark.parametrize("website", ["App"], indirect=True)
def test_a_program_that_is_not_built_is_said(website, open_tab, problems):
    website.answer("App.wasm", b"Not found", status=404)
    # WebKit tells a page nothing of an exception at the top level of a module.
    imports, body = website.file("main.js").split("\n\n", 1)
    script = f"{imports}\nconst load = async () => {{\n{body}}};\nload();\n"
    website.answer("main.js", script, "text/javascript")
    page = open_tab("index.html")
    page.expect_text("#status", "The program cannot start.")
    expect_problem(problems, "No program could be loaded: build it")
