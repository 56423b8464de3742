"""Shortens a list of actions while the walk over it fails in the same way."""

import time


def shrunk(failure, repeat, seconds):
    """Returns the shortest failure of the same kind that is found in time.

    `repeat` runs the walk of some actions, and returns the failure or None.
    """
    end = time.monotonic() + seconds
    failure = without_chunks(failure, repeat, end)
    for index in range(len(failure.actions) - 1, -1, -1):
        failure = with_less_in(failure, index, repeat, end)
    return failure


def without_chunks(failure, repeat, end):
    """Removes unnecessary actions: halves first, then smaller chunks (delta debugging)."""
    size = max(1, (len(failure.actions) - 1) // 2)
    while True:
        start = len(failure.actions) - 1 - size  # the last action shows the failure
        was_shortened = False
        while start > -size:
            kept = failure.actions[: max(0, start)] + failure.actions[start + size :]
            shorter = same(failure, repeat, kept, end)
            was_shortened |= shorter is not failure
            failure = shorter
            start = min(start, len(failure.actions) - 1) - size
        if size == 1 and not was_shortened or time.monotonic() > end:
            return failure
        size = max(1, size // 2)


def with_less_in(failure, index, repeat, end):
    """Removes actions from one task."""
    if index >= len(failure.actions) or failure.actions[index][0] != "do":
        return failure
    for place in range(len(failure.actions[index]) - 1, 1, -1):
        action = failure.actions[index]
        less = action[:place] + action[place + 1 :]
        if place < len(action) and len(less) > 2:
            actions = [*failure.actions[:index], less, *failure.actions[index + 1 :]]
            failure = same(failure, repeat, actions, end)
    return failure


def same(failure, repeat, actions, end):
    """Returns the failure of other actions if it is of the same kind, otherwise the given one."""
    if time.monotonic() > end:
        return failure
    other = repeat(actions)
    return other if other and other.kind == failure.kind else failure
