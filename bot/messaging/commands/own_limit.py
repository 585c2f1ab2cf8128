"""How often somebody may ask for what is kept of them: some times a minute, one at a time, and told so once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.domain.ids import PersonKey
from bot.ports.clock import Clock
from bot.runtime.rate_limiter import RateLimiter

_PER_MINUTE = 5
_TOO_OFTEN = "That was too often. Ask again in a minute; until then I do not answer it."


class OwnDataLimiter:
    """Lets questions about somebody's own data through; who asks too often hears it once a minute, then nothing."""

    def __init__(self, clock: Clock) -> None:
        self._asked = RateLimiter[PersonKey](clock, _PER_MINUTE)
        self._asking: set[PersonKey] = set()
        # of everybody's questions one reads at a time, so that many cost no more memory than one
        self._alone = asyncio.Lock()

    async def run(self, person: PersonKey, answer: Callable[[], Awaitable[str]]) -> str:
        """Return the answer, a notice, or nothing."""
        if person in self._asking or not self._asked.take(person):
            return _TOO_OFTEN if self._asked.tells(person) else ""
        self._asking.add(person)
        try:
            async with self._alone:
                return await answer()
        finally:
            self._asking.discard(person)
