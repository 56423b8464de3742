"""Makes the pictures of README.md in Chromium: the moving docs/demo.webp, two tabs of the demo, and
docs/expenses.webp, the example Expenses on a desktop and a phone.

    ./build.sh                                 # builds the demo
    (cd Examples/Expenses && swift run wasm build)
    python3 -m venv .build/picture
    .build/picture/bin/pip install pillow==13.0.0 playwright==1.64.1
    .build/picture/bin/python Tools/picture.py [demo | expenses]
"""

import functools
import http.server
import io
import os
import pathlib
import shutil
import sys
import threading

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/demo.webp"
EXPENSES = ROOT / "docs/expenses.webp"
EXPENSES_HEIGHT = 720
SPENT = [
    ("Rent", "640", "01", "home"),
    ("Train to Malmö", "38.50", "12", "travel"),
    ("Vegetables", "12.40", "14", "food"),
    ("Cinema", "11", "15", "fun"),
    ("Glasses", "129", "17", "health"),
    ("Bread and cheese", "9.80", "21", "food"),
    ("Lamp", "24.99", "24", "home"),
    ("Coffee", "4.20", "28", "food"),
]
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


def make_demo(browser):
    address = serve("web")
    context = browser.new_context(viewport=TAB, color_scheme="light", reduced_motion="reduce")
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(address)
        tab.wait_for_selector("#increment:enabled")
    film = Film(tabs)
    act(film)
    film.save()


def make_expenses(browser):
    """Takes the example on a light desktop, and on a dark phone beside it."""
    address = serve("Examples/Expenses/web")
    pictures = [
        picture_of_expenses(browser, address, *view)
        for view in [(960, "light"), (390, "dark")]
    ]
    picture = Image.new("RGB", (960 + GAP + 390, EXPENSES_HEIGHT), "#d0d7de")
    picture.paste(pictures[0], (0, 0))
    picture.paste(pictures[1], (960 + GAP, 0))
    picture.save(EXPENSES, quality=75, method=6)


def picture_of_expenses(browser, address, width, scheme):
    size = {"width": width, "height": EXPENSES_HEIGHT}
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    tab = context.new_page()
    tab.clock.set_fixed_time("2026-11-29T12:00:00")
    tab.goto(address)
    for title, amount, day, category in SPENT:
        tab.fill("[name=title]", title)
        tab.fill("[name=amount]", amount)
        tab.fill("[name=day]", f"2026-11-{day}")
        tab.select_option("[name=category]", category)
        tab.click("#add > button")
        tab.wait_for_selector(f"#expenses strong:text-is('{title}')")
    tab.evaluate("scrollTo(0, 0), document.activeElement.blur()")
    return Image.open(io.BytesIO(tab.screenshot()))


def serve(folder):
    """Returns the address of a server for a folder."""
    handler = functools.partial(Quiet, directory=ROOT / folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_port}/index.html"


def main(names):
    made = {"demo": (make_demo, PICTURE), "expenses": (make_expenses, EXPENSES)}
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    with sync_playwright() as playwright:
        options = {"args": ["--no-sandbox"] if os.geteuid() == 0 else []}
        browser = playwright.chromium.launch(executable_path=chromium, **options)
        for name in names or made:
            make, path = made[name]
            make(browser)
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
