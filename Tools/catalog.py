"""Writes the catalog for docc: catalog.py GRAPHS OUTPUT

The articles of docs/Documentation.docc and docs/DESIGN.md are plain Markdown, so relative links
work on GitHub. Docc needs its own links. This script converts links to articles, and public types
and modules in code voice: `UTF8Text` becomes a link to its documentation. GRAPHS is a folder with
the symbol graphs of the modules.
"""

import json
import pathlib
import re
import shutil
import sys

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}
LINK = re.compile(r"\[([^\]]+)\]\((?:\.\./)?(\w+)\.md\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^<!--.*?-->$", re.MULTILINE | re.DOTALL)


def symbols(graphs):
    """Returns the paths of modules and public types by name, without ambiguous names."""
    paths = {}
    for file in sorted(pathlib.Path(graphs).glob("*.symbols.json")):
        if "@" in file.name:
            continue  # extensions of other modules
        graph = json.loads(file.read_text())
        module = graph["module"]["name"]
        paths[module] = {module}
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] in TYPES and len(symbol["pathComponents"]) == 1:
                [name] = symbol["pathComponents"]
                paths.setdefault(name, set()).add(f"{module}/{name}")
    return {name: path for name, [path, *others] in paths.items() if not others}


def article(text, paths):
    """Returns an article in docc's form. Removes comments, where docc would search for
    directives."""
    parts = []
    end = 0
    for fence in FENCE.finditer(text):
        parts += [prose(text[end : fence.start()], paths), fence[0]]
        end = fence.end()
    return "".join([*parts, prose(text[end:], paths)])


def prose(text, paths):
    text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    return "\n".join(with_links(line, paths) for line in text.split("\n"))


def with_links(line, paths):
    if line.startswith("#"):
        return line
    line = LINK.sub(lambda link: f"[{link[1]}](doc:{page_name(link[2])})", line)
    line = re.sub(r"^- \[[^\]]+\]\(doc:(\w+)\)$", r"- <doc:\1>", line)
    return re.sub(
        r"(?<![`\[])`(\w+)`(?!`)",
        lambda code: f"``{paths[code[1]]}``" if code[1] in paths else code[0],
        line,
    )


def page_name(stem):
    return "Design" if stem == "DESIGN" else stem


def main(graphs, output):
    output = pathlib.Path(output)
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(DOCS / "Documentation.docc", output)
    paths = symbols(graphs)
    for page in output.glob("*.md"):
        page.write_text(article(page.read_text(), paths))
    first = output / "wasm-sharing.md"
    root = "@Metadata {\n  @TechnologyRoot\n}\n\n## Overview\n"
    first.write_text(first.read_text().replace("## Overview\n", root, 1))
    (output / "Design.md").write_text((DOCS / "DESIGN.md").read_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
