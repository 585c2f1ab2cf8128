"""What the request speaks of."""

from __future__ import annotations

import re

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief

SOURCE_POINTS = 150.0
CONTENT_POINTS = 50.0
MAX_POINTS = 300.0
_MAX_SHOWN = 4
_PARTS = re.compile(r"[^\W_]+")


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Give for each keyword of the request 150 if the source names it and 50 if the content does; at most 300."""
    if not task.keywords:
        return ScorePoints(0.0)
    source, content = chunk.source.lower(), chunk.content.lower()
    words = set(_PARTS.findall(source))
    given, named = 0.0, []
    for word in task.keywords:
        more = SOURCE_POINTS * (word in words or _is_path_in(word, source)) + CONTENT_POINTS * _occurs(word, content)
        named += [word] if more else []
        given += more
        if given >= MAX_POINTS:
            break
    return ScorePoints(min(given, MAX_POINTS), ", ".join(named[:_MAX_SHOWN]))


def _is_path_in(word: str, source: str) -> bool:
    return not word.isalnum() and word in source


def _occurs(word: str, text: str) -> bool:
    """Say whether a word stands in a text as one; `art` is not in `start`. Looks at the first places only."""
    at = -1
    for _ in range(50):
        at = text.find(word, at + 1)
        if at < 0:
            return False
        end = at + len(word)
        if not text[max(at - 1, 0) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
    return False
