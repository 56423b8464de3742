"""The tabs of a real browser for a walk."""

import json
import pathlib

from conftest import await_start
from todos import row
from walk.texts import text_of

SCRIPT = (pathlib.Path(__file__).parent / "page.js").read_text()
ELSEWHERE = '<!DOCTYPE html><head><title>Elsewhere</title><link rel="icon" href="data:,"></head>'


class Stage:
    def __init__(self, new_tab, website, count):
        website.begin_with(SCRIPT)
        website.answer("elsewhere", ELSEWHERE)
        self.website = website
        self._new_tab = new_tab
        self._number = 0  # the number of the last action, for marks
        self._other = new_tab()
        self._other.goto(website.address + "elsewhere")
        self._names = {}
        self.tabs = []
        for number in range(count):
            self.tabs.append(None)
            self._open(number)

    def _open(self, number):
        self.tabs[number] = self._new_tab()
        self.tabs[number].goto(self.website.address)
        self._begin(number)

    def _begin(self, number):
        """Waits until the program runs in a tab, and the events of its writes have arrived."""
        await_start(self.tabs[number])
        self._names[number] = self.tabs[number].value("walk.name")
        self._act(self.tabs[number])

    def _act(self, tab, *deeds):
        """Runs actions in one task, then sets a mark."""
        self._number += 1
        tab.value("walk.act(args[0], args[1])", json.dumps(deeds), self._number)

    def do(self, action):
        """Runs an action; after back navigation, returns whether the browser had kept the page."""
        kind, *rest = action
        tab = self.tabs[rest[0]] if isinstance(rest[0], int) else None
        match action:
            case ["do", _, *deeds]:
                self._act(tab, *[plain(deed) for deed in deeds])
            case ["hand", _, deed]:
                self._by_hand(tab, *deed)
                self._act(tab)
            case ["together", _, deed, other, other_deed]:
                self._act(tab, plain(deed))
                self._act(self.tabs[other], plain(other_deed))
            case ["race", _, deed, other, other_deed, count]:
                for each, its_deed in [(tab, deed), (self.tabs[other], other_deed)]:
                    each.value("walk.race(args[0], args[1])", json.dumps(its_deed), count)
                for each in (tab, self.tabs[other]):
                    each.value("walk.racing")
                    self._act(each)
            case ["write", key, spec]:
                self._act(self._other, ["put", key, text_of(spec)])
            case ["reload", number]:
                tab.reload()
                self._begin(number)
            case ["reopen", number]:
                tab.close()
                self._open(number)
            case ["back" | "forward", _]:
                tab.value(f"history.{kind}()")
                self._act(tab)
            case ["hold", _]:
                tab.value("walk.hold()")
                self._act(tab)
            case ["release" | "lose", _]:
                tab.value("walk.release(args[0])", kind == "lose")
                self._act(tab)
            case ["leave", _]:
                tab.goto(self.website.address + "elsewhere")
                self._act(self._other)
            case ["return", number]:
                tab.value("void setTimeout(() => history.back())")
                tab.expect("globalThis.walk && !!document.querySelector('#count')", True)
                before = self._names[number]
                self._begin(number)
                return self._names[number] == before
        return None

    def _by_hand(self, tab, deed, *arguments):
        """Runs an action with the driver's keyboard and mouse."""
        match deed, arguments:
            case "add", [title]:
                tab.fill(".new-todo", title)
                tab.press("Enter")
            case "toggle", [number]:
                if count := tab.value("document.querySelectorAll('.todo-list > li').length"):
                    tab.click(row(number % count + 1, ".toggle"))
            case "click", [selector]:
                tab.click(selector)

    def look(self, numbers, patience):
        """Returns the shown values and storage of tabs, after all events have arrived."""
        looks = {}
        for number in numbers:
            others = [name for other, name in self._names.items() if other in numbers]
            others.remove(self._names[number])
            looks[number] = json.loads(
                self.tabs[number].value(
                    "walk.look(args[0], args[1], args[2])",
                    self._number, others, 1000 * patience,
                )  # fmt: skip
            )
        return looks


def plain(deed):
    """Returns an action with its long texts written out."""
    return [text_of(each) for each in deed]
