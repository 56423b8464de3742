"""The ceilings of sizes."""

import pytest
from conftest import ROOT, call


@pytest.mark.parametrize(
    ("measured", "status", "shown"),
    [
        ("    90  a", 0, "90      100       10  a"),
        ("   100  a", 0, "100      100        0  a"),
        ("   101  a", 1, "OVER ITS CEILING"),
        ("    90  a\n     1  b", 1, "b  HAS NO CEILING"),
        ("", 1, "not measured: a"),
    ],
)
def test_a_size_is_compared_with_its_ceiling(tmp_path, measured, status, shown):
    (tmp_path / "measured").write_text(measured and f"{measured}\n")
    (tmp_path / "ceilings").write_text("   100  a\n")
    script = f". {ROOT}/Tools/sizes.sh && compare_sizes measured ceilings"
    result = call("bash", "-c", script, cwd=tmp_path)
    assert result.status == status
    assert shown in "\n".join(result.shown)
