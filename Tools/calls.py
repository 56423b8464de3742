"""Counts the functions that run when a stored value is used. calls.py [--list] PROGRAM

The program is a debug build of CallProgram: there, every function of the source is a function
of the program. Callgrind notes which ones run inside each of the C functions below. Those of
SharingCore and WasiStorage are counted, once each: functions, initializers and accessors. Closures
belong to the function that they stand in. What the compiler adds is left out: thunks, metadata,
outlined copies, deinitializers, and what makes a global."""

import pathlib
import re
import subprocess
import sys
import tempfile

# How many functions each C function may run.
BUDGETS = {
    "measure_write": 107,
    "measure_outside_change": 91,
    "measure_first_load": 106,
}
WHAT = {
    "measure_write": "one change of a stored value that is observed",
    "measure_outside_change": "one change that another program has stored",
    "measure_first_load": "one first use of a stored value",
}
MODULES = {"SharingCore", "WasiStorage"}
# What is counted, as `swift demangle` calls it.
KINDS = {
    "Allocator",
    "Constructor",
    "DefaultArgumentInitializer",
    "Function",
    "Getter",
    "Initializer",
    "ModifyAccessor",
    "ReadAccessor",
    "Setter",
    "Static",
}
CLOSURES = {"ExplicitClosure", "ImplicitClosure"}
# In Callgrind's file a name stands where its number comes first: where it runs, or is called.
NAMED = re.compile(r"^c?fn=\((\d+)\) (.+)$", re.MULTILINE)
HAS_RUN = re.compile(r"^fn=\((\d+)\)", re.MULTILINE)
# A coroutine's parts, and a function inside itself, are one function.
PART = re.compile(r"(\.resume\.\d+|'\d+)*$")


def calls(program):
    """The functions that are counted, by the C function that runs them."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "program"
        # To read debug information would take most of the time.
        run("llvm-objcopy", "--strip-debug", program, stripped)
        return {entry: ours(symbols(stripped, entry, folder)) for entry in BUDGETS}


def symbols(program, entry, folder):
    """The symbols of all functions that run inside a C function."""
    file = pathlib.Path(folder) / entry
    options = ["--demangle=no", f"--toggle-collect={entry}", f"--callgrind-out-file={file}"]
    run("valgrind", "--tool=callgrind", *options, program)
    text = file.read_text()
    names = dict(NAMED.findall(text))
    return {PART.sub("", names[number]) for number in HAS_RUN.findall(text)}


def ours(symbols):
    """What is counted of some symbols, as one reads it."""
    words = sorted(symbol for symbol in symbols if symbol.startswith("$s"))
    names = []
    for tree in run("swift", "demangle", "--expand", *words).split("Demangling for ")[1:]:
        kinds = re.findall(r"kind=(\w+)", tree)
        module = re.search(r'kind=Module, text="(\w+)"', tree)
        if module and module[1] in MODULES and kinds[1] in KINDS and CLOSURES.isdisjoint(kinds):
            names.append(tree.strip().rpartition(" ---> ")[2])
    return sorted(names)


def run(*command):
    """Runs a command to its end; what it has printed."""
    command = list(map(str, command))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} has failed:\n{done.stderr}")
    return done.stdout


def main():
    *options, program = sys.argv[1:]
    found = calls(program)
    for entry, names in found.items():
        print(f"{len(names):4} of at most {BUDGETS[entry]} functions  {WHAT[entry]}")
        if options == ["--list"]:
            print(*(f"       {name}" for name in names), sep="\n")
    if any(len(names) > BUDGETS[entry] for entry, names in found.items()):
        sys.exit("Something runs more functions than its budget.")


if __name__ == "__main__":
    main()
