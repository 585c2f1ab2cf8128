"""What the request speaks of."""

from __future__ import annotations

import re

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief

IN_SOURCE = 150.0
IN_CONTENT = 50.0
MOST = 300.0
_MOST_SHOWN = 4
_PARTS = re.compile(r"[^\W_]+")


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Give for each keyword of the request 150 if the source names it and 50 if the content does; at most 300."""
    if not task.keywords:
        return ScorePoints(0.0)
    source, content = chunk.source.lower(), chunk.content.lower()
    words = set(_PARTS.findall(source))
    given, named = 0.0, []
    for word in task.keywords:
        more = IN_SOURCE * (word in words or _is_path_in(word, source)) + IN_CONTENT * _occurs(word, content)
        named += [word] if more else []
        given += more
        if given >= MOST:
            break
    return ScorePoints(min(given, MOST), ", ".join(named[:_MOST_SHOWN]))


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
