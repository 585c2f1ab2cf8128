"""Follow memories through the records: by numbers alone, so that nothing is missed whose words are wiped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow, plain_rows
from adapters.sqlite.turns.compactions import undoable_together
from bot.domain.channel import ProcessKind
from bot.domain.compaction import SummaryType
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.record_access import TALKS
from bot.domain.spread_items import MemorySpread, SpreadItem, SpreadKind
from bot.ports.compactions import CompactionState

_IN = "IN (SELECT value FROM json_each(:rows))"
_SEEN_IN_BULLETINS = f"""
    SELECT id, turn FROM request WHERE id IN (SELECT request FROM request_memory WHERE memory {_IN})"""  # noqa: S608 - a constant of this file
_SEEN_IN_ANSWERS = f"""
    SELECT DISTINCT request.id, request.turn FROM call_memory AS held JOIN tool_call ON tool_call.id = held.call
    JOIN request ON request.turn = tool_call.turn AND request.round > tool_call.round
    WHERE held.memory {_IN}"""  # noqa: S608 - a constant of this file
_LOOKED_FOR_IN = f"""SELECT DISTINCT tool_call.turn FROM call_memory AS held
    JOIN tool_call ON tool_call.id = held.call WHERE held.memory {_IN}"""  # noqa: S608 - a constant of this file
_REQUESTS = f"SELECT id, turn FROM request WHERE turn {_IN} AND turn > 0"  # noqa: S608 - a constant of this file
"""The index knows both: there are many of them, and nothing else of a request is asked for."""
_TURNS = f"SELECT id, kind, agent, channel, started_at, session FROM turn WHERE id {_IN}"  # noqa: S608 - the same
_ANSWERS = f"""SELECT DISTINCT turn FROM outbox
    WHERE turn {_IN} AND turn > 0 AND kind IN ('reply', 'file')"""  # noqa: S608 - a constant of this file
_SAVED_IN = "(CASE WHEN json_valid(body) THEN json_extract(body, '$.provenance.turn') END)"
_BEGUN_IN = "(CASE WHEN json_valid(body) THEN json_extract(body, '$.parent_turn') END)"
"""As in the indexes `memory_of_turn` and `process_of_turn`: where they are written otherwise those are not used."""
_SAVED = f"""SELECT id, {_SAVED_IN} AS turn, agent, channel, created_at AS at FROM memory
    WHERE {_SAVED_IN} {_IN}"""  # noqa: S608 - a constant of this file
_HANDED_OUT = f"""SELECT id, kind, {_BEGUN_IN} AS turn, agent, channel, started_at AS at,
    CASE WHEN json_valid(turns) THEN turns ELSE '[]' END AS turns, returned, relayed_at,
    json_extract(body, '$.session') AS session FROM process WHERE {_BEGUN_IN} {_IN}"""  # noqa: S608 - a constant
_TOOK_RESULTS = f"SELECT DISTINCT turn FROM inbound WHERE id {_IN} AND turn > 0"  # noqa: S608 - a constant of this file
_TOOK_A_RESULT = """SELECT id FROM turn WHERE agent = ? AND channel = ? AND kind = 'channel' AND id > ?
    AND ended_at = ?"""
_PLACES_OF_TURNS = f"""SELECT compaction, place FROM history JOIN compacted ON compacted.line = history.id
    WHERE turn {_IN} AND turn > 0 AND came = 0
      AND history.id NOT IN (SELECT line FROM compacted WHERE came <> 0)"""  # noqa: S608 - a constant of this file
"""A summary stands in a turn, too, and is no word of it."""
_PLACES_OF_SUMMARIES = f"SELECT compaction, place FROM compacted WHERE line {_IN} AND came = 0"  # noqa: S608 - the same
_SUMMARIES = f"""SELECT compaction, line, place FROM compacted
    WHERE compaction {_IN} AND came = 1 ORDER BY compaction, place, line"""  # noqa: S608 - a constant of this file
_COMPACTIONS = f"""SELECT id, agent, channel, epoch, at, state, decided_at,
    json_extract(body, '$.type') AS type, json_extract(body, '$.turn') AS turn, json_extract(body, '$.taken') AS taken
    FROM compaction WHERE id {_IN} AND json_valid(body) AND state IN ('done', 'stale', 'undone')"""  # noqa: S608 - a constant of this file
_NEXT_EPOCH = "SELECT min(turn) FROM history WHERE agent = ? AND channel = ? AND epoch > ? AND turn > 0"
_BEGUN = """SELECT started_at, id FROM turn WHERE agent = ? AND channel = ? AND kind = 'channel'
    ORDER BY started_at, id"""
_TAKEN_OUT = f"""SELECT compacted.line, compaction.at, compaction.state, compaction.decided_at FROM compacted
    JOIN compaction ON compaction.id = compacted.compaction
    WHERE compacted.line {_IN} AND compacted.came = 0
      AND compaction.state IN ('done', 'stale', 'undone')"""  # noqa: S608 - a constant of this file
_FOREVER = 1 << 62
_ROW, _AT, _PART = (SpreadItem._fields.index(name) for name in ("row", "at", "part"))
_TALKS = frozenset(kind.value for kind in TALKS)
_REPLAY = ProcessKind.REPLAY.value
_CUT_UNREAD = frozenset({SummaryType.EMERGENCY})
"""What is put in the place of messages here says nothing of what was in them."""


class SqliteSpread:
    """Implements `bot.ports.memories.SpreadStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def spread(self, memories: Sequence[int]) -> MemorySpread:
        """Return everything that some memories went into, by the closure that the port defines."""
        return await self._database.read(lambda connection: _Closure(connection).of(memories))

    async def undoable(self, compactions: Sequence[int]) -> Sequence[int]:
        """Return those of some compactions that can be undone together, newest first."""
        return await self._database.read(lambda connection: undoable_together(connection, compactions))


class _Span(NamedTuple):
    """For how long a compaction has stood; the end is no part of it."""

    begin: int
    end: int

    @classmethod
    def of(cls, row: SqlRow) -> _Span:
        return cls(row["at"], row["decided_at"] if row["state"] == CompactionState.UNDONE else _FOREVER)

    def without(self, others: Iterable[_Span]) -> Iterator[_Span]:
        """Yield what is left of it without others."""
        begin = self.begin
        for other in sorted(others):
            if begin < other.begin:
                yield _Span(begin, min(other.begin, self.end))
            begin = max(begin, other.end)
        if begin < self.end:
            yield _Span(begin, self.end)


class _Turn(NamedTuple):
    """What is asked of a turn: whose it is, and when it began."""

    kind: str
    key: ChannelKey
    at: int
    is_private: bool


class _Wave(NamedTuple):
    """What is followed next: memories by all that they went into, turns whose words came of it, and summaries."""

    memories: frozenset[int] = frozenset()
    turns: frozenset[int] = frozenset()
    summaries: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.memories or self.turns or self.summaries)


class _Closure:
    """Goes from record to record until nothing new is found; each is visited once."""

    def __init__(self, connection: SqlConnection) -> None:
        self._connection = connection
        self._found: dict[SpreadKind, dict[int, SpreadItem]] = {kind: {} for kind in SpreadKind}
        self._known: dict[int, _Turn] = {}
        self._keys: dict[tuple[str, str], ChannelKey] = {}
        self._memories: set[int] = set()
        self._turns: set[int] = set()
        self._summaries: set[int] = set()
        self._begun: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._is_direct = True

    def of(self, memories: Sequence[int]) -> MemorySpread:
        seeds = tuple(sorted(set(memories)))
        self._memories.update(seeds)
        wave = _Wave(memories=frozenset(seeds))
        while wave:
            wave = self._follow(wave)
            self._is_direct = False
        items = [item for found in self._found.values() for item in found.values()]
        # by at, row and part: three times by one number is faster than once by three
        for field in (_PART, _ROW, _AT):
            items.sort(key=itemgetter(field), reverse=True)
        return MemorySpread(seeds, tuple(items))

    def _follow(self, wave: _Wave) -> _Wave:
        held = self._held_in(wave.memories) | wave.turns
        fresh = held - self._turns
        self._turns |= fresh
        self._know(fresh)
        self._answered_in(fresh)
        saved = self._saved_in(fresh)
        from_work = self._work_of(fresh)
        summaries, from_summaries = self._shortened(fresh, wave.summaries)
        return _Wave(saved, from_work | from_summaries, summaries)

    def _held_in(self, memories: frozenset[int]) -> frozenset[int]:
        """Note the requests that held a memory by themselves; return their turns, and those that looked for it."""
        if not memories:
            return frozenset()
        rows = [*self._ask_plain(_SEEN_IN_BULLETINS, memories), *self._ask_plain(_SEEN_IN_ANSWERS, memories)]
        self._requests(rows, is_direct=self._is_direct)
        looked = {turn for (turn,) in self._ask(_LOOKED_FOR_IN, memories)}
        return frozenset({turn for _, turn in rows} | looked) - {0}

    def _requests(self, rows: Sequence[tuple[int, int]], *, is_direct: bool = False) -> None:
        self._know({turn for _, turn in rows})
        found, turns = self._found[SpreadKind.REQUEST], self._known
        # there are many: a tuple is made by `tuple` in half the time
        item, new, request = SpreadItem, tuple.__new__, SpreadKind.REQUEST
        for row, turn in rows:
            # one without a turn has none whose it is, and one of a replay only repeats another
            if row not in found and (of := turns.get(turn)) is not None:
                kind, key, at, is_private = of
                if kind != _REPLAY:
                    found[row] = new(item, (request, row, is_direct, key, at, turn, 0, is_private))

    def _know(self, turns: Collection[int]) -> None:
        """Read what is asked of turns, once for each."""
        known, keys = self._known, self._keys
        # not by taking one set from the other, which goes through all that is known
        fresh = [turn for turn in turns if turn not in known]
        for turn, kind, agent, channel, at, session in self._ask_plain(_TURNS, fresh):
            key = keys.get((agent, channel)) or self._key(agent, channel)
            known[turn] = tuple.__new__(_Turn, (kind, key, at, session > 0 or kind in _TALKS))

    def _is_private(self, turn: int) -> bool:
        of = self._known.get(turn)
        return of is not None and of.is_private

    def _answered_in(self, turns: Collection[int]) -> None:
        found, known, direct = self._found[SpreadKind.ANSWER], self._known, self._is_direct
        item, new, answer = SpreadItem, tuple.__new__, SpreadKind.ANSWER
        for (turn,) in self._ask_plain(_ANSWERS, turns):
            if turn not in found and (of := known.get(turn)) is not None:
                _, key, at, is_private = of
                found[turn] = new(item, (answer, turn, direct, key, at, turn, 0, is_private))

    def _saved_in(self, turns: Collection[int]) -> frozenset[int]:
        saved = [row for row in self._ask(_SAVED, turns) if row["id"] not in self._memories]
        for row in saved:
            self._add(SpreadKind.MEMORY, row, turn=row["turn"])
        found = frozenset(row["id"] for row in saved)
        self._memories |= found
        return found

    def _work_of(self, turns: Collection[int]) -> frozenset[int]:
        """Note the branches and workers that were sent out; return their turns, and those that read their results."""
        begun = list(self._ask(_HANDED_OUT, turns))
        own: set[int] = set()
        for row in begun:
            kind = SpreadKind.WORKER if row["kind"] == ProcessKind.WORKER else SpreadKind.BRANCH
            is_private = bool(row["session"]) or self._is_private(row["turn"])
            self._add(kind, row, turn=row["turn"], is_private=is_private)
            own.update(orjson.loads(row["turns"]))
        self._requests(self._ask_plain(_REQUESTS, own))
        took = {row["turn"] for row in self._ask(_TOOK_RESULTS, {row["returned"] for row in begun} - {0})}
        for row in begun:
            if row["relayed_at"] and not row["returned"] and not row["session"]:
                args = (row["agent"], row["channel"], row["turn"], row["relayed_at"])
                took.update(found["id"] for found in self._connection.execute(_TOOK_A_RESULT, args))
        self._requests(self._ask_plain(_REQUESTS, took))
        return frozenset(own | took)

    def _shortened(self, turns: Collection[int], summaries: Collection[int]) -> tuple[frozenset[int], frozenset[int]]:
        """Note what took these turns or summaries; return the new summaries, and the turns that were told of them."""
        places: defaultdict[int, set[int]] = defaultdict(set)
        for compaction, place in self._ask_plain(_PLACES_OF_TURNS, turns):
            places[compaction].add(place)
        for compaction, place in self._ask_plain(_PLACES_OF_SUMMARIES, summaries):
            places[compaction].add(place)
        stood: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for row in self._ask(_SUMMARIES, places):
            stood[row["compaction"]].append((row["place"], row["line"]))
        fresh: dict[int, SqlRow] = {}
        written: set[int] = set()
        for row in self._ask(_COMPACTIONS, places):
            self._add(SpreadKind.COMPACTION, row, turn=row["turn"])
            written.add(row["turn"])
            for line in _summaries_of(places[row["id"]], stood[row["id"]]):
                if row["type"] not in _CUT_UNREAD and line not in self._summaries:
                    self._add(SpreadKind.SUMMARY, row, turn=row["turn"], part=line)
                    fresh[line] = row
        self._requests(self._ask_plain(_REQUESTS, written - {0}))
        self._summaries.update(fresh)
        told = self._told_of(fresh)
        self._requests(self._ask_plain(_REQUESTS, told))
        return frozenset(fresh), told

    def _told_of(self, summaries: Mapping[int, SqlRow]) -> frozenset[int]:
        """Return the turns that began while one of these summaries stood in their conversation."""
        away: defaultdict[int, list[_Span]] = defaultdict(list)
        for row in self._ask(_TAKEN_OUT, summaries):
            away[row["line"]].append(_Span.of(row))
        found: set[int] = set()
        for line, row in summaries.items():
            first = max([row["turn"] or 0, *orjson.loads(row["taken"] or "[]")])
            following = self._connection.execute(_NEXT_EPOCH, (row["agent"], row["channel"], row["epoch"])).fetchone()[
                0
            ]
            for span in _Span.of(row).without(away[line]):
                begun = self._turns_begun(row["agent"], row["channel"])
                between = begun[bisect_left(begun, (span.begin, 0)) : bisect_left(begun, (span.end, 0))]
                found.update(turn for _, turn in between if turn > first and (not following or turn < following))
        return frozenset(found)

    def _turns_begun(self, agent: str, channel: str) -> list[tuple[int, int]]:
        """Return the turns of a conversation with the time at which each began, in that order."""
        where = (agent, channel)
        if where not in self._begun:
            self._begun[where] = plain_rows(self._connection, _BEGUN, where)
        return self._begun[where]

    def _key(self, agent: str, channel: str) -> ChannelKey:
        where = (agent, channel)
        if where not in self._keys:
            self._keys[where] = ChannelKey(AgentId(agent), ChannelId(channel))
        return self._keys[where]

    def _add(self, kind: SpreadKind, row: SqlRow, *, turn: int = 0, part: int = 0, is_private: bool = False) -> None:
        # a summary is told apart by its line, what else there is by its row
        found = self._found[kind]
        name = part or row["id"]
        if name not in found:
            key = self._key(row["agent"], row["channel"])
            found[name] = SpreadItem(kind, row["id"], self._is_direct, key, row["at"], turn, part, is_private)

    def _ask(self, sql: str, rows: Iterable[int]) -> Sequence[SqlRow]:
        wanted = list(rows)
        return self._connection.execute(sql, {"rows": orjson.dumps(wanted).decode()}).fetchall() if wanted else ()

    def _ask_plain(self, sql: str, rows: Iterable[int]) -> Sequence[tuple[Any, ...]]:
        """Do the same for what there is much of: rows without names take half the time."""
        wanted = list(rows)
        return plain_rows(self._connection, sql, {"rows": orjson.dumps(wanted).decode()}) if wanted else ()


def _summaries_of(taken: Iterable[int], came: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield the summaries that stand for lines that stood at these places: each stands where its first one stood."""
    starts = [place for place, _ in came]
    first = {starts[at] for at in (bisect_right(starts, place) - 1 for place in taken) if at >= 0}
    return (line for place, line in came if place in first)
