"""The files and the line for other machines: dev containers, Docker, GitHub."""

import json
import re
import subprocess

from conftest import ROOT

README = (ROOT / "README.md").read_text()
CONTAINERS = [ROOT / ".devcontainer/devcontainer.json", ROOT / "Template/.devcontainer/devcontainer.json"]
WORKFLOW = (ROOT / "Template/.github/workflows/pages.yml").read_text()
DOCKER = re.search(r"^docker run .*$", README, re.MULTILINE)[0]


def packages(command):
    """Returns the packages that a command installs."""
    words = re.search(r"apt-get install ([^&`\n]*)", command)[1].split()
    return {word for word in words if not word.startswith("-")}


def test_all_machines_have_the_packages_that_the_readme_names():
    needed = packages(re.search(r"sudo apt-get install[^`]*`", README)[0].replace("\n", " "))
    assert {"binaryen", "esbuild"} < needed
    for path in CONTAINERS:
        assert packages(json.loads(path.read_text())["onCreateCommand"]) == {"git", *needed}
    assert packages(WORKFLOW) == {"git", *needed}
    # In Docker, the scripts run as root, and install the others.
    assert packages(DOCKER) == {"git", "python3-venv"}


def test_all_machines_have_the_swift_of_ci():
    ci = (ROOT / ".github/workflows/ci.yml").read_text()
    [image] = set(re.findall(r"container: (\S+)", ci))
    assert {json.loads(path.read_text())["image"] for path in CONTAINERS} == {image}
    assert set(re.findall(r"container: (\S+)", WORKFLOW)) == {image}
    assert f" {image} " in DOCKER


def test_git_ignores_what_a_build_writes_and_nothing_of_a_deployed_folder(machine):
    assert machine.start("new", "Notes").status == 0
    folder = machine.root / "Notes"
    built = ["Notes.wasm", "sharing.js", "page.js", "engines.js", "indexeddb.js", "dev/page.d.ts"]
    for place in ["web", "docs", "docs/0123456789abcdef"]:
        for name in built:
            path = folder / place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    options = ["--others", "--ignored", "--exclude-standard"]
    listed = subprocess.run(
        ["git", "-C", folder, "ls-files", *options], capture_output=True, text=True, check=True
    )
    assert set(listed.stdout.split()) == {f"web/{name}" for name in built}
