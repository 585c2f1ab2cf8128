"""Find what of a conversation a service's filter does not let through, with few requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

MOST_TRIES = 16
"""Requests that one search may make: enough for one message among thousands, or for a talk of four about one thing."""
MOST_FOUND = 6

T = TypeVar("T")
Passes = Callable[[Sequence[T]], Awaitable[bool]]
"""Whether the service takes the request without these."""


async def find_culprits(suspects: Sequence[T], passes: Passes[T]) -> tuple[T, ...]:
    """Return what has to be left out, the first found first; nothing where leaving all of it out does not help.

    It is known that the request does not pass with all of them. The last that must be left out is found by halves; what
    stands behind it passes, so that the next one is sought before it, and near it first: an answer repeats a question.
    """
    tries = 0

    async def ask(left_out: Sequence[T]) -> bool:
        nonlocal tries
        tries += 1
        return await passes(left_out)

    if not suspects or not await ask(suspects):
        return ()
    found: tuple[T, ...] = ()
    rest, reach = tuple(suspects), len(suspects)
    while True:
        # beside what is found, leaving out the first `most` of the rest is enough, and the first `least` is not
        least, most = 0, len(rest)
        while most - least > 1:
            if tries >= MOST_TRIES:
                return ()
            middle = max(most - reach, (least + most) // 2)
            if await ask((*found, *rest[:middle])):
                most, reach = middle, 2 * reach
            else:
                least, reach = middle, most
        found, rest, reach = (*found, rest[most - 1]), rest[: most - 1], 1
        if not rest or len(found) == MOST_FOUND or tries >= MOST_TRIES or await ask(found):
            return found
