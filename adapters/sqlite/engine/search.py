"""Turn what a person typed into a full-text query that can do nothing but search."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing

WORDS = 32
_WORD = re.compile(r"\w+")


def match(text: str) -> str:
    """Return an FTS5 query for any of the words, each as a quoted string; empty when there are none."""
    # only word characters survive, so a quote, an operator or a column filter cannot be formed
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text[:4000]) if word.strip("_"))
    return " OR ".join(f'"{word}"' for word in list(words)[:WORDS])


def ranked_places(query: str, texts: Sequence[str]) -> list[int]:
    """Return the places of the texts that a query finds, best first; of equals, the one that stands first."""
    with closing(sqlite3.connect(":memory:")) as scratch:
        scratch.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='unicode61')")
        scratch.executemany("INSERT INTO said (rowid, text) VALUES (?, ?)", enumerate(texts))
        found = scratch.execute("SELECT rowid FROM said WHERE said MATCH ? ORDER BY bm25(said), rowid", (query,))
        return [row for (row,) in found]
