"""The recipes of the documentation: each is short, and the test that it shows passes.

They are compiled beside the modules that `swift build` has made, and linked with their objects."""

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


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_is_short_and_has_a_test(path):
    assert words.words(path.read_text()) <= 250
    assert any("@Test" in block.code for block in check_docs.blocks(path))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_test_of_a_recipe_passes(path, modules, tmp_path):
    shown = [block for block in check_docs.blocks(path) if block.compiles(for_wasm=False)]
    (tmp_path / "Recipe.swift").write_text(check_docs.file(shown, for_wasm=False))
    (tmp_path / "Runner.swift").write_text(RUNNER)
    compiler = check_docs.Compiler(modules, for_wasm=False)
    options = compiler.command[: compiler.command.index("-emit-sil")]
    objects = [one for name in LINKED for one in sorted((modules / f"{name}.build").rglob("*.o"))]
    program = tmp_path / "recipe"
    sources = sorted(tmp_path.glob("*.swift"))
    command = [*options, "-module-name", "Recipe", *sources, *objects, "-o", program]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    run = subprocess.run(
        [program, "--testing-library", "swift-testing"], capture_output=True, text=True, timeout=60
    )
    passed = run.stdout + run.stderr
    assert run.returncode == 0, passed
    assert re.search(r"Test run with [1-9]\d* tests? .*passed", passed), passed
