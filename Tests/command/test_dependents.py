"""An app that depends on this package by a git URL, with a `@Stored` type, built for wasm with
SwiftPM's own options: SwiftPM has to build the macro and `swift run wasm` for this machine. The
examples, and the app of need_app_by_path in build.sh, depend on this package by its path."""

import pathlib
import shutil

import pytest
from conftest import ROOT, call

APPS = ROOT / ".build/apps"
CLONE = APPS / "wasm-sharing"
TRIPLE = "wasm32-unknown-none-wasm"

DRAWING = """\
import SharingPage

@Stored struct Drawing {
  var title = "a"
  var shapes: [Shape] = [.circle(radius: 2), .none]
}

@Stored enum Shape { case circle(radius: Int), none }

func json(of drawing: Drawing) throws(JSONError) -> [UInt8] { try JSON.encode(drawing) }
"""


@pytest.fixture
def app():
    """Returns the folder of an app that depends on this package by a git URL."""
    if not CLONE.exists():
        pytest.fail(f"{CLONE} is missing: run ./build.sh test wasm", pytrace=False)
    folder = APPS / "ByURL"
    shutil.rmtree(folder, ignore_errors=True)
    done = call(CLONE / "build.sh", "new", folder, "--from", f"file://{CLONE}")
    assert done.status == 0, done.errors
    (folder / "Sources/ByURL/Drawing.swift").write_text(DRAWING)
    return folder


def test_an_app_that_depends_by_url_is_built_for_wasm(app):
    named = call("swift", "run", "wasm", "toolset", cwd=app)
    assert named.status == 0, named.errors
    toolset = named.shown[-1]
    options = ["--package-path", app, "--disable-build-manifest-caching"]
    options += ["--triple", TRIPLE, "--toolset", toolset]
    done = call("swift", "build", *options)
    assert done.status == 0, "\n".join(done.shown) + done.errors
    (binaries,) = call("swift", "build", "--show-bin-path", *options).shown
    assert pathlib.Path(binaries, "ByURL.wasm").read_bytes().startswith(b"\0asm")
