"""Which event caused a change, told from records alone; `unknown` where no record explains it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.domain.compaction import CompactionSummary
from bot.domain.handles import HandleKind, handle
from bot.domain.memory import Memory
from bot.domain.skill import skills_in
from bot.domain.snapshot import TOOLS_ON_DEMAND, CaptureKind, tools_named
from bot.inspect.diff.change_events import AuditedAction, ChangeRecords, EpochEvent, EpochKind
from bot.inspect.diff.context_diff import ChangeKind, ContextChange, ContextDiff, RequestPart
from bot.inspect.diff.diff_side import MAX_OUTPUT, MODEL, TOOL_CHOICE, DiffPiece, DiffSide
from bot.sentences import say

_MODES = frozenset({"active", "mention-only", "quiet"})
_RESTORED = frozenset({"restore memory", "undo forget memory"})
_FORGOTTEN = frozenset({"forget memory", "undo restore memory"})
_LOOKS_UP = "activate_skill"
_OPPOSITES = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}
_FINISHED = frozenset({"replied", "skipped", ""})
_LEFT_OUT = re.compile("left out")


def explain(change: ContextChange, diff: ContextDiff, between: ChangeRecords) -> tuple[EpochEvent, ...]:
    """Name what caused a change, the most certain first; at least one, `unknown` when no record explains it."""
    if diff.before.channel != diff.after.channel:
        return (EpochEvent(EpochKind.UNKNOWN, say("change_causes.different-channels")),)
    if diff.before.at > diff.after.at:
        # events run forward in time, whichever way round the two are compared
        change, diff = _turned(change), ContextDiff(diff.after, diff.before, ())
    match change.part:
        case RequestPart.PARAMETER:
            found = _of_parameter(change, diff, between)
        case RequestPart.SECTION:
            found = _of_section(change, diff, between)
        case RequestPart.TOOL:
            found = _of_tool(change, diff, between)
        case RequestPart.MESSAGES:
            found = explain_messages(change, diff, between)
    return tuple(dict.fromkeys(found)) or (EpochEvent(EpochKind.UNKNOWN, say("change_causes.no-record")),)


def _turned(change: ContextChange) -> ContextChange:
    return replace(
        change,
        kind=_OPPOSITES.get(change.kind, change.kind),
        first=change.second,
        second=change.first,
        before=change.after,
        after=change.before,
    )


def _of_parameter(change: ContextChange, diff: ContextDiff, between: ChangeRecords) -> Iterator[EpochEvent]:
    before, after = diff.before.sent, diff.after.sent
    if change.label == TOOL_CHOICE:
        yield EpochEvent(EpochKind.ROUND, say("change_causes.last-round"))
    elif change.label in {MODEL, MAX_OUTPUT}:
        if after.cause:
            failed = handle(HandleKind.REQUEST, after.cause)
            yield EpochEvent(EpochKind.MODEL, say("change_causes.usual-model-failed"), 0, failed)
        elif before.cause:
            name = handle(HandleKind.REQUEST, before.row)
            yield EpochEvent(EpochKind.MODEL, say("change_causes.another-stood-in"), 0, name)
        else:
            set_here = between.order(frozenset({"model"}), EpochKind.MODEL, say("change_causes.somebody-set-it"))
            keys = ("model", f"channels.{diff.after.channel}")
            taken = between.reload(keys, say("change_causes.model-reload"))
            yield from set_here or taken or between.start(EpochKind.CONFIG, say("change_causes.model-start"))


def _of_section(change: ContextChange, diff: ContextDiff, between: ChangeRecords) -> Iterator[EpochEvent]:
    pieces = (*change.before, *change.after)
    sources = tuple(dict.fromkeys(source for piece in pieces for source in piece.sources))
    if change.kind is ChangeKind.MOVED:
        yield from between.start(EpochKind.RESTART, say("change_causes.section-order"))
        return
    if change.moving:
        yield trigger_name(diff.after, say("change_causes.written-for-newest"))
        return
    yield from _squeezed(change, diff)
    yield from _of_skills(change, between)
    if _memory_names(pieces):
        yield from _of_memories(change, between)
    yield from _by_source(sources, diff.after.channel, between)


def _of_skills(change: ContextChange, between: ChangeRecords) -> Iterator[EpochEvent]:
    """Name the skills that came, went or changed, and the order that switched one."""
    old, new = (
        skills_in(source for piece in some for source in piece.sources) for some in (change.before, change.after)
    )
    files = {**old, **new}
    if not files:
        return
    yield from between.order(frozenset({"skills"}), EpochKind.SKILL, say("change_causes.skill-switched"))
    for name in sorted(files):
        if old.get(name) != new.get(name):
            how = "added" if name not in old else "gone" if name not in new else "changed"
            file = files[name].partition(" ")[2]
            yield EpochEvent(EpochKind.SKILL, say("change_causes.skill-changed", name=name, how=how, file=file))


def _squeezed(change: ContextChange, diff: ContextDiff) -> Iterator[EpochEvent]:
    """Explain a section that was left out of one of the two to make it fit."""
    for side in (diff.before, diff.after):
        piece = next((piece for piece in side.sections if piece.label == change.label), None)
        if piece is not None and _LEFT_OUT.match(piece.missing):
            yield EpochEvent(EpochKind.WINDOW, piece.missing)


def _by_source(sources: Sequence[str], channel: str, between: ChangeRecords) -> Iterator[EpochEvent]:
    """Go by what a section is made of; where several things could have changed, by the one that a record shows."""
    kinds = {source.partition(":")[0] for source in sources}
    if "store:channel" in sources:
        yield EpochEvent(EpochKind.CHANNELS, say("change_causes.channel-met"))
    if "channel:settings.mode" in sources:
        yield from _mode(between, channel)
    elif "config" in kinds:
        keys = _listed(sources, "config:")
        named = [source.removeprefix("config:") for source in sources if source.startswith("config:")]
        if taken := between.reload(named, say("change_causes.keys-reload", keys=keys)):
            yield from taken
            return
        # templates are read once: without a start in between, only what the configuration says can have changed
        again = EpochEvent(EpochKind.CONFIG, say("change_causes.keys-while-running", keys=keys))
        reloaded = (again,) if between.ran_on else ()
        yield from between.start(EpochKind.CONFIG, say("change_causes.keys-start", keys=keys)) or reloaded
    elif "file" in kinds:
        yield from between.start(EpochKind.RESTART, say("change_causes.its-template"))


def _mode(between: ChangeRecords, channel: str) -> Iterator[EpochEvent]:
    settings = between.settings
    if ordered := between.order(_MODES, EpochKind.MODE, say("change_causes.somebody-set-it")):
        yield from ordered
    elif settings is not None and settings.mode_by is not None and between.holds(settings.mode_at):
        yield EpochEvent(EpochKind.MODE, say("change_causes.mode-set", mode=settings.mode.value), settings.mode_at)
    else:
        taken = between.reload((f"channels.{channel}",), say("change_causes.mode-reload"))
        yield from taken or between.start(EpochKind.CONFIG, say("change_causes.mode-start"))


def _of_memories(change: ContextChange, between: ChangeRecords) -> Iterator[EpochEvent]:
    old, new = _memory_names(change.before), _memory_names(change.after)
    known = {handle(HandleKind.MEMORY, memory.id): memory for memory in between.memories}
    yield from (_saved(name, memory) for name, memory in known.items() if between.holds(memory.body.created_at))
    for name, audit in _audited(between, _RESTORED):
        if name in new - old:
            restored = say("change_causes.restored", memory=name)
            yield EpochEvent(EpochKind.MEMORY_RESTORED, restored, audit.at, _done(audit))
    by_admins = dict(_audited(between, _FORGOTTEN))
    # one that was not shown counts too: how many there are is said as well
    for name in sorted((known.keys() | old) - new):
        if audit_row := by_admins.get(name):
            forgotten = say("change_causes.forgotten-by-admin", memory=name)
            yield EpochEvent(EpochKind.MEMORY_FORGOTTEN, forgotten, audit_row.at, _done(audit_row))
        elif memory := known.get(name):
            yield from _faded(name, memory, between, was_shown=name in old)


def _faded(name: str, memory: Memory, between: ChangeRecords, *, was_shown: bool) -> Iterator[EpochEvent]:
    if memory.forgotten_at and (was_shown or between.holds(memory.forgotten_at)):
        forgotten = say("change_causes.forgotten", memory=name)
        yield EpochEvent(EpochKind.MEMORY_FORGOTTEN, forgotten, memory.forgotten_at, name)
    elif was_shown and memory.id in between.replaced:
        yield EpochEvent(EpochKind.MEMORY_REPLACED, say("change_causes.brought-up-to-date", memory=name), 0, name)


def _audited(between: ChangeRecords, actions: frozenset[str]) -> Iterator[tuple[str, AuditedAction]]:
    return ((audit.detail, audit) for audit in between.audits if audit.action in actions)


def _saved(name: str, memory: Memory) -> EpochEvent:
    caused = memory.body.provenance.inbound
    if caused:
        what = say("change_causes.saved-because", memory=name, message=handle(HandleKind.INBOUND, caused))
    else:
        what = say("change_causes.saved", memory=name)
    return EpochEvent(EpochKind.MEMORY_SAVED, what, memory.body.created_at, name)


def _of_tool(change: ContextChange, diff: ContextDiff, between: ChangeRecords) -> Iterator[EpochEvent]:
    if change.label == _LOOKS_UP:
        yield from between.order(frozenset({"skills"}), EpochKind.SKILL, say("change_causes.skill-switched"))
        yield EpochEvent(EpochKind.SKILL, say("change_causes.skill-tool"))
        return
    if change.label in _on_demand(diff.before) & _on_demand(diff.after):
        if change.kind is ChangeKind.REMOVED:
            yield EpochEvent(EpochKind.TOOL_REMOVED, say("change_causes.on-demand-gone"))
        else:
            yield EpochEvent(EpochKind.TOOL_ADDED, say("change_causes.on-demand-opened"))
        return
    if asker(diff.before) != asker(diff.after):
        yield EpochEvent(EpochKind.RIGHTS, say("change_causes.other-asker"))
    yield from between.start(EpochKind.RESTART, say("change_causes.tools-with-program"))


def _on_demand(side: DiffSide) -> set[str]:
    return {name for piece in side.kept if piece.label == TOOLS_ON_DEMAND for name in tools_named(piece.sources)}


def _done(audit: AuditedAction) -> str:
    return handle(HandleKind.AUDIT, audit.row)


def _memory_names(pieces: Iterable[DiffPiece]) -> set[str]:
    found = (source for piece in pieces for source in piece.sources if source.startswith("memory:"))
    return {source.removeprefix("memory:") for source in found}


def _listed(sources: Iterable[str], prefix: str) -> str:
    return ", ".join(source.removeprefix(prefix) for source in sources if source.startswith(prefix))


def explain_messages(change: ContextChange, diff: ContextDiff, between: ChangeRecords) -> Iterator[EpochEvent]:
    """Explain a span: summaries and edits first, then what went, then what came."""
    yield from _summarised(change)
    yield from _edited(change, between)
    gone = _left(change.before, change.after, diff)
    if gone:
        yield from _gone(gone, change, diff, between)
    for piece in _left(change.after, change.before, diff):
        yield from _come(piece, diff)


def trigger_name(side: DiffSide, what: str) -> EpochEvent:
    """Name the message that a request answers."""
    newest = _newest(side)
    if newest is not None and newest.origin and newest.origin.inbound:
        return EpochEvent(EpochKind.TRIGGER, what, newest.origin.at, handle(HandleKind.INBOUND, newest.origin.inbound))
    if side.which is CaptureKind.NEXT:
        return EpochEvent(EpochKind.TRIGGER, say("change_causes.next-message"))
    return EpochEvent(EpochKind.TRIGGER, what)


def asker(side: DiffSide) -> str:
    """Return who wrote the message that a request answers (empty: nobody yet)."""
    newest = _newest(side)
    return newest.origin.author_id if newest is not None and newest.origin else ""


def _newest(side: DiffSide) -> DiffPiece | None:
    return side.messages[side.carrier] if 0 <= side.carrier < len(side.messages) else None


def _summarised(change: ContextChange) -> Iterator[EpochEvent]:
    for piece in change.after:
        if summary := _summary(piece):
            yield EpochEvent(EpochKind.COMPACTION, _told(summary), summary.created_at, _compaction(summary))
    back = {piece.name for piece in change.after}
    for piece in change.before:
        if (summary := _summary(piece)) and back & set(summary.sources):
            undone = say("change_causes.summary-undone", summary=_told(summary))
            yield EpochEvent(EpochKind.COMPACTION, undone, 0, _compaction(summary))


def _told(summary: CompactionSummary) -> str:
    return say("change_causes.summary", type=summary.type.value, count=summary.count)


def _compaction(summary: CompactionSummary) -> str:
    return handle(HandleKind.COMPACTION, summary.compaction) if summary.compaction else ""


def _edited(change: ContextChange, between: ChangeRecords) -> Iterator[EpochEvent]:
    rows, new = dict(between.edited), {key for piece in change.after if (key := _identity(piece))}
    for piece in change.before:
        if piece.origin and _identity(piece) in new:
            row = rows.get(piece.origin.message_id, piece.origin.inbound)
            name = handle(HandleKind.INBOUND, row) if row else ""
            yield EpochEvent(EpochKind.EDIT, say("change_causes.edited"), 0, name)


def _left(pieces: Sequence[DiffPiece], others: Sequence[DiffPiece], diff: ContextDiff) -> tuple[DiffPiece, ...]:
    """Return what neither a summary nor an edit explains."""
    kept = {key for piece in others if (key := _identity(piece))}
    summaries = [summary for piece in others if (summary := _summary(piece))]
    told = {name for summary in summaries for name in summary.sources}
    # names in files are of another kind: there, what gave way to a summary is what stood in its place
    all_told = bool(summaries) and diff.before.by_content
    return tuple(
        piece for piece in pieces if not (_summary(piece) or all_told or piece.name in told or _identity(piece) in kept)
    )


def _gone(
    gone: Sequence[DiffPiece], change: ContextChange, diff: ContextDiff, between: ChangeRecords
) -> Iterator[EpochEvent]:
    before, after = diff.before, diff.after
    reset = between.order(frozenset({"new"}), EpochKind.RESET, say("change_causes.begun-again"))
    if reset and not change.first:
        yield from reset
        return
    if all(piece.origin and piece.origin.ambient for piece in gone):
        yield EpochEvent(EpochKind.WINDOW, say("change_causes.older-talk"))
    elif len(after.dropped_turns) > len(before.dropped_turns) and not change.first:
        yield EpochEvent(EpochKind.WINDOW, say("change_causes.turns-do-not-fit", count=len(after.dropped_turns)))
    for turn, status in between.ended:
        lost = turn == before.sent.turn != after.sent.turn and status not in _FINISHED
        if lost and gone[-1].name == before.messages[-1].name:
            name = handle(HandleKind.TURN, turn)
            if status == "running":
                what = say("change_causes.turn-still-runs", turn=name)
            else:
                what = say("change_causes.turn-ended", turn=name, status=status)
            yield EpochEvent(EpochKind.LOST, what, 0, name)


def _come(piece: DiffPiece, diff: ContextDiff) -> Iterator[EpochEvent]:
    before, after, origin = diff.before, diff.after, piece.origin
    if piece is _newest(after):
        yield trigger_name(after, say("change_causes.the-asking-message"))
    elif after.sent.turn and after.sent.turn == before.sent.turn:
        turn = handle(HandleKind.TURN, after.sent.turn)
        yield EpochEvent(EpochKind.ROUND, say("change_causes.calls-and-results"), 0, turn)
    elif origin and origin.inbound:
        name = handle(HandleKind.INBOUND, origin.inbound)
        yield EpochEvent(EpochKind.TALK, say("change_causes.said-since"), origin.at, name)
    elif origin and origin.turn:
        name = handle(HandleKind.TURN, origin.turn)
        yield EpochEvent(EpochKind.TALK, say("change_causes.answered-since"), 0, name)
    elif len(after.dropped_turns) < len(before.dropped_turns):
        yield EpochEvent(EpochKind.WINDOW, say("change_causes.turns-fit-again"))
    else:
        yield EpochEvent(EpochKind.TALK, say("change_causes.said-since"), origin.at if origin else 0)


def _summary(piece: DiffPiece) -> CompactionSummary | None:
    return piece.origin.summary if piece.origin else None


def _identity(piece: DiffPiece) -> str:
    """Name a message by where it came from, whatever it says now; empty when that is not known."""
    origin = piece.origin
    if origin is None or origin.role != "user" or origin.summary:
        return ""
    # a file knows a message by its platform's name for it alone
    return f"m{origin.message_id}" if origin.message_id else f"i{origin.inbound}" if origin.inbound else ""
