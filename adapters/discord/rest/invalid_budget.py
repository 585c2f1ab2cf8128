"""What Discord calls invalid requests: who makes 10,000 in ten minutes is shut out for a while, with everything.

https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping

import structlog

log = structlog.get_logger(__name__)

_WINDOW_SECONDS = 600.0
_MAX_REFUSED_REQUESTS = 500
"""Refusals within the window after which it goes slowly: a twentieth of what Discord bears with."""
PAUSE = 2.0
"""Seconds between two calls then, so that there are never twice as many, whatever is refused."""
_MAX_PAUSE_SECONDS = 60.0
_INVALID_STATUSES = frozenset({401, 403, 429})


class InvalidRequestBudget:
    """Counts what was refused, and lets calls go one by one while it was too much. `time` is the loop's."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._refused: deque[float] = deque()
        self._next = 0.0
        self._waiting = 0

    @property
    def is_exceeded(self) -> bool:
        """Whether so much was refused lately that calls go slowly."""
        self._forget()
        return len(self._refused) >= _MAX_REFUSED_REQUESTS

    @property
    def hold(self) -> float:
        """The seconds that one more call would wait behind those that wait already; 0 where calls do not go slowly."""
        return max(0.0, self._next - self._time()) + self._waiting * PAUSE if self.is_exceeded else 0.0

    @property
    def words(self) -> str:
        """What is to be said of it; empty where calls do not go slowly."""
        if not self.is_exceeded:
            return ""
        count, minutes = len(self._refused), round(_WINDOW_SECONDS / 60)
        return (
            f"Discord refused {count:,} requests within {minutes} minutes, so calls go one by one, every {PAUSE:g} s; "
            f"{self._waiting:,} wait"
        )

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        """Count an answer, if Discord does; the limit of a place that others have used up is nobody's fault."""
        if status not in _INVALID_STATUSES or headers.get("X-RateLimit-Scope") == "shared":
            return
        now, much = self._time(), self.is_exceeded
        self._refused.append(now)
        if self.is_exceeded and not much:
            log.warning("discord_refuses_much", refused=_MAX_REFUSED_REQUESTS, seconds=_WINDOW_SECONDS, pause=PAUSE)
        if headers.get("X-RateLimit-Global"):
            self._next = max(self._next, now + min(_seconds(headers), _MAX_PAUSE_SECONDS))

    async def turn(self) -> None:
        """Return at once, or when it is a call's turn."""
        self._waiting += 1
        try:
            while self.is_exceeded:
                now = self._time()
                if now >= self._next:
                    self._next = now + PAUSE
                    return
                await asyncio.sleep(self._next - now)
        finally:
            self._waiting -= 1

    def _forget(self) -> None:
        oldest = self._time() - _WINDOW_SECONDS
        while self._refused and self._refused[0] <= oldest:
            self._refused.popleft()


def _seconds(headers: Mapping[str, str]) -> float:
    said = headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0
