"""The C header, the built programs and WASI agree about every function at the boundary."""

import re

import pytest
from hosts import ROOT, suite
from wasmtime import Engine, FuncType, Module

HEADER = ROOT / "Sources/CHost/include/CHost.h"
SHIM = ROOT / "web/sharing.js"
DECLARATION = re.compile(r"SHARING_IMPORT\((\w+)\)\s*int32_t sharing_(\w+)\(\s*([^)]*)\)")
EXPORTS = re.compile(r"`(sharing_\w+)(?:\(([\w, ]*)\))?`")
WASM_TYPES = {"int32_t": "i32", "const uint8_t *": "i32", "uint8_t *": "i32"}


def declared_imports():
    """The signatures of the header's imports, in WebAssembly's types, by name."""
    found = DECLARATION.findall(HEADER.read_text())
    assert len(found) == HEADER.read_text().count("\nSHARING_IMPORT(")
    signatures = {}
    for name, same, parameters in found:
        assert name == same
        types = [re.sub(r"\w+$", "", one.strip()).strip() for one in parameters.split(",")]
        signatures[name] = [] if parameters == "void" else [WASM_TYPES[one] for one in types]
    return signatures


def declared_exports():
    """The parameters of the exports that the header's comment lists, by name."""
    comment = HEADER.read_text().partition("// 3. Exports")[2].partition("Text crosses")[0]
    comment = comment.replace("\n//", "")
    return {name: re.findall(r"\w+", parameters) for name, parameters in EXPORTS.findall(comment)}


@pytest.fixture(params=["demo", "conformance"])
def module(request, program):
    """A built program."""
    return Module.from_file(Engine(), str(program if request.param == "demo" else suite()))


def test_a_program_imports_what_the_header_declares_with_its_types(module):
    signatures = declared_imports()
    imports = [one for one in module.imports if one.module == "sharing"]
    assert imports != []
    for one in imports:
        assert isinstance(one.type, FuncType), one.name
        assert [str(type) for type in one.type.params] == signatures[one.name], one.name
        assert [str(type) for type in one.type.results] == ["i32"], one.name


def test_a_program_exports_what_the_header_lists_with_its_parameters(program):
    module = Module.from_file(Engine(), str(program))
    exports = {one.name: one.type for one in module.exports}
    declared = declared_exports()
    for name, parameters in declared.items():
        assert [str(type) for type in exports[name].params] == ["i32"] * len(parameters), name
    results = {"sharing_abi_version": ["i32"], "sharing_inbox": ["i32"]}
    for name in declared:
        assert [str(type) for type in exports[name].results] == results.get(name, []), name
    mine = {name for name in exports if name.startswith("sharing_")}
    assert mine == set(declared)


def test_a_program_exports_what_the_shim_calls_and_nothing_else(program):
    module = Module.from_file(Engine(), str(program))
    called = set(re.findall(r"exports\.(\w+)", SHIM.read_text()))
    assert {one.name for one in module.exports} == called | {"_start"}
