"""The blocks of a request: all of them in numbers, and the words of those that are looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Role
from bot.domain.snapshot import SectionFate, SectionStability
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage, ShownSection, ShownTool
from bot.sentences import say
from bot.text.text import one_line_name

MAX_WORDS_CHARS = 8000
"""So much of one block is shown; `!cortex export` has all of it."""
BLOCKS_A_GROUP = 50
"""So many blocks come at once, as a page is scrolled to them; as many places are kept free for them in `page.css`."""
_MAX_OPEN_GROUPS = 3
"""A request of no more groups is shown at once."""
MAP_WIDTH = 1000
MAX_BARS = 300
"""On a map of more blocks the smallest stand together, as nobody could tell them apart."""
_BEFORE_MARK_CHARS = 2000
_MAX_NAMED = 50
"""So many blocks in which a quote stands are named."""


class _Block(NamedTuple):
    """A block in numbers; `tell` returns what is said of it."""

    layer: str
    tokens: int
    tell: Callable[[], dict[str, Any]]


class RequestBlocks:
    """The blocks of a request in their order, numbered from 1; `mark` is a quote that is looked for in their words."""

    def __init__(self, shown: InspectedContext, *, reads: bool, mark: str) -> None:
        self._blocks = list(_blocks(shown, reads=reads))
        self.tokens = sum([one.tokens for one in self._blocks])
        self.mark = mark
        self._pattern: re.Pattern[str] | None = None
        self.marked: Sequence[int] = ()
        if mark:
            # as it stands there, or else as somebody types it who searches
            for flags in (0, re.IGNORECASE):
                self._pattern = re.compile(f"({re.escape(mark)})", flags)
                self.marked = [n for n, one in enumerate(self._blocks, 1) if self._pattern.search(one.tell()["words"])]
                if self.marked:
                    break

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._blocks)

    def values(self, number: int) -> dict[str, Any]:
        """Return a block with its words, of very many those that are shown."""
        block, whole = self._blocks[number - 1], self.tokens
        told = {**block.tell(), "layer": block.layer, "tokens": block.tokens}
        return {**self._cut(told), "share": round(100 * block.tokens / whole, 2) if whole else 0.0}

    def _cut(self, told: dict[str, Any]) -> dict[str, Any]:
        """Shorten the words of a block; where a quote is looked for, around the first place where it stands."""
        words: str = told["words"]
        found = self._pattern.search(words) if self._pattern is not None else None
        begin = max(0, found.start() - _BEFORE_MARK_CHARS) if found and found.end() > MAX_WORDS_CHARS else 0
        shown = words[begin : begin + MAX_WORDS_CHARS]
        pieces: list[dict[str, Any]] = []
        if found is not None and self._pattern is not None:
            # what fits stands at the odd places
            texts = self._pattern.split(shown)
            pieces = [{"text": text, "marked": bool(place % 2)} for place, text in enumerate(texts)]
        return {**told, "words": shown, "cut": len(words) - len(shown), "pieces": pieces}

    def page(self, begin: int, *, alone: bool) -> dict[str, Any]:
        """Return what a page shows: a map, and groups of blocks, of which only those that are looked at have words.

        `begin` is from which block on somebody reads (0: from the first); `alone`: nothing but its group.
        """
        groups = range(-(-self.count // BLOCKS_A_GROUP))
        asked = min(max(0, begin - 1) // BLOCKS_A_GROUP, max(0, len(groups) - 1))
        if alone:
            return {"is_part": True, "groups": [self._group(asked, is_open=True)]}
        is_open = {asked, *groups[-1:]}
        if self.marked:
            is_open.add((self.marked[0] - 1) // BLOCKS_A_GROUP)
        if len(groups) <= _MAX_OPEN_GROUPS:
            is_open.update(groups)
        return {
            "is_part": False,
            "is_long": len(is_open) < len(groups),
            "tokens": self.tokens,
            "layers": self._layers(),
            "bars": list(self._bars()),
            "names": {number: self._blocks[number - 1].tell()["name"] for number in self.marked[:_MAX_NAMED]},
            "groups": [self._group(number, is_open=number in is_open) for number in groups],
        }

    def _group(self, number: int, *, is_open: bool) -> dict[str, Any]:
        first = number * BLOCKS_A_GROUP + 1
        last = min(first + BLOCKS_A_GROUP - 1, self.count)
        blocks = [{"number": one, **self.values(one)} for one in range(first, last + 1)] if is_open else None
        tokens = sum(one.tokens for one in self._blocks[first - 1 : last])
        return {"first": first, "last": last, "tokens": tokens, "blocks": blocks}

    def _layers(self) -> dict[str, int]:
        """Return how many tokens each layer has."""
        found: dict[str, int] = {}
        for one in self._blocks:
            found[one.layer] = found.get(one.layer, 0) + one.tokens
        return found

    def _bars(self) -> Iterator[dict[str, Any]]:
        """Yield the bars of the map, each as wide as its share; neighbours that nobody would see are one."""
        whole = max(1, self.tokens)
        least = whole / MAX_BARS if self.count > MAX_BARS else 0
        first, tokens, layers, left = 1, 0, dict[str, int](), 0.0
        for number, block in enumerate(self._blocks, 1):
            tokens += block.tokens
            layers[block.layer] = layers.get(block.layer, 0) + block.tokens
            if number < self.count and tokens < least and self._blocks[number].tokens < least:
                continue
            width = MAP_WIDTH * tokens / whole
            yield {
                "first": first,
                "last": number,
                "layer": max(layers, key=layers.__getitem__),
                "name": block.tell()["name"] if first == number else "",
                "tokens": tokens,
                "share": round(100 * tokens / whole, 2),
                "left": f"{left:.2f}",
                "width": f"{width:.2f}",
            }
            first, tokens, layers, left = number + 1, 0, {}, left + width


def _blocks(shown: InspectedContext, *, reads: bool) -> Iterator[_Block]:
    """Name every block of a request in its order; what moves with each request stands in its last message."""
    kept = [one for one in shown.sections if one.trace.fate is SectionFate.KEPT]
    fixed = [one for one in kept if one.trace.stability is not SectionStability.VOLATILE]
    for one in fixed:
        yield _Block(one.trace.stability.value, one.trace.tokens, partial(_section, one))
    between = shown.stats.system_prompt - sum(one.trace.tokens for one in fixed)
    if between > 0:
        yield _Block("static", between, partial(_told, "section", say("window.between-sections"), ""))
    for tool in shown.tools:
        yield _Block("tools", tool.tokens, partial(_tool, tool))
    for number, said in enumerate(shown.messages, 1):
        layer = _layer(said, is_last=number == len(shown.messages))
        yield _Block(layer, said.tokens, partial(_message, said, layer, reads=reads))
    if shown.stats.overhead:
        yield _Block(
            "overhead",
            shown.stats.overhead,
            partial(_told, "overhead", say("window_contexts.layer", layer="overhead"), ""),
        )


def _section(one: ShownSection) -> dict[str, Any]:
    return _told("section", one.trace.name, one.text, one.trace.sources)


def _tool(tool: ShownTool) -> dict[str, Any]:
    told = tool.definition
    return _told("tool", told.name, f"{told.description}\n\n{told.parameters}")


def _layer(said: ShownMessage, *, is_last: bool) -> str:
    if said.message.summary is not None:
        return "summary"
    return "asked" if is_last and said.message.role is Role.USER else "said"


def _message(said: ShownMessage, layer: str, *, reads: bool) -> dict[str, Any]:
    message, role = said.message, layer
    if layer != "summary":
        role = "person" if message.role is Role.USER else message.role.value
    name = say("window_contexts.by", role=role)
    if message.author is not None and message.role is Role.USER and reads:
        name = one_line_name(message.author.name, 32)
    told = _told("message", f"{said.index} {name}", said.content)
    return {**told, "inbound": handle(HandleKind.INBOUND, message.inbound) if message.inbound else None}


def _told(kind: str, name: str, words: str, sources: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": kind, "name": name, "words": words, "sources": list(sources), "inbound": None}
