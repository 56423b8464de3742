"""Checks how the sources would compile with the official SDK of WebAssembly, in full Swift for
wasip1, without that SDK: official_sdk.py [MODULE…].

1. The compiler parses each file for the target wasm32-unknown-wasip1, which evaluates `#if`. What
   remains must not name what that platform lacks (LACKING).
2. A copy of the sources, in which `os(WASI)` is so and `os(Linux)` is not, is type-checked with this
   machine's standard library.

It does not link or run anything, and this machine's Foundation and C library have more than
wasi-libc has.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPY = ROOT / ".build/official-sdk"
MODULES = ["SharingCore", "WasiStorage", "SharingPage"]
TARGET = "wasm32-unknown-wasip1"
# Names that the platform lacks, or that have another shape there.
LACKING = {
    "DispatchQueue", "Thread", "inotify_add_watch", "isCurrentExecutor", "pthread_cond_wait",
    "pthread_getspecific", "pthread_key_create", "pthread_mutex_lock", "dlopen", "Glibc",
}
NEVER = "hasFeature(NoSuchFeature)"
# Conditions of that SDK, as this machine's compiler would not evaluate them.
CONDITIONS = {"os(Linux)": NEVER, "os(WASI)": "os(Linux)", "_runtime(_multithreaded)": NEVER}


def main():
    problems = []
    for module in sys.argv[1:] or MODULES:
        files = sorted((ROOT / "Sources" / module).rglob("*.swift"))
        problems += [one for file in files for one in names_of_others(file)]
        problems += type_errors(module, files)
    if problems:
        sys.exit("\n".join(problems))
    print(f"the sources parse for {TARGET}, and type-check under its conditions")


def names_of_others(file):
    """What a file names that the platform lacks."""
    command = ["swiftc", "-frontend", "-dump-parse", "-target", TARGET, file]
    run = subprocess.run(command, capture_output=True, text=True)
    if "error:" in run.stderr:
        return [run.stderr]
    imported = re.findall(r"^  \(import_decl .*? module=\"(\w+)\"", run.stdout, re.MULTILINE)
    named = re.findall(r"unresolved_decl_ref_expr .*? name=\"(\w+)\"", run.stdout)
    declared = re.findall(r"\(func_decl .*? \"(\w+)\(", run.stdout)
    found = sorted(LACKING & {*imported, *named, *declared})
    return [f"{file.relative_to(ROOT)}: {name} is not there in {TARGET}" for name in found]


def type_errors(module, files):
    """What the compiler says of the copy of a module, whose modules below it come first."""
    copies = []
    for file in files:
        text = file.read_text()
        lines = [
            re.sub("|".join(map(re.escape, CONDITIONS)), lambda one: CONDITIONS[one[0]], line)
            if re.match(r"\s*#(if|elseif)\b", line) else line
            for line in text.splitlines()
        ]
        copy = COPY / file.relative_to(ROOT / "Sources")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(lines) + "\n")
        copies.append(copy)
    for old in {*(COPY / module).rglob("*.swift")} - {*copies}:
        old.unlink()
    command = [
        "swiftc", "-emit-module", "-module-name", module, "-swift-version", "6", "-Onone",
        "-package-name", "wasm_sharing", "-enable-experimental-feature", "Extern",
        "-parse-as-library", "-I", COPY, "-I", ROOT / "Sources/CHost/include",
        "-emit-module-path", COPY / f"{module}.swiftmodule", *copies,
    ]
    write_module_map()
    run = subprocess.run(command, capture_output=True, text=True)
    return re.findall(r"^.*error: .*$", run.stderr, re.MULTILINE) if run.returncode else []


def write_module_map():
    header = ROOT / "Sources/CHost/include/CHost.h"
    folder = COPY / "CHost"
    folder.mkdir(parents=True, exist_ok=True)
    (COPY / "module.modulemap").write_text(f'module CHost {{ header "{header}" export * }}\n')


if __name__ == "__main__":
    main()
