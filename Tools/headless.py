"""Runs a wasm program as a command, with wasmtime: headless.py [--dir DIR] PROGRAM ARGUMENT…

The program gets DIR as its only folder. Imports that a browser page would provide answer 0, which
means "no such host". The exit status is the program's; 70 after a trap; 1, with a message, when
there is no program or no folder to start with.
"""

import argparse
import os
import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, Trap, WasiConfig, WasmtimeError


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--dir")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
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
        store.set_wasi(wasi)
        if options.program.endswith(".cwasm"):  # compiled before, by Module.serialize
            module = Module.deserialize_file(engine, options.program)
        else:
            module = Module.from_file(engine, options.program)
        linker.define_unknown_imports_as_default_values(store, module)
        linker.instantiate(store, module).exports(store)["_start"](store)
    except ExitTrap as end:
        return end.code
    except Trap as trap:
        print(f"{options.program} has stopped: {trap}", file=sys.stderr)
        return 70
    except WasmtimeError as error:
        return f"{options.program} cannot be started: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
