"""Makes the moving picture of README.md, docs/demo.webp: two tabs of the demo in Chromium.

    ./build.sh                                 # builds the demo
    python3 -m venv .build/picture
    .build/picture/bin/pip install pillow==13.0.0 playwright==1.64.1
    .build/picture/bin/python Tools/picture.py
"""

import functools
import http.server
import io
import os
import pathlib
import shutil
import threading

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/demo.webp"
TAB = {"width": 560, "height": 620}
GAP = 16  # pixels between the tabs
STEP = 900  # milliseconds that a change is shown
KEY = 90  # milliseconds that a typed letter is shown


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Film:
    """The frames: pictures of both tabs side by side."""

    def __init__(self, tabs):
        self.tabs = tabs
        self.frames = []
        self.times = []

    def take(self, time):
        width = len(self.tabs) * TAB["width"] + GAP
        frame = Image.new("RGB", (width, TAB["height"]), "#d0d7de")
        for number, tab in enumerate(self.tabs):
            picture = Image.open(io.BytesIO(tab.screenshot()))
            frame.paste(picture, (number * (TAB["width"] + GAP), 0))
        self.frames.append(frame)
        self.times.append(time)

    def save(self):
        first, *others = self.frames
        first.save(
            PICTURE, save_all=True, append_images=others, duration=self.times, loop=0, quality=60,
            method=6,
        )


def act(film):
    """Adds a todo in one tab, completes it in the other, and counts in both."""
    one, other = film.tabs
    film.take(STEP)
    one.focus(".new-todo")
    for letter in "Buy milk":
        one.keyboard.type(letter)
        film.take(KEY)
    one.keyboard.press("Enter")
    other.wait_for_selector(".todo-list li")
    film.take(STEP)
    other.click(".todo-list .toggle")
    one.wait_for_selector(".todo-list .toggle:checked")
    film.take(STEP)
    for tab, count in [(one, "1"), (one, "2"), (other, "3")]:
        tab.click("#increment")
        for shown in film.tabs:
            shown.wait_for_function(f"document.querySelector('#count').textContent === '{count}'")
        film.take(STEP)
    film.take(2 * STEP)


def main():
    handler = functools.partial(Quiet, directory=ROOT / "web")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    with sync_playwright() as playwright:
        options = {"args": ["--no-sandbox"] if os.geteuid() == 0 else []}
        browser = playwright.chromium.launch(executable_path=chromium, **options)
        context = browser.new_context(viewport=TAB, color_scheme="light", reduced_motion="reduce")
        tabs = [context.new_page() for _ in range(2)]
        for tab in tabs:
            tab.goto(f"http://localhost:{server.server_port}/index.html")
            tab.wait_for_selector("#increment:enabled")
        film = Film(tabs)
        act(film)
        film.save()
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {len(film.frames)} frames, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
