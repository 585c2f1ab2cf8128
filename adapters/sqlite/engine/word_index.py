"""The words of memories: each stands in the index with the place where it may be seen, and is looked for there alone.

Because of that a search costs what is remembered in those places, however much there is elsewhere, and how rare a word
is there is all that its weight tells. A word counts once in a memory, however often it is repeated, and counts for less
the longer the memory is: nothing is found first because it says everything.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice, starmap
from threading import Lock
from typing import NamedTuple

import orjson

from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.engine.write_batch import execute_unbatched
from bot.domain.ids import platform_of
from bot.domain.memory import MemoryReach, MemoryScope
from bot.runtime.lru_cache import LRUCache
from bot.text.terms import index_terms, is_function_word, terms, word_form

MAX_ROWS = 2_500
"""So many memories are looked at for the rarer terms of a question, the rarest first."""
MAX_NEWEST = 500
"""So many of those that hold the commonest term of a question decide how far back the terms are looked for for which
`MAX_ROWS` had no room."""
_MAX_COUNTS = 2_000
_LONG_TO_COUNT = 500
"""Of what is in fewer memories nothing is remembered: that is counted at once."""
_MAX_TERMS = 32
_MAX_TERM_CHARS = 40
_MAX_TEXT_CHARS = 4_000
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 512)
"""Up to how many terms a text of each class of length has; the last class has no end."""
ROWS_OF_ONE = len(_LENGTHS) + 1
"""A memory has as many rows to choose from as there are classes of length: its own says of which class it is."""
_USUAL_LENGTH = 12
_LENGTH_WEIGHTS = tuple(2.2 / (1.3 + 0.9 * length / _USUAL_LENGTH) for length in (*_LENGTHS, 2_048))
"""BM25's part for the length of a text (k1 = 1.2, b = 0.75), where the usual memory is a sentence or two."""
_USUAL_HITS = 100
"""So many are put in order first: hardly anybody asks for more."""
_OF_FORM = 0.4
"""How much of a word's weight is that something is a form of it."""
_MAX_WITH_FORMS = 1_000
"""A word that is in more memories than that is looked for as it is."""
_OF_AUTHOR = 0.6
"""How much it counts that somebody who is named said it."""


class WeighedTerm(NamedTuple):
    """In how many memories a term is, and what it adds to those: more, the fewer they are."""

    held: int
    term: str
    weight: float


class RankedRow(NamedTuple):
    """A memory that holds words of a question; more is better, and of equals the newer comes first."""

    score: float
    row: int


class IndexedMemory(NamedTuple):
    """Where a memory may be seen, where it was learnt, from whom, and what it says."""

    agent: str
    platform: str
    scope: str
    scope_id: str
    channel: str
    author_name: str
    content: str


def index_text(memory: IndexedMemory) -> str:
    """Return what the index holds of a memory: its words, what their forms have in common, and its author's name."""
    found = list(dict.fromkeys(term[:_MAX_TERM_CHARS] for term in index_terms(memory.content)))
    common = (word_form(term) for term in found if not is_function_word(term))
    names = (word_form(term) or term for term in index_terms(memory.author_name))
    forms = ["", *found, *(f"~{form}" for form in dict.fromkeys(common) if form), *(f"@{name}" for name in names)]
    places = [scope_place(memory.agent, memory.platform, memory.scope, memory.scope_id)]
    if memory.scope == MemoryScope.USER:
        # who looks through a channel's memories finds what was learnt there, and does not know about whom
        places.append(learnt_place(memory.agent, memory.channel))
    return " ".join(f"{place}_{form}" for place in places for form in forms)


def text_of_row(*row: str | bytes | None) -> str:
    """Do the same for a row, whose texts may hold bytes that are none; known to SQL as `index_text`."""
    return index_text(IndexedMemory(*(_read(value) for value in row)))


def _read(value: str | bytes | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""


def index_row(memory: int, content: bytes | str) -> int:
    """Return the index's row of a memory: its number, and how long its text is; also known to SQL under this name."""
    return memory * ROWS_OF_ONE + bisect_left(_LENGTHS, len(index_terms(_read(content))))


def put_words(connection: SqlConnection, number: int, memory: IndexedMemory) -> None:
    """Let a memory be found by its words; part of a unit."""
    # unbatched: only this and the next one write the index
    sql = "INSERT INTO memory_fts (rowid, text) VALUES (?, ?)"
    execute_unbatched(connection, sql, (index_row(number, memory.content), index_text(memory)))


def take_words(connection: SqlConnection, memory: int) -> None:
    """Take a memory's words out of the index; part of a unit."""
    first = memory * ROWS_OF_ONE
    sql = "DELETE FROM memory_fts WHERE rowid BETWEEN ? AND ?"
    execute_unbatched(connection, sql, (first, first + ROWS_OF_ONE - 1))


def scope_place(agent: str, platform: str, scope: str, scope_id: str) -> str:
    """Return the short name of a scope; two may share one, so what is found there is looked at once more."""
    owner = platform if scope in {MemoryScope.GUILD, MemoryScope.USER} else ""
    return _short_name(agent, owner, scope, scope_id)


def learnt_place(agent: str, channel: str) -> str:
    """Return the short name of what was learnt in a channel and belongs to a person."""
    return _short_name(agent, "", "learnt", channel)


def places_of(reach: MemoryReach) -> tuple[str, ...]:
    """Return the places that a reader may see."""
    platform = platform_of(reach.channel)
    scopes = [(MemoryScope.CHANNEL, str(reach.channel)), (MemoryScope.GLOBAL, "")]
    if reach.guild_id:
        scopes.append((MemoryScope.GUILD, reach.guild_id))
    if reach.user_id:
        scopes.append((MemoryScope.USER, reach.user_id))
    return tuple(scope_place(reach.agent, platform, scope, scope_id) for scope, scope_id in scopes)


def question_terms(words: str) -> tuple[str, ...]:
    """Return what to look for: what a question is about, or, where it is about nothing, the words that it has."""
    return _few(terms(words[:_MAX_TEXT_CHARS])) or every_term(words)


def every_term(words: str) -> tuple[str, ...]:
    """Return what to look for where each of the words counts."""
    return _few(index_terms(words[:_MAX_TEXT_CHARS]))


def _few(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term[:_MAX_TERM_CHARS] for term in found))[:_MAX_TERMS]


def count_in(connection: SqlConnection, places: Iterable[str]) -> dict[str, int]:
    """Count what is in the index of each of some places, of those where there is anything."""
    index = IndexReader.once(connection)
    counted = {place: _count(index, [place], "") for place in places}
    return {place: many for place, many in counted.items() if many}


class TermCounts:
    """Remembers in how many memories terms are, as long as no memory came, went or changed: of a common one it is long
    to count, and every question has some.
    """

    def __init__(self) -> None:
        self._kept: LRUCache[str, tuple[Hashable, int]] = LRUCache(_MAX_COUNTS)
        self._turning = Lock()  # readers have threads of their own

    def of(self, connection: SqlConnection, version: Hashable, query: str) -> int:
        """Count what a query of the index finds; `version` is another after every change of it (None: others write)."""
        with self._turning:
            known = self._kept.get(query) if version is not None else None
        if known is not None and known[0] == version:
            return known[1]
        sql = "SELECT count(*) FROM memory_fts WHERE memory_fts MATCH ?"
        found = int(connection.execute(sql, (query,)).fetchone()[0])
        if found >= _LONG_TO_COUNT and version is not None:
            with self._turning:
                self._kept.put(query, (version, found))
        return found


class IndexReader(NamedTuple):
    """The index as one reader sees it, what is known of it, and of which version of it that is."""

    connection: SqlConnection
    counts: TermCounts
    version: Hashable

    @classmethod
    def once(cls, connection: SqlConnection) -> IndexReader:
        """Return one of which nothing is known yet, for one question."""
        return cls(connection, TermCounts(), None)


def rank_rows(
    index: IndexReader, known: Mapping[str, int], wanted: Sequence[str], most: int | None = MAX_ROWS
) -> Iterator[RankedRow]:
    """Yield the memories that hold any of some terms, best first; `known` is how much is in each of the places.

    A term weighs by how rare it is in these places together, and the sum by the length of the memory. The order is that
    of all that hold any of the terms as long as no more than `most` do (those that hold several are counted as often;
    None: however many). Where more do, the terms that are in the most memories find nothing by themselves but among the
    newest (`MAX_NEWEST`); what else is found still counts them.
    """
    here, many = list(known), sum(known.values())
    scores = _add_up(index.connection, here, sorted(_weighed(index, here, wanted, many)), most) if here else {}
    sums = [(score * _LENGTH_WEIGHTS[row % ROWS_OF_ONE], row) for row, score in scores.items()]
    first = heapq.nlargest(_USUAL_HITS, sums)
    yield from starmap(_ranked, first)
    if len(first) < len(sums):
        yield from starmap(_ranked, islice(sorted(sums, reverse=True), _USUAL_HITS, None))


def _weighed(index: IndexReader, places: Sequence[str], wanted: Iterable[str], many: int) -> Iterator[WeighedTerm]:
    """Say in how many of so many memories each term is, and what it weighs; a part of that is for its other forms.

    Where all that hold a form of a word hold the word itself, and where very many do, the word has all of its weight.
    """
    for term in wanted:
        held, form = _count(index, places, term), word_form(term)
        forms = _count(index, places, f"~{form}") if form and held <= _MAX_WITH_FORMS else held
        if forms > held:
            yield WeighedTerm(forms, f"~{form}", _OF_FORM * _rarity(forms, many))
        if held:
            yield WeighedTerm(held, term, (1 - _OF_FORM if forms > held else 1.0) * _rarity(held, many))
        if by := _count(index, places, f"@{form or term}"):
            yield WeighedTerm(by, f"@{form or term}", _OF_AUTHOR * _rarity(by, many))


def _rarity(held: int, many: int) -> float:
    return math.log1p((many - held + 0.5) / (held + 0.5))


def _count(index: IndexReader, places: Sequence[str], form: str) -> int:
    return index.counts.of(index.connection, index.version, _any_of(places, [form]))


def _ranked(score: float, row: int) -> RankedRow:
    return RankedRow(score, row // ROWS_OF_ONE)


def _add_up(
    connection: SqlConnection, places: Sequence[str], weighed: Sequence[WeighedTerm], most: int | None
) -> dict[int, float]:
    """Add up what the rows of the index hold of some terms, of which the rarest come first."""
    scores: dict[int, float] = {}
    room = sum(one.held for one in weighed) if most is None else most
    rare, common = list[str](), list[WeighedTerm]()
    for one in weighed:
        if one.held > room:
            room = 0
            common.append(one)
            continue
        room -= one.held
        rare.append(one.term)
        _add(scores, _rows(connection, _any_of(places, [one.term])), one.weight)
    if not common:
        return scores
    # the last one is the commonest: so far back as its newest go, and all the way where it has no more
    newest = _rows(connection, _any_of(places, [common[-1].term]), "ORDER BY rowid DESC LIMIT ?", MAX_NEWEST)
    floor = newest[-1] if len(newest) == MAX_NEWEST else 0
    for one in common:
        held_by = _any_of(places, [one.term])
        _add(scores, _rows(connection, held_by, "AND rowid >= ?", floor), one.weight)
        if rare:
            both = f"({_any_of(places, rare)}) AND ({held_by})"
            _add(scores, _rows(connection, both, "AND rowid < ?", floor), one.weight)
    return scores


def _rows(connection: SqlConnection, query: str, tail: str = "", *args: int) -> list[int]:
    # thousands of numbers are handed over as one value
    sql = f"SELECT json_group_array(rowid) FROM (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? {tail})"  # noqa: S608
    found: list[int] = orjson.loads(connection.execute(sql, (query, *args)).fetchone()[0])
    return found


def _add(scores: dict[int, float], rows: Iterable[int], weight: float) -> None:
    for row in rows:
        scores[row] = scores.get(row, 0.0) + weight


def _any_of(places: Sequence[str], forms: Sequence[str]) -> str:
    return " OR ".join(f'"{place}_{form}"' for form in forms for place in places)


def _short_name(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
