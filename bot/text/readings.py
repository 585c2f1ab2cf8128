"""Read a text as a model may read it that is told to decode it: hidden letters, backwards, rot13, base64, escapes."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from bot.text.invisible import HIDDEN

_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_SHOWN = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
"""What `visible` makes of a hidden letter."""
_MOST_DECODED = 200


def readings(text: str) -> Iterator[str]:
    """Yield the text as it is, then what else it may be read as; the costly ones last."""
    yield text
    plain = text if text.isascii() else HIDDEN.sub("", _SHOWN.sub("", text).translate(_TAGS))
    if plain != text:
        yield plain
    for other in (html.unescape(plain), unquote(plain)):
        if other != plain:
            yield other
    if decoded := "\n".join(_decoded(plain)):
        yield decoded
    yield plain[::-1]
    yield codecs.encode(plain, "rot13")


def _decoded(text: str) -> Iterator[str]:
    for number, run in enumerate(_BASE64.findall(text)):
        if number == _MOST_DECODED:
            return
        run = run.translate({ord("-"): "+", ord("_"): "/"})
        try:
            yield base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-8", "ignore")
        except binascii.Error:
            continue
