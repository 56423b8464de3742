"""The table of rules: it counts cases, and lists rules without one."""

import itertools
import subprocess
import sys

import pytest
import rules


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Returns a folder with a log of every host, in which a case of every rule has passed."""
    monkeypatch.setattr(rules, "FOLDER", tmp_path)
    for column in rules.COLUMNS:
        host, kind = column.split()
        for rule in rules.RULES:
            if rules.reason(rule, column) is None:
                rules.record(host, f"ok {kind}: {rule} a case\nok {kind}: {rule} another\n")
    return tmp_path


def test_a_full_table_is_no_failure(logs, capsys):
    rules.main()
    shown = capsys.readouterr().out
    assert all(column in shown for column in rules.COLUMNS)
    assert all(why in shown for _, _, why in rules.HOLES)
    cells = [cell for cell in itertools.product(rules.RULES, rules.COLUMNS) if not rules.reason(*cell)]
    assert f"{2 * len(cells)} cases passed" in shown


def test_a_case_counts_once_however_often_it_was_run(logs, capsys):
    rules.main()
    shown = capsys.readouterr().out
    rules.record("webkit", (logs / "webkit.log").read_text())
    rules.main()
    assert capsys.readouterr().out == shown


def test_what_several_processes_write_at_once_is_all_there(tmp_path):
    text = "".join(f"ok memory: R1 case {number}\n" for number in range(500))
    script = f"import pathlib, rules; rules.FOLDER = pathlib.Path({str(tmp_path)!r})\n"
    script += f"for _ in range(20): rules.record('node', {text!r})"
    writers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert (tmp_path / "node.log").read_text() == text * 80


@pytest.mark.parametrize("line", ["not ok files: R18 a case", "left out files: R18 a case: why", ""])
def test_a_rule_that_nobody_has_shown_on_a_host_is_named(logs, line):
    text = (logs / "node.log").read_text()
    lines = [line if one.startswith("ok files: R18 ") else one for one in text.splitlines()]
    (logs / "node.log").write_text("\n".join(lines))
    with pytest.raises(SystemExit, match="No case has passed for R18 on node files"):
        rules.main()


def test_a_host_that_was_not_run_is_a_failure(logs):
    (logs / "firefox.log").unlink()
    with pytest.raises(SystemExit, match="R1 on firefox localStorage, R2 on firefox localStorage"):
        rules.main()


def test_no_run_at_all_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "FOLDER", tmp_path)
    with pytest.raises(SystemExit, match="No suite has been run"):
        rules.main()
