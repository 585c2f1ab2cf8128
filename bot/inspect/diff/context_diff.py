"""What differs between two contexts: names are compared, and words are looked at only where names differ. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from bot.domain.snapshot import ContextStats
from bot.inspect.diff.diff_side import MODEL, DiffPiece, DiffSide, SideMessages


class RequestPart(StrEnum):
    """Which part of a request a change is in."""

    PARAMETER = "parameter"
    SECTION = "section"
    TOOL = "tool"
    MESSAGES = "messages"


class ChangeKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True)
class ContextChange:
    """One difference. Messages change in spans, everything else one by one under its `label`.

    `first` and `second` are the places (from 0) where it begins on either side, among what is in the request.
    """

    part: RequestPart
    kind: ChangeKind
    label: str
    first: int
    second: int
    before: tuple[DiffPiece, ...] = ()
    after: tuple[DiffPiece, ...] = ()

    @property
    def tokens(self) -> int:
        """By how many tokens the request grew with it."""
        return sum(piece.tokens for piece in self.after) - sum(piece.tokens for piece in self.before)

    @property
    def moving(self) -> bool:
        """Whether it is in what every request renders anew."""
        return any(piece.moving for piece in (*self.before, *self.after))


@dataclass(frozen=True)
class ContextDiff:
    """All that differs: done to the first side, the changes give the second, part by part and in order."""

    before: DiffSide
    after: DiffSide
    changes: tuple[ContextChange, ...]

    @property
    def same(self) -> bool:
        """Whether a model is told the same both times."""
        return not self.changes

    @cached_property
    def tokens(self) -> tuple[tuple[str, int, int], ...]:
        """The totals on both sides: system, tools, history, total."""
        first, second = self.before.stats, self.after.stats
        return tuple((name, getattr(first, field), getattr(second, field)) for name, field in _TOTALS)

    @property
    def counted_alike(self) -> bool:
        """Whether both sides were counted in the same way, so that their totals can be compared."""
        return _counting(self.before.stats) == _counting(self.after.stats)


_TOTALS = (("system", "system_prompt"), ("tools", "tools"), ("history", "history"), ("total", "total"))


class LineChange(NamedTuple):
    """Lines (numbered from 1) that gave way to others."""

    first: int
    second: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class SequenceGap(NamedTuple):
    """What stands between two things that both sequences have: `first:first_end` gave way to `second:second_end`."""

    first: int
    first_end: int
    second: int
    second_end: int


def compare(before: DiffSide, after: DiffSide) -> ContextDiff:
    """Find what differs. Both sides must name their messages in the same way."""
    if before.by_content != after.by_content:
        raise ValueError("one side names its messages by content, the other does not")
    if before.digest == after.digest and before.digest:
        return ContextDiff(before, after, ())
    changes = [
        *_parameters(before, after),
        *_labelled(RequestPart.SECTION, before.kept, after.kept),
        *_labelled(RequestPart.TOOL, before.tools, after.tools, ordered=before.ordered and after.ordered),
    ]
    spans = list(_spans(before.messages, after.messages))
    if not spans and before.carrier != after.carrier and any(piece.moving for piece in after.kept):
        # the words are the same, and the sections before the newest message stand before another one
        moved = (before.messages[before.carrier],) if before.carrier >= 0 else ()
        spans = [ContextChange(RequestPart.MESSAGES, ChangeKind.MOVED, "", before.carrier, after.carrier, moved, moved)]
    return ContextDiff(before, after, tuple(changes + spans))


def line_changes(before: str, after: str) -> tuple[LineChange, ...]:
    """Compare two texts line by line."""
    old, new = before.split("\n"), after.split("\n")
    return tuple(
        LineChange(g.first + 1, g.second + 1, tuple(old[g.first : g.first_end]), tuple(new[g.second : g.second_end]))
        for g in sequence_gaps(old, new)
    )


def sequence_gaps(before: Sequence[str], after: Sequence[str]) -> list[SequenceGap]:
    """Return what differs between two sequences of names, in order; of names that occur once, as few as can be.

    A name that occurs several times is told apart by how often it came before: so everything is there once on either
    side, and the longest run of what both have is found in n log n, whatever the names are.
    """
    found, at, other = [], 0, 0
    for i, j in (*_aligned(before, after), (len(before), len(after))):
        if at < i or other < j:
            found.append(SequenceGap(at, i, other, j))
        at, other = i + 1, j + 1
    return found


def _aligned(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of what stays, as long as it can be, in order."""
    start = 0
    while start < len(before) and start < len(after) and before[start] == after[start]:
        yield start, start
        start += 1
    end, other = len(before), len(after)
    while end > start and other > start and before[end - 1] == after[other - 1]:
        end, other = end - 1, other - 1
    places = {name: index for index, name in enumerate(_told_apart(after[start:other]), start)}
    yield from _longest_rise(
        [(i, places[name]) for i, name in enumerate(_told_apart(before[start:end]), start) if name in places]
    )
    for step in range(len(before) - end):
        yield end + step, other + step


def _told_apart(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    seen: Counter[str] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second places rise (the first ones do)."""
    lowest: list[int] = []
    ends: list[int] = []
    previous = [-1] * len(pairs)
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(lowest, place)
        previous[index] = ends[length - 1] if length else -1
        lowest[length : length + 1] = [place]
        ends[length : length + 1] = [index]
    found, at = [], ends[-1] if ends else -1
    while at >= 0:
        found.append(pairs[at])
        at = previous[at]
    return found[::-1]


def _parameters(before: DiffSide, after: DiffSide) -> Iterator[ContextChange]:
    """Compare what both sides know; a file may not say everything."""
    others = {piece.label: (index, piece) for index, piece in enumerate(after.parameters)}
    for index, piece in enumerate(before.parameters):
        place, other = others.get(piece.label, (0, piece))
        if not _same_value(piece, other):
            yield ContextChange(
                RequestPart.PARAMETER, ChangeKind.CHANGED, piece.label, index, place, (piece,), (other,)
            )


def _same_value(piece: DiffPiece, other: DiffPiece) -> bool:
    # a body that was posted names the model without its provider
    shorter, longer = sorted((piece.name, other.name), key=len)
    return shorter == longer or (piece.label == MODEL and longer.endswith(f"/{shorter}"))


def _labelled(
    part: RequestPart, before: Sequence[DiffPiece], after: Sequence[DiffPiece], *, ordered: bool = True
) -> Iterator[ContextChange]:
    olds = {label: index for index, label in enumerate(_labels(before))}
    news = {label: index for index, label in enumerate(_labels(after))}
    for label, index in olds.items():
        if label not in news:
            yield ContextChange(part, ChangeKind.REMOVED, label[0], index, _place(label, olds, news), (before[index],))
    for label, index in news.items():
        place = olds.get(label, -1)
        if place < 0:
            yield ContextChange(part, ChangeKind.ADDED, label[0], _place(label, news, olds), index, (), (after[index],))
        elif before[place].name != after[index].name:
            changed = (before[place],), (after[index],)
            yield ContextChange(part, ChangeKind.CHANGED, label[0], place, index, *changed)
    stay = [(olds[label], news[label]) for label in olds if label in news]
    kept = set(_longest_rise(stay))
    for place, index in stay if ordered else ():
        if (place, index) not in kept:
            yield ContextChange(
                part, ChangeKind.MOVED, before[place].label, place, index, (before[place],), (after[index],)
            )


def _labels(pieces: Sequence[DiffPiece]) -> Iterator[tuple[str, int]]:
    return _told_apart([piece.label for piece in pieces])


def _place(label: tuple[str, int], own: dict[tuple[str, int], int], others: dict[tuple[str, int], int]) -> int:
    """Return where on the other side something would stand: behind what stands before it on its own."""
    behind = [others[other] for other, index in own.items() if index < own[label] and other in others]
    return max(behind) + 1 if behind else 0


def _spans(before: Sequence[DiffPiece], after: Sequence[DiffPiece]) -> Iterator[ContextChange]:
    for gap in sequence_gaps(_names(before), _names(after)):
        gone, come = before[gap.first : gap.first_end], after[gap.second : gap.second_end]
        kind = ChangeKind.CHANGED if gone and come else ChangeKind.ADDED if come else ChangeKind.REMOVED
        yield ContextChange(RequestPart.MESSAGES, kind, "", gap.first, gap.second, tuple(gone), tuple(come))


def _names(pieces: Sequence[DiffPiece]) -> Sequence[str]:
    return pieces.names if isinstance(pieces, SideMessages) else [piece.name for piece in pieces]


def _counting(stats: ContextStats) -> tuple[str, str, float]:
    return stats.tokenizer.name, stats.tokenizer.method.value, stats.tokenizer.ratio
