"""A package with a `@Stored` type that depends on this one by a git URL, built for wasm with
SwiftPM's own options: SwiftPM has to build the macro for this machine. The examples depend on this
package by its path, natively and for wasm; the apps of need_apps in build.sh by both, with
`swift run wasm`."""

import pathlib

import pytest
from conftest import ROOT, call

CLONE = ROOT / ".build/apps/wasm-sharing"
TRIPLE = "wasm32-unknown-none-wasm"

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Dependent",
  dependencies: [{dependency}],
  targets: [
    .executableTarget(
      name: "Dependent", dependencies: [.product(name: "WasiStorage", package: "wasm-sharing")])
  ]
)
"""

MAIN = """\
import WasiStorage

@Stored struct Drawing {
  var title = "a"
  var shapes: [Shape] = [.circle(radius: 2), .none]
}

@Stored enum Shape { case circle(radius: Int), none }

let json = (try? JSON.encode(Drawing())) ?? []
print(String(decoding: json, as: UTF8.self))
"""


@pytest.fixture
def package():
    """Returns the folder of a package that depends on this one by a git URL."""
    if not CLONE.exists():
        pytest.fail(f"{CLONE} is missing: run ./build.sh test wasm", pytrace=False)
    (revision,) = call("git", "rev-parse", "HEAD", cwd=CLONE).shown
    dependency = f'.package(url: "file://{CLONE}", revision: "{revision}")'
    folder = ROOT / ".build/dependent"
    (folder / "Sources/Dependent").mkdir(parents=True, exist_ok=True)
    write(folder / "Package.swift", MANIFEST.format(dependency=dependency))
    write(folder / "Sources/Dependent/main.swift", MAIN)
    return folder


def write(path, text):
    """Writes a file, unless it is the same: SwiftPM builds again what is newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def test_a_stored_type_of_a_dependent_is_built_for_wasm(package):
    (toolset,) = call(ROOT / "build.sh", "--package", package, "toolset").shown
    options = ["--package-path", package, "--disable-build-manifest-caching"]
    options += ["--triple", TRIPLE, "--toolset", toolset]
    done = call("swift", "build", *options)
    assert done.status == 0, "\n".join(done.shown) + done.errors
    (binaries,) = call("swift", "build", "--show-bin-path", *options).shown
    assert pathlib.Path(binaries, "Dependent.wasm").read_bytes().startswith(b"\0asm")
