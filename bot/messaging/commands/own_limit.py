"""How often somebody may ask for what is kept of them: some times a minute, one at a time, and told so once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.domain.ids import PersonKey
from bot.ports.clock import Clock
from bot.runtime.rate_limiter import RateLimiter
from bot.sentences import say

_PER_MINUTE = 5


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
            return say("chat_commands.too-often") if self._asked.tells(person) else ""
        self._asking.add(person)
        try:
            async with self._alone:
                return await answer()
        finally:
            self._asking.discard(person)
