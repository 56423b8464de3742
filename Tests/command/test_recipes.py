"""The recipes of the documentation: each is short, and the test that it shows passes.

They are compiled beside the modules that `swift build` has made, and linked with their objects. A
recipe without Swift shows lines of a new app, which other tests build, deploy and open; that of the
bundlers is run by Tests/browser/test_bundler.py."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "Tools"))
import check_docs  # noqa: E402
import words  # noqa: E402

FIRST = (check_docs.CATALOG / "wasm-sharing.md").read_text()
RECIPES = [
    check_docs.CATALOG / f"{name}.md"
    for name in re.findall(r"\]\((\w+)\.md\)", FIRST.partition("## Recipes")[2].partition("## ")[0])
]
WITH_SWIFT = [path for path in RECIPES if check_docs.blocks(path)]
OF_A_NEW_APP = {"ServiceWorker": "web/index.html", "GitHubPages": ".github/workflows/pages.yml"}
SHOWN = re.compile(r"^```(html|yaml|swift)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINKED = [
    *["CHost", "SharingCore", "SharingJSON", "WasiStorage", "SharingCommits", "SharingPage"],
    *["SharingTestDoubles", "SharingTesting", "SharingTestingStart", "SharingSimulation"],
    *["SimulatedRevisions", "RandomSteps", "SharingNATS"],
]
RUNNER = """import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""


@pytest.fixture(scope="module")
def modules():
    return check_docs.build_modules(for_wasm=False).resolve()


def test_there_are_recipes():
    assert len(RECIPES) > 5
    others = {path.stem for path in RECIPES} - {path.stem for path in WITH_SWIFT}
    assert others == {*OF_A_NEW_APP, "WithABundler"}


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_is_short(path):
    assert words.words(path.read_text()) <= 250


@pytest.mark.parametrize("name", OF_A_NEW_APP)
def test_a_recipe_without_swift_shows_lines_of_a_new_app(name):
    text = (ROOT / "Template" / OF_A_NEW_APP[name]).read_text()
    parts = [part for _, part in SHOWN.findall((check_docs.CATALOG / f"{name}.md").read_text())]
    assert parts
    assert [part for part in parts if flat(part) not in flat(text)] == []


def flat(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def run(modules, tmp_path_factory):
    """Returns a function that runs the test of a recipe, built once, in a folder with its page."""
    programs = {}

    def run(path, html=None):
        folder = tmp_path_factory.mktemp(path.stem)
        if path not in programs:
            programs[path] = build(path, modules, folder)
        (folder / "web").mkdir()
        (folder / "web/index.html").write_text(html or page_of(path))
        command = [programs[path], "--testing-library", "swift-testing"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)

    return run


def build(path, modules, folder):
    shown = [block for block in check_docs.blocks(path) if block.compiles(for_wasm=False)]
    assert any("@Test" in block.code for block in shown)
    (folder / "Recipe.swift").write_text(check_docs.file(shown, for_wasm=False))
    (folder / "Runner.swift").write_text(RUNNER)
    compiler = check_docs.Compiler(modules, for_wasm=False)
    options = compiler.command[: compiler.command.index("-emit-sil")]
    objects = [one for name in LINKED for one in sorted((modules / f"{name}.build").rglob("*.o"))]
    program = folder / "recipe"
    sources = sorted(folder.glob("*.swift"))
    command = [*options, "-module-name", "Recipe", *sources, *objects, "-o", program]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return program


def page_of(path):
    return "".join(part for kind, part in SHOWN.findall(path.read_text()) if kind == "html")


@pytest.mark.parametrize("path", WITH_SWIFT, ids=lambda path: path.stem)
def test_the_test_of_a_recipe_passes(path, run):
    result = run(path)
    passed = result.stdout + result.stderr
    assert result.returncode == 0, passed
    assert re.search(r"Test run with [1-9]\d* tests? .*passed", passed), passed


@pytest.mark.parametrize("name", ["data-click", "data-text"])
def test_a_misspelt_name_of_the_html_fails_its_recipe(name, run):
    path = check_docs.CATALOG / "HTMLTest.md"
    html, count = re.subn(f'{name}="(\\w+)"', f'{name}="x\\1"', page_of(path))
    result = run(path, html)
    assert count == 1
    assert result.returncode != 0
    assert re.search(r"unknownNames.*\[\"x\w+\"\]", result.stdout + result.stderr)


def test_the_messages_that_every_html_may_name_are_those_of_the_page():
    page = (ROOT / "JavaScript/page.js").read_text()
    recorder = (ROOT / "Sources/SharingTesting/PageRecorder+HTML.swift").read_text()
    [named] = re.findall(r'const messages =\s*"(.*?)"', page)
    [known] = re.findall(r"messages: Set<String> = \[(.*?)\]", recorder, re.DOTALL)
    assert set(re.findall(r'"(.*?)"', known)) == set(named.split())
