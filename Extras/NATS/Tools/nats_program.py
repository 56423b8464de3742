"""Finds the program nats-server on this machine, or downloads Debian's into .build/nats-server.

Debian 12 has 2.9.10, whose compare-and-set loses updates in a cluster. The package of the next
release runs on Debian 12, too. apt downloads it with a copy of the machine's sources, in which the
name of the release is replaced. It is unpacked into a folder: nothing else of the machine changes,
and root is not needed.
"""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(__file__).resolve().parents[3] / ".build"
FOR_ONE, FOR_CLUSTERS = (2, 9, 10), (2, 10, 27)
NEXT_RELEASE = {"bookworm": "trixie"}
APT = pathlib.Path("/etc/apt")


class Missing(Exception):
    """No usable server; the message has the reason and the package to install."""


def version(program):
    """Returns the version of a server, such as (2, 10, 27)."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    except OSError as error:
        raise Missing(f"{program} cannot be run: {error.strerror}.") from None
    numbers = re.search(r"v(\d+)\.(\d+)\.(\d+)", said)
    if not numbers:
        raise Missing(f"{program} is not nats-server: it prints {said.strip()!r}.")
    return tuple(map(int, numbers.groups()))


def text(numbers):
    return ".".join(map(str, numbers))


def find(nodes=1):
    """Returns the path of a server for this number of nodes: NATS_SERVER, or an installed one that
    is new enough for clusters, or a downloaded one. Without apt, for one node: an older installed
    one."""
    needed = FOR_ONE if nodes == 1 else FOR_CLUSTERS
    named = os.environ.get("NATS_SERVER")
    if named:
        require(named, needed)
        return named
    fetched = BUILD / "nats-server/usr/sbin/nats-server"
    installed = shutil.which("nats-server")
    for program in (installed, fetched if fetched.exists() else None):
        if program and version(program) >= FOR_CLUSTERS:
            return str(program)
    try:
        fetch(fetched)
        require(fetched, needed)
        return str(fetched)
    except Missing:
        if installed and version(installed) >= needed:
            return installed
        raise


def require(program, needed):
    found = version(program)
    if found < needed:
        why = " in a cluster it loses updates." if needed == FOR_CLUSTERS else ""
        raise Missing(f"{program} is {text(found)};{why} {text(needed)} or later is needed.")


def fetch(target):
    """Unpacks Debian's package so that the program is at the path."""
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / "nats-server.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run in several processes
        if target.exists():
            return
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            unpacked = download(pathlib.Path(folder))
            shutil.rmtree(BUILD / "nats-server", ignore_errors=True)
            unpacked.rename(BUILD / "nats-server")


# Downloads and unpacks the package below a folder.
def download(folder):
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise missing("there is no apt on this machine to fetch it with")
    for name in ["sources", "lists/partial", "archives/partial", "root"]:
        (folder / name).mkdir(parents=True)
    release = copy_sources(folder / "sources")
    where = f"from Debian's {release} into .build/nats-server"
    print(f"build.sh: fetching nats-server {where}", file=sys.stderr)
    options = [
        f"Dir::State={folder}",
        "Dir::State::status=/dev/null",
        f"Dir::Cache={folder}",
        "Dir::Etc::sourcelist=/dev/null",
        f"Dir::Etc::sourceparts={folder}/sources",
        "APT::Sandbox::User=",  # apt's own user may not have access to this folder
    ]
    apt = ["apt-get", *[word for option in options for word in ("-o", option)]]
    with open(BUILD / "nats-server.log", "w") as log:
        run = {"cwd": folder, "stdout": log, "stderr": log, "timeout": 300}
        try:
            subprocess.run([*apt, "update"], **run)  # a failing source may not be needed
            subprocess.run([*apt, "download", "nats-server"], **run, check=True)
            subprocess.run(["dpkg-deb", "-x", *folder.glob("*.deb"), "root"], **run, check=True)
        except subprocess.SubprocessError:
            raise missing(f"apt could not fetch it; see {log.name}") from None
    return folder / "root"


# Copies apt's sources for this release, replaces its name by the next one's if needed, and returns
# the name in use.
def copy_sources(folder):
    release = re.search(r"^VERSION_CODENAME=(\w+)", os_release(), re.MULTILINE)
    release = release[1] if release else ""
    replaced = NEXT_RELEASE.get(release, release)
    files = [APT / "sources.list", *APT.glob("sources.list.d/*.sources")]
    for file in [*files, *APT.glob("sources.list.d/*.list")]:
        content = file.read_text() if file.exists() else ""
        if release and release in content:
            (folder / file.name).write_text(content.replace(release, replaced))
    if not any(folder.iterdir()):
        raise missing("apt has no sources for this release")
    return replaced


def os_release():
    try:
        return pathlib.Path("/etc/os-release").read_text()
    except OSError:
        return ""


def missing(why):
    return Missing(
        f"nats-server {text(FOR_CLUSTERS)} or later is missing, and {why}. Install it from "
        "https://nats.io/download, on the PATH or named by NATS_SERVER."
    )


def main(nodes):
    try:
        program = find(int(nodes))
    except Missing as problem:
        sys.exit(f"build.sh: {problem}")
    print(f"build.sh: using nats-server {text(version(program))}: {program}")


if __name__ == "__main__":
    main(*sys.argv[1:])
