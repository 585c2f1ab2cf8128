"""How platforms are where another process listens: what that one found, for as long as it is heard from."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from bot.diagnostics.evidence.adapter_facts import GUILDS_AWAY, fact
from bot.domain.health import AdapterHealth, AdapterState, ListenerHealth
from bot.domain.platform_names import PlatformPart, platform_part
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say

log = structlog.get_logger(__name__)

SAY_SECONDS = 2.0
"""Seconds after which a process that listens says how it hears, and the others look."""
_PART_SECONDS = 30.0
"""Seconds for which a part of a platform may be heard by nobody: it is left to who has none, and taken after that."""
_WORST_FIRST = (
    AdapterState.DOWN,
    AdapterState.CONFLICT,
    AdapterState.DEGRADED,
    AdapterState.STARTING,
    AdapterState.UP,
    AdapterState.DISABLED,
)
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
        told = [one for one in self._found.values() if platform_part(one.health.name).platform == name]
        heard = [one for one in told if self._silent(one) <= _SILENT_SECONDS]
        if heard:
            return self._together(name, heard)
        silent = min(map(self._silent, told), default=self._clock.monotonic() - self._began)
        since = self._clock.now() - round(silent * 1000) if told else self._since
        if silent <= _SILENT_SECONDS:
            return AdapterHealth(name=name, state=AdapterState.STARTING, since=since)
        detail, fix = say("processes.nobody-listens"), say("processes.start-a-gateway")
        return AdapterHealth(
            name=name, state=AdapterState.DOWN, since=since, detail=detail, fix=fix, code="nobody_listens"
        )

    def _silent(self, one: ListenerHealth) -> float:
        return self._clock.monotonic() - self._heard[one.health.name]

    def _together(self, name: str, heard: Sequence[ListenerHealth]) -> AdapterHealth:
        """Say how a platform is of which several processes hear a part each: as its worst part."""
        many = platform_part(max(heard, key=lambda one: one.at).health.name).of
        # into how many parts it is divided is the configuration's, which may have changed
        found = [one.health for one in heard if platform_part(one.health.name).of == many]
        worst = min(found, key=lambda one: _WORST_FIRST.index(one.state))
        away = " ".join(filter(None, (fact(one.facts, GUILDS_AWAY) for one in found)))
        facts = (*(one for one in worst.facts if one[0] != GUILDS_AWAY), *([(GUILDS_AWAY, away)] if away else []))
        last = max(one.last_event_at for one in found)
        together = worst.replace(name=name, facts=facts, last_event_at=last) if many > 1 else worst
        now, parts = self._clock.monotonic(), [PlatformPart(name, number, many) for number in range(1, many + 1)]
        silent = {part.number: now - self._heard.get(part.name, self._began) for part in parts}
        unheard = [number for number, seconds in silent.items() if seconds > _PART_SECONDS]
        if not unheard or worst.state is AdapterState.DOWN:
            return together
        return together.replace(
            state=AdapterState.DEGRADED,
            since=self._clock.now() - round(max(map(silent.__getitem__, unheard)) * 1000),
            detail=say("processes.part-unheard", parts=", ".join(map(str, unheard)), many=many),
            fix=say("processes.start-a-gateway"),
            code="nobody_listens",
        )

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
