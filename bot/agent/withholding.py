"""Find the message of a conversation that a service's filter does not let through, with few requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

MOST_TRIES = 12
"""Requests that one search may make: enough for one message among thousands, or for three among ten."""
MOST_FOUND = 3

T = TypeVar("T")
Passes = Callable[[Sequence[T]], Awaitable[bool]]
"""Whether the service takes the request without these."""


async def find_culprits(suspects: Sequence[T], passes: Passes[T]) -> tuple[T, ...]:
    """Return what has to be left out, the first found first; nothing where leaving all of it out does not help.

    It is known that the request does not pass with all of them. Each is found by halves: what is left out for good,
    and half of those that are still suspected, either passes, or the fault is in the other half.
    """
    tries = 0

    async def ask(left_out: Sequence[T]) -> bool:
        nonlocal tries
        tries += 1
        return await passes(left_out)

    if not suspects or not await ask(suspects):
        return ()
    found: tuple[T, ...] = ()
    rest = tuple(suspects)
    while len(found) < MOST_FOUND:
        fixed, suspected = found, rest
        while len(suspected) > 1:
            if tries >= MOST_TRIES:
                return ()
            half = suspected[: (len(suspected) + 1) // 2]
            if await ask((*fixed, *half)):
                suspected = half
            else:
                fixed, suspected = (*fixed, *half), suspected[len(half) :]
        found = (*found, *suspected)
        rest = tuple(one for one in rest if one not in found)
        if not rest or tries >= MOST_TRIES or await ask(found):
            return found
    return found
