"""Checks how the sources would compile with the official SDK of WebAssembly, in full Swift for
wasip1, without that SDK: official_sdk.py [MODULE…].

1. The conditions of each `#if` are evaluated as that SDK's compiler does. The code that remains
   must not name what the platform lacks (LACKING).
2. A copy of the sources with that code only is type-checked with this machine's standard library.

It does not link or run anything, and this machine's Foundation and C library have more than
wasi-libc has.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPY = ROOT / ".build/official-sdk"
MODULES = {
    "SharingCore": "Sources/SharingCore",
    "SharingJSON": "Sources/SharingJSON",
    "WasiStorage": "Sources/WasiStorage",
    "SharingCommits": "Sources/SharingCommits",
    "SharingPage": "Sources/SharingPage",
    "SharingNATS": "Extras/NATS/Sources/SharingNATS",
    "WasmTool": "Sources/WasmTool",
}
# Names that the platform lacks, or that have another shape there.
LACKING = re.compile(
    r"\b(DispatchQueue|DispatchSemaphore|Thread\.|pthread_\w+|dlopen|execvp|getaddrinfo)"
)
# The conditions that hold in full Swift for wasip1, and those that are decided by this machine's
# modules: the code that they choose is type-checked here.
CONDITIONS = {
    "os(WASI)": True,
    "arch(wasm32)": True,
    "hasFeature(Embedded)": False,
    "os(Linux)": False,
    "canImport(Darwin)": False,
    "canImport(Dispatch)": False,
    "canImport(FoundationEssentials)": True,
    "canImport(Glibc)": False,
    "canImport(Musl)": False,
    "canImport(WASILibc)": False,
    "_runtime(_multithreaded)": False,
    "DEBUG": True,
    "THREAD_SANITIZER": False,
}


def main():
    problems = []
    for module in sys.argv[1:] or MODULES:
        files = sorted((ROOT / MODULES[module]).rglob("*.swift"))
        texts = {file: active(file) for file in files}
        for file, text in texts.items():
            found = sorted({match[1] for match in LACKING.finditer(without_comments(text))})
            problems += [f"{file.relative_to(ROOT)}: {name} is missing in wasip1" for name in found]
        problems += type_errors(module, texts)
    if problems:
        sys.exit("\n".join(problems))
    print("the sources name nothing that wasip1 lacks, and type-check under its conditions")


def active(file):
    """The text of a file in which the lines are empty that `#if` leaves out."""
    lines = []
    choices = []  # of each open `#if`: whether a branch was taken, and whether this is it
    for line in file.read_text().splitlines():
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*?)(//.*)?$", line)
        if not directive:
            lines.append(line if all(is_chosen for _, is_chosen in choices) else "")
            continue
        word, condition = directive[1], directive[2].strip()
        if word == "if":
            choices.append((False, False))
        was_taken = choices[-1][0]
        if word == "endif":
            choices.pop()
        else:
            is_chosen = not was_taken and (word == "else" or holds(condition, file))
            choices[-1] = (was_taken or is_chosen, is_chosen)
        lines.append("")
    return "\n".join(lines) + "\n"


def holds(condition, file):
    """Whether a condition holds in full Swift for wasip1."""
    terms = re.findall(r"\w+\(\w+\)|\w+|&&|\|\||!|[()]", condition)
    words = {"&&": "and", "||": "or", "!": "not", "(": "(", ")": ")"}
    unknown = [term for term in terms if term not in words and term not in CONDITIONS]
    if unknown:
        sys.exit(f"{file.relative_to(ROOT)}: CONDITIONS does not list {', '.join(unknown)}")
    return eval(" ".join(words.get(term) or str(CONDITIONS[term]) for term in terms))


def without_comments(text):
    return re.sub(r"//.*", "", text)


def type_errors(module, texts):
    """What the compiler says of a copy of a module; the copies of those below it are there."""
    copies = []
    for file, text in texts.items():
        copy = COPY / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        copies.append(copy)
    write_module_map()
    command = [
        "swiftc", "-emit-module", "-module-name", module, "-swift-version", "6", "-Onone",
        "-package-name", "wasm_sharing", "-enable-experimental-feature", "Extern",
        "-parse-as-library", "-I", COPY, "-I", ROOT / "Sources/CHost/include",
        "-emit-module-path", COPY / f"{module}.swiftmodule", *copies,
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    return re.findall(r"^.*error: .*$", run.stderr, re.MULTILINE) if run.returncode else []


def write_module_map():
    header = ROOT / "Sources/CHost/include/CHost.h"
    folder = COPY / "CHost"
    folder.mkdir(parents=True, exist_ok=True)
    (COPY / "module.modulemap").write_text(f'module CHost {{ header "{header}" export * }}\n')


if __name__ == "__main__":
    main()
