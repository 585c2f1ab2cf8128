"""Decide what follows when a platform does not take a message, and how fast to send; no I/O here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.config.schema import LimitsConfig
from bot.domain.delivery_failures import DAY_MS, UNREACHABLE, UNREACHABLE_CODES, code_in
from bot.domain.ids import ChannelId, first_parts, platform_of
from bot.domain.turn import OutboxState, StoredOutbox
from bot.errors import DeliveryError
from bot.runtime.lru_cache import LRUCache

PRIVATE_KINDS = frozenset({"finding", "file"})
"""What only one person may read; an address that others can read is refused."""

_MAX_WAITS = 25
_MAX_WAIT_SECONDS = 300.0
_MAX_SPACING_SECONDS = 10.0

MAX_PACED_CHANNELS = 10_000
"""Of how many channels it is remembered how fast they take messages; of the others the platform says it again."""


class SendAttempts(NamedTuple):
    """How often a chunk was tried: failures, and times when the platform asked to wait (those cost no attempt)."""

    failed: int = 0
    waited: int = 0


class Retry(NamedTuple):
    """Try once more after so many seconds."""

    wait: float
    tries: SendAttempts


class GiveUp(NamedTuple):
    """Stop. `uncertain`: it may have arrived."""

    uncertain: bool


class Park(NamedTuple):
    """Keep it, for as long as the platform cannot be reached: it was surely not sent."""


class RouteStatus(NamedTuple):
    """What is known of the way to a platform.

    `idempotent`: it recognises a repetition. `state` is its adapter's word for what is wrong (empty: nothing is).
    `is_shut`: something waits already for that it can be reached.
    """

    idempotent: bool
    state: str = ""
    is_shut: bool = False


def decide(error: DeliveryError, tries: SendAttempts, limits: LimitsConfig, way: RouteStatus) -> Retry | GiveUp | Park:
    """Say what follows: what may have arrived is sent again only where the platform recognises a repetition.

    What was surely not sent, because nobody could be reached or the token is refused, is kept.
    """
    if error.permanent:
        return GiveUp(uncertain=False)
    if error.uncertain and not way.idempotent:
        return GiveUp(uncertain=True)
    if error.retry_after is not None and tries.waited < _MAX_WAITS:
        return Retry(min(max(0.0, error.retry_after), _MAX_WAIT_SECONDS), tries._replace(waited=tries.waited + 1))
    failed, is_away = (
        tries.failed + 1,
        is_unsent(error) and not UNREACHABLE_CODES.isdisjoint({code_of(error), way.state}),
    )
    if is_away and (way.is_shut or failed >= limits.send_attempts):
        return Park()
    if failed >= limits.send_attempts:
        return GiveUp(uncertain=error.uncertain)
    return Retry(min(limits.send_wait * 2 ** (failed - 1), _MAX_WAIT_SECONDS), tries._replace(failed=failed))


def is_unsent(error: DeliveryError) -> bool:
    """Say whether a message surely did not get to its platform: no word of the platform about it came back either."""
    return not (error.permanent or error.uncertain or error.retry_after is not None)


def is_too_old(row: StoredOutbox, now: int) -> bool:
    """Say whether a chunk has waited for its platform for so long that nobody expects it any more."""
    waited = row.state is OutboxState.NEW and code_in(row.error) in UNREACHABLE_CODES
    return waited and now - row.created_at > DAY_MS


def code_of(error: DeliveryError) -> str:
    """Return the failure in a word, for the ledger."""
    return error.code or ("uncertain" if error.uncertain else "refused" if error.permanent else UNREACHABLE)


def _alone(platform: str) -> int:
    return 0


class SendPacing:
    """How fast each channel takes messages: a fixed cap, and what was learned from being told to wait.

    Channels that their platform counts together have one pace; `parts` is `PlatformCapabilities.pace_parts` of a
    platform.
    """

    def __init__(self, per_second: float, parts: Callable[[str], int] = _alone) -> None:
        self._least = 1 / per_second if per_second else 0.0
        self._parts = parts
        self._learned: LRUCache[str, float] = LRUCache(MAX_PACED_CHANNELS)
        self._next: LRUCache[str, float] = LRUCache(MAX_PACED_CHANNELS)

    def wait(self, channel: ChannelId, now: float) -> float:
        """Return the seconds until a channel may be sent to."""
        paced = self._paced(channel)
        due = self._next.get(paced) or 0.0
        if due <= now:
            self._next.drop(paced)
        return max(0.0, due - now)

    def leaves(self, channel: ChannelId, now: float) -> None:
        """Note a message that is handed over now; another one that is counted with it follows no sooner than it may."""
        paced = self._paced(channel)
        if interval := max(self._learned.get(paced) or 0.0, self._least):
            self._next.put(paced, now + interval)

    def took(self, channel: ChannelId, now: float) -> None:
        """Note a message that was taken; the pace recovers slowly."""
        paced = self._paced(channel)
        learned = (self._learned.get(paced) or 0.0) * 0.9
        if learned < 0.05:
            self._learned.drop(paced)
        else:
            self._learned.put(paced, learned)
        self.leaves(channel, now)

    def slow_down(self, channel: ChannelId, until: float = 0.0) -> None:
        """Note that the platform asked to wait; nothing goes to the channel before `until`."""
        paced = self._paced(channel)
        if until:
            self._next.put(paced, max(until, self._next.get(paced) or 0.0))
        self._learned.put(paced, min(_MAX_SPACING_SECONDS, max(0.25, (self._learned.get(paced) or 0.0) * 2)))

    def _paced(self, channel: ChannelId) -> str:
        """Return what the platform counts when something is sent to a channel."""
        return first_parts(channel, self._parts(platform_of(channel)))
