"""Whether this machine's clock can be believed; nothing that was stored is wiped while it cannot.

A clock that has leapt is right where a platform says the same time: after a year of downtime that settles it at once.
Where no platform says anything it is right as long as it goes on from a moment at which it was; a wrong clock runs on
just as evenly, so nothing but somebody's word (`glassmind run --clock-is-right`) settles it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from bot.context.transcript import utc
from bot.domain.health import AdapterHealth, Heartbeat
from bot.ports.clock import Clock
from bot.sentences import Words, say

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


def clock_slack_ms(shortest_ms: int) -> int:
    """Return by how much the clock may be wrong: a day, or less where something is kept for less than that."""
    return max(HOUR_MS, min(DAY_MS, shortest_ms or DAY_MS))


@dataclass(eq=False)
class TrustedClock:
    """Compares the clock with the platforms' own, with what is stored, and with the time that has really passed."""

    clock: Clock
    platforms: Callable[[], Iterable[AdapterHealth]]
    slack_ms: Callable[[], int]
    is_vouched_for: bool = False
    """Somebody on the host said that the clock of this start is right."""
    proven_at: int = 0
    """The newest moment, by this clock, at which it was known to be right."""
    _proven_mono: float = 0.0

    def wake(self, last: Heartbeat | None) -> None:
        """Go on from the last sign of life of an earlier process; without one the clock is what it is."""
        before = (last.proven_at or last.at) if last is not None else 0
        self.proven_at = before if before and not self.is_vouched_for else self.clock.now()
        self._proven_mono = self.clock.monotonic()

    def doubt(self, now: int) -> str:
        """Look, and return why the clock is not believed that says `now` (empty: it is)."""
        words = self.doubt_words(now)
        return words() if words is not None else ""

    def doubt_words(self, now: int) -> Words | None:
        """Look, and return what says why the clock is not believed (None: it is)."""
        most = self.slack_ms()
        said = [(one.name, one.ahead_ms) for one in self.platforms() if one.ahead_ms is not None]
        passed = round((self.clock.monotonic() - self._proven_mono) * 1000)
        leap = now - self.proven_at - passed
        if any(abs(ahead) <= most for _, ahead in said) or (not said and abs(leap) <= most):
            self.proven_at, self._proven_mono = now, self.clock.monotonic()
            return None
        if said:
            name, ahead = said[0]
            return partial(_other_time, now, name.capitalize(), now + ahead)
        return partial(_leapt, now, self.proven_at)


def _other_time(now: int, name: str, theirs: int) -> str:
    return say("alerts.clock-says", time=_moment(now), name=name, theirs=_moment(theirs))


def _leapt(now: int, before: int) -> str:
    return say("alerts.clock-says-since", time=_moment(now), before=_moment(before))


def _moment(at: int) -> str:
    try:
        return say("alerts.time-utc", time=utc(at)[:16].replace("T", " "))
    except (ValueError, OverflowError, OSError):
        return say("alerts.no-calendar")
