"""Spare the right to begin sessions: Discord takes the token of who begins more than a thousand of them in a day."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import structlog

from adapters.discord.base.state import DiscordState
from adapters.discord.rest.client import RestClient
from bot.ports.clock import Clock
from bot.sentences import later

log = structlog.get_logger(__name__)

_IDENTIFY_SECONDS = 5.0
"""Seconds between two sessions of one lane (https://discord.com/developers/docs/events/gateway#rate-limiting)."""
_RESERVED_SHARE = 0.1
"""The part of a day's sessions below which the rest is spread over what is left of the day."""


class SessionStartLimits(NamedTuple):
    """What GET /gateway/bot says: the address, how many shards are advised, and how many sessions are left."""

    url: str
    shards: int
    total: int
    remaining: int
    reset_after: float
    lanes: int


class IdentifyBudget:
    """Gives leave to begin a session."""

    def __init__(self, rest: RestClient, clock: Clock, state: DiscordState) -> None:
        self._rest = rest
        self._clock = clock
        self._state = state
        self._last: dict[int, float] = {}
        self._turn = asyncio.Lock()

    async def limits(self) -> SessionStartLimits:
        """Ask where to connect and what is left; raise one of `rest.Failure`, or LookupError for another answer."""
        found = await self._rest.call("GET", "/gateway/bot")
        start = found["session_start_limit"]
        limits = SessionStartLimits(
            url=str(found["url"]),
            shards=max(1, int(found["shards"])),
            total=int(start["total"]),
            remaining=int(start["remaining"]),
            reset_after=int(start["reset_after"]) / 1000,
            lanes=max(1, int(start["max_concurrency"])),
        )
        self._state.note("sessions_left", f"{limits.remaining} of {limits.total}")
        return limits

    async def leave(self, shard: int) -> None:
        """Return when this shard may begin a session; raise what `limits` raises."""
        async with self._turn:
            limits = await self.limits()
            wait = _ration(limits)
            if wait:
                log.warning("discord_sessions_short", remaining=limits.remaining, total=limits.total, wait=round(wait))
                counts = {"left": str(limits.remaining), "total": str(limits.total), "time": _minutes(wait)}
                words = later("discord_state.sessions-short", **counts)
                self._state.shards.broken(shard, "session_limit", words)
                await self._clock.sleep(wait)
            lane, now = shard % limits.lanes, self._clock.monotonic()
            left = self._last.get(lane, now - _IDENTIFY_SECONDS) + _IDENTIFY_SECONDS - now
            if left > 0:
                await self._clock.sleep(left)
            self._last[lane] = self._clock.monotonic()


def _ration(limits: SessionStartLimits) -> float:
    """Return the seconds to wait: none while there is plenty, and the rest of the day when nothing is left."""
    if limits.remaining > limits.total * _RESERVED_SHARE:
        return 0.0
    return limits.reset_after / max(1, limits.remaining)


def _minutes(seconds: float) -> str:
    return f"{max(1, round(seconds / 60))} min"
