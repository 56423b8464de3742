"""The model of all tabs and the storage, and the effects of each action on them."""

import copy

from walk.model import ROUTES, TODOS, TabModel
from walk.shown import shown, shown_differences
from walk.store import Store
from walk.texts import DEFAULTS, text_of

DEEDS = {"begin": "begin_edit"}


class World:
    def __init__(self, count):
        self.store = Store()
        self.tabs = [TabModel(self.store) for _ in range(count)]

    def is_possible(self, action):
        """Returns whether an action is possible now: a shortened walk may contain impossible
        ones."""
        match action:
            case ["hand", tab, _]:  # a closing row may move the button away from the pointer
                return not (self.tabs[tab].is_away or self.tabs[tab].edit)
            case ["do", tab, *_] | ["reload" | "reopen" | "hold", tab]:
                return not self.tabs[tab].is_away
            case ["back", tab]:
                return not self.tabs[tab].is_away and self.tabs[tab].at > 0
            case ["forward", tab]:
                here = self.tabs[tab]
                return not here.is_away and here.at + 1 < len(here.history)
            case ["release" | "lose", tab]:
                return self.tabs[tab].is_held
            case ["leave", tab]:
                return not (self.tabs[tab].is_away or self.tabs[tab].is_held or self.tabs[tab].edit)
            case ["return", tab]:
                return self.tabs[tab].is_away
            case ["together", one, _, other, _]:
                return one != other and self._are_up_to_date(one, other)
            case ["race", one, _, other, *_]:
                pair = [self.tabs[one], self.tabs[other]]
                shows_all = all(tab.route == ROUTES[0] and tab.todos for tab in pair)
                return one != other and self._are_up_to_date(one, other) and shows_all
        return True

    def _are_up_to_date(self, *numbers):
        tabs = [self.tabs[number] for number in numbers]
        return not any(tab.is_away or tab.is_held or tab.unheard or tab.edit for tab in tabs)

    def outcomes(self, action):
        """Returns the possible worlds after an action: several if it depends on the order of the
        tabs."""
        if action[0] != "together":
            self._apply(action)
            return [self]
        _, one, deed, other, other_deed = action
        return [
            self._after(one, deed, other, other_deed),
            self._after(other, other_deed, one, deed),
            self._after(one, deed, other, other_deed, is_lost=True),
            self._after(other, other_deed, one, deed, is_lost=True),
        ]

    def _after(self, first, deed, second, second_deed, is_lost=False):
        """Returns the world after two tabs' writes in sequence, or with the first one's write
        lost."""
        world = copy.deepcopy(self)
        before = dict(world.store.items)
        world._do(world.tabs[first], deed)
        if is_lost:
            after = dict(world.store.items)
            world.store.items.update(before)
            world._do(world.tabs[second], second_deed)
            for key in DEFAULTS:
                if world.store.items[key] is before[key]:
                    world.store.items[key] = after[key]
            for tab in (first, second):
                for key in DEFAULTS:
                    world.tabs[tab].hear(key)
        else:
            world.settle()
            world._do(world.tabs[second], second_deed)
        world.settle()
        return world

    def _apply(self, action):
        match action:
            case ["do" | "hand", tab, *deeds]:
                for deed in deeds:
                    self._do(self.tabs[tab], deed)
            case ["race", one, deed, other, other_deed, _]:
                rows = [self.tabs[one].row(deed[1]), self.tabs[other].row(other_deed[1])]
                self._do(self.tabs[one], deed)
                self.settle()
                self._do(self.tabs[other], other_deed)
                self.store.items[TODOS].open = {row.id for row in rows}
            case ["write", key, spec]:
                item = self.store.item(key, text_of(spec))
                if not self.store.items[key].is_exact or self.store.items[key].text != item.text:
                    self.store.put(key, item, None)
            case ["reload", tab]:
                self.tabs[tab].begin()
            case ["reopen", tab]:
                self.tabs[tab] = TabModel(self.store)
            case ["back", tab]:
                self.tabs[tab].at -= 1
            case ["forward", tab]:
                self.tabs[tab].at += 1
            case ["hold", tab]:
                self.tabs[tab].is_held = True
            case ["release", tab]:
                self.tabs[tab].release()
            case ["lose", tab]:
                self.tabs[tab].is_held = False
                self.tabs[tab].missed.clear()
            case ["leave", tab]:
                self.tabs[tab].is_away = True
        self.settle()

    def come_back(self, tab, was_kept):
        """Returns a tab to the page, which the browser may have kept in its state."""
        here = self.tabs[tab]
        here.is_away = False
        del here.history[here.at + 1 :]
        if was_kept:
            here.draft = None  # WebKit empties a field without autocompletion
            for key in DEFAULTS:
                here.hear(key)
        else:
            here.begin()
        self.settle()

    def _do(self, tab, deed):
        name, *arguments = deed
        texts = [text_of(each) for each in arguments]
        getattr(tab, DEEDS.get(name, name))(*texts)

    def settle(self):
        """Delivers the events of all writes to all tabs, unless they are held back."""
        for key, writer in self.store.writes:
            for tab in self.tabs:
                if tab is writer or tab.is_away:
                    continue
                if tab.is_held:
                    tab.missed.add(key)
                    tab.unheard.add(key)
                else:
                    tab.hear(key)
        self.store.writes.clear()

    def differences(self, looks):
        """Returns the differences between the pages, by number, and the model: (where, wanted,
        found)."""
        found = []
        for number, look in looks.items():
            if look["problem"]:
                found.append((f"tab {number}", "all events", look["problem"]))
            if status := look["shown"]["status"]:
                return [("stopped", f"tab {number} runs", status)]
            found += [(f"stored, {where}", *rest)
                      for where, *rest in self.store.differences(look["stored"])]  # fmt: skip
        for number, look in looks.items():
            wanted = shown(self.tabs[number])
            found += [(f"{where} of tab {number}", *rest)
                      for where, *rest in shown_differences(wanted, look["shown"])]  # fmt: skip
        return found
