"""Writes the index of the site's search, site/index.json, from the pages that docc has written as
JSON. docs/site/find.js describes its form."""

import json
import re

DRAWING = re.compile("[\u2500-\u25ff]+")  # lines and arrows of diagrams
OF_DOCC = {"overview", "discussion"}  # the anchors of headings that docc adds
ARTICLES = "documentation/wasm-sharing/"


def write(output):
    """Writes the index of a site."""
    pages = index(output)
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (output / "site/index.json").write_text(text)


def index(output):
    """Returns the pages of a site, ordered by path."""
    folder = output / "data"
    pages = []
    for file in sorted(folder.rglob("documentation/**/*.json")):
        path = f"{file.relative_to(folder).with_suffix('')}/"
        page = json.loads(file.read_text())
        # Docc also groups inherited members, on pages without a text of their own.
        if path.startswith(ARTICLES) or page["metadata"]["role"] != "collectionGroup":
            pages.append(entry(path, page))
    return pages


def entry(path, page):
    """Returns a page for the index."""
    is_article = path.startswith(ARTICLES)
    metadata = page["metadata"]
    references = page.get("references", {})
    return {
        "path": path,
        "title": metadata["title"],
        "kind": "Article" if is_article else metadata.get("roleHeading", ""),
        "place": "" if is_article else place(page, references),
        "summary": text_of(page.get("abstract", []), references),
        "sections": sections(page, references),
    }


def place(page, references):
    """Returns the titles of what a symbol belongs to, from its module on."""
    [first, *_] = page.get("hierarchy", {}).get("paths") or [[]]
    titles = [references[one]["title"] for one in first if one in references]
    return " › ".join(title for title in titles if title != "wasm-sharing")


def sections(page, references):
    """Returns the anchor, the heading and the text of each section of a page."""
    found = [["", "", []]]
    for part in page.get("primaryContentSections", []):
        if part["kind"] == "parameters":
            for parameter in part["parameters"]:
                found[-1][2] += [parameter["name"], text_of(parameter["content"], references)]
        for block in part.get("content", []):
            if block["type"] == "heading":
                heading = "" if block["anchor"] in OF_DOCC else block["text"]
                found.append([block["anchor"], heading, []])
            else:
                found[-1][2].append(text_of(block, references))
    return [
        [anchor, heading, " ".join(filter(None, texts))]
        for anchor, heading, texts in found
        if heading or any(texts)
    ]


def text_of(content, references):
    """Returns the text of a part of a page, with its code, in one line."""
    return " ".join("".join(pieces(content, references)).split())


def pieces(content, references):
    match content:
        case list():
            for child in content:
                yield from pieces(child, references)
        case {"type": "text", "text": text} | {"type": "codeVoice", "code": text}:
            yield text
        case {"type": "codeListing", "code": lines}:
            yield from (f"{DRAWING.sub(' ', line)}\n" for line in lines)
        case {"type": "reference", "identifier": identifier}:
            known = references.get(identifier, {}).get("title", "")
            yield content.get("overridingTitle", known)
        case {"type": "emphasis" | "strong" | "newTerm" | "link"}:
            yield from pieces(content.get("inlineContent", content.get("title", "")), references)
        case dict():
            for part in content.values():
                yield from pieces(part if isinstance(part, list | dict) else [], references)
            yield " "
