"""Split what somebody typed into words as they are compared: without case, accents and apostrophes."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")
_NOT = re.compile(r"n['’‘]t\b")
_BREVE = "\u0306"


def plain_words(text: str) -> list[str]:
    """Return the words of a text; `doesn't` is one."""
    return _WORD.findall(unaccented(_NOT.sub("nt", text.casefold())))


def unaccented(text: str) -> str:
    """Leave accents out, as phones do. Of Cyrillic only ё loses its dots: й is a letter of its own."""
    if text.isascii():
        return text
    kept = (c for c in unicodedata.normalize("NFKD", text) if c == _BREVE or not unicodedata.combining(c))
    return unicodedata.normalize("NFKC", "".join(kept)).replace("ß", "ss")
