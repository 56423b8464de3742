"""Counts the WebAssembly instructions of one operation of each workload: instructions.py [--record]

Prints each count next to its record in instructions.txt, and fails if one is more than 5 % over it.
With --record, writes the records. The counts are the fuel that wasmtime consumes: an instruction
takes one unit, also a copy of any length and a call of the host. Neither a busy machine nor chance
changes them: the program's random numbers are all zero.
"""

import argparse
import pathlib
import sys
import tempfile

from hosts.wasm import Wasm
from wasmtime import Config, Engine, FuncType, ValType

RECORDS = pathlib.Path(__file__).with_name("instructions.txt")
# A workload runs until this many instructions: the growth of lists, and first searches, weigh
# little then.
ENOUGH = 30_000_000
FUEL = 2**62
# The limits of a count, as ratios to its record.
WORSE, MUCH_WORSE = 1.02, 1.05


class CountingWasm(Wasm):
    """The program for wasm in wasmtime, which counts its instructions."""

    def __init__(self, folder):
        config = Config()
        config.consume_fuel = True
        super().__init__(folder, Engine(config))

    def new_store(self):
        store = super().new_store()
        store.set_fuel(FUEL)
        return store

    def new_linker(self):
        linker = super().new_linker()
        linker.allow_shadowing = True
        i32 = ValType.i32()
        random_get = FuncType([i32, i32], [i32])
        linker.define_func("wasi_snapshot_preview1", "random_get", random_get, lambda *_: 0)
        return linker

    def instructions(self, index, iterations):
        before = self._store.get_fuel()
        self._call("run", index, iterations)
        return before - self._store.get_fuel()


def count(host, index, operations):
    """Returns the instructions of one operation, in a fresh instance."""
    host.renew()
    host.prepare(index)
    iterations = 1
    while host.instructions(index, iterations) < ENOUGH:
        iterations *= 2
    return host.instructions(index, iterations) / iterations / operations


def measured():
    with CountingWasm.started() as host:
        host.renew()
        return {
            name: count(host, index, operations)
            for index, (name, operations) in enumerate(host.workloads())
        }


def recorded():
    lines = RECORDS.read_text().splitlines()
    return {name: float(number) for number, name in (line.split(maxsplit=1) for line in lines)}


def remark(value, record):
    if record is None:
        return "NOT RECORDED"
    if value > record * MUCH_WORSE:
        return "MORE THAN 5 % OVER ITS RECORD"
    return "more than 2 % over its record" if value > record * WORSE else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true")
    counts = measured()
    if parser.parse_args().record:
        RECORDS.write_text("".join(f"{value:12.1f}  {name}\n" for name, value in counts.items()))
        print(RECORDS.read_text(), end="")
        return
    records = recorded()
    for name, value in counts.items():
        record = records.get(name)
        print(f"{value:12.1f}, recorded {record or 0:12.1f}  {name}  {remark(value, record)}".rstrip())
    missing = [name for name in records if name not in counts]
    for name in missing:
        print(f"recorded, and not measured: {name}")
    if missing or any(remark(value, records.get(name)).isupper() for name, value in counts.items()):
        sys.exit("Make it faster, or record the counts: ./build.sh instructions --record")


if __name__ == "__main__":
    main()
