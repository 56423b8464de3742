"""The C header, the built programs and WASI agree about every function at the boundary. The library
defines no function that belongs to the program."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import files
from hosts import ROOT, suite
from wasmtime import Engine, FuncType, Linker, Module, Store, WasiConfig

HEADER = ROOT / "Sources/CHost/include/CHost.h"
SHIM = [
    ROOT / "JavaScript/sharing.js",
    ROOT / "JavaScript/connect.js",
    *(ROOT / "JavaScript/sharing").glob("*.js"),
]
DECLARATION = re.compile(r"SHARING_IMPORT\((\w+)\)\s*int32_t sharing_(\w+)\(\s*([^)]*)\)")
EXPORTS = re.compile(r"`(sharing_\w+)(?:\(([\w, ]*)\))?`")
BUILT = ROOT / ".build/wasm/wasm32-unknown-none-wasm/release"
POINTERS = ["const uint8_t *", "uint8_t *", "sharing_part *"]
WASM_TYPES = {"int32_t": "i32", **dict.fromkeys(POINTERS, "i32")}


def declared_imports():
    """Returns the signatures of the header's imports, in WebAssembly's types, by name."""
    found = DECLARATION.findall(HEADER.read_text())
    assert len(found) == HEADER.read_text().count("\nSHARING_IMPORT(")
    signatures = {}
    for name, same, parameters in found:
        assert name == same
        types = [re.sub(r"\w+$", "", one.strip()).strip() for one in parameters.split(",")]
        signatures[name] = [] if parameters == "void" else [WASM_TYPES[one] for one in types]
    return signatures


def declared_exports():
    """Returns the parameters of the exports in the header's comment, by name: as the first mention
    of each has them."""
    comment = HEADER.read_text().partition("// 3. Exports")[2].partition("Text crosses")[0]
    comment = comment.replace("\n//", "")
    found = {}
    for name, parameters in EXPORTS.findall(comment):
        found.setdefault(name, re.findall(r"\w+", parameters))
    return found


@pytest.fixture(params=["demo", "conformance"])
def module(request, program):
    """Returns a built program."""
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
    shim = "".join(file.read_text() for file in SHIM)
    called = set(re.findall(r"(?:exports|given)\.(\w+)", shim))
    assert {one.name for one in module.exports} == called | {"_start", "__main_argc_argv"}


# MARK: Symbols that only the program defines


def symbols(*objects):
    """Returns the global symbols that these files define."""
    tool = pathlib.Path(shutil.which("swift")).resolve().with_name("llvm-nm")
    options = ["--defined-only", "--extern-only", "--just-symbol-name", "--quiet"]
    done = subprocess.run([tool, *options, *objects], check=True, capture_output=True, text=True)
    return {line for line in done.stdout.splitlines() if line and not line.endswith(":")}


def symbols_of_target(name):
    objects = sorted((BUILT / f"{name}.build").glob("*.o"))
    assert objects != [], f"{name} is not built: run ./build.sh first"
    return symbols(*objects)


@pytest.fixture(scope="module")
def libc():
    """Returns the global symbols of wasi-libc and of its entry points."""
    options = json.loads((ROOT / ".build/toolset.json").read_text())["linker"]["extraCLIOptions"]
    folder = pathlib.Path(next(one[2:] for one in options if one.startswith("-L")))
    return symbols(folder / "libc.a", *folder.glob("crt1*.o"))


def test_a_library_defines_nothing_that_the_c_library_does(libc):
    assert "sharing_argument" in symbols_of_target("CHost")
    for target in ["CHost", "SharingCore", "SharingJSON", "WasiStorage", "SharingCommits", "SharingPage"]:
        assert symbols_of_target(target) & libc == set(), target
    # Replaced by an optional part of a program:
    replaced = {"malloc", "free", "memcpy", "memset", "strlen", "arc4random_buf"}
    assert symbols_of_target("SmallLibc") & libc >= replaced


def linked(product):
    """Returns the targets whose objects are linked into a program."""
    paths = (BUILT / f"{product}.product/Objects.LinkFileList").read_text().split()
    return {pathlib.Path(path).parent.name.removesuffix(".build") for path in paths}


def test_a_program_runs_with_the_c_library_as_it_is(tmp_path):
    assert "SmallLibc" in linked("WasmDemo")
    assert "SmallLibc" not in linked("KeyProgram")
    engine = Engine()
    module = Module.from_file(engine, str(ROOT / ".build/keys.wasm"))
    store, linker, wasi = Store(engine), Linker(engine), WasiConfig()
    wasi.argv = ["keys", "count", "count", "list", "zwölf" * 100_000, "list", "two"]
    wasi.preopen_dir(str(tmp_path), "/state")
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    linker.define_wasi()
    linker.define_unknown_imports_as_default_values(store, module)
    linker.instantiate(store, module).exports(store)["_start"](store)
    stored = files(tmp_path)
    assert stored["count.json"] == b"2"
    assert json.loads(stored["list.json"]) == ["zwölf" * 100_000, "two"]
