"""Runs a wasm program as a command, with wasmtime: headless.py [--dir DIR] PROGRAM ARGUMENT…

The program gets DIR as its only folder. Imports that a browser page would provide return 0, which
means "no such host". The exit status is the program's; 70 after a trap; 1, with a message, if the
program or the folder is missing; 2 if a word is not UTF-8.

WASI has no file permissions. A file that the program writes in DIR is at least as private as the
most private file that DIR had at the start.
"""

import argparse
import contextlib
import os
import stat
import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, Trap, WasiConfig, WasmtimeError


def main():
    hold_streams()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--dir")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    for word in filter(None, [options.dir, options.program, *options.arguments]):
        if not is_text(word):
            parser.error(f"{ascii(word)} is not UTF-8. Nothing was done.")
    if not os.path.isfile(options.program):
        return f"There is no program {options.program}. ./build.sh makes web/demo.wasm."
    if options.dir is not None and not os.path.isdir(options.dir):
        return f"{options.dir} is not a folder. Give the program one that exists: --dir DIR"

    engine = Engine()
    linker = Linker(engine)
    linker.define_wasi()
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = [options.program, *options.arguments]
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    try:
        if options.dir is not None:
            wasi.preopen_dir(options.dir, "/state")
            keep_private(options.dir)
        store.set_wasi(wasi)
        if options.program.endswith(".cwasm"):  # compiled earlier by Module.serialize
            module = Module.deserialize_file(engine, options.program)
        else:
            module = Module.from_file(engine, options.program)
        linker.define_unknown_imports_as_default_values(store, module)
        exports = linker.instantiate(store, module).exports(store)
        if "_start" not in exports:
            return (
                f"{options.program} is not a command. Declare its app as 'struct App: PageApp, "
                "CommandApp', and let its target depend on WasmCommand."
            )
        exports["_start"](store)
    except ExitTrap as end:
        return end.code
    except Trap as trap:
        print(f"{options.program} has stopped: {trap}", file=sys.stderr)
        return 70
    except WasmtimeError as error:
        return f"{options.program} cannot be started: {error}"
    return 0


def hold_streams():
    """Replaces each closed standard stream by a pipe without a reader, so that writes to it fail.
    Otherwise the next opened file would get its number, and output for the stream would go
    there."""
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            _, writer = os.pipe()
            os.dup2(writer, stream)  # closes the reading end, whose number it was
            os.close(writer)


def is_text(word):
    """Returns whether a command-line word is UTF-8: other bytes are lone surrogates in it."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def keep_private(folder):
    """Sets the umask so that new files are as private as the most private file below a folder.
    Replacing a file creates a new one."""
    permitted = EVERYBODY_ELSE
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # another program may have removed it
                file = os.lstat(os.path.join(place, name))
                if stat.S_ISREG(file.st_mode):
                    permitted &= permissions(file, group_of_new_files(place))
        if permitted == 0:
            break
    os.umask(os.umask(0) | EVERYBODY_ELSE & ~permitted)


# The read and write permission bits of the group and of others.
EVERYBODY_ELSE = 0o066


def permissions(file, group):
    """Returns a file's permissions for everybody but its owner, if it belonged to a group.
    For a different group, these are the ones that the file's own group and others both have."""
    own, both = file.st_mode & EVERYBODY_ELSE, file.st_mode & file.st_mode >> 3 & 0o006
    return own if file.st_gid == group else both << 3 | both


def group_of_new_files(folder):
    status = os.stat(folder)
    return status.st_gid if status.st_mode & stat.S_ISGID else os.getegid()


if __name__ == "__main__":
    sys.exit(main())
