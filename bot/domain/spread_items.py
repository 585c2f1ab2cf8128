"""Where a memory has been: every record that it went into by itself, and every one that came of those."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.domain.handles import Handle, HandleKind, handle_pattern, parse_handle
from bot.domain.ids import ChannelKey

RECALL_TOOL = "memory_recall"
"""The tool by which a model searches memories; each line of its answer begins with the name of one."""
_RECALLED = re.compile(rf"^- ({handle_pattern(HandleKind.MEMORY)}) \|", re.MULTILINE)


class SpreadKind(StrEnum):
    """What a memory can have gone into. A compaction is what was done, its summaries are what stands since."""

    REQUEST = "request"
    ANSWER = "answer"
    MEMORY = "memory"
    SUMMARY = "summary"
    COMPACTION = "compaction"
    BRANCH = "branch"
    WORKER = "worker"


class SpreadItem(NamedTuple):
    """One record that a memory went into, or that came of one.

    `at` is when it was: of a request, when its turn began. `row` is its number: of an answer its turn, of a summary its
    compaction and `part` which of it. `turn` is the turn whose record it is (0: none), by which it is known whose it is
    where `is_private`: it was done for one admin alone.
    """

    kind: SpreadKind
    row: int
    is_direct: bool
    key: ChannelKey
    at: int
    turn: int = 0
    part: int = 0
    is_private: bool = False


class MemorySpread(NamedTuple):
    """Everything that some memories went into, newest first; what is asked about is not among it."""

    seeds: tuple[int, ...]
    items: tuple[SpreadItem, ...] = ()

    def of(self, kind: SpreadKind) -> tuple[SpreadItem, ...]:
        """Return the records of one kind, newest first."""
        return tuple(item for item in self.items if item.kind is kind)


def count_items(items: Iterable[SpreadItem]) -> dict[SpreadKind, tuple[int, int]]:
    """Count records by kind: those that held it by themselves, and those that came of others."""
    found = {kind: [0, 0] for kind in SpreadKind}
    for item in items:
        found[item.kind][0 if item.is_direct else 1] += 1
    return {kind: (direct, derived) for kind, (direct, derived) in found.items()}


def recalled_memories(answer: str) -> tuple[Handle, ...]:
    """Return the memories that a search of a model returned, by its answer; their text cannot break out of its line."""
    found = (parse_handle(name) for name in dict.fromkeys(_RECALLED.findall(answer)))
    return tuple(one for one in found if one is not None and one.kind is HandleKind.MEMORY)


def rows_of(items: Iterable[SpreadItem], kinds: Collection[SpreadKind]) -> Sequence[int]:
    """Return the numbers of the records of some kinds, each once, in order."""
    return sorted({item.row for item in items if item.kind in kinds})
