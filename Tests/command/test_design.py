"""The rules, files and types in docs/DESIGN.md and README.md exist."""

import re
import sys
from itertools import groupby

import pytest
import rules
from hosts import ROOT

sys.path.append(str(ROOT / "Tools"))
import mutations  # noqa: E402

DESIGN = (ROOT / "docs/DESIGN.md").read_text()
SOURCES = {
    path: path.read_text()
    for pattern in ["Sources", "JavaScript", "Extras/*/Sources", "Extras/*/JavaScript"]
    for folder in ROOT.glob(pattern)
    for path in folder.rglob("*")
    if path.suffix in {".swift", ".h", ".c", ".js"} and not path.is_symlink()
}
MANIFEST = (ROOT / "Package.swift").read_text()
TARGETS = MANIFEST[MANIFEST.index("\n  targets: [") :]
CITING = [
    *["Sources", "Extras", "Tests", "Tools", "Benchmarks", "JavaScript", "web"],
    *["build.sh", "README.md"],
]


def blocks(kind):
    """Returns the lines of the document's code blocks of a kind, without their comments."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", DESIGN, re.MULTILINE | re.DOTALL)
    assert found, f"docs/DESIGN.md has no block ```{kind}"
    return [line.split("#")[0].rstrip() for block in found for line in block.splitlines()]


def listed(kind):
    """Returns pairs of a path and a name, from lines `PATH: NAME NAME`; an indented line continues
    one."""
    text = "\n".join(blocks(kind)).replace("\n ", " ")
    lines = [line.split(": ") for line in text.splitlines()]
    return [(path, name) for path, names in lines for name in names.split()]


# The modules in the order of the list; the lines of one are together.
MODULES = [
    name
    for name, _ in groupby(
        re.findall(r"^(?:Extras/\w+/)?Sources/(\w+)/", "\n".join(blocks("files")), re.MULTILINE)
    )
]


def imports(module, but=None):
    """Returns the modules that the Swift files of a module import, but those in a folder of it."""
    line = re.compile(r"^ *(?:@?\w+ )*import (?:(?:class|struct|enum|func) )?(\w+)", re.MULTILINE)
    return {
        name
        for path, text in SOURCES.items()
        if path.suffix == ".swift" and path.parent.name != but
        if f"/Sources/{module}/" in str(path)
        for name in line.findall(text)
    }


def dependencies(module):
    """Returns the dependencies of a module in Package.swift."""
    flags = re.MULTILINE | re.DOTALL
    target = re.search(rf'name: "{module}"(.*?)(?=^    [.]|^  [\])])', TARGETS, flags)
    names = re.search(r"dependencies: \[(.*?)\]", target[1], re.DOTALL)
    return {*re.findall(r'"(\w+)"', names[1])} if names else set()


def files(*names):
    """Returns the source files among these, and in these folders."""
    for path in [path for name in names for path in [ROOT / name, *(ROOT / name).rglob("*")]]:
        is_source = path.suffix in {".swift", ".h", ".c", ".js", ".py", ".sh", ".md"}
        if is_source and path.is_file() and ".build" not in path.relative_to(ROOT).parts:
            yield path


def test_the_rules_are_those_that_the_table_of_cases_counts():
    assert re.findall(r"^- \*\*(R\d+)\*\* ", DESIGN, re.MULTILINE) == rules.RULES


def test_every_rule_that_is_cited_is_a_rule():
    cited = {
        (rule, str(path.relative_to(ROOT)))
        for path in files(*CITING)
        for rule in re.findall(r"\bR\d+\b", path.read_text())
    }
    assert len(cited) > len(rules.RULES)
    assert sorted(place for place in cited if place[0] not in rules.RULES) == []


@pytest.mark.parametrize("line", blocks("files"))
def test_a_file_that_is_listed_exists(line):
    path = ROOT / line.split()[0]
    assert path.is_dir() if line.split()[0].endswith("/") else path.is_file()


@pytest.mark.parametrize("rule", mutations.RULES)
def test_the_files_that_are_broken_for_a_rule_exist(rule):
    assert [file for file in mutations.RULES[rule] if not (ROOT / file).is_file()] == []


def test_every_folder_of_swift_files_is_listed():
    folders = {f"{path.parent.relative_to(ROOT)}/" for path in SOURCES if path.suffix == ".swift"}
    assert folders - {line.split()[0] for line in blocks("files")} == set()


def test_only_platform_folders_have_conditional_compilation():
    condition = re.compile(r"^ *#if\b", re.MULTILINE)
    swift = [path for path in SOURCES if path.suffix == ".swift"]
    conditional = [path for path in swift if condition.search(SOURCES[path])]
    assert conditional
    assert sorted(path for path in conditional if path.parent.name != "Platform") == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_modules_below_it_in_the_list(module):
    not_below = {*MODULES[: MODULES.index(module) + 1]}
    assert MODULES.count(module) == 1
    assert (imports(module) | dependencies(module)) & not_below == set()


def test_the_core_imports_no_other_module_and_only_in_its_platform_folder():
    assert imports("SharingCore") & {*MODULES} == dependencies("SharingCore") == set()
    assert imports("SharingCore", but="Platform") == set() != imports("SharingCore")


def test_no_module_has_a_package():
    assert not re.search(r"\.(package|product)\(", MANIFEST)


@pytest.mark.parametrize(("folder", "name"), listed("names"))
def test_a_type_that_is_listed_is_declared_there(folder, name):
    declaration = re.compile(rf"\b(?:class|struct|enum|protocol|actor|typealias) {name}\b")
    texts = [text for path, text in SOURCES.items() if path.is_relative_to(ROOT / folder)]
    assert any(declaration.search(text) for text in texts)


def test_every_type_in_the_prose_and_in_the_drawings_of_ways_is_in_the_sources():
    prose = re.sub(r"^```.*?^```$", "", DESIGN, flags=re.MULTILINE | re.DOTALL)
    drawn = re.findall(r"\b[A-Z]\w*[a-z]\w*", "\n".join(blocks("way")))
    names = {*re.findall(r"`([A-Z]\w*[a-z]\w*)`", prose), *drawn} - {"Storage", "Equatable"}
    words = set(re.findall(r"\w+", "".join(SOURCES.values())))
    assert names and names - words == set()


def test_every_source_file_in_the_contributing_guide_exists():
    named = re.findall(r"`([\w/.+]+\.(?:swift|h|js))`", (ROOT / "CONTRIBUTING.md").read_text())
    known = [f"/{path.relative_to(ROOT)}" for path in SOURCES]
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in known)] == []
    assert len(named) > 10
