"""Which event caused a change among the messages. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.compaction import Summary
from bot.domain.handles import HandleKind, handle
from bot.domain.snapshot import Which
from bot.inspect.diff.change_events import Between, Epoch, EpochKind
from bot.inspect.diff.diff import Change, Diff
from bot.inspect.diff.sides import Piece, Side

_FINISHED = frozenset({"replied", "skipped", ""})


def of_messages(change: Change, diff: Diff, between: Between) -> Iterator[Epoch]:
    """Explain a span: summaries and edits first, then what went, then what came."""
    yield from _summarised(change)
    yield from _edited(change, between)
    gone = _left(change.before, change.after, diff)
    if gone:
        yield from _gone(gone, change, diff, between)
    for piece in _left(change.after, change.before, diff):
        yield from _come(piece, diff)


def triggered(side: Side, what: str) -> Epoch:
    """Name the message that a request answers."""
    newest = _newest(side)
    if newest is not None and newest.origin and newest.origin.inbound:
        return Epoch(EpochKind.TRIGGER, what, newest.origin.at, handle(HandleKind.INBOUND, newest.origin.inbound))
    if side.which is Which.NEXT:
        return Epoch(EpochKind.TRIGGER, "the next message, not written yet")
    return Epoch(EpochKind.TRIGGER, what)


def asker(side: Side) -> str:
    """Return who wrote the message that a request answers (empty: nobody yet)."""
    newest = _newest(side)
    return newest.origin.author_id if newest is not None and newest.origin else ""


def _newest(side: Side) -> Piece | None:
    return side.messages[side.carrier] if 0 <= side.carrier < len(side.messages) else None


def _summarised(change: Change) -> Iterator[Epoch]:
    for piece in change.after:
        if summary := _summary(piece):
            yield Epoch(EpochKind.COMPACTION, _told(summary), summary.created_at, _compaction(summary))
    back = {piece.name for piece in change.after}
    for piece in change.before:
        if (summary := _summary(piece)) and back & set(summary.sources):
            yield Epoch(EpochKind.COMPACTION, f"{_told(summary)}, undone", 0, _compaction(summary))


def _told(summary: Summary) -> str:
    return f"{summary.type.value.replace('_', ' ')}, for {summary.count} messages"


def _compaction(summary: Summary) -> str:
    return handle(HandleKind.COMPACTION, summary.compaction) if summary.compaction else ""


def _edited(change: Change, between: Between) -> Iterator[Epoch]:
    rows, new = dict(between.edited), {key for piece in change.after if (key := _identity(piece))}
    for piece in change.before:
        if piece.origin and _identity(piece) in new:
            row = rows.get(piece.origin.message_id, piece.origin.inbound)
            name = handle(HandleKind.INBOUND, row) if row else ""
            yield Epoch(EpochKind.EDIT, "its author changed it", 0, name)


def _left(pieces: Sequence[Piece], others: Sequence[Piece], diff: Diff) -> tuple[Piece, ...]:
    """Return what neither a summary nor an edit explains."""
    kept = {key for piece in others if (key := _identity(piece))}
    summaries = [summary for piece in others if (summary := _summary(piece))]
    told = {name for summary in summaries for name in summary.sources}
    # names in files are of another kind: there, what gave way to a summary is what stood in its place
    all_told = bool(summaries) and diff.before.by_content
    return tuple(
        piece for piece in pieces if not (_summary(piece) or all_told or piece.name in told or _identity(piece) in kept)
    )


def _gone(gone: Sequence[Piece], change: Change, diff: Diff, between: Between) -> Iterator[Epoch]:
    before, after = diff.before, diff.after
    reset = between.order(frozenset({"new"}), EpochKind.RESET, "the conversation was begun anew")
    if reset and not change.first:
        yield from reset
        return
    if all(piece.origin and piece.origin.ambient for piece in gone):
        yield Epoch(EpochKind.WINDOW, "older talk that was not meant for the bot gave way to newer")
    elif len(after.dropped_turns) > len(before.dropped_turns) and not change.first:
        yield Epoch(EpochKind.WINDOW, f"{len(after.dropped_turns)} old turns do not fit any more")
    for turn, status in between.ended:
        lost = turn == before.sent.turn != after.sent.turn and status not in _FINISHED
        if lost and gone[-1].name == before.messages[-1].name:
            name = handle(HandleKind.TURN, turn)
            became = "still runs" if status == "running" else f"ended as {status}"
            yield Epoch(EpochKind.LOST, f"{name} {became}: it is not part of the history", 0, name)


def _come(piece: Piece, diff: Diff) -> Iterator[Epoch]:
    before, after, origin = diff.before, diff.after, piece.origin
    if piece is _newest(after):
        yield triggered(after, "the message that asks")
    elif after.sent.turn and after.sent.turn == before.sent.turn:
        yield Epoch(EpochKind.ROUND, "tool calls and their results", 0, handle(HandleKind.TURN, after.sent.turn))
    elif origin and origin.inbound:
        yield Epoch(EpochKind.TALK, "said since", origin.at, handle(HandleKind.INBOUND, origin.inbound))
    elif origin and origin.turn:
        yield Epoch(EpochKind.TALK, "answered since", 0, handle(HandleKind.TURN, origin.turn))
    elif len(after.dropped_turns) < len(before.dropped_turns):
        yield Epoch(EpochKind.WINDOW, "old turns fit again")
    else:
        yield Epoch(EpochKind.TALK, "said since", origin.at if origin else 0)


def _summary(piece: Piece) -> Summary | None:
    return piece.origin.summary if piece.origin else None


def _identity(piece: Piece) -> str:
    """Name a message by where it came from, whatever it says now; empty when that is not known."""
    origin = piece.origin
    if origin is None or origin.role != "user" or origin.summary:
        return ""
    # a file knows a message by its platform's name for it alone
    return f"m{origin.message_id}" if origin.message_id else f"i{origin.inbound}" if origin.inbound else ""
