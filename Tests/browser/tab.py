"""A tab of a browser for tests, with the same interface in every engine."""

import abc
import re
import time


LISTEN = """void (globalThis.isDoubleClicked = false, addEventListener(
  "dblclick", () => globalThis.isDoubleClicked = true, { capture: true, once: true }))"""

# Responds later, since the event may still be on its way to the page.
HAS_HEARD = """(async () => {
  for (let looks = 0; looks < 10 && !isDoubleClicked; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return isDoubleClicked;
})()"""


class Leaving(Exception):
    """The page was unloaded while an expression was evaluated."""


class Tab(abc.ABC):
    """A tab, or a frame in a tab. The expect methods wait."""

    patience = 30  # seconds to wait for an expected value, even on a busy machine

    def __init__(self, engine):
        self.engine = engine  # the name, for messages

    # MARK: Implemented by each driver

    @abc.abstractmethod
    def goto(self, address):
        """Loads an address and waits for its `load` event."""

    @abc.abstractmethod
    def reload(self):
        """Loads the page again."""

    @abc.abstractmethod
    def value(self, expression, *args):
        """Returns the value of a JavaScript expression over the array `args`; awaits a promise."""

    @abc.abstractmethod
    def click(self, selector):
        """Clicks an element when it is clickable."""

    @abc.abstractmethod
    def come_to_front(self):
        """Shows the tab: a window in the background gets no blur event."""

    @abc.abstractmethod
    def hover(self, selector):
        """Moves the pointer over an element."""

    @abc.abstractmethod
    def press(self, key):
        """Presses a key in the focused element: a character, Enter, Escape, Tab, Backspace …"""

    @abc.abstractmethod
    def type(self, selector, text):
        """Focuses an element and types a text there."""

    @abc.abstractmethod
    def click_twice(self, selector):
        """Clicks an element twice, as fast as the driver can."""

    @abc.abstractmethod
    def frame(self, selector):
        """Returns the frame in an element, as a tab."""

    @abc.abstractmethod
    def close(self):
        """Closes the tab."""

    # MARK: Built on that

    def double_click(self, selector):
        """Double-clicks an element; repeats this until the page gets the event.

        On a busy machine, a driver's two clicks may be too far apart for a double click.
        """
        self.value(LISTEN)
        end = time.monotonic() + self.patience
        self.click_twice(selector)
        while not self.value(HAS_HEARD):
            assert time.monotonic() < end, f"{self.engine}: {selector} hears no double click"
            self.click_twice(selector)

    def fill(self, selector, text):
        """Replaces the text of a field by typing."""
        self.focus(selector)
        self.value("document.querySelector(args[0]).select()", selector)
        self.type(selector, text)

    def focus(self, selector):
        self.expect("!!document.querySelector(args[0])", True, selector)
        self.value("document.querySelector(args[0]).focus()", selector)

    def text(self, selector):
        """Returns the text of an element without surrounding space, or None without the element."""
        return self.value("document.querySelector(args[0])?.textContent.trim()", selector)

    def texts(self, selector):
        """Returns the texts of all elements that match a selector."""
        return self.value(
            "[...document.querySelectorAll(args[0])].map((one) => one.textContent.trim())", selector
        )

    def stored(self, key="count"):
        """Returns the text under a key of localStorage, or None if there is none."""
        return self.value("localStorage.getItem(args[0])", key)

    def expect_stored(self, key, wanted):
        """Waits until localStorage has a text that another tab has stored under a key."""
        self.expect("localStorage.getItem(args[0])", wanted, key)

    def expect_text(self, selector, wanted):
        """Waits until an element shows a text, or a text that matches a pattern."""
        self._await(f"the text of {selector}", lambda: self.text(selector), wanted)

    def expect_texts(self, selector, wanted):
        """Waits until the elements that match a selector show these texts."""
        self._await(f"the texts of {selector}", lambda: self.texts(selector), wanted)

    def expect(self, expression, wanted, *args):
        """Waits until a JavaScript expression has a value."""
        self._await(expression, lambda: self.value(expression, *args), wanted)

    def expect_enabled(self, selector, wanted=True):
        """Waits until an element is enabled, or disabled."""
        self.expect("!document.querySelector(args[0])?.matches(':disabled')", wanted, selector)

    def expect_visible(self, selector, wanted=True):
        """Waits until an element is visible, or invisible; a missing one is invisible."""
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
