"""Packages with a `@Stored` type that depend on this one: SwiftPM has to build the macro for this
machine, also when it builds the program for wasm. The first run takes a minute or two on two cores,
later ones seconds; see need_app_by_path in build.sh for the clone."""

import os

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

SHOWN = '{"title":"a","shapes":[{"circle":{"radius":2}},{"none":{}}]}'


def by_path():
    return f'.package(name: "wasm-sharing", path: "{ROOT}")'


def by_url():
    if not CLONE.exists():
        pytest.fail(f"{CLONE} is missing: run ./build.sh test wasm", pytrace=False)
    (revision,) = call("git", "rev-parse", "HEAD", cwd=CLONE).shown
    return f'.package(url: "file://{CLONE}", revision: "{revision}")'


@pytest.fixture(scope="module", params=[by_path, by_url], ids=["path", "url"])
def package(request):
    """Returns the folder of a package that depends on this one."""
    folder = ROOT / ".build/dependents" / request.param.__name__
    (folder / "Sources/Dependent").mkdir(parents=True, exist_ok=True)
    write(folder / "Package.swift", MANIFEST.format(dependency=request.param()))
    write(folder / "Sources/Dependent/main.swift", MAIN)
    return folder


def write(path, text):
    """Writes a file, unless it is the same: SwiftPM builds again what is newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(package, *options):
    """Builds the program, and returns its path."""
    options = ["--package-path", package, "--disable-build-manifest-caching", *options]
    done = call("swift", "build", *options)
    assert done.status == 0, "\n".join(done.shown) + done.errors
    return os.path.join(*call("swift", "build", "--show-bin-path", *options).shown, "Dependent")


def test_a_stored_type_of_a_dependent_is_built_natively(package):
    assert call(build(package)).shown == [SHOWN]


def test_a_stored_type_of_a_dependent_is_built_for_wasm(package):
    (toolset,) = call(ROOT / "build.sh", "--package", package, "toolset").shown
    program = build(package, "--triple", TRIPLE, "--toolset", toolset) + ".wasm"
    with open(program, "rb") as file:
        assert file.read(4) == b"\0asm"
