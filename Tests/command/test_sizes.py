"""The ceilings of sizes and lines, and the bytes of a program by folder."""

import sys

import pytest
from conftest import ROOT, call

sys.path.append(str(ROOT / "Tools"))
import folders  # noqa: E402
import lines  # noqa: E402


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


def test_lines_of_code_have_no_blank_lines_and_comments():
    text = "// a\n\nlet a = 1  // b\n/* c\n   d */\n  /// e\nlet f = \"/*\"\n/** g */\n"
    assert lines.lines_of_code(text) == 2


def test_lines_are_counted_by_module_without_tests(tmp_path):
    for path in [
        "Sources/SharingCore/Runtime/Cell.swift",
        "Sources/CHost/include/CHost.h",
        "JavaScript/page.js",
        "JavaScript/page/rows.js",
        "JavaScript/page.d.ts",
        "Extras/NATS/Sources/SharingNATS/A.swift",
        "Extras/NATS/JavaScript/nats.js",
        "Extras/NATS/Tests/A.swift",
        "Extras/NATS/Benchmarks/A.swift",
        "Tests/native/A.swift",
    ]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("1\n")
    assert lines.by_module(tmp_path) == {
        "CHost": 1,
        "SharingCore": 1,
        "JavaScript/page": 2,
        "Extras/NATS/JavaScript": 1,
        "Extras/NATS/SharingNATS": 1,
    }


def test_a_public_symbol_is_a_line_of_the_list():
    assert lines.symbols("# A\na: let a: Int\nb: func b()\n\n# B\nc: struct c\n") == 3


def test_the_functions_of_a_program_are_read_with_names_and_sizes():
    data = b"\0asm\1\0\0\0"
    data += b"\1\4\1\x60\0\0"  # a type
    data += b"\2\7\1\1m\1i\0\0"  # an imported function
    data += b"\3\2\1\0"  # a function
    data += b"\x0a\5\1\3\0\1\x0b"  # its body of three bytes
    data += b"\0\x0c\4name\1\5\1\1\2$f"  # its name, by its index behind the import
    names, bodies, sections = folders.read(data)
    assert names == {1: "$f"}
    [(index, (place, size))] = bodies.items()
    assert (index, data[place : place + size]) == (1, b"\0\1\x0b")
    assert sections == {1: 6, 2: 9, 3: 4, folders.CODE: 7, folders.CUSTOM: 14}


@pytest.mark.parametrize(
    ("file", "name", "row"),
    [
        (f"{folders.ROOT}/Sources/CHost/CHost.c", "host_read", "Sources/CHost"),
        (None, "$e11SharingCore4CellCfD", "SharingCore, without a line"),
        (None, "$eSa6appendyyxnF", "Swift's library and runtime"),
        (None, "memcmp", "wasi-libc"),
    ],
)
def test_a_function_without_a_source_counts_by_its_name(file, name, row):
    assert folders.row(file, name) == row
