"""How much of a request a provider can read from its cache: what it begins with in common with the one before. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from bot.domain.llm import TokenUsage
from bot.inspect.diff.context_diff import ContextChange, ContextDiff, RequestPart, compare
from bot.inspect.diff.diff_side import MODEL, DiffPiece, DiffSide
from bot.sentences import say
from bot.text.text import excerpt

_RANKS = {RequestPart.PARAMETER: 0, RequestPart.TOOL: 1, RequestPart.SECTION: 2, None: 3, RequestPart.MESSAGES: 3}
"""The order in which a provider reads what it keeps."""


class CacheBlock(NamedTuple):
    """What a provider keeps as one piece: a tool, a section of the system prompt, a message; in that order.

    `part` is None for the blocks that stand before the newest message, and only while it is the newest.
    """

    part: RequestPart | None
    label: str
    piece: DiffPiece


class PrefixWeight(NamedTuple):
    """How much that is: blocks, how many of them are messages, tokens as we count them, UTF-8 bytes of the texts."""

    blocks: int
    messages: int
    tokens: int
    octets: int


@dataclass(frozen=True)
class PrefixBreak:
    """The first block that differs: what stood there before and what stands there now (None: nothing).

    `inside` is how many characters of its text are still the same. `expected`: it breaks there in every new turn,
    because what moves stands before the newest message alone.
    """

    before: CacheBlock | None
    after: CacheBlock | None
    inside: int
    expected: bool

    @property
    def block(self) -> CacheBlock | None:
        """The one that is to blame: of two, the one that stands further ahead, as it was put in or taken out."""
        before, after = self.before, self.after
        if before is None or after is None or self.expected:
            return before or after
        return before if _RANKS[before.part] < _RANKS[after.part] else after

    @property
    def label(self) -> str:
        """The name of the block at which the prefixes part."""
        return self.block.label if self.block else ""


@dataclass(frozen=True)
class SharedPrefix:
    """What two requests have in common at their beginning. `broke` is None when the first is wholly part of the second.

    `reported` is what the provider said of the second one.
    """

    before: DiffSide
    after: DiffSide
    shared: PrefixWeight
    of_before: PrefixWeight
    of_after: PrefixWeight
    broke: PrefixBreak | None
    reported: TokenUsage | None

    @property
    def well(self) -> bool:
        """Whether as much is shared as can be."""
        return self.broke is None or self.broke.expected

    @property
    def share(self) -> float:
        """How much of the second request the first had too, 0..1, by tokens."""
        return self.shared.tokens / self.of_after.tokens if self.of_after.tokens else 0.0

    @property
    def hit_rate(self) -> float | None:
        """Which part of the input the provider says it read from its cache, 0..1; None when it said nothing."""
        usage = self.reported
        return (usage.cached or 0) / usage.input if usage and usage.input and usage.cached is not None else None


def common_prefix(before: DiffSide, after: DiffSide) -> SharedPrefix:
    """Measure what the second request shares with the first, as providers cache: tools, system, messages."""
    old, new = tuple(blocks(before)), tuple(blocks(after))
    first, second = _model(before), _model(after)
    at, broke = 0, None
    if first and second and not _same(first, second):
        # a cache is of one model
        broke = PrefixBreak(first, second, inside=0, expected=False)
    else:
        at = sum(1 for _ in takewhile(lambda pair: _same(*pair), zip(old, new, strict=False)))
        broke = _broke(old, new, at)
    weights = _weight(new[:at]), _weight(old), _weight(new)
    return SharedPrefix(before, after, *weights, broke=broke, reported=after.usage)


def blocks(side: DiffSide) -> Iterator[CacheBlock]:
    """List what is cached, in the order in which it is."""
    yield from (
        CacheBlock(RequestPart.TOOL, say("change_causes.block-tool", name=piece.label), piece) for piece in side.tools
    )
    yield from (CacheBlock(RequestPart.SECTION, piece.label, piece) for piece in side.kept if not piece.moving)
    for index, piece in enumerate(side.messages):
        if index == side.carrier:
            yield from (
                CacheBlock(None, say("change_causes.before-newest", name=moving.label), moving)
                for moving in side.kept
                if moving.moving
            )
        yield CacheBlock(
            RequestPart.MESSAGES, say("change_causes.block-message", number=str(index + 1), by=_who(piece)), piece
        )


def breaking_change(prefix: SharedPrefix) -> tuple[ContextChange, ContextDiff] | None:
    """Return the change that broke the prefix, to ask for its cause; None when no single one did."""
    broke = prefix.broke
    if broke is None:
        return None
    diff = compare(prefix.before, prefix.after)
    for block in filter(None, (broke.block, broke.before, broke.after)):
        for change in diff.changes:
            if any(block.piece is piece for piece in (*change.before, *change.after)):
                return change, diff
    return None


def common_length(before: str | bytes, after: str | bytes) -> int:
    """Return with how many characters, or bytes, two texts or two bodies begin in common."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _broke(old: Sequence[CacheBlock], new: Sequence[CacheBlock], at: int) -> PrefixBreak | None:
    if at == len(old):
        return None
    before, after = old[at], new[at] if at < len(new) else None
    inside = common_length(before.piece.text, after.piece.text) if after and before.part else 0
    # the moving blocks gave way to the message that they had stood before, or to their next form
    expected = before.part is None and after is not None and after.part in {None, RequestPart.MESSAGES}
    return PrefixBreak(before, after, inside, expected)


def _model(side: DiffSide) -> CacheBlock | None:
    return next((CacheBlock(RequestPart.PARAMETER, MODEL, p) for p in side.parameters if p.label == MODEL), None)


def _same(block: CacheBlock, other: CacheBlock) -> bool:
    return block.part is other.part and block.piece.label == other.piece.label and block.piece.name == other.piece.name


def _weight(found: Sequence[CacheBlock]) -> PrefixWeight:
    messages = sum(block.part is RequestPart.MESSAGES for block in found)
    tokens = sum(block.piece.tokens for block in found)
    return PrefixWeight(len(found), messages, tokens, sum(block.piece.size for block in found))


def _who(piece: DiffPiece) -> str:
    return excerpt(piece.origin.role, 20) if piece.origin else "message"
