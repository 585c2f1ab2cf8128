"""Wipe what is too old, in small units, so that the writer is never held for long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import orjson
import structlog

from adapters.sqlite.engine import audit_chain
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.json_without_text import REFERS_JSON, bare_json
from adapters.sqlite.engine.marks import mark
from adapters.sqlite.engine.revisions import CarriedVersion, carry, cut, old_versions, strip, to_be_carried, versions
from adapters.sqlite.engine.sealed_rows import change, newest_number, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import store_rest
from adapters.sqlite.erasure.row_erasure import wipe_work
from adapters.sqlite.governance.offers import without_file
from adapters.sqlite.memories.memories import wipe
from adapters.sqlite.turns.history import remove
from bot.domain.finding import NewAudit
from bot.domain.messages import Inbound
from bot.domain.revisions import NOBODY, RevisionKind
from bot.domain.turn import MarkKind
from bot.errors import StoreError
from bot.ports.store import RetentionPolicy
from bot.text.times import minute

log = structlog.get_logger(__name__)
T = TypeVar("T")
WasNamed = Mapping[str, Sequence[int]]
"""Rows of content by their table, in the order in which they can go."""
CHUNK = 60
_DAY_MS = 86_400_000

DEAD_CONTENT = {
    "node": """
        WITH RECURSIVE live (id) AS (
            SELECT tail FROM request WHERE tail > 0
            UNION SELECT node.parent FROM node JOIN live ON node.id = live.id WHERE node.parent > 0)
        SELECT id FROM node EXCEPT SELECT id FROM live ORDER BY id DESC""",
    "head": "SELECT id FROM head EXCEPT SELECT head FROM request",
    "blob": """
        SELECT id FROM blob
        EXCEPT SELECT blob FROM history
        EXCEPT SELECT blob FROM node
        EXCEPT SELECT json_extract(each.value, '$[1]') FROM head, json_each(head.system) AS each
        EXCEPT SELECT each.value FROM head, json_each(head.tools) AS each
        EXCEPT SELECT each.value FROM request, json_each(request.sections) AS each
        WHERE request.sections IS NOT NULL""",
}
"""Content that nothing names any more, in the order in which it can go: a node before the one that it stands behind.

By EXCEPT: a server looks through what `NOT IN` names once for every row, as soon as it is too much for its memory.
"""

_DEAD_OF = {
    "head": """
        SELECT id FROM head WHERE id IN (SELECT value FROM json_each(:rows))
          AND NOT EXISTS (SELECT 1 FROM request WHERE request.head = head.id)""",
    "blob": """
        SELECT id FROM blob WHERE id IN (SELECT value FROM json_each(:rows)) AND id NOT IN (
            SELECT blob FROM history WHERE blob IN (SELECT value FROM json_each(:rows))
            UNION SELECT blob FROM node WHERE blob IN (SELECT value FROM json_each(:rows))
            UNION SELECT json_extract(each.value, '$[1]') FROM head, json_each(head.system) AS each)""",
}
"""The same among some rows; what describes sections is never among them."""

_UNCHAIN = """DELETE FROM node WHERE id = ? AND NOT EXISTS (SELECT 1 FROM request WHERE tail = ?)
    AND NOT EXISTS (SELECT 1 FROM node AS behind WHERE behind.parent = ?)"""

_NAMED_SINCE = {
    "node": """
        WITH RECURSIVE live (id) AS (
            SELECT tail FROM request WHERE id > :request AND tail > 0
            UNION SELECT parent FROM node WHERE id > :node AND parent > 0
            UNION SELECT node.parent FROM node JOIN live ON node.id = live.id WHERE node.parent > 0)
        SELECT id FROM live""",
    "head": "SELECT head FROM request WHERE id > :request AND head IS NOT NULL",
    "blob": """
        SELECT blob FROM history WHERE id > :history
        UNION SELECT blob FROM node WHERE id > :node
        UNION SELECT json_extract(each.value, '$[1]') FROM head, json_each(head.system) AS each WHERE head.id > :head
        UNION SELECT each.value FROM head, json_each(head.tools) AS each WHERE head.id > :head
        UNION SELECT each.value FROM request, json_each(request.sections) AS each
        WHERE request.id > :request AND request.sections IS NOT NULL""",
}
"""Content that new rows name; only they can name what nothing named."""
_NAMING = ("history", "node", "head", "request")

_DELETE = {
    "node": "DELETE FROM node WHERE id = ?",
    "head": "DELETE FROM head WHERE id = ?",
    "blob": "DELETE FROM blob WHERE id = ?",
}


_TEXT = "WHERE arrived_at < ? AND text IS NOT NULL "
_SENT = "WHERE created_at < ? AND text IS NOT NULL AND state NOT IN ('new', 'sending') LIMIT ?"
_OLD_RECORDS = {
    "stages": """DELETE FROM stage WHERE id IN (SELECT stage.id FROM inbound JOIN stage ON stage.inbound = inbound.id
        WHERE inbound.arrived_at < ? AND inbound.outcome IS NOT NULL LIMIT ?)""",
    "inbounds": """DELETE FROM inbound WHERE id IN (
        SELECT id FROM inbound WHERE arrived_at < ? AND outcome IS NOT NULL LIMIT ?)""",
    "call_records": "DELETE FROM tool_call WHERE id IN (SELECT id FROM tool_call WHERE at < ? LIMIT ?)",
    "request_records": "DELETE FROM request WHERE id IN (SELECT id FROM request WHERE at < ? LIMIT ?)",
    "outbox": """DELETE FROM outbox WHERE id IN (
        SELECT id FROM outbox WHERE created_at < ? AND state NOT IN ('new', 'sending') LIMIT ?)""",
    "turns": """DELETE FROM turn WHERE id IN (
        SELECT id FROM turn WHERE started_at < ? AND status <> 'running' LIMIT ?)""",
    # without its record nobody could tell what stands in a conversation
    "compaction_records": """DELETE FROM compaction WHERE id IN (SELECT id FROM compaction WHERE at < ? AND NOT EXISTS (
        SELECT 1 FROM compacted JOIN history ON history.id = compacted.line
        WHERE compacted.compaction = compaction.id) LIMIT ?)""",
    "work_records": """DELETE FROM process WHERE id IN (
        SELECT id FROM process WHERE started_at < ? AND ended_at > 0 LIMIT ?)""",
    "proposals": "DELETE FROM proposal WHERE id IN (SELECT id FROM proposal WHERE created_at < ? LIMIT ?)",
    # a topic that was made for a session belongs to the cortex for ever
    "sessions": """DELETE FROM session WHERE id IN (
        SELECT id FROM session WHERE last_at < ? AND dm_thread <> '' LIMIT ?)""",
    "invitations": "DELETE FROM invitation WHERE id IN (SELECT id FROM invitation WHERE created_at < ? LIMIT ?)",
}
_OLD_CHECKPOINTS = "DELETE FROM checkpoint WHERE id IN (SELECT id FROM checkpoint WHERE at < ? LIMIT ?)"


_FOR_EVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)
STEP = 8
"""How many requests lose their words in one unit: nobody waits for the writer longer than a few milliseconds."""
JOURNAL_SIZES = (
    # what conversations hold is theirs, whoever else names it
    "SELECT sum(length(body) + 40) FROM blob WHERE id IN (SELECT id FROM blob EXCEPT SELECT blob FROM history)",
    "SELECT count(*) * 40 FROM node",
    "SELECT sum(length(CAST(plain AS BLOB)) + length(CAST(system AS BLOB)) + length(CAST(tools AS BLOB))) FROM head",
    "SELECT sum(length(CAST(response AS BLOB))) FROM attempt WHERE response IS NOT NULL",
    "SELECT sum(length(CAST(arguments AS BLOB)) + length(CAST(output AS BLOB))) FROM tool_call"
    " WHERE arguments IS NOT NULL",
)
REMOVABLE_REQUESTS = """
    FROM request WHERE id IN (
        SELECT id FROM request WHERE head IS NOT NULL
        EXCEPT SELECT max(id) FROM request WHERE head IS NOT NULL AND kind = 'channel' GROUP BY agent, channel)
      AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.id = request.turn AND status = 'running')"""
"""The newest request of every channel stays, however old it is: a channel that is asked about must have one."""


class RetentionSweep:
    """One pass over everything that ages."""

    def __init__(self, database: SqliteDatabase, retention: RetentionPolicy, now: int) -> None:
        self._database = database
        self._retention = retention
        self._now = now
        self._since: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    async def run(self) -> None:
        """Wipe texts, then records, then content that nothing names any more, then its traces in the file."""
        await self._texts()
        await self._records()
        await self.content()
        await self._room()
        if any(self.counts.values()):
            await self.traces()

    async def _texts(self) -> None:
        keep, now = self._retention, self._now
        ambient, messages, requests = (_before(now, ms) for ms in (keep.ambient_ms, keep.messages_ms, keep.requests_ms))
        await self._all("ambient", _old_history, ambient, "WHERE ambient = 1 AND at < ? LIMIT ?")
        await self._all("ambient_text", _old_inbound, ambient, _TEXT + "AND disposition = 'ambient' LIMIT ?")
        await self._all("history", _old_history, messages, "WHERE at < ? LIMIT ?")
        await self._all("message_text", _old_inbound, messages, _TEXT + "LIMIT ?")
        await self._all("outbox_text", _old_outbox, messages, _SENT)
        await self._all("requests", _old_requests, requests, "WHERE at < ? AND head IS NOT NULL LIMIT ?")
        await self._all("responses", _old_attempts, requests, "WHERE at < ? AND response IS NOT NULL LIMIT ?")
        await self._all("checkpoints", _delete, requests, _OLD_CHECKPOINTS)
        records = _before(now, keep.records_ms)
        await self._all("tool_calls", _old_calls, records, "WHERE at < ? AND arguments IS NOT NULL LIMIT ?")
        tail = "WHERE at < ? AND missing IS NOT NULL LIMIT ?"
        await self._all("compactions", _old_compactions, messages, tail)
        tail = "WHERE started_at < ? AND task IS NOT NULL AND ended_at > 0 LIMIT ?"
        await self._all("work", _old_work, messages, tail)
        forgotten = _before(now, keep.forgotten_ms)
        tail = "WHERE forgotten_at > 0 AND forgotten_at < ? AND content IS NOT NULL LIMIT ?"
        await self._all("memories", _old_memories, forgotten, (tail, now))
        await self._all("files_shown", _old_imports, forgotten, CHUNK)
        await self._all("reasons", _old_reasons, messages, CHUNK)

    async def _records(self) -> None:
        before = _before(self._now, self._retention.records_ms)
        for name, sql in _OLD_RECORDS.items():
            await self._all(name, _delete, before, sql)
        await self._versions(_before(self._now, self._retention.versions_ms))
        await self._all("audit", _old_audit, _before(self._now, self._retention.audit_ms), self._database.secret_key)

    async def _versions(self, before: int) -> None:
        """Let the past of memories, settings and summaries begin later: what was in effect then is carried over first.

        Once a day at most, because each time is on record. What was altered is not signed anew: then nothing is cut.
        """
        oldest = (
            await self._database.read(lambda connection: old_versions(connection, before - _DAY_MS)) if before else 0
        )
        if not oldest:
            return
        last = await self._database.read(lambda connection: old_versions(connection, before))
        carried = await self._database.read(lambda connection: to_be_carried(connection, last, before))
        for start in range(0, len(carried), CHUNK):
            some = carried[start : start + CHUNK]
            try:
                await self._database.write(partial(_carry, some, before))
            except StoreError as error:
                log.error("versions_not_cut", error=str(error))
                return
        gone = 0
        while done := await self._database.write(partial(_cut_versions, last, before)):
            gone += done
        self._count("versions", gone)
        entry = NewAudit(
            at=self._now,
            platform="",
            actor=NOBODY,
            actor_name="the program",
            action="forget versions",
            target="",
            detail=f"{gone} made before {minute(before)} UTC, as retention.versions_days says",
        )
        key = self._database.secret_key
        await self._database.write(lambda connection: audit_chain.append(connection, key, entry) and None)

    async def _room(self) -> None:
        """Take the words out of the oldest requests until what is left fits; the content goes after each helping."""
        limit, freed = self._retention.journal_bytes, 0
        while limit and (size := await self._database.read(journal_size)) > limit:
            if emptied := await self._database.write(empty_left_calls):
                # what is left of turns whose requests have no words any more is the oldest there is
                self._count("calls_for_room", emptied)
                continue
            rows = await self._database.read(partial(oldest_requests, (size - limit) / size))
            for start in range(0, len(rows), STEP):
                some = rows[start : start + STEP]
                self._count("requests_for_room", await self._database.write(partial(empty_requests, some, self._now)))
            if not rows:
                break
            await self.content()
            freed += size - await self._database.read(journal_size)
        self._count("bytes_for_room", max(freed, 0))

    async def content(self) -> None:
        """Take out content that nothing names any more, sparing what is named meanwhile."""
        names = self._database.names
        await self._database.write(self._watch)
        try:
            for table in DEAD_CONTENT:
                dead = await self._database.read(partial(dead_content, table))
                for start in range(0, len(dead), CHUNK):
                    work = partial(self._bury, table, dead[start : start + CHUNK])
                    self._count(table, await self._database.write(work))
        finally:
            await self._database.write(lambda _: names.unwatch())

    async def content_of(self, was_named: WasNamed) -> None:
        """Do the same for content that was named a moment ago, without looking at the rest."""
        names = self._database.names
        await self._database.write(self._watch)
        try:
            for table, rows in was_named.items():
                dead = rows if table == "node" else await self._database.read(partial(_dead_of, table, rows))
                work = self._unchain if table == "node" else partial(self._bury, table)
                for start in range(0, len(dead), CHUNK):
                    await self._database.write(partial(work, dead[start : start + CHUNK]))
        finally:
            await self._database.write(lambda _: names.unwatch())

    def _watch(self, connection: SqlConnection) -> None:
        """Begin to note what is named from now on: by this process, and by others that write here."""
        self._database.names.watch()
        if self._database.shares:
            self._since = {table: newest_number(connection, table) for table in _NAMING}

    def _named_since(self, table: str, connection: SqlConnection) -> set[int]:
        named = self._database.names.rows_in_use(table)
        if self._database.shares:
            named |= {row[0] for row in connection.execute(_NAMED_SINCE[table], self._since)}
        return named

    def _unchain(self, nodes: Iterable[int], connection: SqlConnection) -> int:
        """Take out nodes, the last of a chain first, that no request and no other node stands on."""
        spared = self._database.names.rows_in_use("node")
        store_rest(connection)
        connection.executemany(_UNCHAIN, [(node,) * 3 for node in nodes if node not in spared])
        self._database.names.forget()
        return 0

    def _bury(self, table: str, rows: Iterable[int], connection: SqlConnection) -> int:
        # between the look and this unit a new request may have named them again
        gone = set(rows) - self._named_since(table, connection)
        connection.executemany(_DELETE[table], [(row,) for row in gone])
        self._database.names.forget()
        return len(gone)

    async def traces(self) -> None:
        """Take deleted words out of the indexes' old segments, the write-ahead log and the unused part of pages."""
        if self._database.vacuum is not None:
            await self._database.vacuum()
            return
        for index in ("history_fts", "memory_fts"):
            while await self._database.write(partial(_merge, index)):
                pass
        writer, leftovers = self._database.writer, self._database.leftovers
        if writer is not None:
            await writer.run_alone(_truncate_log)
            if leftovers is not None:
                await leftovers.clear(writer)

    async def _all(self, name: str, step: Callable[[int, T, SqlConnection], int], before: int, what: T) -> None:
        """Repeat a step, each time as a unit of its own, until it finds nothing."""
        while before > 0 and (done := await self._database.write(partial(step, before, what))):
            self._count(name, done)

    def _count(self, name: str, done: int) -> None:
        if done:
            self.counts[name] = self.counts.get(name, 0) + done


async def tidy(database: SqliteDatabase, was_named: WasNamed) -> None:
    """Take out what nothing names any more of content that was named, and every trace of deleted words in the files."""
    sweep = RetentionSweep(database, _FOR_EVER, database.now())
    await sweep.content_of(was_named)
    await sweep.traces()


def _before(now: int, keep_ms: int) -> int:
    return now - keep_ms if keep_ms > 0 else 0


def _old_history(before: int, tail: str, connection: SqlConnection) -> int:
    rows = verified_rows(connection, "history", tail, (before, CHUNK))
    remove(connection, rows)
    return len(rows)


def _old_inbound(before: int, tail: str, connection: SqlConnection) -> int:
    rows = verified_rows(connection, "inbound", tail, (before, CHUNK))
    for row in rows:
        update_sealed(connection, "inbound", row, text=None, **_without_references(row))
    return len(rows)


def _without_references(row: SqlRow) -> dict[str, str]:
    """Take out what a message refers to: those are words like its own."""
    if REFERS_JSON not in row["body"]:
        return {}
    bare = Inbound.model_validate_json(row["body"]).replace(refers=())
    return {"body": bare_json(bare, exclude_defaults=True)}


def _old_outbox(before: int, tail: str, connection: SqlConnection) -> int:
    return _clear(connection, "outbox", tail, before, ("text",))


def _old_requests(before: int, tail: str, connection: SqlConnection) -> int:
    return _clear(connection, "request", tail, before, ("head", "tail", "sections"))


def _old_attempts(before: int, tail: str, connection: SqlConnection) -> int:
    return _clear(connection, "attempt", tail, before, ("response",))


def _old_work(before: int, tail: str, connection: SqlConnection) -> int:
    rows = verified_rows(connection, "process", tail, (before, CHUNK))
    for row in rows:
        wipe_work(connection, row)
    return len(rows)


def _old_compactions(before: int, tail: str, connection: SqlConnection) -> int:
    return _clear(connection, "compaction", tail, before, ("missing",))


def _old_calls(before: int, tail: str, connection: SqlConnection) -> int:
    return _clear(connection, "tool_call", tail, before, ("arguments", "output"))


def _clear(connection: SqlConnection, table: str, tail: str, before: int, columns: tuple[str, ...]) -> int:
    rows = verified_rows(connection, table, tail, (before, CHUNK))
    for row in rows:
        change(connection, table, row["id"], **dict.fromkeys(columns))
    return len(rows)


def _old_memories(before: int, how: tuple[str, int], connection: SqlConnection) -> int:
    tail, now = how
    rows = verified_rows(connection, "memory", tail, (before, CHUNK))
    for row in rows:
        wipe(connection, row["id"], now)
    return len(rows)


def _old_imports(before: int, most: int, connection: SqlConnection) -> int:
    """Take the memories of files out of offers that nobody decided about."""
    tail = """WHERE created_at < ? AND instr(body, '"kind":"import_memories"') > 0
        AND instr(body, '"memories":[{') > 0 LIMIT ?"""
    rows = verified_rows(connection, "proposal", tail, (before, most))
    for row in rows:
        update_sealed(connection, "proposal", row, body=without_file(row))
    return len(rows)


def _old_reasons(before: int, most: int, connection: SqlConnection) -> int:
    """Take what people gave as the reason of a pause out of versions that do not hold any more."""
    tail = """WHERE kind = ? AND at < ? AND words IS NOT NULL AND EXISTS (
        SELECT 1 FROM revision AS later WHERE (later.kind, later.subject) = (revision.kind, revision.subject)
        AND later.number > revision.number) LIMIT ?"""
    rows = versions(connection, tail, (RevisionKind.SETTINGS.value, before, most))
    for row in rows:
        strip(connection, row, actor=row["actor"], state=row["state"], words=None)
    return len(rows)


def _old_audit(before: int, key: bytes, connection: SqlConnection) -> int:
    return audit_chain.cut(connection, key, before)


def _carry(some: Sequence[CarriedVersion], at: int, connection: SqlConnection) -> int:
    return carry(connection, some, at)


def _cut_versions(last: int, since: int, connection: SqlConnection) -> int:
    return cut(connection, last, since, 8 * CHUNK)


def _delete(before: int, sql: str, connection: SqlConnection) -> int:
    return connection.execute(sql, (before, CHUNK)).rowcount


def dead_content(table: str, connection: SqlConnection) -> list[int]:
    """Return the rows of content that nothing names any more."""
    return [row[0] for row in connection.execute(DEAD_CONTENT[table])]


def _dead_of(table: str, rows: Sequence[int], connection: SqlConnection) -> list[int]:
    named = orjson.dumps(list(rows)).decode()
    return [row[0] for row in connection.execute(_DEAD_OF[table], {"rows": named})]


def _merge(index: str, connection: SqlConnection) -> bool:
    # https://www.sqlite.org/fts5.html#the_merge_command: a step that changes fewer than two rows had nothing to do
    before = connection.total_changes
    connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', -500)")  # noqa: S608 - two constants
    return connection.total_changes - before >= 2


def _truncate_log(connection: SqlConnection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def journal_size(connection: SqlConnection) -> int:
    """Return how many bytes recorded requests and what came back take, without what conversations hold."""
    return sum(connection.execute(sql).fetchone()[0] or 0 for sql in JOURNAL_SIZES)


def oldest_requests(share: float, connection: SqlConnection) -> list[int]:
    """Return that share of the requests that may lose their words, the oldest first; one of them at least."""
    count = connection.execute(f"SELECT count(*) {REMOVABLE_REQUESTS}").fetchone()[0]
    most = round(count * share) + 1
    sql = f"SELECT id {REMOVABLE_REQUESTS} ORDER BY id LIMIT ?"
    return [row[0] for row in connection.execute(sql, (most,))]


def empty_requests(rows: Sequence[int], at: int, connection: SqlConnection) -> int:
    """Take the words out of requests, with what came back, and the tool calls of turns that have none left."""
    marks = ", ".join("?" * len(rows))
    found = verified_rows(connection, "request", f"WHERE id IN ({marks}) AND head IS NOT NULL", tuple(rows))
    for row in found:
        update_sealed(connection, "request", row, head=None, tail=None, sections=None)
        for attempt in verified_rows(connection, "attempt", "WHERE request = ? AND response IS NOT NULL", (row["id"],)):
            change(connection, "attempt", attempt["id"], response=None)
        mark(connection, row["id"], MarkKind.ROOM, at)
    for turn in {row["turn"] for row in found if row["turn"]}:
        _empty_calls(connection, turn)
    return len(found)


def empty_left_calls(connection: SqlConnection) -> int:
    """Take the words out of some tool calls whose requests have none any more, the oldest first; return how many."""
    tail = """WHERE arguments IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM request WHERE request.turn = tool_call.turn AND head IS NOT NULL)
        AND turn NOT IN (SELECT id FROM turn WHERE status = 'running') ORDER BY tool_call.id LIMIT ?"""
    rows = verified_rows(connection, "tool_call", tail, (8 * STEP,))
    for row in rows:
        change(connection, "tool_call", row["id"], arguments=None, output=None)
    return len(rows)


def _empty_calls(connection: SqlConnection, turn: int) -> None:
    left = "SELECT 1 FROM request WHERE turn = ? AND head IS NOT NULL LIMIT 1"
    if connection.execute(left, (turn,)).fetchone() is None:
        for call in verified_rows(connection, "tool_call", "WHERE turn = ? AND arguments IS NOT NULL", (turn,)):
            change(connection, "tool_call", call["id"], arguments=None, output=None)
