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
_SILENT_SECONDS = 15.0
"""A process that listens and was not heard from for so long listens no more."""


class HeardPlatforms:
    """Remembers what was found last; `learn` looks again and again."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._since = clock.now()
        self._began = clock.monotonic()
        self._found: dict[str, ListenerHealth] = {}
        self._heard: dict[str, float] = {}
        """When each of them was said something new of: the clock of the machine that said it may be another."""

    def of(self, name: str) -> AdapterHealth:
        """Say how a platform is heard; it is down where no process listens."""
        found, silent = self._found.get(name), self._clock.monotonic() - self._heard.get(name, self._began)
        since = self._clock.now() - round(silent * 1000) if found is not None else self._since
        if silent > _SILENT_SECONDS:
            detail, fix = say("processes.nobody-listens"), say("processes.start-a-gateway")
            return AdapterHealth(
                name=name, state=AdapterState.DOWN, since=since, detail=detail, fix=fix, code="nobody_listens"
            )
        return found.health if found is not None else AdapterHealth(name=name, state=AdapterState.STARTING, since=since)

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
            now = self._clock.monotonic()
            self._heard |= {one.health.name: now for one in found if one != self._found.get(one.health.name)}
            self._found = {one.health.name: one for one in found}
