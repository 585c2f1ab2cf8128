"""Find what was said and is told to the model no more: what compactions took out, and what a fresh start put away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence

from bot.context.transcript import parse_header
from bot.diagnostics.evidence.evidence import DroppedMessages, FreshChat, SaidMessage, TurnEvidence
from bot.domain.compaction import SummaryType
from bot.domain.finding import UndoCompaction
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.messages import AuthorKind, InboundKind, Message, Role, TextPart
from bot.mind.denied_facts import denials
from bot.ports.compactions import CompactionState, StoredCompaction
from bot.ports.store import Store

_MAX_COMPACTIONS = 20
_MAX_READ = 6
"""Of how many compactions the sources are read."""
_MAX_MESSAGES = 200
_MAX_RECENT = 100
_ANSWER_KIND = "reply"
_NOT_SAID = frozenset({Outcome.COMMAND, Outcome.SUPERSEDED})


async def dropped_before(
    store: Store,
    key: ChannelKey,
    about: StoredInbound | None,
    turn: TurnEvidence | None,
    fresh: FreshChat | None,
    *,
    asked: bool,
) -> tuple[DroppedMessages, ...]:
    """Return what is gone since before a message that was answered, the newest first.

    Read only where the answer denies something, or where somebody asks whether the bot knew.
    """
    if about is None or turn is None or about.outcome is not Outcome.REPLIED:
        return ()
    said = "\n".join(row.body.text for row in turn.outbox if row.body.kind == _ANSWER_KIND)
    if not asked and not denials(said):
        return ()
    found = [one async for one in _compacted(store, key, about)]
    if fresh is not None:
        earlier = [one for one in await store.ledger.recent(key, _MAX_RECENT) if one.arrived_at < fresh.at]
        found.append(DroppedMessages(at=fresh.at, messages=_heard(earlier), audit=fresh.audit, by=fresh.name))
    return tuple(sorted((one for one in found if one.messages), key=lambda one: -one.at))


async def _compacted(store: Store, key: ChannelKey, about: StoredInbound) -> AsyncIterator[DroppedMessages]:
    recent = await store.compactions.recent(key, _MAX_COMPACTIONS)
    standing = [one for one in recent if one.state.stands and one.body.at <= (about.outcome_at or about.arrived_at)]
    for one in standing[:_MAX_READ]:
        sides = await store.compactions.sides(one.id)
        yield DroppedMessages(
            at=one.body.at,
            messages=_taken(sides.before),
            compaction=one.id,
            emergency=one.body.type is SummaryType.EMERGENCY,
            missing=one.body.missing,
            failed=_failed_before(recent, one),
            undoable=await store.offers.is_current(UndoCompaction(compaction=one.id)),
        )


def _failed_before(newest_first: Sequence[StoredCompaction], one: StoredCompaction) -> int:
    """Count the compactions right before one that failed."""
    count = 0
    for earlier in newest_first[newest_first.index(one) + 1 :]:
        if earlier.state is not CompactionState.FAILED:
            break
        count += 1
    return count


def _taken(messages: Iterable[Message]) -> tuple[SaidMessage, ...]:
    return tuple(said for message in messages if (said := _said(message)) is not None)[-_MAX_MESSAGES:]


def _said(message: Message) -> SaidMessage | None:
    """Return what a person said in a message of the conversation."""
    last = message.parts[-1] if message.parts else None
    if message.role is not Role.USER or not message.inbound or message.author is None or not isinstance(last, TextPart):
        return None
    headed = parse_header(last.text)
    name = handle(HandleKind.INBOUND, message.inbound)
    return SaidMessage(handle=name, author=message.author.name, text=headed.text) if headed is not None else None


def _heard(earlier: Sequence[StoredInbound]) -> tuple[SaidMessage, ...]:
    return tuple(
        SaidMessage(handle=handle(HandleKind.INBOUND, one.id), author=one.inbound.author.name, text=one.inbound.text)
        for one in earlier
        if one.inbound.kind in {InboundKind.MESSAGE, InboundKind.EDIT}
        and one.inbound.author.kind is not AuthorKind.SELF
        and one.outcome not in _NOT_SAID
    )
