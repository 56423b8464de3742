"""A tab of a browser, as tests use it: the same in every engine."""

import abc
import re
import time


LISTEN = """void (globalThis.isDoubleClicked = false, addEventListener(
  "dblclick", () => globalThis.isDoubleClicked = true, { capture: true, once: true }))"""

# Soon: it may be on its way to the page.
HAS_HEARD = """(async () => {
  for (let looks = 0; looks < 10 && !isDoubleClicked; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return isDoubleClicked;
})()"""


class Leaving(Exception):
    """The page went away while it was asked something."""


class Tab(abc.ABC):
    """One tab, or a frame in one. What is expected is waited for."""

    patience = 30  # seconds until what is expected has to be there, on however busy a machine

    def __init__(self, engine):
        self.engine = engine  # its name, for messages

    # MARK: What each driver does in its own way

    @abc.abstractmethod
    def goto(self, address):
        """Loads an address and waits for its `load` event."""

    @abc.abstractmethod
    def reload(self):
        """Loads the page again."""

    @abc.abstractmethod
    def value(self, expression, *args):
        """What a JavaScript expression says, in which `args` is an array; a promise is awaited."""

    @abc.abstractmethod
    def click(self, selector):
        """Clicks an element as soon as it can be clicked."""

    @abc.abstractmethod
    def come_to_front(self):
        """Shows the tab: a window that is not in front has no events of a field that is left."""

    @abc.abstractmethod
    def hover(self, selector):
        """Moves the pointer over an element."""

    @abc.abstractmethod
    def press(self, key):
        """Presses a key where the focus is: Enter, Escape, Tab, Space, Backspace, or a character."""

    @abc.abstractmethod
    def type(self, selector, text):
        """Focuses an element and types a text there."""

    @abc.abstractmethod
    def click_twice(self, selector):
        """Clicks an element twice, as fast as the driver can."""

    @abc.abstractmethod
    def frame(self, selector):
        """The frame that an element shows, as a tab."""

    @abc.abstractmethod
    def close(self):
        """Closes the tab."""

    # MARK: What follows from that

    def double_click(self, selector):
        """Clicks an element twice, as often as it takes until the page takes that for a double click.

        Where the machine is busy, the clicks of a driver may be too far apart for one.
        """
        self.value(LISTEN)
        end = time.monotonic() + self.patience
        self.click_twice(selector)
        while not self.value(HAS_HEARD):
            assert time.monotonic() < end, f"{self.engine}: {selector} hears no double click"
            self.click_twice(selector)

    def fill(self, selector, text):
        """Types a text in place of what a field has."""
        self.focus(selector)
        self.value("document.querySelector(args[0]).select()", selector)
        self.type(selector, text)

    def focus(self, selector):
        self.expect("!!document.querySelector(args[0])", True, selector)
        self.value("document.querySelector(args[0]).focus()", selector)

    def text(self, selector):
        """The text of an element, without space around it; None where there is no such element."""
        return self.value("document.querySelector(args[0])?.textContent.trim()", selector)

    def texts(self, selector):
        """The texts of all elements that a selector finds."""
        return self.value(
            "[...document.querySelectorAll(args[0])].map((one) => one.textContent.trim())", selector
        )

    def stored(self, key="count"):
        """The text under a key of localStorage, None where there is none."""
        return self.value("localStorage.getItem(args[0])", key)

    def expect_stored(self, key, wanted):
        """Waits until that text is under a key of localStorage, which another tab has stored."""
        self.expect("localStorage.getItem(args[0])", wanted, key)

    def expect_text(self, selector, wanted):
        """Waits until an element shows a text, or one that has a pattern somewhere."""
        self._await(f"the text of {selector}", lambda: self.text(selector), wanted)

    def expect_texts(self, selector, wanted):
        """Waits until the elements that a selector finds show these texts."""
        self._await(f"the texts of {selector}", lambda: self.texts(selector), wanted)

    def expect(self, expression, wanted, *args):
        """Waits until a JavaScript expression has a value."""
        self._await(expression, lambda: self.value(expression, *args), wanted)

    def expect_enabled(self, selector, wanted=True):
        """Waits until an element can be used, or cannot."""
        self.expect("!document.querySelector(args[0])?.matches(':disabled')", wanted, selector)

    def expect_visible(self, selector, wanted=True):
        """Waits until an element can be seen, or cannot; one that is not there cannot."""
        self.expect("!!document.querySelector(args[0])?.checkVisibility()", wanted, selector)

    def _await(self, what, probe, wanted):
        end = time.monotonic() + self.patience
        while True:
            try:
                value = probe()
            except Leaving:
                value = None
            if isinstance(wanted, re.Pattern):
                if value is not None and wanted.search(value):
                    return
            elif value == wanted:
                return
            if time.monotonic() > end:
                raise AssertionError(f"{self.engine}: {what} is {value!r}, not {wanted!r}")
            time.sleep(0.01)
