"""Leave a channel's history alone for a while after its compaction failed three times in a row."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from bot.domain.ids import ChannelKey
from bot.ports.clock import Clock

FAILURES = 3
_MOST = 1000


class ChannelCooldown(NamedTuple):
    """A channel's failures in a row, the last reason, and until when nothing is tried (monotonic; 0: it may be)."""

    failures: int
    reason: str
    until: float
    until_ms: int


class CompactionCooldowns:
    """The channels whose last compaction failed; others cost nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held: OrderedDict[ChannelKey, ChannelCooldown] = OrderedDict()

    def resting(self, key: ChannelKey) -> bool:
        """Say whether a channel is left alone now. After that one more failure is enough."""
        found = self._held.get(key)
        return found is not None and found.until > self._clock.monotonic()

    def failed(self, key: ChannelKey, reason: str, seconds: float) -> bool:
        """Count a failure; True when the rest begins with it."""
        before = self._held.pop(key, None)
        failures = (before.failures if before else 0) + 1
        rests = failures >= FAILURES
        until = self._clock.monotonic() + seconds if rests else 0.0
        until_ms = self._clock.now() + round(seconds * 1000) if rests else 0
        self._held[key] = ChannelCooldown(failures, reason, until, until_ms)
        if len(self._held) > _MOST:
            self._held.popitem(last=False)
        return rests

    def succeeded(self, key: ChannelKey) -> None:
        """Forget the failures of a channel."""
        self._held.pop(key, None)

    def now(self) -> dict[ChannelKey, ChannelCooldown]:
        """Return the channels that are left alone."""
        return {key: rest for key, rest in self._held.items() if rest.until > self._clock.monotonic()}
