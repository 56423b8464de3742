"""Checks that the code in README.md is the code of its source files, and that the version in
VERSION is the first one in CHANGELOG.md."""

import pathlib
import sys

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
version = (root / "VERSION").read_text().strip()
if f"\n\n## {version}" not in (root / "CHANGELOG.md").read_text().split("\n###")[0]:
    sys.exit(f"CHANGELOG.md does not begin with the version {version}, which VERSION names.")
