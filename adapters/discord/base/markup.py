"""Fit the Markdown that models write to Discord, which draws most of it itself.

What it does not draw, such as a table, was written otherwise before (`bot.text.markdown`). Code is left as it is,
but for marks within a block that would end it. Elsewhere a call of everybody calls nobody, and what only Discord takes
for a mark stays text: two strokes of a program would hide words that were meant to be read, and three angles quote
everything that follows.
Mentions of people, roles and channels are drawn as names; whoever is named hears nothing of it (`body.NO_MENTIONS`).
Marked times are drawn as the reader's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.discord.base.escaping import escape_unmarked
from bot.text.text import clean, utf16_length
from bot.text.times import TIME

MAX_UNITS = 2000  # https://discord.com/developers/docs/resources/message#create-message
DEAD_AT = "@\u2060"
"""Stands for the @ of a call: it looks the same, and calls nobody."""
WIDE_AT = "\uff20"
"""Does the same where there is no room for one more character."""

_CODE = re.compile(r"(```.+?```|``.+?``|`[^`]+`)", re.DOTALL)
_CALL = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
_SPOILER = re.compile(r"(?<!\\)\|\|")
_QUOTE_ALL = re.compile(r"^(?=>>> )", re.MULTILINE)
_HIDDEN = re.compile(
    r"(?<![^\W_])(?<![\\|])\|\|(?=[^\s|])((?:[^|\n]|\|(?!\|)|\n(?!\n)){1,4000}?)(?<=[^\s\\|])\|\|(?![^\W_]|\|)"
)
"""What is to be hidden: `||the end||`, but not `a || b`."""
_KEPT_SIGN = "\ufdd0\ufdd0"
_LONG_FENCE = re.compile(r"^((?:> )?)(`{4,})([^`\n]*)\n(.*?)^(?:> )?\2[ \t]*$", re.MULTILINE | re.DOTALL)
_TICKS = re.compile("`{3,}")
_NUMBERED = re.compile(r"\n(?:> )? *\d{1,9}\. ")
_ITEM = re.compile(r"(?:> )?( *)(?:(\d{1,9})(?=\. +\S)|[-*](?= ))")


def discord_markdown(text: str, most: int = MAX_UNITS) -> str:
    """Return a text as it is sent, which is never longer than `most` UTF-16 units if the text was not."""
    text = clean(text).text
    text = _numbered_as_written(text, most) if _NUMBERED.search(f"\n{text}") else text
    fitted = _outside_code(escape_unmarked(_short_fences(text, "\u2060")), DEAD_AT, marks=True)
    if utf16_length(fitted) <= most:
        return fitted
    return _outside_code(escape_unmarked(_short_fences(text, ""), strays=False), WIDE_AT, marks=False)


class _Item(NamedTuple):
    """An item of a list: its line, where its number ends, and the number; None is a bullet."""

    line: int
    end: int
    number: int | None


def _numbered_as_written(text: str, most: int) -> str:
    """Keep the numbers of a list that counts down or leaves some out: Discord counts up from the first.

    A number that stands there again, as in `1. 1. 1.`, is one that Discord is to count.
    """
    lines = text.split("\n")
    escaped = {
        item.line: item.end
        for items in _lists(lines)
        if _is_counted_otherwise([item.number for item in items])
        for item in items
        if item.number is not None
    }
    fitted = "\n".join(
        f"{line[: escaped[at]]}\\{line[escaped[at] :]}" if at in escaped else line for at, line in enumerate(lines)
    )
    return fitted if utf16_length(fitted) <= most else text


def _lists(lines: Sequence[str]) -> Iterator[list[_Item]]:
    """Find the lists as Discord does: items equally far in, up to a line that is neither an item nor further in."""
    is_code, running = False, dict[int, list[_Item]]()
    for at, line in enumerate((*lines, "")):
        bare = line.removeprefix("> ")
        if bare.startswith("```"):
            is_code = not is_code
        found = None if is_code else _ITEM.match(line)
        indent = len(found[1]) if found else 0
        is_end = is_code or (found is None and not bare.startswith(" "))
        for deeper in [one for one in running if is_end or (found and one > indent)]:
            yield running.pop(deeper)
        if found:
            number = None if found[2] is None else int(found[2])
            running.setdefault(indent, []).append(_Item(at, found.end(), number))


def _is_counted_otherwise(numbers: Sequence[int | None]) -> bool:
    """Say whether Discord would show other numbers: it counts all items from the first, or none if that is a bullet."""
    first = last = numbers[0]
    if first is None or None in numbers:
        return any(number is not None for number in numbers)
    for count, number in enumerate(numbers):
        if number not in {first + count, last}:
            return True
        last = number
    return False


def _short_fences(text: str, between: str) -> str:
    """Write blocks of code with the three marks that Discord knows; those inside are kept from ending them."""
    if "````" not in text:
        return text

    def shortened(block: re.Match[str]) -> str:
        inside = _TICKS.sub(lambda run: between.join(run[0]) if between else "\u02cb" * len(run[0]), block[4])
        return f"{block[1]}```{block[3]}\n{inside}{block[1]}```"

    return _LONG_FENCE.sub(shortened, text)


def _outside_code(text: str, at: str, *, marks: bool) -> str:
    hides = marks and "||" in text
    pieces = _CODE.split(_with_hidden(text) if hides else text)
    # what was split at stands at the odd places
    pieces[::2] = [_without_calls(piece, at, marks=marks) for piece in pieces[::2]]
    return "".join(pieces).replace(_KEPT_SIGN, "||") if hides else "".join(pieces)


def _with_hidden(text: str) -> str:
    """Set apart the marks around what is to be hidden."""
    # code may stand within it, and is not read
    masked = _CODE.sub(lambda code: "\0" * len(code[0]), text)
    places = [place for found in _HIDDEN.finditer(masked) for place in (found.start(), found.end() - 2)]
    edges = [0, *(edge for place in places for edge in (place, place + 2)), len(text)]
    return _KEPT_SIGN.join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


def _without_calls(piece: str, at: str, *, marks: bool) -> str:
    piece = TIME.sub(r"<t:\1:\2>", _CALL.sub(at, piece))
    if not marks:
        return piece
    # most words have neither, and to look for a mark costs less than to look for its pattern
    piece = _SPOILER.sub(r"\\||", piece) if "||" in piece else piece
    return _QUOTE_ALL.sub(r"\\", piece) if ">>> " in piece else piece


def cut_to_units(text: str, most: int) -> str:
    """Shorten a text to `most` UTF-16 units."""
    if utf16_length(text) <= most:
        return text
    # a character beyond the basic plane counts twice, so that half as many always fit
    return text[: most - 1 if text.isascii() else most // 2 - 1].rstrip() + "…"
