"""What people saw and the model does not, turn by turn, and the other way round. Pure; nobody's words are in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.context.transcript import parse_header
from bot.domain.base import FrozenModel
from bot.domain.channel import Turn
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import InboundKind, Message, TextPart
from bot.domain.turn import OutboxState, StoredOutbox, StoredTurn, ToolCallRecord, TurnStatus
from bot.prompts import render
from bot.sentences import say
from bot.text.text import quote_line

_MAX_HANDLES = 5
_MAX_DETAIL_CHARS = 60
_PUBLIC = frozenset({"reply", "notice", "command", "file"})


class PeopleOnly(StrEnum):
    """What stands, or stood, in the channel and is not in what the model is told."""

    GATED = "gated"
    UNREADABLE = "unreadable"
    LEFT_OUT = "left_out"
    SHORTENED = "shortened"
    NOT_TOLD = "not_told"
    EDITED = "edited"
    DELETED = "deleted"
    FILES_IN = "files_in"
    FILES_OUT = "files_out"
    BUTTONS = "buttons"
    NOTICE = "notice"
    COMMAND = "command"
    TRIED_AGAIN = "tried_again"


class ModelOnly(StrEnum):
    """What the model is told and nobody sees in the channel."""

    CALLS = "calls"
    SILENCE = "silence"
    NOT_DELIVERED = "not_delivered"
    UNCERTAIN = "uncertain"
    BLACKED_OUT = "blacked_out"
    OVERHEARD = "overheard"
    SUMMARY = "summary"
    RESULT = "result"


class VisibilityGap(FrozenModel):
    """One kind of thing that only one side has. `handles` open the first of them; `detail` names which, in short."""

    kind: PeopleOnly | ModelOnly
    count: int
    handles: tuple[str, ...] = ()
    detail: str = ""


class TurnGap(FrozenModel):
    """A turn, and what lies between both sides since the one before; `turn` is empty for what came after the last."""

    turn: str
    status: str
    at: int
    people: tuple[VisibilityGap, ...] = ()
    model: tuple[VisibilityGap, ...] = ()


@dataclass(frozen=True)
class TurnTrail:
    """What is on record of a turn: the messages that came since the one before, what was sent, what tools were called.

    `turn` is None for what came after the last one.
    """

    turn: StoredTurn | None
    inbounds: tuple[StoredInbound, ...]
    outbox: tuple[StoredOutbox, ...]
    calls: tuple[ToolCallRecord, ...]


@dataclass(frozen=True)
class ToldMessages:
    """What a request tells the model: its messages, and the turns of the channel, those that were left out too."""

    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    left_out: frozenset[int]

    def shows(self, inbound: int) -> Message | None:
        """Return the message in which an inbound is told."""
        return next((message for message in self.messages if message.inbound == inbound), None)

    @property
    def stood_for(self) -> frozenset[int]:
        """The turns that summaries stand for."""
        return frozenset(turn for m in self.messages if m.summary is not None for turn in m.summary.turns)

    def calls_of(self, turn: int) -> int:
        """Return how many calls of a turn are told as they were."""
        found = next((one for one in self.turns if one.id == turn and one.id not in self.left_out), None)
        return sum(len(message.calls) for message in found.messages) if found is not None else 0


def turn_gaps(trails: Sequence[TurnTrail], told: ToldMessages) -> tuple[TurnGap, ...]:
    """Compare both sides turn by turn, oldest first; a turn of which both know the same has nothing in it."""
    return tuple(_turn_gap(trail, told) for trail in trails)


def gap_text(found: TurnGap) -> str:
    """Write what lies between both sides in one turn."""
    return render("cortex/gap", gap=found)


def _turn_gap(trail: TurnTrail, told: ToldMessages) -> TurnGap:
    turn = trail.turn
    return TurnGap(
        turn=handle(HandleKind.TURN, turn.id) if turn else "",
        status=turn.status.value if turn else "",
        at=turn.started_at if turn else max((one.arrived_at for one in trail.inbounds), default=0),
        people=_joined((*_heard_only(trail, told), *_seen_only(trail))),
        model=_joined(_told_only(trail, told)),
    )


def _heard_only(trail: TurnTrail, told: ToldMessages) -> Iterator[VisibilityGap]:
    """Yield what people wrote, or did, that the model does not know, or knows otherwise."""
    for stored in trail.inbounds:
        name = handle(HandleKind.INBOUND, stored.id)
        kind = _unheard(stored, told)
        if kind is not None:
            yield VisibilityGap(kind=kind, count=1, handles=(name,), detail=_why(stored, kind))
        shown = told.shows(stored.id)
        hidden = _hidden(stored, shown) if stored.inbound.attachments else 0
        if kind is None and hidden > 0:
            yield VisibilityGap(kind=PeopleOnly.FILES_IN, count=hidden, handles=(name,))


def _hidden(stored: StoredInbound, shown: Message | None) -> int:
    """Count the files that came with a message and that its header does not name as seen."""
    last = shown.parts[-1] if shown is not None and shown.parts else None
    headed = parse_header(last.text) if isinstance(last, TextPart) else None
    if headed is None:
        return len(stored.inbound.attachments) - (len(shown.parts) - 1 if shown is not None else 0)
    files = headed.header.get("files")
    return sum(one.get("seen") != "above" for one in files) if isinstance(files, list) else 0


def _unheard(stored: StoredInbound, told: ToldMessages) -> PeopleOnly | None:
    inbound = stored.inbound
    if inbound.kind in {InboundKind.EVENT, InboundKind.RESULT}:
        return None
    if inbound.kind in _CHANGES:
        return _CHANGES[inbound.kind]
    if stored.disposition is ArrivalDisposition.COMMAND:
        return PeopleOnly.COMMAND
    if stored.outcome is Outcome.GATED:
        return PeopleOnly.GATED
    if told.shows(stored.id) is not None:
        return None if inbound.text or inbound.attachments or not stored.text_kept else PeopleOnly.UNREADABLE
    if stored.turn in told.left_out:
        return PeopleOnly.LEFT_OUT
    return PeopleOnly.SHORTENED if stored.turn and stored.turn in told.stood_for else PeopleOnly.NOT_TOLD


_CHANGES = {InboundKind.EDIT: PeopleOnly.EDITED, InboundKind.DELETE: PeopleOnly.DELETED}


def _why(stored: StoredInbound, kind: PeopleOnly) -> str:
    if kind is PeopleOnly.GATED:
        return quote_line(stored.outcome_reason, _MAX_DETAIL_CHARS)
    if kind is PeopleOnly.NOT_TOLD:
        return stored.outcome.value if stored.outcome else say("gap.on-its-way")
    return ""


def _seen_only(trail: TurnTrail) -> Iterator[VisibilityGap]:
    """Yield what was sent to the channel that the model is not told of."""
    for row in trail.outbox:
        body, name = row.body, (handle(HandleKind.DELIVERY, row.row),)
        if row.state is not OutboxState.SENT or body.to.private_to or body.kind not in _PUBLIC:
            continue
        if body.kind in {"notice", "command"}:
            kind = PeopleOnly.NOTICE if body.kind == "notice" else PeopleOnly.COMMAND
            yield VisibilityGap(kind=kind, count=1, handles=name)
        if body.file is not None:
            yield VisibilityGap(kind=PeopleOnly.FILES_OUT, count=1, handles=name)
        if body.buttons:
            yield VisibilityGap(kind=PeopleOnly.BUTTONS, count=len(body.buttons), handles=name)
        if row.attempts > 1:
            tries = say("gap.tries", count=row.attempts)
            yield VisibilityGap(kind=PeopleOnly.TRIED_AGAIN, count=1, handles=name, detail=tries)


def _told_only(trail: TurnTrail, told: ToldMessages) -> Iterator[VisibilityGap]:
    """Yield what the model is told that people did not see."""
    if trail.turn is not None:
        yield from _thought_in(trail.turn, trail.calls, told)
    for row in trail.outbox:
        kind = _believed(row)
        if kind is not None:
            yield VisibilityGap(kind=kind, count=1, handles=(handle(HandleKind.DELIVERY, row.row),))
    for stored in trail.inbounds:
        if stored.inbound.kind is InboundKind.RESULT and told.shows(stored.id) is not None:
            yield VisibilityGap(kind=ModelOnly.RESULT, count=1, handles=(handle(HandleKind.INBOUND, stored.id),))
        if stored.disposition is ArrivalDisposition.AMBIENT and told.shows(stored.id) is not None:
            yield VisibilityGap(kind=ModelOnly.OVERHEARD, count=1, handles=(handle(HandleKind.INBOUND, stored.id),))


def _thought_in(turn: StoredTurn, calls: Sequence[ToolCallRecord], told: ToldMessages) -> Iterator[VisibilityGap]:
    for call in calls[: told.calls_of(turn.id)]:
        name = handle(HandleKind.CALL, call.record_id)
        yield VisibilityGap(
            kind=ModelOnly.CALLS, count=1, handles=(name,), detail=quote_line(call.tool_name, _MAX_DETAIL_CHARS)
        )
    if turn.status is TurnStatus.SKIPPED:
        yield VisibilityGap(kind=ModelOnly.SILENCE, count=1, handles=(handle(HandleKind.TURN, turn.id),))
    if turn.id in told.stood_for:
        yield VisibilityGap(kind=ModelOnly.SUMMARY, count=1)


def _believed(row: StoredOutbox) -> ModelOnly | None:
    """Say what the model takes for said that people did not read so."""
    if row.body.kind != "reply":
        return None
    if row.state is OutboxState.DEAD:
        return ModelOnly.NOT_DELIVERED
    if row.state is OutboxState.UNCERTAIN:
        return ModelOnly.UNCERTAIN
    return ModelOnly.BLACKED_OUT if row.body.redacted else None


def _joined(found: Iterator[VisibilityGap] | tuple[VisibilityGap, ...]) -> tuple[VisibilityGap, ...]:
    """Put things of one kind together, in the order in which each kind came first."""
    kinds: dict[PeopleOnly | ModelOnly, list[VisibilityGap]] = {}
    for gap in found:
        kinds.setdefault(gap.kind, []).append(gap)
    return tuple(
        VisibilityGap(
            kind=kind,
            count=sum(gap.count for gap in some),
            handles=tuple(dict.fromkeys(name for gap in some for name in gap.handles))[:_MAX_HANDLES],
            detail=", ".join(list(dict.fromkeys(gap.detail for gap in some if gap.detail))[:_MAX_HANDLES]),
        )
        for kind, some in kinds.items()
    )
