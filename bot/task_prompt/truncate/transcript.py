"""Shorten a transcript: every message by its speaker and first line, then only its head and tail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.task_prompt.truncate.rung import LadderRung, count_of

_NUMBERED = re.compile(r"^\[\d+\]", re.MULTILINE)
_SPOKEN = re.compile(r"^[^\s:>][^:>\n]{0,63}[:>] ", re.MULTILINE)
_HEADER = '{"at":'
_MAX_LINE_CHARS = 160
_ENDS = (24, 12, 6, 3, 1)
"""Messages that stay at either end."""


class _Said(NamedTuple):
    """A message: its speaker and first line, and how many lines that leaves out."""

    text: str
    more: int


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield first lines, then fewer of them. A message begins with `[12]`, or where there is none with `name: `."""
    messages = [_said(message) for message in split(content)]
    lines = [said.text for said in messages]
    cut = f"cut: {count_of(sum(said.more for said in messages), 'line')} of {count_of(len(messages), 'message')}"
    yield LadderRung("first lines", "\n".join(lines), f"{cut}; each is shown by its first line")
    for ends in _ENDS:
        left = len(lines) - 2 * ends
        if left > 0:
            shown = (*lines[:ends], f"... {count_of(left, 'message')} left out ...", *lines[-ends:])
            whole = count_of(len(lines), "message")
            note = f"cut: {left:,} of {whole} in the middle; of the others all but the first line"
            yield LadderRung("head and tail", "\n".join(shown), note)


def split(content: str) -> list[str]:
    """Cut a transcript into its messages; what stands before the first is one, too."""
    begins = [found.start() for found in (_NUMBERED if _NUMBERED.search(content) else _SPOKEN).finditer(content)]
    starts = begins if begins and begins[0] == 0 else [0, *begins]
    return [content[start:end].rstrip("\n") for start, end in zip(starts, [*starts[1:], len(content)], strict=True)]


def _said(message: str) -> _Said:
    lines = message.split("\n")
    # the number, the header that says who speaks, and the first words
    heads = 1 if _NUMBERED.match(lines[0]) else 0
    heads += len(lines) > heads and lines[heads].startswith(_HEADER)
    words = next((line for line in lines[heads:] if line.strip()), "")
    more = sum(1 for line in lines[heads:] if line.strip()) - bool(words)
    short = (
        words
        if len(words) <= _MAX_LINE_CHARS
        else f"{words[:_MAX_LINE_CHARS].rstrip()}... {len(words) - _MAX_LINE_CHARS:,} more"
    )
    tail = f" (+{count_of(more, 'line')})" if more else ""
    return _Said(" ".join(filter(None, (*lines[:heads], short))) + tail, more)
