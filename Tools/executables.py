"""Prints the executable of a package to build, and options for its build:
executables.py [NAME] reads the output of `swift package describe --type json`."""

import json
import sys

text = sys.stdin.read()
package = json.loads(text[text.index("{"):]) if "{" in text else sys.exit(1)
executables = {one["name"]: one for one in package["products"] if "executable" in one["type"]}
names = sorted(executables)
wanted = sys.argv[1] or (names[0] if len(names) == 1 else "")
if not names:
    sys.exit(f"The package {package['name']} has no executable: give it an .executableTarget.")
if not wanted:
    sys.exit(f"Name one of the executables with --product: {', '.join(names)}.")
if wanted not in names:
    sys.exit(f"There is no executable {wanted}. There are: {', '.join(names)}.")
parts = executables[wanted].get("targets", [])
sources = [
    path
    for target in package.get("targets", [])
    if target["name"] in parts and target["type"] == "executable"
    for path in target["sources"]
]
# Without the option, Swift treats a single file without @main as a script, which does nothing.
has_main_file = any(path.rpartition("/")[2] == "main.swift" for path in sources)
print(wanted, "" if has_main_file else "-Xswiftc -parse-as-library")
