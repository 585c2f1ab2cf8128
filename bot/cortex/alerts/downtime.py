"""Account for the time in which the bot was down: from when to when, why, and what was missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.health import BotDowntime, Heartbeat
from bot.domain.ledger import Outcome, StreamCursor
from bot.domain.messages import AuthorKind, ButtonPress, Inbound, InboundKind
from bot.messaging.intake.recovery import RecoveryResult
from bot.ports.platform import PlatformListener

_BROKEN_OFF_OUTCOMES = frozenset({Outcome.INTERRUPTED, Outcome.FAILED})


class MissedMessages(NamedTuple):
    """What a silence left behind. Messages are counted, except `uncertain`: chunks that may have arrived.

    `late` were written during the silence and have come in since.
    """

    resumed: int = 0
    ready: int = 0
    broken_off: int = 0
    uncertain: int = 0
    late: int = 0

    @classmethod
    def of(cls, found: RecoveryResult) -> MissedMessages:
        """Count what the start found."""
        outcomes = [settlement.outcome for settlement in found.settled]
        return cls(
            resumed=len(found.again),
            ready=found.waiting_for_delivery,
            broken_off=sum(outcome in _BROKEN_OFF_OUTCOMES for outcome in outcomes),
            uncertain=found.uncertain + outcomes.count(Outcome.UNCERTAIN),
        )


def silence_before(last: Heartbeat | None, now: int, silence_after: float) -> BotDowntime | None:
    """Return the silence that ends with a start now; None when there was none worth telling (`silence_after` seconds).

    One that no earlier start lived long enough to report goes on.
    """
    if last is None:
        return None
    owed = last.unreported
    if owed is not None:
        return owed.replace(until=max(now, owed.until), starts=owed.starts + 1)
    if now - last.at <= silence_after * 1000:
        return None
    return BotDowntime(since=last.at, until=now, reason=last.exit_reason)


class LateMessageCounter:
    """Ears that count what was written while nobody listened; implements `bot.ports.platform.PlatformListener`."""

    def __init__(self, ears: PlatformListener, silence: BotDowntime) -> None:
        self._ears = ears
        self._silence = silence
        self._late: set[tuple[str, str]] = set()

    @property
    def late(self) -> int:
        """How many there were so far; what comes in twice counts once."""
        return len(self._late)

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Hand a batch on, and count once it is stored."""
        await self._ears.receive(batch, cursor)
        self._late |= {(inbound.channel, inbound.message_id) for inbound in batch if self._is_late(inbound)}

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        return await self._ears.cursor(adapter, stream)

    async def pressed(self, press: ButtonPress) -> str:
        return await self._ears.pressed(press)

    async def settled(self) -> None:
        """Return when everything heard so far has come to its end."""
        await self._ears.settled()

    def language(self) -> str:
        """Return the language of what everybody reads."""
        return self._ears.language()

    def _is_late(self, inbound: Inbound) -> bool:
        written = inbound.kind is InboundKind.MESSAGE and inbound.author.kind is AuthorKind.PERSON
        return written and self._silence.since < inbound.sent_at < self._silence.until
