"""package.json, by which bundlers find the JavaScript of this package."""

import json

from conftest import ROOT

PACKAGE = json.loads((ROOT / "package.json").read_text())


def test_all_that_the_package_exports_is_there():
    for name, target in PACKAGE["exports"].items():
        paths = target.values() if isinstance(target, dict) else [target]
        for path in paths:
            assert (ROOT / path).is_file(), f"{name}: {path}"


def test_the_package_depends_on_nothing_and_cannot_be_published_by_mistake():
    assert PACKAGE["private"]
    assert not {name for name in PACKAGE if "ependencies" in name}
