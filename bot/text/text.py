"""Handle odd or hostile text: clean it at ingress, show what hides in it, cut it, fence it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from bot.text.invisible import HIDDEN, visible_joined
from bot.text.invisible import count_invisible as count_invisible
from bot.text.invisible import is_blank as is_blank
from bot.text.invisible import visible as visible
from bot.text.links import defang

_BROKEN = re.compile(r"[\x00\ud800-\udfff]")


class CleanedText(NamedTuple):
    """Text that every store can hold, and the hash of what it was if that differs."""

    text: str
    original_sha256: str | None


def clean(text: str) -> CleanedText:
    """Replace what no store can hold (NUL, surrogates) by U+FFFD; all else stays byte-exact."""
    cleaned = _BROKEN.sub("\ufffd", text)
    if cleaned == text:
        return CleanedText(text, None)
    return CleanedText(cleaned, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


# Marks that a platform would read in a name, and signs that look like them and are read by nobody.
_LOOK_ALIKES = str.maketrans({"*": "\u2217", "`": "\u02cb", "\\": "\u2216"})
_MARKED = (
    (re.compile(r"(?<![^\W_])_|_(?![^\W_])"), "\uff3f"),  # snake_case stays: neither platform reads marks in a word
    (re.compile(r"~(?=~)|(?<=~)~"), "\u223c"),
    (re.compile(r"\|(?=\|)|(?<=\|)\|"), "\u2223"),
    (re.compile(r"<(?=[^\s\d=<>-])|<(?=[!-])"), "\uff1c"),
    (re.compile(r"^>"), "\uff1e"),
    (
        re.compile(r"^#(?=#*\s)|(?<=-)#(?=\s)|(?<!^)(?<!\w)(?<!console:)#(?=\w)"),
        "\uff03",
    ),  # #general stays: so channels are called
    (re.compile(r"^-(?=[\s\uff03])"), "\u2010"),
    (re.compile(r"(?<![\w/])/(?=[A-Za-z])"), "\u2215"),  # Telegram makes a command of it that one tap sends
    (re.compile(r"(?<!\w)\$(?=[A-Za-z])"), "\uff04"),
    (re.compile(r"(?<![\w+])\+(?=\d)"), "\uff0b"),
    (re.compile(r"&(?=#?\w{1,40};)"), "\uff06"),
)
_DEAD_ALREADY = re.compile(r"[0-9A-Za-z]+(?:[ -][0-9A-Za-z]+)*")
_STACKED_ACCENTS = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4,}")
_MAX_READ_CHARS = 16
"""Characters of a name that are looked at, for each one that may be shown."""
NOBODY = "someone"
_OWN_TIME = re.compile(r"<t:\d{1,11}:[tT]>")
_CUT_TIME = re.compile(r"<(?:t(?::(?:\d{1,11}(?::[tT]?)?)?)?)?$")
"""The beginning of a marked time (`bot.text.times`) at the end of what is left of a text."""


@lru_cache(maxsize=4096)
def one_line_name(name: str, limit: int = 64, blank: str = NOBODY) -> str:
    """Show a name, a title, a label or somebody's short reason: the one way in which any of them is shown.

    It is one line of at most `limit` characters, never empty (`blank` stands for what nobody could see), without a
    mark, a link, a mention, a tag or a command of any platform; what is invisible in it is written out. An ordinary
    name comes out as it was written.
    """
    if len(name) <= limit and _DEAD_ALREADY.fullmatch(name):
        return name
    spaced = " ".join(name[: limit * _MAX_READ_CHARS].split())
    if not any(unicodedata.category(character)[0] in "LNPS" for character in HIDDEN.sub("", spaced)):
        return blank
    line = visible_joined(spaced)
    if unicodedata.category(line[0])[0] == "M":
        line = "\u25cc" + line  # it would be drawn on top of our own last letter
    line = _STACKED_ACCENTS.sub(lambda stack: stack[0][:3], line)
    shown = cut_line(_unmarked(line), limit)
    for _ in range(limit):
        # what was no host may end in one where it is cut: evil.comfort
        if (again := cut_line(_unmarked(shown), limit)) == shown:
            break
        shown = again
    return shown


def file_name(name: str, limit: int = 64) -> str:
    """Name a file to a model or to a platform: one visible line that keeps its dots, as it has to be found by it."""
    spaced = " ".join(name[: limit * _MAX_READ_CHARS].split())
    return NOBODY if is_blank(spaced) else cut_line(visible_joined(spaced), limit)


def quote_line(text: str, limit: int) -> str:
    """Show somebody's words on one line outside a fence: dead like a name, but nothing stays nothing."""
    pieces, at = [], 0
    for time in _OWN_TIME.finditer(text[: limit * _MAX_READ_CHARS]):
        # a time that we marked ourselves is drawn by each platform in the reader's own zone
        pieces += [_gapped(text[at : time.start()], limit), time[0]]
        at = time.end()
    if not pieces:
        return one_line_name(text, limit, "")
    pieces.append(_gapped(text[at : limit * _MAX_READ_CHARS], limit))
    return cut_line("".join(pieces).strip(), limit)


def _gapped(text: str, limit: int) -> str:
    """Keep the space at both ends of a piece between two times."""
    shown = one_line_name(text, limit, "")
    return f"{' ' * text[:1].isspace()}{shown}{' ' * (text[-1:].isspace() and len(text) > 1)}"


def _unmarked(line: str) -> str:
    """Take the meaning from every mark; doing it again changes nothing."""
    line = defang(line).translate(_LOOK_ALIKES)
    for pattern, harmless in _MARKED:
        line = pattern.sub(harmless, line)
    return line


def cut_line(line: str, limit: int) -> str:
    """Cut a line, and say so."""
    if len(line) <= limit:
        return line
    return _CUT_TIME.sub("", line[: max(limit - 1, 0)]).rstrip(" \u200c\u200d") + "…"


def excerpt(text: str, limit: int) -> str:
    """Quote text on one line of at most `limit` characters, invisible ones shown."""
    line = " ".join(visible(text.replace("\r\n", "\n")).split())
    return cut_line(line, limit)


def utf16_length(text: str) -> int:
    """Count as both platforms may: 😀 is two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


_OPENING_FENCE = re.compile(r"(`{3,})[^`\n]*\n")


def fence(text: str, info: str = "") -> str:
    """Wrap text in a code fence longer than any run of backticks inside it."""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    label = re.sub(r"[^\w+#.-]", "", info)
    return f"{ticks}{label}\n{text}\n{ticks}"


def unfence(block: str) -> str | None:
    """Read back what one whole fence holds; None if it ends early, late or never."""
    opening = _OPENING_FENCE.match(block)
    if opening is None:
        return None
    closing = re.compile(rf"^ {{0,3}}`{{{len(opening[1])},}}[ \t]*$", re.MULTILINE).search(block, opening.end())
    if closing is None or closing.end() != len(block):
        return None
    return block[opening.end() : max(closing.start() - 1, opening.end())]


# What Telegram may read as part of a host name: nearly anything beyond ASCII.
