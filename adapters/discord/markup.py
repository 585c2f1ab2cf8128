"""Fit the Markdown that models write to Discord, which draws most of it itself.

Code is left as it is. Elsewhere a call of everybody calls nobody, and what only Discord takes for a mark stays text:
a spoiler hides words that were meant to be read, and three angles quote everything that follows.
Mentions of people, roles and channels are drawn as names; whoever is named hears nothing of it (`body.NOBODY`).
Marked times are drawn as the reader's own.
"""

from __future__ import annotations

import re

from bot.domain.text import clean, utf16_length
from bot.domain.times import TIME

MOST_UNITS = 2000  # https://discord.com/developers/docs/resources/message#create-message
DEAD_AT = "@\u2060"
"""Stands for the @ of a call: it looks the same, and calls nobody."""
WIDE_AT = "\uff20"
"""Does the same where there is no room for one more character."""

_CODE = re.compile(r"(```.+?```|``.+?``|`[^`]+`)", re.DOTALL)
_CALL = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
_SPOILER = re.compile(r"(?<!\\)\|\|")
_QUOTE_ALL = re.compile(r"^(?=>>> )", re.MULTILINE)


def drawn(text: str, most: int = MOST_UNITS) -> str:
    """Return a text as it is sent, which is never longer than `most` UTF-16 units if the text was not."""
    text = clean(text).text
    fitted = _outside_code(text, DEAD_AT, marks=True)
    return fitted if utf16_length(fitted) <= most else _outside_code(text, WIDE_AT, marks=False)


def _outside_code(text: str, at: str, *, marks: bool) -> str:
    pieces = _CODE.split(text)
    # what was split at stands at the odd places
    pieces[::2] = [_inert(piece, at, marks=marks) for piece in pieces[::2]]
    return "".join(pieces)


def _inert(piece: str, at: str, *, marks: bool) -> str:
    piece = TIME.sub(r"<t:\1:\2>", _CALL.sub(at, piece))
    if not marks:
        return piece
    return _QUOTE_ALL.sub(r"\\", _SPOILER.sub(r"\\||", piece))


def cut(text: str, most: int) -> str:
    """Shorten a text to `most` UTF-16 units."""
    if utf16_length(text) <= most:
        return text
    # a character beyond the basic plane counts twice, so that half as many always fit
    return text[: most - 1 if text.isascii() else most // 2 - 1].rstrip() + "…"
