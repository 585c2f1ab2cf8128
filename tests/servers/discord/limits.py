"""How fast a bot may go: buckets by route and major parameter, a global one, and the headers that tell of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .refusals import Refused

VIA = "1.1 google"  # a 429 without it is taken for a ban by the network in front


class Limit(NamedTuple):
    """So many calls in so many seconds."""

    calls: int
    seconds: float


GENEROUS = Limit(100_000, 1.0)
# as bots report them: Discord publishes none, tells them by headers, and changes them
REAL: Mapping[str, Limit] = {
    "create_message": Limit(5, 5.0),
    "edit_message": Limit(5, 5.0),
    "delete_message": Limit(5, 1.0),
    "add_reaction": Limit(1, 0.25),
    "typing": Limit(5, 5.0),
    "create_dm": Limit(10, 10.0),
    "create_followup": Limit(5, 2.0),
}


@dataclass(slots=True)
class Window:
    """One bucket's present window."""

    until: float = 0
    used: int = 0


class Verdict(NamedTuple):
    """What a call is answered with: headers in any case, a refusal when it came too fast."""

    headers: dict[str, str]
    refused: Refused | None


@dataclass(slots=True)
class Limits:
    """The limits of this world; generous unless a test asks for others by the name of a call.

    `world.limits.set(REAL)` keeps the real pace; `world.limits.set({"create_message": Limit(5, 0.2)})` a faster one of
    the same kind. `clock` is the real one, as the library sleeps for real; give the bot's own when it keeps the pace
    itself. `total` is the limit over all calls but interactions'.
    """

    clock: Callable[[], float] = time.monotonic
    rules: dict[str, Limit] = field(default_factory=dict)
    total: Limit | None = None
    windows: dict[tuple[str, str], Window] = field(default_factory=dict)

    def set(self, rules: Mapping[str, Limit], total: Limit | None = None) -> None:
        """Keep another pace from now on."""
        self.rules, self.total = dict(rules), total
        self.windows.clear()

    def judge(self, operation: str, major: str) -> Verdict:
        """Count a call, and say whether it came too fast."""
        every = self._window("*", "")
        if self.total and not major.startswith("webhook") and not _room(every, self.total, self.clock()):
            left = every.until - self.clock()
            return Verdict(_limited(left, "global"), too_many(left, is_global=True))
        limit = self.rules.get(operation, GENEROUS)
        window = self._window(operation, major)
        has_room = _room(window, limit, self.clock())
        left = window.until - self.clock()
        headers = _headers(operation, limit, window, left)
        if has_room:
            return Verdict(headers, None)
        return Verdict(headers | _limited(left, "user"), too_many(left))

    def _window(self, operation: str, major: str) -> Window:
        return self.windows.setdefault((operation, major), Window())


def too_many(retry_after: float, *, is_global: bool = False) -> Refused:
    """Refuse a call because there were too many."""
    more = {"retry_after": round(max(retry_after, 0) + 0.001, 3), "global": is_global}
    return Refused(429, 0, "You are being rate limited.", **more)


def _room(window: Window, limit: Limit, now: float) -> bool:
    if now >= window.until:
        window.until, window.used = now + limit.seconds, 0
    if window.used >= limit.calls:
        return False
    window.used += 1
    return True


def _limited(left: float, scope: str) -> dict[str, str]:
    headers = {"Via": VIA, "Retry-After": str(max(1, round(left))), "X-RateLimit-Scope": scope}
    return headers | ({"X-RateLimit-Global": "true"} if scope == "global" else {})


def _headers(operation: str, limit: Limit, window: Window, left: float) -> dict[str, str]:
    return {
        "X-RateLimit-Bucket": operation,
        "X-RateLimit-Limit": str(limit.calls),
        "X-RateLimit-Remaining": str(limit.calls - window.used),
        "X-RateLimit-Reset-After": f"{max(left, 0) + 0.001:.3f}",
        "X-RateLimit-Reset": f"{time.time() + max(left, 0):.3f}",  # noqa: TID251 - the header tells the real time
    }
