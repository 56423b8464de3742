import contextlib
import os
import pathlib
import platform
import subprocess
import tempfile

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / ".build/release/NativeBenchmarks"


class Native:
    """The program for this machine. It reads one command per line, and times itself."""

    title = f"native, {platform.system()} {platform.machine()}"
    # Nanoseconds: a round this short is seldom interrupted, even on a busy machine.
    round = 2e5

    def __init__(self, folder):
        self._folder = folder
        self._process = None

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        with tempfile.TemporaryDirectory() as folder:
            host = cls(folder)
            try:
                yield host
            finally:
                host._end()

    def renew(self):
        """Starts the program in a folder of its own."""
        self._end()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        folder = tempfile.mkdtemp(dir=self._folder)
        self._process = subprocess.Popen([PROGRAM], **pipes, text=True, bufsize=1, cwd=folder)

    def workloads(self):
        """Returns names and operations per iteration, in index order."""
        lines = [self._ask("list"), *iter(self._answer, "")]
        return [(name, int(count)) for name, count in (line.split("\t") for line in lines)]

    def prepare(self, index):
        self._ask(f"prepare {index}")

    def times(self, turns):
        """Returns the nanoseconds of each turn, an index of a workload with a number of
        iterations."""
        return [int(self._ask(f"run {index} {iterations}")) for index, iterations in turns]

    def footprints(self):
        """Returns the heap size of each footprint."""
        # Without the thread cache, whose free blocks count as allocated.
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        output = subprocess.check_output([PROGRAM, "bytes"], env=environment, text=True)
        lines = (line.split("\t") for line in output.splitlines())
        return [(name, float(count)) for name, count in lines]

    def _ask(self, command):
        self._process.stdin.write(command + "\n")
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{PROGRAM} has ended with status {self._process.wait()}")
        return line.rstrip("\n")

    def _end(self):
        if self._process:
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
