"""Prints a program's bytes by folder of its source: folders.py SYMBOLIZER LINKED OPTIMIZED

SYMBOLIZER is the path of llvm-symbolizer. LINKED is the wasm file of the linker, with names and
debug information. OPTIMIZED is that file after wasm-opt, with names. The debug information of
LINKED gives the source file of each function; its bytes are those in OPTIMIZED, before gzip. An
inlined function counts where it is called. Equal functions that were merged count where the first
of them was.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CUSTOM, IMPORT, CODE, DATA = 0, 2, 10, 11  # kinds of sections
STEP = 8  # bytes between the places of a function at which its source is looked up


def main(symbolizer, linked, optimized):
    files = files_of_functions(symbolizer, linked)
    names, bodies, sections = read(pathlib.Path(optimized).read_bytes())
    counts = collections.Counter()
    for index, (_, size) in bodies.items():
        name = names.get(index, "")
        counts[row(files.get(name), name)] += size
    counts["data: texts, metadata of types"] = sections[DATA]
    rest = sum(sections.values()) - sections[CUSTOM] - counts.total()
    counts["the rest: types, imports, tables"] = rest
    total = counts.total()
    for name, size in counts.most_common():
        print(f"{size:7,} {size / total:6.1%}  {name}")
    print(f"{total:7,} 100.0%  in all, before gzip")


def files_of_functions(symbolizer, linked):
    """Returns the source file of each function by its linker name."""
    names, bodies, _ = read(pathlib.Path(linked).read_bytes())
    places = [
        (names[index], place)
        for index, (start, size) in bodies.items()
        if index in names
        for place in range(start, start + size, STEP)
    ]
    command = [symbolizer, f"--obj={linked}", "--output-style=JSON"]
    questions = "".join(f"{place:#x}\n" for _, place in places)
    answers = subprocess.run(command, input=questions, capture_output=True, text=True, check=True)
    found = {}
    for (name, _), answer in zip(places, answers.stdout.splitlines(), strict=True):
        # The last frame is the function itself, the others are inlined.
        for frame in json.loads(answer)["Symbol"][-1:]:
            if pathlib.Path(frame["FileName"]).is_relative_to(ROOT):
                found.setdefault(name, frame["FileName"])
    return found


def row(file, name):
    """Returns the row of a function with a source file, or None, and a linker name."""
    if file:
        return str(pathlib.Path(file).parent.relative_to(ROOT))
    if module := re.match(r"\$[es](\d+)(\w+)", name):
        return f"{module[2][: int(module[1])]}, without a line"
    if re.match(r"(byn\$mgfn-shared\$)?(\$[es]|_?swift_|\.L)", name):
        return "Swift's library and runtime"
    return "wasi-libc"


# MARK: Reading wasm


def read(data):
    """Returns the names of functions, the place in the file and the size of the body of each, and
    the size of each section by its kind."""
    names, bodies, sections, imported = {}, {}, collections.Counter(), 0
    at = 8
    while at < len(data):
        kind = data[at]
        size, start = number(data, at + 1)
        end = start + size
        sections[kind] += end - at
        if kind == IMPORT:
            imported = imported_functions(data, start)
        elif kind == CODE:
            bodies = dict(enumerate(bodies_of(data, start), imported))
        elif kind == CUSTOM:
            length, text = number(data, start)
            if data[text : text + length] == b"name":
                names = function_names(data, text + length, end)
        at = end
    return names, bodies, sections


def number(data, at):
    """Returns a LEB128 number and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def imported_functions(data, at):
    count, at = number(data, at)
    functions = 0
    for _ in range(count):
        for _ in range(2):
            length, at = number(data, at)
            at += length
        kind, at = data[at], at + 1
        if kind == 0:
            functions += 1
        else:
            sys.exit("folders.py: the program imports something other than functions")
        _, at = number(data, at)
    return functions


def bodies_of(data, start):
    count, at = number(data, start)
    for _ in range(count):
        size, at = number(data, at)
        yield at, size
        at += size


def function_names(data, at, end):
    while at < end:
        kind = data[at]
        size, at = number(data, at + 1)
        if kind == 1:
            names = {}
            count, here = number(data, at)
            for _ in range(count):
                index, here = number(data, here)
                length, here = number(data, here)
                names[index] = data[here : here + length].decode()
                here += length
            return names
        at += size
    return {}


if __name__ == "__main__":
    main(*sys.argv[1:])
