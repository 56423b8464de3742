"""How many functions run when a stored value is used: at most the budgets of Tools/calls.py."""

import re
import sys

import pytest
from conftest import ROOT
from hosts import build

sys.path.append(str(ROOT / "Tools"))
import calls  # noqa: E402


@pytest.fixture(scope="module")
def counted():
    """The functions by what runs them."""
    return calls.calls(build("CallProgram"))


@pytest.mark.parametrize("entry", calls.BUDGETS)
def test_a_use_of_a_stored_value_runs_no_more_functions_than_its_budget(counted, entry):
    assert len(counted[entry]) <= calls.BUDGETS[entry]


@pytest.mark.parametrize(
    ("entry", "function"),
    [("measure_write", "replace"), ("measure_outside_change", "read"), ("measure_first_load", "read")],
)
def test_the_functions_are_all_of_the_way_down_to_the_store(counted, entry, function):
    way = re.compile(rf"\(MemorySlot in \w+\)\.{function}\(")
    assert [name for name in counted[entry] if way.search(name)] != []
