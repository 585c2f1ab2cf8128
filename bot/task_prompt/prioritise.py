"""Score chunks for a task; every part of a score is kept, so that "why is this here" has an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.task_prompt.chunk import ChunkScore, ContextChunk, ScorePart
from bot.task_prompt.prioritisers import ALL, Prioritiser
from bot.task_prompt.task import TaskBrief


def prioritise(
    chunks: Iterable[ContextChunk], task: TaskBrief, prioritisers: Sequence[Prioritiser] = ALL
) -> tuple[ContextChunk, ...]:
    """Return the chunks with their scores, in the order in which they came."""
    return tuple(chunk.noted(score=score(chunk, task, prioritisers)) for chunk in chunks)


def score(chunk: ContextChunk, task: TaskBrief, prioritisers: Sequence[Prioritiser] = ALL) -> ChunkScore:
    """Add up what each prioritiser gives; those that give nothing are left out."""
    given = ((each.__module__.rsplit(".", 1)[-1], each(chunk, task)) for each in prioritisers)
    return ChunkScore(
        parts=tuple(ScorePart(name=name, points=one.points, why=one.why) for name, one in given if one.points)
    )
