"""The messages that a silence left unanswered, and answering the newest of them on request."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.finding import StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import Button, InboundKind
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.figures import duration
from bot.text.times import clock_time

_MAX_MESSAGES = 100
_UNANSWERED_OUTCOMES = {Outcome.SKIPPED, Outcome.GATED, Outcome.FAILED, Outcome.CANCELLED, Outcome.INTERRUPTED}
_POLL_SECONDS = 0.5


class UnansweredMessages:
    """Finds, offers and follows unanswered messages."""

    def __init__(self, store: Store, buttons: ButtonFactory, clock: Clock) -> None:
        self._store = store
        self._buttons = buttons
        self._clock = clock

    async def offer(
        self, session: StoredSession, target: TargetChannel, people: frozenset[str]
    ) -> tuple[str, Button | None]:
        """Offer to answer the newest unanswered message (of these people, when there are any)."""
        waiting = unanswered(await self._store.ledger.recent(target.key, _MAX_MESSAGES), people)
        if not waiting:
            return "", None
        newest = waiting[0]
        name = handle(HandleKind.INBOUND, newest.id)
        at = clock_time(newest.arrived_at)
        line = say("fixes.went-unanswered", count=len(waiting), time=at, handle=name)
        return line, self._buttons.row(session, ButtonVerb.ANSWER, say("fixes.answer", handle=name), newest.id)

    async def open(self, row: int) -> StoredInbound | None:
        """Return a message if it is still unanswered, and was neither changed nor given another turn since."""
        stored = await self._store.ledger.inbound(row)
        if stored is None or not _is_open(stored):
            return None
        newest = await self._store.ledger.by_message(stored.key, stored.inbound.message_id)
        return stored if newest is not None and newest.id == row else None

    async def follow(self, row: int, seconds: float) -> str:
        """Wait for the outcome of an inbound and say what it was."""
        found = await self.outcome(row, seconds)
        return self.line(row, found, seconds)

    async def outcome(self, row: int, seconds: float) -> StoredInbound | None:
        """Wait for the outcome of an inbound; None where it has none by then."""
        until = self._clock.monotonic() + seconds
        while self._clock.monotonic() < until:
            found = await self._store.ledger.inbound(row)
            if found is not None and found.outcome is not None:
                return found
            await self._clock.sleep(_POLL_SECONDS)
        return None

    def line(self, row: int, found: StoredInbound | None, seconds: float) -> str:
        """Say what the outcome of an inbound was."""
        if found is not None:
            return _outcome_line(found)
        return say("fixes.no-outcome-yet", handle=handle(HandleKind.INBOUND, row), time=duration(seconds))


def unanswered(newest_first: Sequence[StoredInbound], people: frozenset[str]) -> list[StoredInbound]:
    """Return what was not answered since the last answer, newest first; only messages whose text is kept."""
    found: list[StoredInbound] = []
    seen: set[str] = set()
    for stored in newest_first:
        # what got another turn, or was changed, is there once more
        message = stored.inbound.message_id
        if message in seen:
            continue
        seen.add(message)
        if people and stored.inbound.author.user_id not in people:
            continue
        if stored.outcome is Outcome.REPLIED:
            break
        if _is_open(stored):
            found.append(stored)
    return found


def _is_open(stored: StoredInbound) -> bool:
    return (
        stored.outcome in _UNANSWERED_OUTCOMES
        and stored.text_kept
        and stored.inbound.kind is InboundKind.MESSAGE
        and stored.disposition is not ArrivalDisposition.COMMAND
    )


def _outcome_line(stored: StoredInbound) -> str:
    took = duration(max(0, stored.outcome_at - stored.arrived_at) / 1000)
    name = handle(HandleKind.INBOUND, stored.id)
    if stored.outcome is Outcome.REPLIED:
        return say("fixes.answered-member", time=clock_time(stored.outcome_at), took=took)
    outcome = str(stored.outcome)
    if stored.outcome_reason:
        return say("fixes.ended-as-why", handle=name, outcome=outcome, why=stored.outcome_reason, took=took)
    return say("fixes.ended-as", handle=name, outcome=outcome, took=took)
