"""The tests that mutate.py runs for each mutant pass without one."""

import os
import subprocess
import sys

from conftest import ROOT

sys.path.append(str(ROOT / "Tools"))
import trials  # noqa: E402


def test_the_shims_tests_have_the_permissions_that_they_need():
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("DEMO", None)
    command = [*trials.SHIM_TESTS, "Tests/web/program.test.js"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
