"""Decide what follows when a platform does not take a message, and how fast to send; no I/O here."""

from __future__ import annotations

from typing import NamedTuple

from bot.config.schema import LimitsConfig
from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.messaging.lately import Lately

PRIVATE_KINDS = frozenset({"finding", "file"})
"""What only one person may read; an address that others can read is refused."""

_MOST_WAITS = 25
_LONGEST_WAIT = 300.0
_SLOWEST = 10.0

PACED = 10_000
"""Of how many channels it is remembered how fast they take messages; of the others the platform says it again."""


class Tries(NamedTuple):
    """How often a chunk was tried: failures, and times when the platform asked to wait (those cost no attempt)."""

    failed: int = 0
    waited: int = 0


class Again(NamedTuple):
    """Try once more after so many seconds."""

    wait: float
    tries: Tries


class GiveUp(NamedTuple):
    """Stop. `uncertain`: it may have arrived."""

    uncertain: bool


def decide(error: DeliveryError, tries: Tries, limits: LimitsConfig, idempotent: bool) -> Again | GiveUp:
    """Say what follows: what may have arrived is sent again only where the platform recognises a repetition."""
    if error.permanent:
        return GiveUp(uncertain=False)
    if error.uncertain and not idempotent:
        return GiveUp(uncertain=True)
    if error.retry_after is not None and tries.waited < _MOST_WAITS:
        return Again(min(max(0.0, error.retry_after), _LONGEST_WAIT), tries._replace(waited=tries.waited + 1))
    failed = tries.failed + 1
    if failed >= limits.send_attempts:
        return GiveUp(uncertain=error.uncertain)
    return Again(min(limits.send_wait * 2 ** (failed - 1), _LONGEST_WAIT), tries._replace(failed=failed))


def code_of(error: DeliveryError) -> str:
    """Return the failure in a word, for the ledger."""
    return error.code or ("uncertain" if error.uncertain else "refused" if error.permanent else "unreachable")


class Pacing:
    """How fast each channel takes messages: a fixed cap, and what was learned from being told to wait."""

    def __init__(self, per_second: float) -> None:
        self._least = 1 / per_second if per_second else 0.0
        self._learned: Lately[ChannelId, float] = Lately(PACED)
        self._next: Lately[ChannelId, float] = Lately(PACED)

    def wait(self, channel: ChannelId, now: float) -> float:
        """Return the seconds until a channel may be sent to."""
        due = self._next.get(channel) or 0.0
        if due <= now:
            self._next.drop(channel)
        return max(0.0, due - now)

    def took(self, channel: ChannelId, now: float) -> None:
        """Note a message that was taken; the pace recovers slowly."""
        learned = (self._learned.get(channel) or 0.0) * 0.9
        if learned < 0.05:
            self._learned.drop(channel)
            learned = 0.0
        else:
            self._learned.put(channel, learned)
        interval = max(learned, self._least)
        if interval:
            self._next.put(channel, now + interval)

    def slow_down(self, channel: ChannelId, until: float = 0.0) -> None:
        """Note that the platform asked to wait; nothing goes to the channel before `until`."""
        if until:
            self._next.put(channel, max(until, self._next.get(channel) or 0.0))
        self._learned.put(channel, min(_SLOWEST, max(0.25, (self._learned.get(channel) or 0.0) * 2)))
