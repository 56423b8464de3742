"""The possible actions of a walk, drawn from a seed."""

import random

from walk.texts import BROKEN, ODD, TITLES

LENGTHS = [1, 2, 3, 20, 100, 101, 102, 103, 150, 300]
KEYS = ["todos-sharing", "todos-sharing", "count"]


class Actions:
    """A walk over two or three tabs. Called with the world, it returns the next action."""

    def __init__(self, seed, length):
        self.random = random.Random(seed)
        self.tabs = self.random.choice([2, 2, 3])
        self.left = length
        # The program keeps ten copies of corrupt texts.
        self._broken = {key: self.random.sample(texts, 4) for key, texts in BROKEN.items()}
        self._queue = []
        if self.random.random() < 0.6:
            self._queue = [self._long_list()]

    def __call__(self, world):
        if self.left == 0:
            return None
        self.left -= 1
        return self._queue.pop(0) if self._queue else self._drawn(
            (30, self._one),
            (8, self._burst),
            (10, self._unheard),
            (10, self._edit_meanwhile),
            (6, self._foreign),
            (2, self._long_list),
            (4, self._page),
            (3, self._kept_back),
            (3, self._together),
            (2, self._race),
            (2, self._by_hand),
            (2, self._away),
        )  # fmt: skip

    def _drawn(self, *choices):
        weights, makers = zip(*choices)
        return self.random.choices(makers, weights)[0]()

    def _then(self, first, *others):
        """Returns the first of several actions, and queues the others."""
        self._queue = [*others, *self._queue]
        return first

    # MARK: Single actions

    def _tab(self):
        return self.random.randrange(self.tabs)

    def _pair(self):
        return self.random.sample(range(self.tabs), 2)

    def _row(self):
        """Returns a row: the first, the last, or any."""
        return self.random.choice([0, -1, self.random.randrange(300)])

    def _title(self):
        number = self.random.randrange(1000)
        return self.random.choice([f"todo {number}", f"todo {number}", self.random.choice(TITLES)])

    def _text(self, key):
        return self.random.choice(self.random.choice([self._broken, ODD, ODD])[key])

    def _deed(self):
        return self._drawn(
            (12, lambda: ["add", self._title()]),
            (12, lambda: ["toggle", self._row()]),
            (6, lambda: ["remove", self._row()]),
            (5, lambda: ["begin", self._row()]),
            (5, lambda: ["type", self._title()]),
            (4, lambda: [self.random.choice(["enter", "escape", "leave"])]),
            (5, lambda: ["click", ".toggle-all"]),
            (3, lambda: ["click", ".clear-completed"]),
            (4, lambda: ["click", self.random.choice(["#increment", "#decrement", "#reset"])]),
        )

    def _one(self):
        return ["do", self._tab(), self._drawn((12, self._deed), (1, self._filter))]

    def _filter(self):
        return ["filter", self.random.randrange(3)]

    def _burst(self):
        """Several actions in one task. The event of a changed filter comes after it."""
        deeds = [self._deed() for _ in range(self.random.randint(2, 12))]
        return ["do", self._tab(), *deeds, *self.random.choice([[], [], [self._filter()]])]

    def _by_hand(self):
        deed = self.random.choice([
            ["add", f" by hand {self.random.randrange(1000)} "], ["toggle", self._row()],
            ["click", "#increment"],
        ])  # fmt: skip
        return ["hand", self._tab(), deed]

    def _foreign(self):
        """A write by another program, a script of the page or the inspector."""
        key, tab = self.random.choice(KEYS), self._tab()
        return self._drawn(
            (6, lambda: ["write", key, self._text(key)]),
            (4, lambda: ["do", tab, ["put", key, self._text(key)]]),
            (2, lambda: ["do", tab, ["inspect", key, "damage"]]),
            (2, lambda: ["do", tab, ["inspect", key, "clear"]]),
        )

    def _long_list(self):
        text = ["list", self.random.choice(LENGTHS), self.random.choice([1, 2, 1000])]
        return ["write", "todos-sharing", text]

    def _page(self):
        kind = self.random.choice(["reload", "reload", "reopen", "back", "back", "forward"])
        return [kind, self._tab()]

    # MARK: Sequences of actions

    def _unheard(self):
        """A tab changes a value that another one has changed, before it gets the event."""
        one, other = self._pair()
        deeds = [self._deed() for _ in range(self.random.randint(1, 3))]
        return self._then(["hold", one], ["do", other, *deeds], ["do", one, self._deed()],
                          [self.random.choice(["release", "release", "lose"]), one])  # fmt: skip

    def _edit_meanwhile(self):
        """A user types in a row while another tab changes this row or others."""
        one, other = self._pair()
        row = self._row()
        deeds = [[self.random.choice(["toggle", "remove", "remove"]), row], ["add", self._title()]]
        typing = [["begin", row], ["type", self._title()]][: self.random.randint(1, 2)]
        end = self.random.choice(["enter", "escape", "leave"])
        return self._then(["do", one, *typing], ["do", other, *deeds[: self.random.randint(1, 2)]],
                          ["do", one, [end]])  # fmt: skip

    def _kept_back(self):
        return [self.random.choice(["hold", "release", "lose"]), self._tab()]

    def _together(self):
        one, other = self._pair()
        return ["together", one, self._deed(), other, self._deed()]

    def _race(self):
        one, other = self._pair()
        deeds = [["toggle", self._row()], ["toggle", self._row()]]
        return ["race", one, deeds[0], other, deeds[1], self.random.randint(2, 20)]

    def _away(self):
        tab = self._tab()
        return self._then(["leave", tab], self._one(), ["return", tab])
