"""Compares the public API with the list in docs/api.txt: api.py [--accept]

Reads the modules of a native debug build. --accept rewrites the list, for an intended change of the
API. Describe in CHANGELOG.md the effect on programs that use the changed API.
"""

import difflib
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LISTED = ROOT / "docs/api.txt"
BUILT = ROOT / ".build/debug"
GRAPHS = ROOT / ".build/api"
MODULES = ["SharingCore", "SharingJSON", "WasiStorage", "SharingCommits", "SharingPage", "SharingTesting", "SharingTestDoubles", "SharingSimulation", "SharingNATS"]


def main():
    found = [line for module in MODULES for line in [f"# {module}", *declarations(module), ""]]
    text = "\n".join(found)
    if sys.argv[1:] == ["--accept"]:
        LISTED.write_text(text)
        return None
    listed = LISTED.read_text()
    if listed == text:
        return None
    changes = difflib.unified_diff(listed.splitlines(), found, "docs/api.txt", "the sources", n=0)
    print(*(line for line in changes if not line.startswith("@@")), sep="\n")
    return "The public API differs from docs/api.txt. If that is intended: ./build.sh api --accept"


def declarations(module):
    """Returns the public declarations of a module, one per line, sorted by name."""
    GRAPHS.mkdir(parents=True, exist_ok=True)
    for old in GRAPHS.glob(f"{module}*.json"):
        old.unlink()
    maps = [f"-fmodule-map-file={path}" for path in sorted(BUILT.glob("C*.build/module.modulemap"))]
    maps += [f"-fmodule-map-file={BUILT}/WasmCommand.build/module.modulemap"]
    target = json.loads(run("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    run(
        *["swift", "symbolgraph-extract", "-module-name", module, "-I", BUILT / "Modules"],
        *[word for option in maps for word in ("-Xcc", option)],
        *["-target", target, "-output-dir", GRAPHS],
        *["-minimum-access-level", "public", "-skip-synthesized-members"],
    )
    lines = set()
    for path in GRAPHS.glob(f"{module}*.json"):
        for symbol in json.loads(path.read_text())["symbols"]:
            declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
            name = ".".join(symbol["pathComponents"])
            lines.add(f"{name}: {' '.join(declaration.split())}")
    return sorted(lines)


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}{command[0]} failed; build the package first: swift build")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
