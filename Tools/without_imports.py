"""Gives a wasm program what its host does not: without_imports.py MODULE INPUT OUTPUT

Runtimes such as wasmkit refuse a program with an import that they do not know. Every function that
is imported from MODULE becomes one of the program's own, which answers 0: "no such host".
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
