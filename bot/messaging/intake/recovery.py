"""Decide, after a start, what becomes of messages that an earlier process left without an outcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import structlog

from bot.agent.turn.ending import failed_result, failure_notice
from bot.context.transcript import as_message
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import DELETED, ArrivalDisposition, FailReason, LedgerStage, Outcome, Settlement, StoredInbound
from bot.domain.messages import InboundKind, Message, OutboundAddress, Role, TextPart
from bot.domain.process import process_of
from bot.domain.recovery_scope import RecoveryScope
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox, StoredTurn, TurnEnd, TurnStatus
from bot.errors import DamagedRow, StoreError
from bot.messaging.channels.queues import AmbientMessage, QueuedAmendment
from bot.messaging.delivery.previews import LeftPreviews
from bot.messaging.intake.edit_tracker import EditTracker
from bot.messaging.intake.left_work import LeftWork
from bot.messaging.policy.languages import Languages
from bot.ports.clock import Clock
from bot.ports.ledger import Ledger
from bot.ports.store import Store
from bot.sentences import said_in

log = structlog.get_logger(__name__)

_MAX_TURNS = 3
"""A message whose turns ended with the process this often is not tried again: it may be what ends it."""

_GIVEN_UP = frozenset({Outcome.FAILED, Outcome.INTERRUPTED})
_UNSENT = frozenset({OutboxState.NEW, OutboxState.SENDING})

Owed = Callable[[StoredTurn], Awaitable[NewOutbox | None]]
"""Says what is still to be said about a turn of the cortex that ended with its process."""


class UnsettledMessage(NamedTuple):
    """A message without an outcome, the turn that had taken it, its outbox rows, and how many turns it had."""

    stored: StoredInbound
    turn: StoredTurn | None
    outbox: tuple[StoredOutbox, ...]
    turns: int


class RecoveredOutcome(NamedTuple):
    """What is written down for a message that was cut off."""

    outcome: Outcome
    reason: str


_NOT_KEPT = RecoveredOutcome(Outcome.INTERRUPTED, "its text is no longer kept")


class RecoveryResult(NamedTuple):
    """What was found at a start: messages to run again, events to follow, outcomes written, turns closed.

    `waiting_for_delivery` counts messages whose answer was ready; `uncertain` chunks that may have arrived. `cut_off`
    are commands that have no outcome yet: who gave one is told first, and neither is it run again.
    """

    again: tuple[StoredInbound, ...] = ()
    settled: tuple[Settlement, ...] = ()
    closed_turns: int = 0
    waiting_for_delivery: int = 0
    uncertain: int = 0
    previews: LeftPreviews = LeftPreviews()
    events: tuple[StoredInbound, ...] = ()
    cut_off: tuple[StoredInbound, ...] = ()


def judge(left: UnsettledMessage) -> RecoveredOutcome | bool:
    """Return an outcome, True to run it again, or False to leave it to the delivery that is still to come.

    Once a turn has an outbox row it is never run again.
    """
    stored = left.stored
    if stored.disposition is ArrivalDisposition.EVENT:
        return True
    if stored.disposition is not ArrivalDisposition.QUEUE:
        return RecoveredOutcome(Outcome.INTERRUPTED, "the bot was stopped before this was done")
    if left.turn is not None and left.turn.has_outbox:
        return _after_outbox(left)
    if left.turn is not None and left.turn.status not in {TurnStatus.RUNNING, TurnStatus.INTERRUPTED}:
        return RecoveredOutcome(Outcome.INTERRUPTED, f"its turn ended as {left.turn.status} and left no outcome")
    if not stored.text_kept:
        return _NOT_KEPT
    if left.turns >= _MAX_TURNS:
        return RecoveredOutcome(
            Outcome.FAILED, f"{FailReason.INTERNAL}: the bot was stopped in {left.turns} turns of this message"
        )
    return True


def _after_outbox(left: UnsettledMessage) -> RecoveredOutcome | bool:
    turn, stored = left.turn, left.stored
    assert turn is not None
    newest = max(turn.inbounds, default=stored.id)
    if stored.id != newest:
        return RecoveredOutcome(Outcome.SUPERSEDED, f"coalesced into {handle(HandleKind.INBOUND, newest)}")
    replies = [row for row in left.outbox if row.body.kind == "reply"]
    states = {row.state for row in replies}
    if states & _UNSENT:
        return False
    if OutboxState.UNCERTAIN in states:
        return RecoveredOutcome(Outcome.UNCERTAIN, f"{FailReason.SEND}:cut")
    if _has_whole_text(replies):
        return RecoveredOutcome(Outcome.REPLIED, "")
    if OutboxState.DEAD in states:
        return RecoveredOutcome(Outcome.FAILED, f"{FailReason.SEND}:refused")
    return RecoveredOutcome(Outcome.INTERRUPTED, "the bot was stopped during its turn")


def _has_whole_text(replies: Sequence[StoredOutbox]) -> bool:
    """Say whether one text arrived with all of its parts, which have consecutive numbers."""
    cut = {row.row - row.body.part for row in replies if row.state is not OutboxState.SENT}
    return any(row.row - row.body.part not in cut for row in replies)


async def resume(left_work: LeftWork, clock: Clock, owed: Owed, languages: Languages) -> RecoveryResult:
    """Close what a dead process left open and say what must run again; run before anything else may arrive there."""
    store, channels = left_work.store, left_work.scope.channels
    running = await left_work.turns()
    await store.checkpoints.interrupt(clock.now(), channels)
    await store.journal.lose_calls(clock.now(), channels)
    again: list[StoredInbound] = []
    given_up: list[StoredInbound] = []
    cut_off: list[StoredInbound] = []
    settled: list[Settlement] = []
    waiting = 0
    results: list[tuple[StoredInbound, RecoveredOutcome | bool]] = []
    for stored in await left_work.messages():
        left = await _look(store, stored, running)
        verdict = judge(left)
        if verdict == _NOT_KEPT and await _was_deleted(store, stored):
            verdict = RecoveredOutcome(Outcome.SUPERSEDED, DELETED)
        results += [(stored, verdict)] if stored.inbound.kind is InboundKind.RESULT else []
        if stored.disposition is ArrivalDisposition.COMMAND and not left.outbox:
            cut_off.append(stored)
        elif isinstance(verdict, RecoveredOutcome):
            given_up += [stored] if _waits_in_vain(left, verdict) else []
            settled.append(stored.settled(clock.now(), verdict.outcome, verdict.reason))
        elif verdict:
            again.append(stored)
        else:
            waiting += 1
    events = tuple(one for one in again if one.inbound.event is not None)
    again, replaced = _newest_forms([one for one in again if one.inbound.event is None], clock.now())
    settled += replaced
    for turn in running:
        await _close(store, await interrupted(store, turn, owed, clock.now()))
    await _apologise(left_work, given_up, clock.now(), languages)
    await store.ledger.settle(settled)
    await _after_results(store, results, clock.now())
    previews = await _left_previews(left_work, clock.now(), again, languages)
    return RecoveryResult(tuple(again), tuple(settled), len(running), waiting, 0, previews, events, tuple(cut_off))


async def close_talks(left_work: LeftWork, clock: Clock, owed: Owed) -> list[StoredOutbox]:
    """End what a process that is over did for admins whose private chat another one has; return what is to be said."""
    rows: list[StoredOutbox] = []
    for turn in await left_work.turns():
        if turn.session:
            rows += await _close(left_work.store, await interrupted(left_work.store, turn, owed, clock.now()))
    return rows


async def _was_deleted(store: Store, stored: StoredInbound) -> bool:
    newest = await store.ledger.by_message(stored.key, stored.inbound.message_id)
    return newest is not None and newest.inbound.kind is InboundKind.DELETE


def _waits_in_vain(left: UnsettledMessage, ended: RecoveredOutcome) -> bool:
    """Say whether somebody asked, gets no answer, and has read nothing of that yet."""
    inbound = left.stored.inbound
    is_talk = inbound.event is None and inbound.kind is not InboundKind.RESULT
    is_asked = left.stored.disposition is ArrivalDisposition.QUEUE and is_talk
    return is_asked and ended.outcome in _GIVEN_UP and not left.outbox


async def _after_results(
    store: Store, results: Sequence[tuple[StoredInbound, RecoveredOutcome | bool]], now: int
) -> None:
    """See to results whose turn ended with the process: what was told of is told, what came to nothing waits."""
    lost = [one for one, verdict in results if isinstance(verdict, RecoveredOutcome) and verdict.outcome in _GIVEN_UP]
    told = [one for one, verdict in results if verdict is not True and one not in lost]
    if lost:
        await store.processes.put_back([process_of(one.inbound) for one in lost])
    if told:
        await store.processes.relayed([process_of(one.inbound) for one in told], now)


async def _apologise(left_work: LeftWork, given_up: Sequence[StoredInbound], now: int, languages: Languages) -> None:
    """Keep a notice for each message that is given up; one whose preview people see gets it there instead."""
    if not given_up:
        return
    store = left_work.store
    shown = {preview.body.inbound for preview in await left_work.previews() if preview.receipt is not None}
    for stored in given_up:
        if stored.id not in shown:
            text = said_in(languages.of_answer(stored.inbound), _interrupted)
            to = OutboundAddress(platform=stored.inbound.adapter, channel=stored.key.channel)
            answers = {"inbound": stored.id, "replies_to": stored.inbound.message_id}
            await store.outbox.put([NewOutbox(kind="notice", to=to, text=text, **answers)], (), now)


def _interrupted() -> str:
    return failure_notice(failed_result(FailReason.INTERNAL, "interrupted"))


async def _left_previews(
    left_work: LeftWork, now: int, again: Sequence[StoredInbound], languages: Languages
) -> LeftPreviews:
    """Decide about the open previews; one whose answer is given up becomes the notice of that."""
    asked = {(one.inbound.channel, one.inbound.answered) for one in again}
    store = left_work.store
    continued, stale = [], []
    for preview in await left_work.previews():
        if preview.receipt is None:
            await store.previews.ended(preview.row, "cut off while it was posted", ())
        elif (preview.body.to.channel, preview.body.replies_to) in asked:
            continued.append(preview)
        elif await _is_given_up(store, preview):
            text = said_in(await _language_of(store, preview, languages), _interrupted)
            changes = {"kind": "notice", "text": text, "edits": preview.receipt.message_id}
            await store.outbox.put([preview.body.model_copy(update=changes)], (), now)
        else:
            stale.append(preview)
    return LeftPreviews(tuple(continued), tuple(stale))


async def _language_of(store: Store, preview: StoredOutbox, languages: Languages) -> str:
    try:
        return await languages.of_reader(preview.body, store.ledger)
    except DamagedRow:
        return languages.spoken_in(preview.body.to.channel)


async def _is_given_up(store: Store, preview: StoredOutbox) -> bool:
    try:
        stored = await store.ledger.inbound(preview.body.inbound)
    except DamagedRow:
        return True  # it cannot be answered any more
    return stored is not None and stored.outcome in _GIVEN_UP


async def catch_up(
    ledger: Ledger, changes: EditTracker, since: int, keep: int, scope: RecoveryScope
) -> list[AmbientMessage | QueuedAmendment]:
    """Return what an earlier process took in and may not have put into the history; doing it twice changes nothing.

    Afterwards `changes` knows the newest form of everything that was edited, for what is run again.
    """
    try:
        found = await ledger.unheard(since, keep, scope.channels)
    except StoreError as error:
        # it would make later answers better, but none of them depends on it
        log.error("unheard_not_read", error=str(error))
        return []
    for stored in found:
        if stored.inbound.kind is not InboundKind.MESSAGE:
            changes.note(stored.inbound)
    return [work for stored in found if (work := _missed(stored, changes)) is not None]


def _missed(stored: StoredInbound, changes: EditTracker) -> AmbientMessage | QueuedAmendment | None:
    if stored.disposition is ArrivalDisposition.AMBIENT:
        return AmbientMessage(stored)
    is_newest = changes.of(stored.inbound) == stored.inbound
    return QueuedAmendment(stored) if is_newest and stored.disposition is ArrivalDisposition.AMEND else None


async def _look(store: Store, stored: StoredInbound, running: Sequence[StoredTurn]) -> UnsettledMessage:
    if not stored.turn:
        is_command = stored.disposition is ArrivalDisposition.COMMAND
        return UnsettledMessage(stored, None, tuple(await store.outbox.of_inbound(stored.id)) if is_command else (), 0)
    turn = next((turn for turn in running if turn.id == stored.turn), None) or await store.journal.turn(stored.turn)
    try:
        trail = await store.ledger.trail(stored.id)
    except DamagedRow:
        trail = None
    turns = sum(row.stage is LedgerStage.TURN for row in trail.stages) if trail else 0
    return UnsettledMessage(stored, turn, tuple(await store.outbox.of_inbound(stored.id)), turns)


def _newest_forms(found: list[StoredInbound], now: int) -> tuple[list[StoredInbound], list[Settlement]]:
    """Keep the newest form of each message, where its original stood.

    The process may have died before it retired the original of an edit.
    """
    newest = {(one.key, one.inbound.message_id): one.id for one in found}
    kept = [one for one in found if newest[one.key, one.inbound.message_id] == one.id]
    gone = [
        one.settled(now, Outcome.SUPERSEDED, "edited")
        for one in found
        if newest[one.key, one.inbound.message_id] != one.id
    ]
    return sorted(kept, key=_place), gone


def _place(one: StoredInbound) -> tuple[int, int, str]:
    """Order messages as they were said; an edit has the time and the id of what it replaced."""
    name = one.inbound.message_id
    return one.inbound.sent_at, len(name), name


async def _close(store: Store, end: TurnEnd) -> Sequence[StoredOutbox]:
    try:
        return await store.journal.end_turn(end)
    except DamagedRow as error:
        # its channel cannot be opened; the others can, and the bot has to start for them
        log.error("turn_not_closed", turn=end.turn, error=str(error))
        return ()


async def interrupted(store: Store, turn: StoredTurn, owed: Owed, now: int) -> TurnEnd:
    """Return the end of a turn that died with its process: once, however often the recovery itself is killed.

    An inspection gets the one report that it owes. A turn that had spoken leaves what was asked and what was said as
    history; the memories that it had staged are lost, and so are the files that came with the question. Its tool calls
    are on record: the recap tells of them.
    """
    is_channel = turn.kind is ProcessKind.CHANNEL
    lost = await _lost_calls(store, turn) if is_channel else ()
    report = await owed(turn) if turn.session else None
    return TurnEnd(
        turn=turn.id,
        agent=turn.agent,
        channel=turn.channel,
        at=now,
        status=TurnStatus.INTERRUPTED,
        reason="the process ended during this turn",
        messages=await _said_in(store, turn) if is_channel else (),
        outbox=(report,) if report else (),
        lost_calls=lost,
        drops_staged=True,
    )


async def _lost_calls(store: Store, turn: StoredTurn) -> tuple[int, ...]:
    """Return which turns of a channel made calls that its history does not show, with one that died among them."""
    try:
        state = await store.channels.load(turn.key)
    except DamagedRow:
        return ()  # the channel cannot be opened either
    # imported here: few starts find a turn that was cut off, and it brings along everything that compacts
    from bot.context.recap import still_lost

    return still_lost(state, turn.id, lost=await store.journal.asked_for_tools(turn.id)) if state is not None else ()


async def _said_in(store: Store, turn: StoredTurn) -> tuple[Message, ...]:
    """Return what was asked in a turn and what was said, or is on its way; nothing where nothing was."""
    rows = await store.outbox.of_inbound(turn.inbounds[-1]) if turn.inbounds else ()
    replies = [row for row in rows if row.body.turn == turn.id and row.body.kind == "reply" and row.body.text]
    said = [_words(row) for row in replies if row.state is not OutboxState.DEAD]
    if not said:
        return ()
    asked = [await _asked(store, row) for row in turn.inbounds]
    return (*(message for message in asked if message is not None), *said)


async def _asked(store: Store, row: int) -> Message | None:
    try:
        stored = await store.ledger.inbound(row)
    except DamagedRow:
        return None  # it is on the list of damage; what was said counts all the same
    return as_message(stored.id, stored.inbound, ambient=False) if stored is not None and stored.text_kept else None


def _words(row: StoredOutbox) -> Message:
    at = row.receipt.at if row.receipt else row.created_at
    return Message(role=Role.ASSISTANT, parts=(TextPart(text=row.body.text),), at=at)
