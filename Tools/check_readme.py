"""Checks that the code in README.md is the code of its source files, that its sizes are those of
Tools/sizes.txt, that its example has at most 150 lines of Swift and 10 of JavaScript, and that the
version in VERSION is the first one in CHANGELOG.md."""

import pathlib
import re
import sys

import lines

root = pathlib.Path(__file__).resolve().parents[1]
readme = (root / "README.md").read_text()
shown = [root / "Template/Sources/MyApp/MyApp.swift"]
stale = [path.relative_to(root) for path in shown if f"```swift\n{path.read_text()}```" not in readme]
if stale:
    sys.exit(f"README.md does not show these files as they are: {', '.join(map(str, stale))}")
page = (root / "Template/web/index.html").read_text()
for line in readme.partition("```html\n")[2].partition("```")[0].splitlines():
    if line not in page:
        sys.exit(f"README.md shows a line that Template/web/index.html does not have: {line}")
tutorial = (root / "docs/Documentation.docc/Tutorial.md").read_text()
ceilings = {name: int(size) for size, name in (
    line.split(maxsplit=1) for line in (root / "Tools/sizes.txt").read_text().splitlines()
)}
counter = ceilings["a counter: the program and the shim"]
added = ceilings["a counter under .indexedDB: the program and its JavaScript"] - counter
demo = ceilings["the demo: all that a browser loads"]
for text, words, size in [
    (readme, "The app above is {} kB", counter),
    (readme, "the picture is {} kB", demo),
    (readme, "; adds {} kB", added),
    (tutorial, "The program is {} kB larger", added),
]:
    claim = words.format(round(size / 1000))
    if claim not in " ".join(text.split()):
        sys.exit(f"README.md or Tutorial.md lacks what Tools/sizes.txt says: {claim}.")
example = root / "Examples/Expenses"
swift, script = (
    sum(lines.lines_of_code(path.read_text()) for path in paths)
    for paths in [example.glob("Sources/*/*.swift"), [example / "web/main.js"]]
)
claim = f"{swift} lines of Swift and {script} of JavaScript"
if claim not in " ".join(readme.split()) or swift > 150 or script > 10:
    sys.exit(f"Examples/Expenses has {claim}: README.md says so, and the limits are 150 and 10.")
version = (root / "VERSION").read_text().strip()
first = re.search("^## .*", (root / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
if not re.fullmatch(rf"## {re.escape(version)} - (not released yet|\d{{4}}-\d\d-\d\d)", first):
    wanted = f"## {version} - not released yet, or - and a date"
    sys.exit(f"The first heading of CHANGELOG.md is '{first}'. VERSION wants '{wanted}'.")
