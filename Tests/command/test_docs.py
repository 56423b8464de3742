"""The documentation: its first page leads to every article, and the marks of its code are valid.
Tools/docs.sh checks its links and its code, and builds the site; Tests/browser looks at it."""

import re
import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "Tools"))
import check_docs  # noqa: E402

ARTICLES = sorted(check_docs.CATALOG.glob("*.md"))
FIRST = check_docs.CATALOG / "wasm-sharing.md"
PAGES = [*check_docs.articles(), ROOT / "docs/DESIGN.md"]


def test_the_first_page_leads_to_every_article_once():
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\.md\)$", FIRST.read_text(), re.MULTILINE)
    written = [path.stem for path in ARTICLES if path != FIRST]
    assert sorted(listed) == sorted([*written, "../DESIGN"])


def test_the_first_page_leads_to_every_module_that_is_documented():
    script = (ROOT / "Tools/docs.sh").read_text()
    modules = re.search(r"^readonly MODULES=\((.*)\)$", script, re.MULTILINE)[1].split()
    listed = re.findall(r"^- `(\w+)`$", FIRST.read_text(), re.MULTILINE)
    assert listed == modules
    folders = [*ROOT.glob("Sources/*"), *ROOT.glob("Extras/*/Sources/*")]
    assert set(modules) <= {path.name for path in folders if path.is_dir()}


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.stem)
def test_an_article_has_a_title_and_one_sentence_below_it(path):
    title, blank, rest = path.read_text().split("\n", 2)
    assert re.fullmatch(r"# \S.*", title)
    assert blank == ""
    sentence = rest.split("\n\n")[0]
    assert sentence.endswith(".")
    assert ". " not in sentence


@pytest.mark.parametrize("path", [path for path in ARTICLES if path != FIRST], ids=lambda path: path.stem)
def test_a_long_article_begins_with_links_to_its_sections(path):
    text = path.read_text()
    sections = re.findall(r"^## (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    links = ", ".join(
        f"[{name.replace('`', '')}](#{check_docs.anchor(name)})" for name in sections
    )
    paragraph = " ".join(text.split("\n\n")[2].split())
    if paragraph.startswith("In this article: ") or len(text.splitlines()) > 80 and sections:
        assert paragraph == f"In this article: {links}."


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_blocks_of_a_page_are_apart_as_mkdocs_needs_them(path):
    """GitHub also shows a list below a paragraph, and code with two spaces in a list."""
    lines, is_code, before = [], False, ""
    text = path.read_text().splitlines()
    for number, line in enumerate(text, 1):
        fence = re.match(r"( *)```", line)
        is_list = re.match(r"- |1\. ", line) and not re.match(r"- |\d+\. | |$|<!--", before)
        if fence and not is_code and 0 < len(fence[1]) < 4 or not is_code and is_list:
            lines.append(f"{path.name}:{number}: {line}")
        is_first_row = line.startswith("|") and not before.startswith("|")
        if not is_code and is_first_row and not re.match(r"\| ?-", text[number]):
            lines.append(f"{path.name}:{number}: {line}")
        if not is_code and "```" in before and line:
            lines.append(f"{path.name}:{number}: {line}")
        is_code ^= bool(fence)
        before = line
    assert lines == []


def test_the_messages_of_the_loader_article_are_those_of_the_modules():
    table = (check_docs.CATALOG / "YourOwnLoader.md").read_text().partition("## Messages")[2]
    quoted = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    modules = "".join(path.read_text() for path in (ROOT / "JavaScript").rglob("*.js"))
    assert quoted
    assert [message for message in quoted if message not in modules] == []


@pytest.mark.parametrize("path", check_docs.articles(), ids=lambda path: path.stem)
def test_the_code_of_an_article_is_found_whole(path):
    fences = re.findall(r"^\s*```swift$", path.read_text(), re.MULTILINE)
    found = [block for block in check_docs.blocks(path) if not block.is_prelude]
    assert len(found) == len(fences)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!-- swift: natively -->\n```swift\nlet a = 1\n```\n", "no mark 'natively'"),
        ("```swift\nlet a = 1\n", "has no end"),
    ],
)
def test_what_is_written_wrong_is_refused(tmp_path, monkeypatch, text, said):
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    article = tmp_path / "Article.md"
    article.write_text(text)
    with pytest.raises(SystemExit, match=said):
        check_docs.blocks(article)


def test_the_javascript_of_an_article_is_one_module_line_by_line(tmp_path):
    article = tmp_path / "Article.md"
    article.write_text(
        "# Title\n\n```js\nstart(fetch(token), window, page);\n```\n\n<!-- js: prelude\n"
        'const token = "";\n-->\n```swift\nlet a = 1\n```\n'
        '```js\nimport { nats } from "./nats.js";\n```\n'
    )
    lines = check_docs.script(article).splitlines()
    assert {number: line for number, line in enumerate(lines, 1) if line} == {
        1: check_docs.STARTING,
        4: "start(fetch(token), window, page);",
        8: 'const token = "";',
        14: 'import { nats } from "./nats.js";',
    }


def test_javascript_that_does_not_fit_the_modules_is_refused(tmp_path, monkeypatch, capfd):
    article = tmp_path / "Article.md"
    article.write_text("# Title\n\n```js\nstart(fetch('app.wasm'), window);\n```\n")
    monkeypatch.setattr(check_docs, "SCRIPTS", tmp_path / "scripts")
    monkeypatch.setattr(check_docs, "articles", lambda: [article])
    with pytest.raises(SystemExit, match="has mistakes"):
        check_docs.check_scripts()
    assert "Expected 3-4 arguments, but got 2" in capfd.readouterr().err


def test_a_link_that_leads_nowhere_is_found(tmp_path, monkeypatch):
    folder = tmp_path / "docs/Documentation.docc"
    folder.mkdir(parents=True)
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    monkeypatch.setattr(check_docs, "CATALOG", folder)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n[there](README.md#the-rest)\n")
    (tmp_path / "README.md").write_text("# A\n\n## The rest\n\n[here](#the-rest) [no](#none)\n")
    (folder / "One.md").write_text("# One\n\n[two](Two.md)\n\n```\n[code](none)\n```\n")
    (tmp_path / "docs/DESIGN.md").write_text("# Design\n\n[gone](gone.md) [web](https://a.example)\n")
    assert check_docs.broken_links() == [
        "README.md:5: README.md has no heading #none",
        "docs/DESIGN.md:3: there is no gone.md",
        "docs/Documentation.docc/One.md:3: there is no Two.md",
    ]
