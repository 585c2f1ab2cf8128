"""Show what hides in a text: characters that are drawn as nothing, steer their neighbours, or command a terminal."""

from __future__ import annotations

import re

# Everything that is drawn as nothing or steers its neighbours: Cc (but \t and \n), Cf, Co, Cs, Zl, Zp, tags, fillers.
# The test walks all code points, so a newer Unicode table shows up there. ZWJ is among them: a family emoji is shown
# in its parts, because a rule with exceptions is a place to hide. A variation selector passes once per character
# (emoji need it) and is shown when it follows another one (a row of them smuggles bytes).
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff]"
    r"|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# Where a joiner belongs to the writing: between the parts of one emoji, between letters of Arabic and Indic words.
_EMOJI = r"\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"
_JOINED_LETTERS = r"\u0620-\u06d3\u0750-\u077f\u0900-\u0dff"
_JOINER = re.compile(
    rf"(?<=[{_EMOJI}])\u200d(?=[\u2600-\u27bf\u2190-\u21ff\U0001f000-\U0001faff])"
    rf"|(?<=[{_JOINED_LETTERS}])[\u200c\u200d](?=[{_JOINED_LETTERS}])"
)


def visible(text: str) -> str:
    """Write every invisible character as ⟨U+200B⟩; what is stored stays as it was."""
    return HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def visible_joined(text: str) -> str:
    """Do the same, where a joiner inside one emoji or one Arabic or Indic word stays: it is part of the writing."""
    if text.isascii() or ("\u200c" not in text and "\u200d" not in text):
        return visible(text)
    pieces, at = [], 0
    for joiner in _JOINER.finditer(text):
        pieces += [visible(text[at : joiner.start()]), joiner[0]]
        at = joiner.end()
    return "".join((*pieces, visible(text[at:])))


def is_blank(text: str) -> bool:
    """Say whether there is nothing to see in a text; no platform shows such a message."""
    # nearly every text begins with a letter; beyond ASCII some of what counts as one is drawn as nothing
    first = text[:1]
    return not ((first.isascii() and first.isalnum()) or HIDDEN.sub("", text).strip())


def count_invisible(text: str) -> int:
    """Count the characters that `visible` would write out."""
    return sum(1 for _ in HIDDEN.finditer(text))


def escaped(json_text: str) -> str:
    """Write what is invisible in a JSON text as \\uXXXX: the same value, and nothing that a terminal obeys."""
    return HIDDEN.sub(_escape, json_text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD7C0 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
