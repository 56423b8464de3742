"""Writes the packages of the articles about other loaders, from the blocks of code that follow the
name of a file: guides.py FOLDER.

FOLDER/Counter is the package of YourOwnLoader.md, as it stands there. FOLDER/App has the page of
WithJavaScriptKit.md, and the program of the former under the imports of JavaScriptKit: neither
JavaScriptKit nor elementary-ui can be installed on every machine."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CATALOG = ROOT / "docs/Documentation.docc"
REPOSITORY = '.package(url: "URL of this repository", branch: "main")'
KINDS = {"c", "html", "js", "swift"}
HERE = f'.package(name: "wasm-sharing", path: "{ROOT}")'


def files(article):
    """Returns the contents of the files that an article shows, by their paths."""
    found, path, lines = {}, None, None
    for line in (CATALOG / article).read_text().splitlines():
        if lines is not None:
            if line != "```":
                lines.append(line)
                continue
            if path and is_file:
                found[path] = "".join(f"{one}\n" for one in lines)
            path, lines = None, None
        elif line.startswith("```"):
            lines, is_file = [], line[3:] in KINDS
        else:
            path = ([path] + re.findall(r"`([\w./]+\.(?:swift|h|c|html|js))`", line))[-1]
    return found


def manifest(name, arguments):
    """Returns a Package.swift with the arguments that an article shows."""
    arguments = arguments.replace(REPOSITORY, HERE)
    head = "// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n"
    return f'{head}  name: "{name}",\n{arguments})\n'


def write(folder, contents):
    for path, text in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def main(folder):
    counter = files("YourOwnLoader.md")
    shown = counter["Package.swift"]
    write(folder / "Counter", {**counter, "Package.swift": manifest("Counter", shown)})
    app = {path: text for path, text in files("WithJavaScriptKit.md").items() if path.startswith("web/")}
    for path in ["Sources/PageCalls/PageCalls.c", "Sources/PageCalls/include/PageCalls.h"]:
        app[path] = counter[path].replace('import_module("page")', 'import_module("javascript_kit")')
    app["Sources/App/Counter.swift"] = counter["Sources/Counter/Counter.swift"]
    app["Package.swift"] = manifest("App", shown.replace('name: "Counter"', 'name: "App"'))
    write(folder / "App", app)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
