"""What a kind of task needs most."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bot.task_prompt.chunk import ChunkMark, ChunkType, ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief, TaskType


class _Boost(NamedTuple):
    points: float
    marks: frozenset[ChunkMark]
    source: re.Pattern[str]
    """What such a file is called."""


_MATCHES_NOTHING = re.compile(r"(?!)")
_BOOSTS: Mapping[TaskType, _Boost] = MappingProxyType(
    {
        TaskType.DEBUG: _Boost(
            300,
            frozenset({ChunkMark.ERROR, ChunkMark.FAILED_TURN}),
            re.compile(r"error|exception|traceback", re.IGNORECASE),
        ),
        TaskType.TEST: _Boost(
            250,
            frozenset({ChunkMark.TEST, ChunkMark.FIXTURE}),
            re.compile(r"(?:^|[/_.-])(?:tests?|fixtures?|conftest|specs?)(?:[/_.-]|$)", re.I),
        ),
        TaskType.IMPLEMENT: _Boost(400, frozenset({ChunkMark.TARGET}), _MATCHES_NOTHING),
        TaskType.REFACTOR: _Boost(200, frozenset({ChunkMark.DEPENDANT}), _MATCHES_NOTHING),
    }
)


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Give DEBUG +300 for errors, TEST +250 for tests, IMPLEMENT +400 for the target, REFACTOR +200 for dependants."""
    boost = _BOOSTS.get(task.task_type)
    if boost is None:
        return ScorePoints(0.0)
    marked = next((mark.value for mark in chunk.metadata.marks if mark in boost.marks), "")
    if not marked and chunk.chunk_type is ChunkType.FILE and (found := boost.source.search(chunk.source)):
        marked = f"named {found[0].strip('/_.-')}"
    return ScorePoints(boost.points, f"{task.task_type}: {marked}") if marked else ScorePoints(0.0)
