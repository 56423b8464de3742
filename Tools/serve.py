"""Serves the page of an app, builds after changes, and reloads the open pages:
serve.py --host HOST --port PORT --program FILE --description FILE PACKAGE COMMAND…

COMMAND builds; its word {} is replaced by `program` or `scripts`. FILE is the program that it
writes; the description is that of SwiftPM, which lists the packages that PACKAGE depends on. Each
page that is sent gets the script serve.js, which connects to /.serve/events.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import sys
import time

import psutil
from aiohttp import web
from watchfiles import DefaultFilter, awatch

SCRIPT = pathlib.Path(__file__).with_suffix(".js")
SOURCES = {".swift", ".c", ".cc", ".cpp", ".h", ".hpp", ".modulemap"}
IMPORTING = {".html", ".js", ".mjs"}  # may name a module of the product
# The compiler's message, and the lines of source below it.
ERROR = re.compile(
    r"^(?P<file>/[^:\n]+):(?P<place>\d+:\d+): (?:fatal )?error: (?P<message>.*)\n"
    r"(?P<source>(?: *\d* +\|.*\n)*)",
    re.MULTILINE,
)


def say(text):
    print(f"build.sh: {text}", flush=True)


class Pages:
    """The open pages. Each gets the version of the files, and the failure of the last build."""

    def __init__(self):
        # Greater than in an earlier run of this script, whose pages may still be open.
        self.version = time.time_ns() // 1_000_000
        self.failures = {}  # of `program` and `scripts`
        self._queues = set()

    def change(self, styles=()):
        """Has pages reload, or only replace style sheets, if these are all that has changed."""
        self.version += 1
        self._send(list(styles))

    def set_failure(self, kind, failure):
        """Shows the failure of a build, or removes it."""
        before = self._failure()
        self.failures[kind] = failure
        if self._failure() != before:
            self._send()

    async def events(self, request):
        """Sends events until the page closes the connection."""
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        await response.prepare(request)
        queue = asyncio.Queue()
        queue.put_nowait(self._message())
        self._queues.add(queue)
        try:
            await response.write(b"retry: 500\n")
            while message := await queue.get():
                await response.write(b"data: " + message + b"\n\n")
        except ConnectionError:
            pass
        finally:
            self._queues.remove(queue)
        return response

    def close(self):
        """Ends the connections of all pages."""
        for queue in self._queues:
            queue.put_nowait(None)

    def _failure(self):
        return next(filter(None, self.failures.values()), None)

    def _message(self, styles=()):
        state = {"version": self.version, "styles": styles, "failure": self._failure()}
        return json.dumps(state).encode()

    def _send(self, styles=()):
        for queue in self._queues:
            queue.put_nowait(self._message(styles))


class Files:
    """The files of the page, and the program."""

    def __init__(self, folder, program, pages):
        self._folder = folder
        self._program = program
        self._pages = pages

    async def script(self, _):
        return web.FileResponse(SCRIPT)

    async def answer(self, request):
        path = os.path.normpath("/" + request.match_info["path"]).lstrip("/")
        file = self._program if path == self._program.name else self._folder / path
        if file.is_dir():
            if not request.path.endswith("/"):
                raise web.HTTPFound(request.rel_url.with_path(request.path + "/"))
            file /= "index.html"
        if not file.is_file():
            raise web.HTTPNotFound()
        headers = {"Cache-Control": "no-cache"}
        if file.suffix != ".html":
            return web.FileResponse(file, headers=headers)
        html = self._with_script(file.read_bytes())
        return web.Response(body=html, content_type="text/html", headers=headers)

    def _with_script(self, html):
        address = f"/.serve/page.js?version={self._pages.version}"
        tag = f'<script type="module" src="{address}"></script>'.encode()
        changed, count = re.subn(rb"(?i)<head(\s[^>]*)?>", lambda found: found[0] + tag, html, count=1)
        return changed if count else html + tag


class Builds:
    """The builds after changes. A change during a build leads to one more build."""

    def __init__(self, package, command, pages):
        self._package = package
        self._command = command
        self._pages = pages
        self._running = set()
        self.wanted = asyncio.Event()

    async def follow(self):
        while True:
            await self.wanted.wait()
            await self.build()

    async def build(self):
        """Builds the program, and then the scripts that it needs."""
        self.wanted.clear()
        output = await self._run("program")
        if self.wanted.is_set():
            return  # a file may have been half written
        self._pages.set_failure("program", output and failure(output, self._package))
        if output is None:
            await self.copy_scripts()
            self._pages.change()

    async def copy_scripts(self):
        output = await self._run("scripts")
        self._pages.set_failure("scripts", output and failure(output, self._package))

    async def end(self):
        """Ends builds that run."""
        for process in self._running:
            if process.returncode is None:
                end_with_children(process.pid)
                await process.wait()

    async def _run(self, kind):
        """Runs the command. Returns its output if it fails."""
        process = await asyncio.create_subprocess_exec(
            *(kind if word == "{}" else word for word in self._command),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, start_new_session=True,
        )
        self._running.add(process)
        output = b""
        while part := await process.stdout.read(1 << 16):
            sys.stdout.buffer.write(part)
            sys.stdout.flush()
            output += part
        status = await process.wait()
        self._running.remove(process)
        return output.decode(errors="replace") if status else None


def failure(output, package):
    """Returns the first error in the output of a build, for the page."""
    found = ERROR.search(output)
    if not found:
        lines = [line for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if "error:" in line] or lines
        return {"place": "", "message": errors[0] if errors else "", "source": "\n".join(lines[-20:])}
    file = os.path.relpath(found["file"], package)
    file = found["file"] if file.startswith("..") else file
    return {
        "place": f"{file}:{found['place']}", "message": found["message"], "source": found["source"]
    }


def end_with_children(leader):
    """Kills a process and all that it has started. SwiftPM puts each compiler in a process group of
    its own, so that a signal for the group of SwiftPM does not reach it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(leader)
        for one in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()


# MARK: Changes


class Filter(DefaultFilter):
    """The sources, and the files of the page that no build has written."""

    def __init__(self, folder, program):
        super().__init__()
        self._folder = folder
        self._program = program

    def __call__(self, change, path):
        file = pathlib.Path(path)
        if not super().__call__(change, path):
            return False
        if not file.is_relative_to(self._folder):
            return file.suffix in SOURCES
        parts = file.relative_to(self._folder).parts
        # A file without a suffix is a folder or an editor's, one with a number a build's.
        return (
            file.suffix and not file.suffix[1:].isdigit() and file.name != self._program.name
            and parts[0] != "dev" and not any(part.startswith(".") for part in parts)
        )


def watched(package, description):
    """Returns the folders with sources: those at the top of the package, and of packages beside it
    that it depends on."""
    folders = [one for one in package.iterdir() if one.is_dir() and one.name != "Tests"]
    for other in json.loads(description.read_text()).get("dependencies", []):
        if other.get("type") == "fileSystem":
            folders.append(pathlib.Path(other["path"]) / "Sources")
    return [one for one in folders if one.is_dir() and not one.name.startswith(".")]


async def watch(folders, filter, take, recursive=True):
    """Passes on changes in sets, each 20 to 40 milliseconds after its last one."""
    async for changes in awatch(*folders, watch_filter=filter, recursive=recursive, step=20):
        await take({pathlib.Path(path) for _, path in changes})


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--description", type=pathlib.Path, required=True)
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    options.package = options.package.resolve()
    folder = options.package / "web"
    pages = Pages()
    files = Files(folder, options.program, pages)
    builds = Builds(options.package, options.command, pages)

    async def take(paths):
        changed = {path for path in paths if path.is_relative_to(folder)}
        for path in sorted(paths):
            say(f"{os.path.relpath(path, options.package)} has changed")
        if changed != paths:
            builds.wanted.set()
        if all(path.suffix == ".css" for path in changed):
            if changed:
                pages.change(f"/{path.relative_to(folder).as_posix()}" for path in changed)
            return
        pages.change()
        if any(path.suffix in IMPORTING for path in changed):
            await builds.copy_scripts()  # a new script there is another change

    site = web.Application()
    site.router.add_get("/.serve/events", pages.events)
    site.router.add_get("/.serve/page.js", files.script)
    site.router.add_get("/{path:.*}", files.answer)
    runner = web.AppRunner(site, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    filter = Filter(folder, options.program)
    this = asyncio.current_task()
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        asyncio.get_running_loop().add_signal_handler(number, this.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        try:
            watching = asyncio.gather(  # from now on: a file may change during the first build
                watch(watched(options.package, options.description), filter, take),
                watch([options.package], filter, take, recursive=False),
            )
            await builds.build()
            await runner.setup()
            await web.TCPSite(runner, options.host, options.port).start()
            say(f"open http://localhost:{options.port} (Ctrl-C ends)")
            await asyncio.gather(builds.follow(), watching)
        finally:
            await builds.end()
            pages.close()
            await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
