"""The simulation as a compactor: the first words of what everybody said, as far as it was told to write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adapters.simulated.conversation import Conversation, as_object
from adapters.simulated.said import Said, excerpt, marked

_TASK = re.compile(r"^You shorten the older part of a chat\b", re.MULTILINE)
_MATERIAL = re.compile(r"^The material\b[^\n]*\n+(`{3,})\n(.*)\n\1\s*\Z", re.MULTILINE | re.DOTALL)
_SO_FAR = re.compile(r"^What you wrote about the part before[^\n]*\n+(`{3,})\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_WORDS = re.compile(r"^At most (\d{1,5}) words\.$", re.MULTILINE)
_LINE = 60


def is_for_summary(conversation: Conversation) -> bool:
    """Say whether this is a compactor's request."""
    return _TASK.search(conversation.system) is not None and bool(conversation.entries)


def summarise(conversation: Conversation) -> Said:
    """Write the beginning of every line, newest last, within the words that were asked for."""
    task = conversation.entries[-1].text
    found, so_far, most = _MATERIAL.search(task), _SO_FAR.search(task), _WORDS.search(task)
    left = int(most[1]) if most else 100
    lines = [*(so_far[2].split("\n") if so_far else ()), *_lines(found[2] if found else "")]
    kept: list[str] = []
    for line in lines:
        left -= len(line.split())
        if left < 0:
            break
        kept.append(line)
    return marked("\n".join(kept) or "Nothing that could be told in so few words.")


def _lines(material: str) -> Iterator[str]:
    for line in material.split("\n"):
        entry = as_object(line) or {}
        if "from" in entry:
            yield f"{excerpt(str(entry['from']), 20)}: {excerpt(str(entry.get('text', '')), _LINE)}"
        elif text := next(
            (entry[key] for key in ("bot", "text", "result", "call", "note", "piece") if key in entry), ""
        ):
            yield excerpt(str(text), _LINE)
