"""A random walk of gestures in two tabs of ControlsPage: what the page shows after any gesture is
what it shows in another tab, what is stored, and what it shows after a reload.

After each gesture the field is left, so that no text is half typed. `--walk-seed 3` walks the walk
of one seed, as does the variable SHARING_WALK_SEED; `--walk-replay` takes printed gestures.
"""

import functools
import itertools
import json
import os
import pathlib
import random
import re
import time

import pytest
from test_controls import DEFAULTS, ENTER, await_program, serve, states, todo
from test_walk import TODAY, report
from walk.shrink import shrunk
from walk.walk import HASTE, PATIENCE, Failure
from website import Website

LENGTH = 40  # gestures
BETWEEN_RELOADS = 9  # gestures

# Notes the last fence: see SETTLE.
LISTEN = """addEventListener("storage", ({ key, newValue }) => {
  if (key === "fence") globalThis.passedFence = newValue;
});"""
# Waits for the events "toggle" that are under way, then stores a number, whose event follows those
# of all earlier changes.
SETTLE = """new Promise((resolve) => {
  const probe = document.createElement("details");
  probe.ontoggle = () => {
    probe.remove();
    localStorage.setItem("fence", args[0]);
    resolve();
  };
  document.body.append(probe);
  probe.open = true;
})"""
SELECT = """void (() => {
  const field = document.querySelector(args[0]);
  field.focus();
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
})()"""
LOOK = "[shown(), { ...localStorage }]"

fences = map(str, itertools.count(1))

WORDS = ["", "a", "tea", "Ä ß", 'a"b', "x y"]
NUMBERS = ["", "7", "-3", "0.05", "12.5", "1.50", "-", "1e"]
FRACTION = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
WHOLE = re.compile(r"-?(0|[1-9]\d*)")
TEXTS = ("text", "note", "draft", "upper", "memo")
NUMBER_FIELDS = {"amount": "amount", "ratio": "ratio", "ratio-text": "ratio"}
CLICKS = (
    "dark sv en de small medium large fold-summary mirror-summary menu-button label clear reset ask"
).split()
CHOICES = {
    "theme": ["light", "dark"],
    "tags": [[], ["work"], ["home", "garden"]],
    "colour": ["#ff0000", "#00ff00"],
    "day": ["2026-02-28", "2024-02-29"],
    "hour": ["07:05", "23:59"],
}
# The values of the HTML.
RESET = {
    "text": "", "note": "", "draft": "", "upper": "", "amount": 1, "ratio": 1, "level": 50,
    "colour": "#000000", "day": "", "hour": "", "month": "", "week": "", "moment": "",
    "isDark": False, "langs": [], "size": "medium", "theme": "light", "tags": [],
}  # fmt: skip


# MARK: Gestures


class Gestures:
    """Draws gestures: lists of a name, the number of a tab, and arguments."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._count = 0

    def __call__(self, values):
        """Returns the next gesture, or None at the end."""
        self._count += 1
        if self._count > LENGTH:
            return None
        tab, choose = self._random.randrange(2), self._random.choice
        if values["isAsking"]:  # nothing else in the page can be used
            return ["answer", tab, choose(["Escape", "button", "script"])]
        if self._count % BETWEEN_RELOADS == 0:
            return ["reload", tab]
        name = choose("fill fill number click click click choose press escape meanwhile row row add"
                      .split())  # fmt: skip
        return [name, tab, *getattr(self, f"_{name}")(values)]

    def _fill(self, _):
        return self._random.choice(TEXTS), self._random.choice(WORDS)

    def _number(self, _):
        return self._random.choice(list(NUMBER_FIELDS)), self._random.choice(NUMBERS)

    def _click(self, _):
        return [self._random.choice(CLICKS)]

    def _choose(self, _):
        control = self._random.choice(list(CHOICES))
        return control, self._random.choice(CHOICES[control])

    def _press(self, _):
        return [self._random.choice(["ArrowLeft", "ArrowRight"])]

    def _escape(self, _):
        return [self._random.choice(WORDS)]

    def _meanwhile(self, _):
        """The other tab changes a text while one is typed."""
        return self._random.choice(TEXTS), *self._random.sample(WORDS[1:], 2)

    def _add(self, _):
        return [self._random.choice(WORDS)]

    def _row(self, values):
        number = self._random.randrange(max(1, len(values["todos"])))
        what = self._random.choice(["title", "done", "amount", "remove"])
        texts = {"title": WORDS, "amount": ["", "7", "-3", "-"]}.get(what, [""])
        return number, what, self._random.choice(texts)


def is_possible(gesture, values):
    """Returns whether a gesture is possible: a shortened walk may contain impossible ones."""
    if values["isAsking"] != (gesture[0] == "answer") and gesture[0] != "reload":
        return False
    return gesture[0] != "row" or gesture[2] < len(values["todos"])


def do(gesture, tabs):
    """Makes a gesture, and leaves the field."""
    name, number, *arguments = gesture
    tab = tabs[number]
    tab.come_to_front()
    match name, *arguments:
        case ("fill" | "number"), control, text:
            fill(tab, f"#{control}", text)
        case "click", control:
            tab.click(f"#{control}")
        case "choose", control, value:
            tab.value(ENTER, f"#{control}", value)
        case "press", key:
            tab.focus("#level")
            tab.press(key)
        case "escape", text:
            fill(tab, "#draft", text)
            tab.press("Escape")
        case "meanwhile", control, text, others:
            fill(tab, f"#{control}", text)
            other = tabs[1 - number]
            settle(tab, other, next(fences))
            other.come_to_front()
            fill(other, f"#{control}", others)
            leave(other)
            tab.come_to_front()
        case "add", title:
            fill(tab, "#title", title)
            tab.press("Enter")
        case "row", row, what, text:
            place = f"li:nth-of-type({row + 1}) .{what}"
            fill(tab, place, text) if what in ("title", "amount") else tab.click(place)
        case "answer", "Escape":
            tab.press("Escape")
        case "answer", "button":
            tab.click("#answer")
        case "answer", "script":
            tab.value("void document.querySelector('#question').close()")
        case ("reload",):
            tab.reload()
            await_program(tab)
    leave(tab)


def settle(tab, other, fence):
    """Waits until another tab has received all earlier changes of a tab."""
    tab.value(SETTLE, fence)
    other.expect("globalThis.passedFence", fence)


def fill(tab, selector, text):
    tab.value(SELECT, selector)
    if text:
        tab.type(selector, text)
    else:
        tab.press("Backspace")


def leave(tab):
    tab.value("void document.activeElement.blur()")


# MARK: The model


def after(gesture, before):
    """Returns the values after a gesture. "isMenu" is left out: a popover closes by many."""
    values = json.loads(json.dumps(before))
    name, _, *arguments = gesture
    match name, *arguments:
        case "fill", control, text:
            values[control] = text.upper() if control == "upper" and text.isascii() else text
        case "number", control, text:
            values |= number_after(NUMBER_FIELDS[control], text)
        case "click", control:
            click(control, values)
        case "choose", control, value:
            values[control] = chosen(before["tags"], value) if control == "tags" else value
        case "press", key:
            values["level"] += 1 if key == "ArrowRight" else -1
        case "meanwhile", control, text, others:
            # The text of the field `draft` is sent once it is left.
            text = text if control == "draft" else others
            values[control] = text.upper() if control == "upper" and text.isascii() else text
        case "add", title:
            last = max([row["id"] for row in before["todos"]], default=0)
            values["todos"].append(todo(last + 1, title))
        case "row", row, "remove", _:
            del values["todos"][row]
        case "row", row, "done", _:
            values["todos"][row]["done"] ^= True
        case "row", row, "title", text:
            values["todos"][row]["title"] = text
        case "row", row, "amount", text:
            values["todos"][row] |= number_after("amount", text)
        case "answer", _:
            values["isAsking"] = False
    return values


def number_after(field, text):
    """Returns the number after its keys: that of the longest beginning that is one."""
    form = WHOLE if field == "amount" else FRACTION
    for end in range(len(text), 0, -1):
        if form.fullmatch(text[:end]):
            return {field: json.loads(text[:end])}
    return {}


def click(control, values):
    if control in ("sv", "en", "de"):
        values["langs"] = (
            [lang for lang in values["langs"] if lang != control]
            if control in values["langs"]
            else [*values["langs"], control]
        )
    elif control in ("small", "medium", "large"):
        values["size"] = control
    elif control == "reset":
        values |= json.loads(json.dumps(RESET))
    else:
        match control:
            case "dark":
                values["isDark"] ^= True
            case "fold-summary" | "mirror-summary":
                values["isOpen"] ^= True
            case "label":
                values["presses"] += 1
            case "clear":
                values["text"] = ""
            case "ask":
                values["isAsking"] = True


def chosen(before, options):
    kept = [tag for tag in before if tag in options]
    return kept + [tag for tag in options if tag not in before]


# MARK: The walk


def walk(tabs, website, next_gesture, patience):
    """Makes the gestures that `next_gesture` returns for the values, until it returns None.

    Returns the failure or None.
    """
    values, done = DEFAULTS, []
    while (gesture := next_gesture(values)) is not None:
        if not is_possible(gesture, values):
            continue
        done.append(gesture)
        try:
            do(gesture, tabs)
            values = after(gesture, values)
            values, differences = compare(tabs, values, patience)
        except AssertionError as error:
            differences = [("driver", gesture[0], str(error))]
        differences += [("problem", "", problem) for problem in website.problems]
        if differences:
            website.problems.clear()
            return Failure(done, differences)
    return None


def compare(tabs, values, patience):
    """Waits until both tabs show the values, and they are stored. Returns the values, and the
    differences at the end."""
    for tab, other in (tabs, tabs[::-1]):
        settle(tab, other, next(fences))
    end = time.monotonic() + patience
    while True:
        looks = [tab.value(LOOK) for tab in tabs]
        values = values | {"isMenu": looks[0][0]["menu"]}
        wanted = states(**values)
        differences = []
        for tab, (found, texts) in enumerate(looks):
            is_stored = DEFAULTS | {
                key: json.loads(text) for key, text in texts.items() if key in DEFAULTS
            }
            differences += differing(f"tab {tab}", wanted, found)
            differences += differing("stored", values, is_stored)
        if not differences or time.monotonic() > end:
            return values, differences


def differing(where, wanted, found):
    return [
        (f"{name} of {where}", wanted.get(name), found.get(name))
        for name in sorted(wanted.keys() | found.keys())
        if wanted.get(name) != found.get(name)
    ]


@pytest.fixture
def repeat(browser):
    """Returns a function that makes gestures in two new tabs of a browser, at a separate
    address."""

    def repeat(next_gesture, patience=PATIENCE):
        website = Website()
        website.begin_with(LISTEN)
        serve(website)
        with browser.tabs(website) as new_tab:
            tabs = [new_tab(), new_tab()]
            for tab in tabs:
                tab.goto(f"{website.address}controls.html")
                await_program(tab)
            failure = walk(tabs, website, next_gesture, patience)
        website.close()
        return failure

    return repeat


def pytest_generate_tests(metafunc):
    option = metafunc.config.getoption
    drawn = int(os.environ.get("SHARING_WALK_SEED", TODAY))
    seeds = option("--walk-seed") or range(drawn, drawn + option("--walks"))
    metafunc.parametrize("seed", ["replay"] if option("--walk-replay") else seeds)


def test_what_is_shown_after_a_gesture_is_shown_after_a_reload(repeat, seed, engine, request):
    option = request.config.getoption
    if seed == "replay":
        text = option("--walk-replay")
        text = text if text.startswith("[") else pathlib.Path(text).read_text()
        failure = replay(repeat, json.loads(text)[1:])
    else:
        failure = repeat(Gestures(seed))
        if failure:
            failure = shrunk(failure, functools.partial(replay, repeat), option("--walk-shrink"))
    if failure:
        report(f"controls-{engine}-{seed}", 2, failure)


def replay(repeat, gestures):
    rest = iter(gestures)
    return repeat(lambda _: next(rest, None), HASTE)
