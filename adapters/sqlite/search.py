"""Turn what a person typed into a full-text query that can do nothing but search."""

from __future__ import annotations

import re

WORDS = 32
_WORD = re.compile(r"\w+")


def match(text: str) -> str:
    """Return an FTS5 query for any of the words, each as a quoted string; empty when there are none."""
    # only word characters survive, so a quote, an operator or a column filter cannot be formed
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text[:4000]) if word.strip("_"))
    return " OR ".join(f'"{word}"' for word in list(words)[:WORDS])
