"""What a page lists, written piece by piece: each once for everybody, as long as it stays as it is."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from bot.prompts import render_page
from bot.runtime.lru_cache import LRUCache
from bot.sentences import language_spoken

_MAX_BYTES = 4_000_000
"""How much is remembered; a row of the overview takes some 3 KB."""
_VERSION_BYTES = 6


class PagePiece(NamedTuple):
    """One thing of a list as HTML; empty where the page has this version of it already."""

    version: str
    html: str


_Name = tuple[str, str, bytes]
"""A language, a template, and what is written."""


class PieceWriter:
    """Writes pieces whose words depend on nothing but their values and the language of who reads them.

    Whoever may see those sees the same.
    """

    def __init__(self, clean: Callable[[Any], Any]) -> None:
        self._clean = clean
        self._written: LRUCache[_Name, PagePiece] = LRUCache(most_size=_MAX_BYTES)
        self._one_at_a_time = asyncio.Lock()

    async def rendered(self, template: str, items: Sequence[Any], have: Collection[str] = ()) -> Sequence[PagePiece]:
        """Return each item as HTML, in the same order, without those that somebody has."""
        language = language_spoken()
        names = [(language, template, orjson.dumps(item)) for item in items]
        # all who are told of news look at the same moment: the first writes, the others wait for it
        async with self._one_at_a_time:
            found = {name: piece for name in names if (piece := self._written.get(name)) is not None}
            lacking = {name: item for name, item in zip(names, items, strict=True) if name not in found}
            if lacking:
                made = await asyncio.to_thread(self._written_anew, lacking)
                for name, piece in made.items():
                    self._written.put(name, piece)
                found |= made
        pieces = [found[name] for name in names]
        return [piece._replace(html="") if piece.version in have else piece for piece in pieces]

    def _written_anew(self, lacking: dict[_Name, Any]) -> dict[_Name, PagePiece]:
        items = self._clean([*lacking.values()])
        return {name: _piece(render_page(name[1], one=item)) for name, item in zip(lacking, items, strict=True)}


def _piece(html: str) -> PagePiece:
    named = blake2b(html.encode(errors="replace"), digest_size=_VERSION_BYTES).digest()
    return PagePiece(base64.urlsafe_b64encode(named).decode(), html)
