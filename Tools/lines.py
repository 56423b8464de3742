"""Counts lines of code by module, beside their ceilings: Swift, C and JavaScript of Sources, Extras
and JavaScript, without blank lines, comments, tests, benchmarks and declarations for editors
(`.d.ts`). Counts the public symbols in docs/api.txt, too.

A line with code and a comment counts. Only an issue raises a ceiling.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
API = ROOT / "docs/api.txt"
ENDINGS = {".swift", ".c", ".h", ".js"}
LEFT_OUT = {"Tests", "Benchmarks"}
LIBRARY = ["SharingCore", "SharingJSON", "WasiStorage", "SharingPage", "CHost", "SmallLibc"]
LIBRARY += ["WasmCommand", "JavaScript/sharing"]
LIBRARY_CEILING = 12_000
CEILING = 21_000
SYMBOLS_CEILING = 620


def main():
    counts = by_module(ROOT)
    for module, lines in counts.items():
        print(f"{lines:7,}  {module}")
    library = sum(counts[module] for module in LIBRARY)
    print()
    report(library, LIBRARY_CEILING, "core, JSON, storage, page, C and shim")
    report(sum(counts.values()), CEILING, "everything in Sources, Extras and JavaScript")
    report(symbols(API.read_text()), SYMBOLS_CEILING, "public symbols")


def report(count, ceiling, name):
    left = ceiling - count
    remark = f"{left:,} left" if left >= 0 else f"{-left:,} too many"
    print(f"{count:7,}  {name}; at most {ceiling:,}: {remark}")


def by_module(root):
    """Returns the lines of code of each module: a folder of Sources, an extra or JavaScript."""
    counts = {}
    folders = [root / "Sources", root / "JavaScript", *sorted(root.glob("Extras/*"))]
    for path in [path for folder in folders for path in sorted(folder.rglob("*"))]:
        parts = path.relative_to(root).parts
        if path.suffix in ENDINGS and not LEFT_OUT & set(parts):
            name = module(parts)
            counts[name] = counts.get(name, 0) + lines_of_code(path.read_text())
    return counts


def module(parts):
    """Returns the module of a file: `SharingCore`, `JavaScript/page`, `Extras/NATS/SharingNATS`."""
    match parts:
        case ["Sources", name, *_]:
            return name
        case ["JavaScript", file]:
            return f"JavaScript/{file.removesuffix('.js')}"
        case ["JavaScript", folder, *_]:
            return f"JavaScript/{folder}"
        case ["Extras", extra, "Sources", name, *_]:
            return f"Extras/{extra}/{name}"
        case ["Extras", extra, folder, *_]:
            return f"Extras/{extra}/{folder}"


def lines_of_code(text):
    count, is_comment = 0, False
    for line in text.splitlines():
        line = line.strip()
        if is_comment:
            is_comment = "*/" not in line
        elif line.startswith("/*"):
            is_comment = "*/" not in line
        elif line and not line.startswith("//"):
            count += 1
    return count


def symbols(api):
    return sum(": " in line for line in api.splitlines())


if __name__ == "__main__":
    sys.exit(main())
