"""One walk: actions in a browser, with a comparison with the model after each one."""

import dataclasses
import time

from walk.stage import Stage
from walk.world import World

PATIENCE = 10  # seconds after which a difference is a failure
HASTE = 2  # the same, if a failure is expected


@dataclasses.dataclass
class Failure:
    actions: list  # up to the one that failed
    differences: list  # (where, wanted, found)

    @property
    def kind(self):
        """Returns equal values for failures with the same cause."""
        return self.differences[0][0].split(" of tab")[0]


def walk(new_tab, website, count, next_action, patience=PATIENCE):
    """Runs the actions that `next_action` returns for the world, until it returns None.

    Returns the failure or None.
    """
    world, stage, done = World(count), Stage(new_tab, website, count), []
    while (action := next_action(world)) is not None:
        if not world.is_possible(action):
            continue
        done.append(action)
        world, differences = step(world, stage, action, patience)
        differences += [("problem", "", problem) for problem in website.problems]
        if differences:
            website.problems.clear()
            return Failure(done, differences)
    return None


def step(world, stage, action, patience):
    """Runs an action. Returns the resulting world, and the differences between it and the pages."""
    try:
        was_kept = stage.do(action)
    except AssertionError as error:
        return world, [("driver", action[0], str(error))]
    if action[0] == "return":
        world.come_back(action[1], was_kept)
    outcomes = world.outcomes(action)
    end = time.monotonic() + patience
    while True:
        looks = stage.look([n for n, tab in enumerate(world.tabs) if not tab.is_away], PATIENCE)
        found = []
        for outcome in outcomes:
            found.append(outcome.differences(looks))
            if not found[-1]:
                return outcome, []
        if time.monotonic() > end or found[0][0][0] == "stopped":
            return outcomes[0], min(found, key=len)
