"""Writes an app for a static host: deploy.py WEB DIR

Pages stay at their places in DIR. All other files of WEB go into a folder that is named by a hash
of the whole build, so no address ever has two contents. The folder of the former build stays, for
tabs that are open and for pages in caches. DIR/.wasm-sharing.json lists what was written; no other
file in DIR is replaced or removed.

If WEB has an app.webmanifest, a service worker keeps the app for use without a network. Otherwise
the worker ends those of former builds.
"""

import base64
import gzip
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

import brotli
from moved_page import Move, MovedPage, encoded, target

RECORD = ".wasm-sharing.json"
# Files that browsers, search engines and hosts look for at the top.
AT_TOP = {".well-known", "CNAME", "_headers", "_redirects", "favicon.ico", "robots.txt"}
MANIFEST = "app.webmanifest"
SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "JavaScript/deploy"
UPDATE, WORKER = "sharing-update.js", "sharing-worker.js"
LEFT_OUT = {"dev", "node_modules"}
COMPRESSED = {
    ".css", ".csv", ".html", ".js", ".json", ".map", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest",
    ".xml",
}
UNKNOWN_PAGE = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>{title}</title>
  </head>
  <body>
    <h1>There is no page at this address</h1>
    <p><a href="./">{title}</a></p>
  </body>
</html>
"""


class Refusal(Exception):
    """The reason why nothing was written."""


def main(web, folder):
    web, folder = pathlib.Path(web).resolve(), pathlib.Path(folder).resolve()
    try:
        if folder.is_relative_to(web):
            raise Refusal(f"{folder} is in the folder of the page. Name a folder outside of it.")
        name, files = build(read(web))
        write(folder, name, files)
    except Refusal as reason:
        sys.exit(f"build.sh: {reason}")


def read(web):
    """Returns the bytes of all files to deploy, by path."""
    return {
        path.relative_to(web).as_posix(): path.read_bytes()
        for path in sorted(web.rglob("*"))
        if path.is_file() and is_deployed(path.relative_to(web).parts)
    }


def is_deployed(parts):
    return parts[0] not in LEFT_OUT and all(
        part in AT_TOP or not part.startswith(".") for part in parts
    )


def build(sources):
    """Returns the name of the build, and the bytes of its files by path."""
    taken = sources.keys() & {UPDATE, WORKER}
    if taken:
        raise Refusal(f"web/{taken.pop()} has the name of a file that deploy adds. Rename it.")
    is_kept = MANIFEST in sources
    if is_kept:
        sources = sources | {UPDATE: minified("update.js").encode()}
    name = hashed(sources)
    pages = {path for path in sources if path.endswith(".html")}
    manifests = {path for path in sources if path.endswith(".webmanifest")}
    fixed = {path for path in sources if path.split("/")[0] in AT_TOP}
    move = Move(name, sources.keys() - pages - manifests - fixed)
    files = {path: sources[path] for path in fixed}
    files |= {f"{name}/{path}": sources[path] for path in move.paths}
    files |= {path: moved_manifest(path, sources[path], move) for path in manifests}
    scripts = [
        (path, sources[path].decode(errors="replace"))
        for path in sorted(move.paths)
        if path.endswith((".js", ".mjs"))
    ]
    for path in sorted(pages):
        page = MovedPage(path, sources[path].decode(), move, UPDATE if is_kept else None)
        if page.has_base:
            raise Refusal(f"web/{path} has <base href>. Remove it: deploy writes relative addresses.")
        files[path] = page.text.encode()
        files |= {f"{name}/{script}": text.encode() for script, text in page.scripts.items()}
        scripts += [(path, text) for text in [*page.scripts.values(), *page.classic_scripts]]
    problems = [problem for script in scripts for problem in misplaced(*script, pages, move)]
    if problems:
        raise Refusal("\n".join(problems))
    kept = {
        encoded(path): base64.b64encode(hashlib.sha256(files[path]).digest()).decode()
        for path in sorted(files)
        if path.startswith(f"{name}/") or path in pages and path != "404.html"
    }
    files[WORKER] = worker(name, kept if is_kept else None).encode()
    if "404.html" not in files:
        files["404.html"] = unknown_page(sources["index.html"].decode()).encode()
    return name, files


def worker(name, hashes):
    """Returns the service worker that keeps files with these hashes, or ends a former one if there
    are none."""
    constant = json.dumps({"name": name, "files": hashes})
    return minified("worker.js", "--format=iife", f"--define:BUILD={constant}")


def minified(script, *options):
    """Returns a script of JavaScript/deploy, minified by esbuild."""
    command = ["esbuild", SCRIPTS / script, "--minify", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def moved_manifest(path, source, move):
    """Returns a web app manifest with the addresses of the moved icons and screenshots."""
    place = path.rpartition("/")[0]

    def moved(members):
        if "src" in members:
            members["src"] = move.address(place, members["src"])
        return members

    try:
        manifest = json.loads(source, object_hook=moved)
    except ValueError as error:
        raise Refusal(f"web/{path} is no JSON: {error}") from None
    return f"{json.dumps(manifest, indent=2, ensure_ascii=False)}\n".encode()


def hashed(sources):
    """Returns the name of a build: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path}\n{len(sources[path])}\n".encode() + sources[path])
    return digest.hexdigest()[:16]


# Browsers read these addresses from the page's folder, where the file is not any more.
FROM_PAGE = re.compile(r"""(?<![\w.])(fetch|new (?:Shared)?Worker)\(\s*(["'`])([^"'`$]+)\2""")


def misplaced(path, script, pages, move):
    """Returns a message for each file that a script reads from the page's folder."""
    folders = {page.rpartition("/")[0] for page in pages}
    return [
        f'web/{path} has {call}("{address}"), which is relative to the page. In a deployed app, '
        f"scripts and other files are in a folder of their own: write {call}(new "
        f'URL("{address}", import.meta.url)), from a file that is a module.'
        for call, _, address in FROM_PAGE.findall(script)
        if any(target(folder, address) in move.paths for folder in folders)
    ]


def unknown_page(page):
    """Returns the page for unknown addresses. It stands alone: its own address is unknown, too."""
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    lang = re.search(r"""<html[^>]*\slang=["']?([\w-]+)""", page)
    return UNKNOWN_PAGE.format(
        title=title[1].strip() if title else "App", lang=lang[1] if lang else "en"
    )


# MARK: Writing


def write(folder, name, files):
    """Writes a build: first what pages load, then pages. Then removes files of former builds."""
    top, builds = read_record(folder)
    new_top = {path for path in files if not path.startswith(f"{name}/")}
    compressed = {path: variants(path, files[path]) for path in files}
    new_top |= {other for path in set(new_top) for other in compressed[path]}
    for path in sorted(new_top - top):
        if (folder / path).exists():
            raise Refusal(f"{folder / path} exists, and is not from a deployment. Move it away.")
    kept = [name, *[former for former in builds if former != name]]
    # An interruption leaves a folder that the next deployment knows.
    write_record(folder, top | new_top, kept)
    for path in sorted(files, key=lambda path: (path in new_top, path)):
        for place, content in [*compressed[path].items(), (path, files[path])]:
            replace(folder / place, content)
    for path in top - new_top:
        (folder / path).unlink(missing_ok=True)
    for former in kept[2:]:
        shutil.rmtree(folder / former, ignore_errors=True)
    write_record(folder, new_top, kept[:2])


def variants(path, content):
    """Returns the compressed forms of a file that are smaller, by path."""
    if pathlib.PurePath(path).suffix not in COMPRESSED:
        return {}
    forms = {f"{path}.gz": gzip.compress(content, mtime=0), f"{path}.br": brotli.compress(content)}
    return {place: form for place, form in forms.items() if len(form) < len(content)}


def replace(path, content):
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def read_record(folder):
    """Returns the files outside of builds that deployments have written, and the builds, newest
    first."""
    if not folder.exists() or folder.is_dir() and not any(folder.iterdir()):
        return set(), []
    try:
        record = json.loads((folder / RECORD).read_text())
        builds = [name for name in record["builds"] if re.fullmatch("[0-9a-f]{16}", name)]
        return set(record["files"]), builds
    except (OSError, ValueError, KeyError, TypeError):
        raise Refusal(
            f"{folder} is not from a deployment, and nothing in it was changed. Name a new folder."
        ) from None


def write_record(folder, top, builds):
    folder.mkdir(parents=True, exist_ok=True)
    record = {"files": sorted(top), "builds": builds}
    (folder / RECORD).write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
