"""How the words behind `memory list`, `search` and `by` are read: a channel, filters in any order, a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bot.cortex.commands.command_arguments import USER, PagedArgs, TypedLine, is_place
from bot.cortex.pages.memory_audit import AuditQuery, author_of
from bot.domain.memory import MemoryFilter, MemoryScope, MemoryType, StandsOut

_TOKEN = re.compile(r"\"[^\"]{1,200}\"|\S+")
_PERSON = re.compile(rf"{USER}|\"[^\"]{{1,64}}\"")
_SPAN = re.compile(r"(\d{1,4})\s*(min|[hdw])[a-z]*", re.IGNORECASE)
_UNITS_MS = {"min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
_SCOPES: Mapping[str, MemoryScope] = {
    "channel": MemoryScope.CHANNEL,
    "here": MemoryScope.CHANNEL,
    "user": MemoryScope.USER,
    "person": MemoryScope.USER,
    "server": MemoryScope.GUILD,
    "guild": MemoryScope.GUILD,
    "global": MemoryScope.GLOBAL,
    "everywhere": MemoryScope.GLOBAL,
}
_SERVER_WORDS = frozenset({"server", "guild"})
_MAX_PAGE = 255


class MemoryListArgs(PagedArgs):
    """Which memories are asked for."""

    wanted: MemoryFilter = MemoryFilter()
    everywhere: bool = False
    older_ms: int = 0
    newer_ms: int = 0

    @property
    def query(self) -> AuditQuery:
        """What is asked of the store."""
        return AuditQuery(self.wanted, self.page, self.everywhere, self.older_ms, self.newer_ms)


def memory_list(typed: TypedLine) -> MemoryListArgs | None:
    """Read `[#name | server] [type decision] [by james] [older 30d] [newer 2h] [scope server] [flagged] [page 2]`."""
    return _Reading(typed.rest).args()


def memory_search(typed: TypedLine) -> MemoryListArgs | None:
    """Read words, bare or in quotes; behind quotes, filters may follow, behind bare words no more than a page."""
    rest = typed.rest
    if found := re.match(r"\"([^\"]{1,200})\"\s*", rest):
        args, words = _Reading(rest[found.end() :]).args(), found[1]
    else:
        words, _, number = rest.rpartition(" page ")
        if words and number.isdigit():
            args = _Reading(f"page {number}").args()
        else:
            args, words = MemoryListArgs(), rest
    words = words.strip()
    return args.replace(wanted=args.wanted.replace(words=words)) if args is not None and words else None


def memory_by(typed: TypedLine) -> MemoryListArgs | None:
    """Read a person, and filters behind them."""
    return _Reading(f"by {typed.rest}").args() if typed.rest else None


class _Reading:
    """The words that are left to read; what is no filter makes the whole line none."""

    def __init__(self, text: str) -> None:
        self._left = _TOKEN.findall(text)
        self._args = MemoryListArgs()

    def args(self) -> MemoryListArgs | None:
        """Read everything, or return None."""
        self._read_place()
        while self._left:
            word = self._left.pop(0).casefold()
            read = _FILTERS.get(word)
            changed = read(self) if read is not None else self._bare(word)
            if changed is None:
                return None
            self._args = changed
        return self._args

    def _read_place(self) -> None:
        if not self._left:
            return
        first = self._left[0]
        if first.casefold() in _SERVER_WORDS:
            self._args = self._args.replace(everywhere=True)
        elif first.casefold() not in _FILTERS and is_place(first):
            self._args = self._args.replace(where=first.strip('"'))
        else:
            return
        self._left.pop(0)

    def _next(self) -> str:
        return self._left.pop(0) if self._left else ""

    def _with(self, **changes: object) -> MemoryListArgs:
        return self._args.replace(wanted=self._args.wanted.replace(**changes))

    def _bare(self, word: str) -> MemoryListArgs | None:
        """Read the name of a type without `type` in front."""
        kind = _type(word)
        return self._with(type=kind) if kind is not None else None

    def read_type(self) -> MemoryListArgs | None:
        return self._bare(self._next().casefold())

    def read_author(self) -> MemoryListArgs | None:
        person = self._next()
        return self._with(author=author_of(person)) if _PERSON.fullmatch(person) else None

    def read_older(self) -> MemoryListArgs | None:
        span = self._span()
        return self._args.replace(older_ms=span) if span else None

    def read_newer(self) -> MemoryListArgs | None:
        span = self._span()
        return self._args.replace(newer_ms=span) if span else None

    def read_scope(self) -> MemoryListArgs | None:
        scope = _SCOPES.get(self._next().casefold())
        return self._with(scope=scope) if scope is not None else None

    def read_forgotten(self) -> MemoryListArgs | None:
        return self._with(forgotten=True)

    def read_kept(self) -> MemoryListArgs | None:
        return self._with(forgotten=False)

    def read_flagged(self) -> MemoryListArgs | None:
        return self._with(stands_out=StandsOut.FLAGGED, forgotten=False)

    def read_disputed(self) -> MemoryListArgs | None:
        return self._with(stands_out=StandsOut.DISPUTED, forgotten=False)

    def read_alike(self) -> MemoryListArgs | None:
        return self._with(stands_out=StandsOut.ALIKE, forgotten=False)

    def read_page(self) -> MemoryListArgs | None:
        number = self._next()
        fits = number.isascii() and number.isdigit() and 0 < int(number) <= _MAX_PAGE
        return self._args.replace(page=int(number)) if fits else None

    def _span(self) -> int:
        """Read `30d`, `30 days`, `than 30d`; 0 for anything else."""
        word = self._next()
        word = self._next() if word.casefold() == "than" else word
        if word.isdigit() and self._left:
            word += self._next()
        found = _SPAN.fullmatch(word)
        return int(found[1]) * _UNITS_MS[found[2].casefold()] if found else 0


_FILTERS: Mapping[str, Callable[[_Reading], MemoryListArgs | None]] = {
    "type": _Reading.read_type,
    "by": _Reading.read_author,
    "from": _Reading.read_author,
    "older": _Reading.read_older,
    "newer": _Reading.read_newer,
    "scope": _Reading.read_scope,
    "forgotten": _Reading.read_forgotten,
    "kept": _Reading.read_kept,
    "flagged": _Reading.read_flagged,
    "disputed": _Reading.read_disputed,
    "contradicting": _Reading.read_disputed,
    "alike": _Reading.read_alike,
    "twice": _Reading.read_alike,
    "page": _Reading.read_page,
}


def _type(word: str) -> MemoryType | None:
    """Read a type by its name, in the singular or the plural."""
    for spelling in (word, word.removesuffix("s"), f"{word.removesuffix('ies')}y"):
        if spelling in MemoryType._value2member_map_:
            return MemoryType(spelling)
    return None
