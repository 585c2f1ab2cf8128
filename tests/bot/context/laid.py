"""Contexts laid out for comparing, as different readers see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.domain.channel import ChannelState
from bot.domain.messages import Message
from bot.domain.snapshot import CaptureKind, Trigger
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.diff.context_diff import ChangeKind, ContextChange, ContextDiff, RequestPart
from bot.inspect.diff.diff_side import DiffPiece, DiffSide, side_of
from bot.inspect.usage.export import export
from bot.text.redaction import Redactor
from tests.fakes.clock import START
from tests.fakes.contexts import LIMITS, Looking, Stack, ask
from tests.fakes.memories import FakeMemories
from tests.fakes.values import KEY, tool_definition

NOTHING = Redactor.of({})
EVERYTHING = CaptureReader(reads_content=True, operator=True)
BLIND = CaptureReader(reads_content=False)
EXPORTED = "2026-11-21T09:00:00+00:00"
Captured = tuple[ContextCapture, InspectedContext]


def cut(inspection: ContextCapture, reader: CaptureReader = EVERYTHING) -> Captured:
    return inspection, view_for_reader(inspection, reader, NOTHING)


async def sent(state: ChannelState, trigger: Trigger, rounds: tuple[Message, ...] = (), **changes: Any) -> Captured:
    """A request as a turn sends it, read back from the journal."""
    tools = changes.pop("tools", (tool_definition(),))
    stack = Stack(memories=FakeMemories(*changes.pop("memories", ())), **changes)
    look = Looking(state, stack)
    contexts = stack.contexts
    snapshot = await contexts.snapshot(ask(state, trigger, tools, LIMITS))
    if rounds:
        snapshot = contexts.extended(snapshot, rounds, snapshot.inputs.tool_choice)
    inspection = await look.inspector._of_snapshot(state, CaptureKind.IN_FLIGHT, snapshot)
    return cut(inspection)


async def coming(state: ChannelState, *memories: Any) -> Captured:
    """The next request."""
    look = Looking(state, Stack(memories=FakeMemories(*memories)))
    return cut(await look.inspector.inspect(KEY))


def side(captured: Captured, at: int = START, *, by_content: bool = False) -> DiffSide:
    return side_of(*captured, at, by_content=by_content)


def exported(captured: Captured) -> bytes:
    return export(captured[1], EXPORTED, "here")


def applied(diff: ContextDiff) -> DiffSide:
    """Do the changes to the first side; what comes out must be named as the second."""
    before = diff.before
    return DiffSide(
        **{
            **vars(before),
            "parameters": _valued(before.parameters, diff.changes),
            "sections": _placed(before.kept, _of(diff, RequestPart.SECTION)),
            "tools": _placed(before.tools, _of(diff, RequestPart.TOOL)),
            "messages": _spliced(before.messages, _of(diff, RequestPart.MESSAGES)),
        }
    )


def names(pieces: Sequence[DiffPiece]) -> list[tuple[str, str]]:
    return [(piece.label, piece.name) for piece in pieces]


def _of(diff: ContextDiff, part: RequestPart) -> list[ContextChange]:
    return [change for change in diff.changes if change.part is part]


def _valued(pieces: Sequence[DiffPiece], changes: Sequence[ContextChange]) -> tuple[DiffPiece, ...]:
    new = {change.label: change.after[0] for change in changes if change.part is RequestPart.PARAMETER}
    return tuple(new.get(piece.label, piece) for piece in pieces)


def _placed(pieces: Sequence[DiffPiece], changes: Sequence[ContextChange]) -> tuple[DiffPiece, ...]:
    """Take out, put other words in, then put in what is new or stands elsewhere, from the front."""
    found: list[DiffPiece | None] = list(pieces)
    for change in changes:
        if change.kind is ChangeKind.CHANGED:
            found[change.first] = change.after[0]
    for change in changes:
        if change.kind in {ChangeKind.REMOVED, ChangeKind.MOVED}:
            found[change.first] = None
    kept = [piece for piece in found if piece is not None]
    for change in sorted(
        (c for c in changes if c.kind in {ChangeKind.ADDED, ChangeKind.MOVED}), key=lambda c: c.second
    ):
        kept.insert(change.second, change.after[0])
    return tuple(kept)


def _spliced(pieces: Sequence[DiffPiece], changes: Sequence[ContextChange]) -> tuple[DiffPiece, ...]:
    found = list(pieces)
    for change in reversed(changes):
        if change.kind is not ChangeKind.MOVED:
            found[change.first : change.first + len(change.before)] = change.after
    return tuple(found)
