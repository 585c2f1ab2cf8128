"""Look at a summary without a model: whether it can be used at all, and what of its sources it does not mention."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bot.context.transcript import spoken_words
from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult
from bot.text.text import one_line_name

MAX_MISSING_NAMED = 60
"""So many missing things are named."""
_MAX_THING_CHARS = 80
_SHINGLE_WORDS, _MIN_LOOP_WORDS = 8, 40
_MAX_REPEATED_SHARE = 0.5
"""A text of which more than half was said before, eight words at a time, goes round in circles."""
_NUMBER = re.compile(r"\d(?:[\d.,:/\-]*\d)?")
_ID = re.compile(r"(?<![\w-])(?=[\w\-]*\d)(?=[\w\-]*[^\W\d_])[\w][\w\-]{2,}(?![\w-])")
_NAME = re.compile(r"(?<!\w)[@#][\w.\-]{2,}")
_MENTION = re.compile(r"<(?:@[!&]?|#)\d{1,20}>")
"""How Discord writes whom or which channel somebody means: no summary repeats that number, and none should."""


def flaw(text: str, tokens: int, before: int) -> str:
    """Say why a summary cannot be used; empty when it can. `tokens` are its own, `before` those of its sources."""
    if not text.strip():
        return "empty: the model wrote nothing"
    if is_looping(text):
        return "looping: the model repeats itself"
    if tokens >= before:
        return f"longer: {tokens} tokens in the place of {before}"
    return ""


def is_looping(text: str) -> bool:
    """Say whether a text repeats itself; a script without spaces is looked at by characters."""
    words: Sequence[str] = text.split()
    if len(words) < len(text) / 20:
        words = text
    if len(words) < _MIN_LOOP_WORDS:
        return False
    seen = Counter(tuple(words[at : at + _SHINGLE_WORDS]) for at in range(len(words) - _SHINGLE_WORDS + 1))
    again = sum(count - 1 for count in seen.values())
    return again > _MAX_REPEATED_SHARE * seen.total()


def missing(sources: Iterable[Message], summary: str) -> tuple[str, ...]:
    """Return the names, ids and numbers of the sources that a summary does not mention, in order, sixty at most."""
    folded, numbers = summary.casefold(), set(_NUMBER.findall(summary))
    found: dict[str, None] = {}
    for name in _things(sources):
        there = name in numbers if _NUMBER.fullmatch(name) else name.casefold().lstrip("@#") in folded
        if not there and len(name) <= _MAX_THING_CHARS:
            found[name] = None
            if len(found) >= MAX_MISSING_NAMED:
                break
    return tuple(found)


def _things(sources: Iterable[Message]) -> Iterable[str]:
    for message in sources:
        if message.author is not None and message.role is Role.USER:
            yield one_line_name(message.author.name)
        for text in (_MENTION.sub(" ", words) for words in _words(message)):
            yield from _NAME.findall(text)
            ids = _ID.findall(text)
            yield from ids
            inside = set(_NUMBER.findall(" ".join(ids)))
            yield from (number for number in _NUMBER.findall(text) if number not in inside)


def _words(message: Message) -> Iterable[str]:
    if message.summary is not None:
        # its first line is ours
        yield message.text.partition("\n")[2]
    elif message.role is Role.USER:
        yield spoken_words(message)
    else:
        for part in message.parts:
            match part:
                case TextPart(text=text) | ToolResult(text=text) | ToolCall(arguments=text):
                    yield text
                case _:
                    pass
