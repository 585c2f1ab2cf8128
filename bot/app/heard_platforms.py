"""How platforms are where another process listens: what that one found, for as long as it is heard from."""

from __future__ import annotations

import structlog

from bot.domain.health import AdapterHealth, AdapterState, ListenerHealth
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say

log = structlog.get_logger(__name__)

SAY_SECONDS = 2.0
"""Seconds after which a process that listens says how it hears, and the others look."""
_SILENT_MS = 15_000
"""A process that listens and was not heard from for so long listens no more."""


class HeardPlatforms:
    """Remembers what was found last; `learn` looks again and again."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._since = clock.now()
        self._found: dict[str, ListenerHealth] = {}

    def of(self, name: str) -> AdapterHealth:
        """Say how a platform is heard; it is down where no process listens."""
        found = self._found.get(name)
        at = found.at if found is not None else self._since
        if self._clock.now() - at > _SILENT_MS:
            detail, fix = say("processes.nobody-listens"), say("processes.start-a-gateway")
            return AdapterHealth(
                name=name, state=AdapterState.DOWN, since=at, detail=detail, fix=fix, code="nobody_listens"
            )
        return found.health if found is not None else AdapterHealth(name=name, state=AdapterState.STARTING, since=at)

    async def learn(self) -> None:
        """Look for ever."""
        while True:
            await self.look()
            await self._clock.sleep(SAY_SECONDS)

    async def look(self) -> None:
        """Read what was said by those who listen."""
        try:
            found = await self._store.listeners()
        except StoreError as error:
            log.warning("listeners_not_read", error=str(error))
        else:
            self._found = {one.health.name: one for one in found}
