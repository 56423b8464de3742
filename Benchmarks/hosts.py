"""Where workloads run. Every host lists them, prepares one, and times a number of iterations."""

import subprocess


class Native:
    """The program for this machine, which reads commands and times itself."""

    name = "native"

    def __init__(self, program):
        self._program = program

    def __enter__(self):
        self._process = subprocess.Popen(
            [self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        return self

    def __exit__(self, *failure):
        self._process.stdin.close()
        self._process.wait()

    def workloads(self):
        """Names, and how many operations an iteration does, in the order of their indices."""
        self._process.stdin.write("list\n")
        lines = iter(self._answer, "")
        return [(name, int(count)) for name, count in (line.split("\t") for line in lines)]

    def prepare(self, index):
        self._ask(f"prepare {index}")

    def run(self, index, iterations):
        """The nanoseconds that so many iterations take."""
        return int(self._ask(f"run {index} {iterations}"))

    def forget(self, index):
        self._ask(f"forget {index}")

    def footprints(self):
        """What takes how many bytes of the heap."""
        # Without the per-thread cache, whose blocks would count as given out.
        environment = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        done = subprocess.run(
            [self._program, "bytes"], env=environment, text=True, check=True, capture_output=True
        )
        lines = (line.split("\t") for line in done.stdout.splitlines())
        return [(name, float(count)) for name, count in lines]

    def _ask(self, command):
        self._process.stdin.write(command + "\n")
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._program} has ended with status {self._process.wait()}")
        return line.rstrip("\n")
