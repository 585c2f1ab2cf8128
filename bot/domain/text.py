"""Handle odd or hostile text: clean it at ingress, show what hides in it, cut it, fence it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_BROKEN = re.compile(r"[\x00\ud800-\udfff]")
# Everything that is drawn as nothing or steers its neighbours: Cc (but \t and \n), Cf, Co, Cs, Zl, Zp, tags, fillers.
# The test walks all code points, so a newer Unicode table shows up there. ZWJ is among them: a family emoji is shown
# in its parts, because a rule with exceptions is a place to hide. A variation selector passes once per character
# (emoji need it) and is shown when it follows another one (a row of them smuggles bytes).
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff]"
    r"|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


class Cleaned(NamedTuple):
    """Text that every store can hold, and the hash of what it was if that differs."""

    text: str
    original_sha256: str | None


def clean(text: str) -> Cleaned:
    """Replace what no store can hold (NUL, surrogates) by U+FFFD; all else stays byte-exact."""
    cleaned = _BROKEN.sub("\ufffd", text)
    if cleaned == text:
        return Cleaned(text, None)
    return Cleaned(cleaned, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


@lru_cache(maxsize=1024)
def one_line_name(name: str, limit: int = 64) -> str:
    """Reduce a display name to one visible line, so that it can forge neither a line nor a speaker."""
    spaced = " ".join(name.split())
    line = " ".join(_HIDDEN.sub("", spaced).split())[:limit].strip()
    drawn = any(unicodedata.category(character)[0] in "LNPS" for character in line)
    return line if drawn else "someone"


def visible(text: str) -> str:
    """Write every invisible character as ⟨U+200B⟩; what is stored stays as it was."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def is_blank(text: str) -> bool:
    """Say whether there is nothing to see in a text; no platform shows such a message."""
    # nearly every text begins with a letter; beyond ASCII some of what counts as one is drawn as nothing
    first = text[:1]
    return not ((first.isascii() and first.isalnum()) or _HIDDEN.sub("", text).strip())


def count_invisible(text: str) -> int:
    """Count the characters that `visible` would write out."""
    return sum(1 for _ in _HIDDEN.finditer(text))


_CUT_TIME = re.compile(r"<(?:t(?::(?:\d{1,11}(?::[tT]?)?)?)?)?$")
"""The beginning of a marked time (`bot.domain.times`) at the end of what is left of a text."""


def excerpt(text: str, limit: int) -> str:
    """Quote text on one line of at most `limit` characters, invisible ones shown."""
    line = " ".join(visible(text.replace("\r\n", "\n")).split())
    if len(line) <= limit:
        return line
    return _CUT_TIME.sub("", line[: max(limit - 1, 0)]).rstrip() + "…"


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
