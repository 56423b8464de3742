"""Compares what README.md shows with the files it is taken from."""

import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[1]
readme = (root / "README.md").read_text()
shown = [root / "Sources/WasmDemo/Counter.swift"]
stale = [path.relative_to(root) for path in shown if f"```swift\n{path.read_text()}```" not in readme]
if stale:
    sys.exit(f"README.md does not show these files as they are: {', '.join(map(str, stale))}")
