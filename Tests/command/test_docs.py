"""The documentation: its first page leads to every article, and the marks of its code are valid.
Tools/docs.sh checks its links and its code, and builds the site."""

import html
import re
import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "Tools"))
import catalog  # noqa: E402
import check_docs  # noqa: E402
import landing  # noqa: E402
import search_index  # noqa: E402

ARTICLES = sorted(check_docs.CATALOG.glob("*.md"))
FIRST = check_docs.CATALOG / "wasm-sharing.md"


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


def test_docc_gets_links_of_its_own():
    text = "# `Page`\n\nSee [In a page](InAPage.md), [the design](../DESIGN.md) and `Page`.\n\n"
    text += "<!-- swift: native\n-->\n```swift\nlet page = `Page`\n```\n- [In a page](InAPage.md)\n"
    assert catalog.article(text, {"Page": "SharingPage/Page"}) == (
        "# `Page`\n\nSee [In a page](doc:InAPage), [the design](doc:Design) and ``SharingPage/Page``.\n\n"
        "\n\n```swift\nlet page = `Page`\n```\n- <doc:InAPage>\n"
    )


def test_a_link_that_leads_nowhere_is_found(tmp_path, monkeypatch):
    folder = tmp_path / "docs/Documentation.docc"
    folder.mkdir(parents=True)
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    monkeypatch.setattr(check_docs, "CATALOG", folder)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n[there](README.md#the-rest)\n")
    (tmp_path / "README.md").write_text("# A\n\n## The rest\n\n[here](#the-rest) [no](#none)\n")
    (folder / "One.md").write_text("# One\n\n<doc:One> [two](Two.md)\n\n```\n[code](none)\n```\n")
    (tmp_path / "docs/DESIGN.md").write_text("# Design\n\n[gone](gone.md) [web](https://a.example)\n")
    assert check_docs.broken_links() == [
        "README.md:5: README.md has no heading #none",
        "docs/DESIGN.md:3: there is no gone.md",
        "docs/Documentation.docc/One.md:3: <doc:One> is not a link on GitHub: write [title](Article.md)",
        "docs/Documentation.docc/One.md:3: there is no Two.md",
    ]


# MARK: The site

README = (ROOT / "README.md").read_text()


def test_the_header_of_a_page_has_the_path_of_the_site_and_its_repository():
    header = landing.header("/sub", "https://git.example/a?b&c")
    assert 'href="/sub/documentation/wasm-sharing/tutorial/"' in header
    assert 'src="/sub/site/search.js"' in header
    assert '<a href="https://git.example/a?b&amp;c">Source</a>' in header
    assert "{{" not in header and "data-if" not in header
    assert "Source" not in landing.header("/sub", "")


def test_the_landing_page_names_the_repository():
    page = landing.landing(README, "https://git.example/app")
    assert "git clone https://git.example/app wasm-sharing &amp;&amp; cd wasm-sharing\n" in page
    assert "git clone URL wasm-sharing" in landing.landing(README, "")


@pytest.mark.parametrize("has_demo", [True, False])
def test_the_site_leads_to_the_demo_if_it_has_one(tmp_path, monkeypatch, has_demo):
    monkeypatch.setattr(landing, "DEMO", tmp_path)
    if has_demo:
        (tmp_path / "demo.wasm").touch()
    page = landing.landing(README, "")
    assert ('<a href="./demo/">Demo</a>' in page) == has_demo
    assert ("Open the demo" in page) == has_demo


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("# wasm-sharing\n\n", "no sentence below its title"),
        ("- **Small**", "no list of reasons"),
        ("@main\n", "no block of swift with @main"),
        ("build.sh new", "no block of sh with build.sh new"),
    ],
)
def test_a_readme_without_what_the_landing_page_quotes_is_refused(part, said):
    readme = README.replace("- **", "* ") if part.startswith("-") else README.replace(part, "")
    with pytest.raises(landing.Problem, match=said):
        landing.landing(readme, "")


def test_a_link_of_the_readme_that_the_site_does_not_have_is_refused():
    readme = README.replace("- **Small**: ", "- **Small**: [see](SECURITY.md) ")
    with pytest.raises(landing.Problem, match="links to SECURITY.md"):
        landing.landing(readme, "")


def test_markdown_of_the_readme_is_shown_as_html():
    assert landing.inline("`a<b>`, **bold** & [a `key`](docs/Documentation.docc/Saving.md)") == (
        "<code>a&lt;b&gt;</code>, <strong>bold</strong> &amp; "
        '<a href="documentation/wasm-sharing/saving/">a <code>key</code></a>'
    )


def test_coloured_code_is_the_same_code():
    code = 'import A // "b"\n@main struct B { var c = "d < e" } # f\n'
    shown = landing.coloured(code)
    assert '<span class="comment">// "b"</span>' in shown
    assert '<span class="string">"d &lt; e"</span>' in shown
    assert html.unescape(re.sub(r"</?span[^>]*>", "", shown)) == code


def test_a_link_of_the_landing_page_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/index.html").touch()
    (tmp_path / "index.html").write_text(
        '<a href="there/#part"></a><a href="gone/"></a><img src="gone.png"><a href="https://a.example">'
    )
    assert landing.broken_links(tmp_path) == ["gone/", "gone.png"]


def test_the_index_of_the_search_has_the_text_of_a_page_by_headings():
    text = [{"type": "text", "text": "See "}, {"type": "codeVoice", "code": "save()"}]
    reference = {"type": "reference", "identifier": "doc://a/Saving", "isActive": True}
    content = [
        {"type": "paragraph", "inlineContent": [*text, {"type": "text", "text": ", "}, reference]},
        {"type": "heading", "level": 2, "text": "In tables", "anchor": "In-tables"},
        {
            "type": "table",
            "header": "row",
            "rows": [[[{"type": "paragraph", "inlineContent": text}], [{"type": "paragraph", "inlineContent": text}]]],
        },
        {"type": "codeListing", "syntax": "swift", "code": ["let a = 1", "───▶ b"]},
    ]
    page = {
        "metadata": {"title": "One", "role": "article", "roleHeading": "Article"},
        "abstract": text,
        "primaryContentSections": [{"kind": "content", "content": content}],
        "references": {"doc://a/Saving": {"title": "Saving"}},
    }
    assert search_index.entry("documentation/wasm-sharing/one/", page) == {
        "path": "documentation/wasm-sharing/one/",
        "title": "One",
        "kind": "Article",
        "place": "",
        "summary": "See save()",
        "sections": [
            ["", "", "See save(), Saving"],
            ["In-tables", "In tables", "See save() See save() let a = 1 b"],
        ],
    }
