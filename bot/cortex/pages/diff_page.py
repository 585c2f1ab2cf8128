"""Write what differs between two contexts, and why: a first message for a phone, the details, and plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.context.transcript import parse_header
from bot.context.usage_figures import tokens
from bot.cortex.words.quoting import quoted
from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.domain.handles import HandleKind, handle
from bot.domain.snapshot import CaptureKind
from bot.inspect.diff.causes import explain
from bot.inspect.diff.change_events import ChangeRecords, EpochEvent, EpochKind
from bot.inspect.diff.context_diff import ChangeKind, ContextChange, ContextDiff, LineChange, RequestPart, line_changes
from bot.inspect.diff.diff_side import DiffPiece, DiffSide
from bot.inspect.diff.find_words import source_words
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name, quote_line
from bot.text.times import clock_time

_MARKS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "−", ChangeKind.CHANGED: "~", ChangeKind.MOVED: "↕"}
_MAX_LINE_CHARS, _MAX_NAME_CHARS = 110, 80
_MAX_HANDLES = 2
_MAX_BLOCKS, _MAX_LINES, _MAX_SPAN = 40, 30, 12
"""Changes, lines of one, and messages of one span, that are shown; the rest is counted."""
_MAX_WORDS_CHARS = 160


@dataclass(frozen=True)
class ExplainedDiff:
    """A comparison with the causes of each change, in the same order."""

    diff: ContextDiff
    causes: tuple[tuple[EpochEvent, ...], ...]

    @property
    def pairs(self) -> tuple[tuple[ContextChange, tuple[EpochEvent, ...]], ...]:
        """Each change with its causes."""
        return tuple(zip(self.diff.changes, self.causes, strict=True))


def explain_diff(diff: ContextDiff, between: ChangeRecords) -> ExplainedDiff:
    """Name the cause of every change."""
    return ExplainedDiff(diff, tuple(explain(change, diff, between) for change in diff.changes))


def first_text(compared: ExplainedDiff, name: str, foot: str) -> str:
    """Write the first message: at most 15 lines and 900 characters, with nobody's words in it."""
    head, tail = _head(compared, name, foot), _tail(compared)
    rows = [excerpt(row, _MAX_LINE_CHARS) for row in _rows(compared)]
    room = MAX_LINES - len(head) - len(tail)
    shown = len(rows) if len(rows) <= room else room - 1
    while shown > 0 and len("\n".join((*head, *_cut(rows, shown), *tail))) > MAX_CHARACTERS:
        shown -= 1
    return "\n".join((*head, *_cut(rows, shown), *tail))


def details(compared: ExplainedDiff, redactor: Redactor) -> str:
    """Write every change with its lines, its sources and its causes; people's words are fenced. Empty: no change."""
    stable = [(change, causes) for change, causes in compared.pairs if not change.moving]
    moving = [(change, causes) for change, causes in compared.pairs if change.moving]
    pairs = (*stable, *moving)
    blocks = [_block(number, *pair, redactor) for number, pair in enumerate(pairs[:_MAX_BLOCKS], 1)]
    blocks += [say("pages.more-differences", count=len(pairs) - _MAX_BLOCKS)] if len(pairs) > _MAX_BLOCKS else []
    return "\n\n".join(blocks)


def values(compared: ExplainedDiff) -> dict[str, Any]:
    """Return everything as plain values, in a stable order."""
    diff = compared.diff
    return {
        "same": diff.same,
        "before": _side(diff.before),
        "after": _side(diff.after),
        "counted_alike": diff.counted_alike,
        "tokens": {name: {"before": first, "after": second} for name, first, second in diff.tokens},
        "changes": [_change(change, causes) for change, causes in compared.pairs],
        "notes": [*diff.before.notes, *diff.after.notes],
    }


def epoch_text(epoch: EpochEvent) -> str:
    """Write a cause on one line."""
    at = f" · {clock_time(epoch.at)}" if epoch.at else ""
    opens = f" · {epoch.handle}" if epoch.handle else ""
    return f"{kind_text(epoch.kind)}: {excerpt(epoch.what, _MAX_NAME_CHARS)}{at}{opens}"


def kind_text(kind: EpochKind) -> str:
    """Say what kind of event a cause is."""
    return say("change_causes.kind", kind=kind.name.lower())


def epoch_values(epoch: EpochEvent) -> dict[str, Any]:
    """Return a cause as plain values."""
    return {"kind": epoch.kind.value, "what": epoch.what, "at": epoch.at or None, "handle": epoch.handle or None}


def side_line(side: DiffSide) -> str:
    """Name a side and its time."""
    when = f" {clock_time(side.at)}" if side.at and side.which is CaptureKind.SENT else ""
    return f"{quote_line(side.label, 40)}{when}"


def _head(compared: ExplainedDiff, name: str, foot: str) -> list[str]:
    diff, count = compared.diff, len(compared.diff.changes)
    verdict = say("pages.the-same", place=name) if diff.same else say("pages.differences", place=name, count=count)
    first, second = diff.before.stats, diff.after.stats
    lines = [verdict, f"{side_line(diff.before)} → {side_line(diff.after)} · {foot}"]
    before, after = tokens(first.total, first), tokens(second.total, second)
    if diff.counted_alike:
        change = f"{second.total - first.total:+,}"
        lines.append(say("pages.tokens-grew", before=before, after=after, change=change))
    else:
        lines.append(say("pages.tokens-otherwise", before=before, after=after))
    return [*lines, *([""] if not diff.same else [])]


def _tail(compared: ExplainedDiff) -> list[str]:
    diff = compared.diff
    notes = [quote_line(note, _MAX_LINE_CHARS) for note in (*diff.before.notes, *diff.after.notes)]
    hidden = max(diff.before.hidden, diff.after.hidden)
    notes += [say("pages.hidden-compared", count=hidden)] if hidden else []
    if diff.same:
        return notes
    same = _unchanged(diff)
    row = next((side.sent.row for side in (diff.after, diff.before) if side.sent.row), 0)
    opens = [say("pages.export-writes", handle=handle(HandleKind.REQUEST, row))] if row else []
    return ["", *([say("pages.same-parts", parts=same)] if same else []), *notes[:2], *opens]


def _unchanged(diff: ContextDiff) -> str:
    """Count what stays, so that nobody has to look for it."""
    changed = {(change.part, change.label) for change in diff.changes}
    sections = sum((RequestPart.SECTION, piece.label) not in changed for piece in diff.after.kept)
    offered = sum((RequestPart.TOOL, piece.label) not in changed for piece in diff.after.tools)
    moved = sum(len(change.after) for change in diff.changes if change.part is RequestPart.MESSAGES)
    counts = ((sections, "section"), (offered, "tool"), (max(0, len(diff.after.messages) - moved), "message"))
    return ", ".join(say("pages.parts-counted", what=what, count=count) for count, what in counts if count)


def _rows(compared: ExplainedDiff) -> Iterator[str]:
    moving = [(change, causes) for change, causes in compared.pairs if change.moving]
    for change, causes in compared.pairs:
        if not change.moving:
            grew = f" {change.tokens:+,}" if change.tokens else ""
            yield f"{_MARKS[change.kind]} {_what(change)}{grew} · {_short(causes)}"
    if moving:
        labels = ", ".join(change.label for change, _ in moving)
        yield f"↻ {labels} · {_short(moving[0][1])}"


def _short(causes: Sequence[EpochEvent]) -> str:
    """Name the causes by their kinds, each with the first records that show it."""
    kinds = dict.fromkeys(cause.kind for cause in causes)
    return "; ".join(
        " ".join((kind_text(kind), *_some([cause.handle for cause in causes if cause.kind is kind and cause.handle])))
        for kind in kinds
    )


def _some(names: Sequence[str]) -> Iterator[str]:
    found = list(dict.fromkeys(names))
    yield from found[:_MAX_HANDLES]
    if len(found) > _MAX_HANDLES:
        yield f"(+{len(found) - _MAX_HANDLES})"


def _what(change: ContextChange) -> str:
    if change.part is not RequestPart.MESSAGES:
        # a file can call its parts whatever it likes
        label = quote_line(change.label, 60)
        return label if change.part is RequestPart.SECTION else f"{change.part.value} {label}"
    old, new = _span(change.first, len(change.before)), _span(change.second, len(change.after))
    word = "message" if max(len(change.before), len(change.after)) == 1 else "messages"
    return f"{word} {f'{old} → {new}' if old and new and old != new else old or new}"


def _span(first: int, count: int) -> str:
    if count <= 1:
        return str(first + 1) if count else ""
    return f"{first + 1}-{first + count}"


def _cut(rows: Sequence[str], shown: int) -> list[str]:
    more = len(rows) - shown
    return [*rows[:shown], *([say("pages.more-below", count=more)] if more else [])]


def _block(number: int, change: ContextChange, causes: Sequence[EpochEvent], redactor: Redactor) -> str:
    head = say("diff_page.changed", number=str(number), what=_what(change), how=change.kind.value)
    lines = [say("diff_page.changed-tokens", changed=head, tokens=f"{change.tokens:+,}") if change.tokens else head]
    lines += [say("pages.cause", cause=epoch_text(cause)) for cause in causes[:_MAX_SPAN]]
    lines += [say("diff_page.more-causes", count=len(causes) - _MAX_SPAN)] if len(causes) > _MAX_SPAN else []
    sources = dict.fromkeys(source for piece in (*change.before, *change.after) for source in piece.sources)
    lines += [say("diff_page.from", sources=excerpt(", ".join(map(source_words, sources)), 300))] if sources else []
    missing = [piece.missing for piece in (*change.before, *change.after) if piece.missing]
    lines += [say("diff_page.left-out", why=quote_line(missing[0], _MAX_LINE_CHARS))] if missing else []
    words = "\n".join(_words(change))
    return "\n".join((*lines, *([quoted(words, redactor)] if words else [])))


def _words(change: ContextChange) -> Iterator[str]:
    if change.part is RequestPart.MESSAGES:
        yield from _listed("−", change.before, change.first)
        yield from _listed("+", change.after, change.second)
    elif change.part is RequestPart.PARAMETER:
        yield f"− {excerpt(change.before[0].text, _MAX_WORDS_CHARS)}"
        yield f"+ {excerpt(change.after[0].text, _MAX_WORDS_CHARS)}"
    elif change.kind is not ChangeKind.MOVED:
        old, new = (pieces[0].text if pieces else "" for pieces in (change.before, change.after))
        yield from _line_words(line_changes(old, new) if old and new else (_whole(old, new),))


def _whole(old: str, new: str) -> LineChange:
    return LineChange(1, 1, tuple(old.split("\n")) if old else (), tuple(new.split("\n")) if new else ())


def _line_words(found: Sequence[LineChange]) -> Iterator[str]:
    if not found:
        yield say("diff_page.not-shown")
    left = _MAX_LINES
    for lines in found:
        rows = [say("diff_page.line", line=str(lines.second if lines.after else lines.first))]
        rows += [f"− {excerpt(line, _MAX_WORDS_CHARS)}" for line in lines.before]
        rows += [f"+ {excerpt(line, _MAX_WORDS_CHARS)}" for line in lines.after]
        yield from rows[: max(left, 0)]
        left -= len(rows)
    if left < 0:
        yield say("diff_page.more-lines", count=-left)


def _listed(mark: str, pieces: Sequence[DiffPiece], first: int) -> Iterator[str]:
    for place, piece in enumerate(pieces[:_MAX_SPAN], first + 1):
        headed = parse_header(piece.text)
        yield f"{mark} {place} {_who(piece)}: {excerpt(headed.text if headed else piece.text, _MAX_WORDS_CHARS)}"
    if len(pieces) > _MAX_SPAN:
        yield say("diff_page.more-pieces", mark=mark, count=len(pieces) - _MAX_SPAN)


def _who(piece: DiffPiece) -> str:
    origin = piece.origin
    if origin is None:
        return "message"
    name = handle(HandleKind.INBOUND, origin.inbound) if origin.inbound else quote_line(origin.message_id, 32)
    author = one_line_name(origin.author, 32) if origin.author else ""
    return " ".join(filter(None, (quote_line(origin.role, 20), name, author)))


def _side(side: DiffSide) -> dict[str, Any]:
    return {
        "label": side.label,
        "kind": side.which.value,
        "request": handle(HandleKind.REQUEST, side.sent.row) if side.sent.row else None,
        "turn": handle(HandleKind.TURN, side.sent.turn) if side.sent.turn else None,
        "channel": side.channel,
        "at": side.at,
        "digest": side.digest,
        "messages": len(side.messages),
        "hidden": side.hidden,
    }


def _change(change: ContextChange, causes: Sequence[EpochEvent]) -> dict[str, Any]:
    return {
        "part": change.part.value,
        "kind": change.kind.value,
        "label": change.label,
        "every_request": change.moving,
        "tokens": change.tokens,
        "before": [_piece(piece, change.first + n) for n, piece in enumerate(change.before)],
        "after": [_piece(piece, change.second + n) for n, piece in enumerate(change.after)],
        "causes": [epoch_values(cause) for cause in causes],
    }


def _piece(piece: DiffPiece, place: int) -> dict[str, Any]:
    origin = piece.origin
    return {
        "place": place,
        "digest": piece.name,
        "tokens": piece.tokens,
        "sources": piece.sources,
        "role": origin.role if origin else None,
        "inbound": handle(HandleKind.INBOUND, origin.inbound) if origin and origin.inbound else None,
        "text": piece.text,
    }
