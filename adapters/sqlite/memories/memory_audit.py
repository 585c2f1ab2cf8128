"""Memories page by page, for those who look through them: only what was learnt where they may read leaves SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, read_or_skip
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.engine.word_index import IndexReader, count_in, every_term, learnt_place, rank_rows, scope_place
from adapters.sqlite.memories.memories import read_memory
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.memory import Memory, MemoryFilter, MemoryPlaces, MemoryScope
from bot.domain.memory_timeline import MemoryCount, MemoryTimeline, TeacherCounts, TimelineSpan

_CHANNELS = "(SELECT value FROM json_each(:channels))"
_IN_PLACES = f"""
    memory.agent = :agent AND (
        (memory.scope = 'channel' AND memory.scope_id IN {_CHANNELS})
        OR (memory.scope = 'guild' AND memory.scope_id = :guild AND :guild <> '' AND memory.platform = :platform)
        OR (memory.scope = 'user' AND memory.channel IN {_CHANNELS})
        OR memory.scope = 'global')"""
_FLAGGED = "(CASE WHEN json_valid(memory.body) THEN json_type(memory.body, '$.treatment') END) = 'array'"
_LINKED = """EXISTS (SELECT 1 FROM memory_edge AS edge JOIN memory AS other
        ON other.id = edge.source + edge.target - memory.id AND other.forgotten_at = 0
        WHERE (edge.source = memory.id OR edge.target = memory.id) AND edge.kind = '{}')"""
_KIND = "(CASE WHEN json_valid(memory.body) THEN json_extract(memory.body, '$.type') END)"
_NAME = "(CASE WHEN json_valid(memory.body) THEN json_extract(memory.body, '$.provenance.author_name') END)"
_WANTED = f"""
    AND memory.channel IN (SELECT value FROM json_each(:learnt_in))
    AND (:scope = '' OR memory.scope = :scope)
    AND (:kind = '' OR {_KIND} = :kind)
    AND (:author = '' OR memory.author = :author OR casefold(coalesce({_NAME}, '')) = :author)
    AND (:since = 0 OR memory.created_at >= :since)
    AND (:until = 0 OR memory.created_at < :until)
    AND (:stands_out <> 'flagged' OR {_FLAGGED})
    AND (:stands_out <> 'disputed' OR {_LINKED.format("contradicts")})
    AND (:stands_out <> 'alike' OR {_LINKED.format("resembles")})
    AND (:forgotten = -1 OR CASE WHEN memory.forgotten_at > 0 THEN 1 ELSE 0 END = :forgotten)"""  # noqa: S608 - constants of this file
_OWNED = f"(memory.content IS NOT NULL OR {_NAME} <> '')"
"""A wish to be forgotten takes the words and the name of its author at once; time takes the words alone."""
_STEP = """CASE WHEN memory.created_at < :since THEN -1
    WHEN (memory.created_at - :since) / :step < :steps THEN (memory.created_at - :since) / :step ELSE :steps - 1 END"""
_TIMELINE = f"""
    WITH fit AS MATERIALIZED (
        SELECT memory.id AS id, memory.platform AS platform, memory.author AS author, {_STEP} AS step,
            CASE WHEN memory.forgotten_at > 0 THEN 1 ELSE 0 END AS gone,
            CASE WHEN memory.created_at >= :since THEN memory.kind END AS kind
        FROM memory WHERE {_IN_PLACES} AND memory.channel IN (SELECT value FROM json_each(:learnt_in)) AND {_OWNED}
    ), teacher AS MATERIALIZED (
        SELECT platform, author, max(id) AS newest, count(*) AS many FROM fit WHERE step >= 0 GROUP BY platform, author
    ), named AS MATERIALIZED (
        SELECT * FROM teacher ORDER BY many DESC, platform, author LIMIT :most
    )
    SELECT 'teacher', newest, 0, platform, author FROM named
    UNION ALL SELECT 'people', count(*), 0, '', '' FROM teacher
    UNION ALL SELECT 'kind', count(*), 0, coalesce(kind, ''), '' FROM fit WHERE step >= 0 GROUP BY kind
    UNION ALL SELECT 'step', coalesce(named.newest, 0), fit.step,
      CAST(sum(1 - fit.gone) AS text), CAST(sum(fit.gone) AS text)
    FROM fit LEFT JOIN named ON fit.step >= 0 AND named.platform = fit.platform AND named.author = fit.author
    GROUP BY named.newest, fit.step"""  # noqa: S608 - constants of this file
"""All counts of a timeline in one look; however many people there are, few rows leave it."""
_FROM = "FROM memory"
_FROM_FOUND = "FROM json_each(:found) AS found CROSS JOIN memory ON memory.id = found.value"
"""What is found is looked up one by one; the planner would look for every memory in what is found."""


class SqliteMemoryAudit:
    """Implements `bot.ports.memories.MemoryAuditStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def sources(self, places: MemoryPlaces) -> Mapping[ChannelId, int]:
        """Count the memories of some places by the channel in which each was learnt."""
        sql = f"SELECT memory.channel, count(*) FROM memory WHERE {_IN_PLACES} GROUP BY memory.channel"  # noqa: S608
        args = self._args(places)

        def work(connection: SqlConnection) -> tuple[tuple[ChannelId, int], ...]:
            return tuple((ChannelId(channel), many) for channel, many in connection.execute(sql, args))

        # every page of a list asks it anew
        return dict(await self._database.ask(("memory sources", *args.values()), ("memory",), work))

    async def page(
        self, places: MemoryPlaces, learnt_in: Collection[ChannelId], wanted: MemoryFilter, skip: int, limit: int
    ) -> tuple[Sequence[Memory], int]:
        """Return a part of the memories that were learnt in some channels and fit, and how many there are in all."""
        args = {**self._args(places), **_filter_args(learnt_in, wanted), "skip": skip, "limit": limit}
        names = self._names(places)
        what = f"{_FROM_FOUND if wanted.words else _FROM} WHERE {_IN_PLACES}{_WANTED}"
        rows = f"SELECT memory.id {what} ORDER BY {'found.key' if wanted.words else 'memory.id DESC'}"
        total = f"SELECT count(*) {what}"

        def work(connection: SqlConnection) -> tuple[list[Memory], int]:
            if wanted.words:
                index = IndexReader.once(connection)
                ranked = rank_rows(index, count_in(connection, names), every_term(wanted.words), most=None)
                args["found"] = orjson.dumps([one.row for one in ranked]).decode()
            named = [row for (row,) in connection.execute(f"{rows} LIMIT :limit OFFSET :skip", args).fetchall()]
            read = [read_or_skip(connection, "memory", row) for row in named]
            (many,) = connection.execute(total, args).fetchone()
            return [read_memory(row) for row in read if row], many

        return await self._database.read(work)

    async def timeline(
        self, places: MemoryPlaces, learnt_in: Collection[ChannelId], span: TimelineSpan, most: int
    ) -> MemoryTimeline:
        """Count what was learnt in some channels, by who taught it and when; `most` people are told apart."""
        args = {**self._args(places), "learnt_in": _listed(learnt_in), "most": most}
        args |= {"since": span.since, "step": span.step_ms, "steps": span.steps}

        def work(connection: SqlConnection) -> MemoryTimeline:
            rows = connection.execute(_TIMELINE, args).fetchall()
            newest = [row for what, row, *_ in rows if what == "teacher"]
            read = {row: read_or_skip(connection, "memory", row) for row in newest}
            names = {row: read_memory(found).body.provenance.author_name for row, found in read.items() if found}
            return _timeline(span, rows, names)

        return await self._database.read(work)

    def _names(self, places: MemoryPlaces) -> list[str]:
        channels = [self._database.moves.current_id(channel) for channel in places.channels]
        names = [learnt_place(places.agent, channel) for channel in channels]
        scopes = [(MemoryScope.CHANNEL, str(channel)) for channel in channels]
        scopes += [(MemoryScope.GUILD, places.guild_id), (MemoryScope.GLOBAL, "")]
        return names + [scope_place(places.agent, places.platform, *scope) for scope in scopes]

    def _args(self, places: MemoryPlaces) -> dict[str, Value]:
        current = self._database.moves.current_id
        return {
            "agent": places.agent,
            "platform": places.platform,
            "guild": places.guild_id,
            "channels": _listed(current(channel) for channel in places.channels),
        }


def _timeline(span: TimelineSpan, rows: Sequence[Sequence[Any]], names: Mapping[int, str]) -> MemoryTimeline:
    """Put the rows of the look together; what belongs to nobody who is told apart is everybody else's."""
    steps: dict[int, list[MemoryCount]] = defaultdict(lambda: [MemoryCount()] * span.steps)
    persons: dict[int, PersonKey] = {}
    kinds: list[tuple[str, int]] = []
    people = older = 0
    for what, number, step, first, second in rows:
        match what:
            case "teacher":
                persons[number] = PersonKey(first, UserId(second))
            case "people":
                people = number
            case "kind":
                kinds.append((first, number))
            case _ if step < 0:
                older += int(first) + int(second)
            case _:
                steps[number][step] = MemoryCount(int(first), int(second))
    teachers = [TeacherCounts(person, names.get(row, ""), tuple(steps[row])) for row, person in persons.items()]
    if people > len(persons):
        teachers.append(TeacherCounts(None, "", tuple(steps[0]), people - len(persons)))
    return MemoryTimeline(span, tuple(teachers), tuple(sorted(kinds, key=lambda one: (-one[1], one[0]))), older)


def _filter_args(learnt_in: Collection[ChannelId], wanted: MemoryFilter) -> dict[str, Value]:
    return {
        "learnt_in": _listed(learnt_in),
        "scope": wanted.scope or "",
        "kind": wanted.type or "",
        "author": wanted.author.casefold(),
        "stands_out": wanted.stands_out or "",
        "since": wanted.since,
        "until": wanted.until,
        "forgotten": -1 if wanted.forgotten is None else int(wanted.forgotten),
    }


def _listed(names: Iterable[str]) -> str:
    return orjson.dumps(list(names)).decode()
