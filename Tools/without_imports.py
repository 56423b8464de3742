"""Removes a module's imports from a wasm program: without_imports.py MODULE INPUT OUTPUT

Runtimes such as wasmkit reject a program with an unknown import. Each function imported from MODULE
becomes a function of the program that returns 0: "no such host".
"""

import re
import subprocess
import sys

FEATURES = ["bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int"]
IMPORT = r'^ \(import "{}" "\w+" (\(func .*)\)\n'


def main(module, source, target):
    options = [f"--enable-{feature}" for feature in FEATURES]
    read = subprocess.run(["wasm-dis", source], check=True, capture_output=True, text=True)
    text, functions = read.stdout, []

    def collect(found):
        functions.append(f" {found[1][:-1]} (i32.const 0))\n")
        return ""

    text = re.sub(IMPORT.format(module), collect, text, flags=re.MULTILINE)
    text = text.rstrip().removesuffix(")") + "".join(functions) + ")\n"
    subprocess.run(["wasm-as", *options, "-", "-o", target], check=True, input=text, text=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
