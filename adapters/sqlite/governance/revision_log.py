"""Read the versions of what the bot knows and how it behaves."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.sqlite.engine.audit_chain import AUDIT
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.revisions import REVISIONS, history_since, read_revision, versions
from adapters.sqlite.engine.sealed_rows import read_or_skip
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.governance import rollback
from adapters.sqlite.memories.memories import read_memory
from bot.domain.ids import AgentId, ChannelId
from bot.domain.revisions import Revision, RevisionKind
from bot.domain.rollback import RollbackPlan, RollbackScope, SubjectHistory, counts_then
from bot.ports.revisions import ChainHead, PastMemory

_AT = """JOIN memory ON memory.id = revision.subject
    WHERE revision.kind = 'memory' AND memory.agent = ? AND memory.channel IN (SELECT value FROM json_each(?))
    AND revision.number = (SELECT max(number) FROM revision AS earlier
        WHERE (earlier.kind, earlier.subject) = (revision.kind, revision.subject) AND earlier.at <= ?)
    ORDER BY revision.subject DESC"""


class SqliteRevisions:
    """Implements `bot.ports.revisions.RevisionLog`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def since(self) -> int:
        """Return since when versions are kept (UTC ms); 0: from the beginning."""
        return await self._database.read(history_since)

    async def newest(self) -> int:
        """Return the number of the newest version."""
        sql = "SELECT coalesce(max(id), 0) FROM revision"
        return await self._database.read(lambda connection: int(connection.execute(sql).fetchone()[0]))

    async def of(self, kind: RevisionKind, subject: int) -> Sequence[Revision]:
        """Return every version of one thing, the oldest first."""
        tail = "WHERE kind = ? AND subject = ? ORDER BY number"

        def work(connection: SqlConnection) -> list[Revision]:
            return [read_revision(row) for row in versions(connection, tail, (kind.value, subject))]

        return await self._database.read(work)

    async def changed(self, agent: AgentId, channels: Sequence[ChannelId], since: int) -> Sequence[SubjectHistory]:
        """Return what was changed in some channels since a time, each thing with the version before."""
        return await self._database.read(lambda connection: rollback.histories(connection, agent, channels, since))

    async def memories_at(self, agent: AgentId, channels: Sequence[ChannelId], at: int) -> Sequence[PastMemory]:
        """Return what counted at a time of what was learnt in some channels, newest first."""
        args = (agent, orjson.dumps(list(channels)).decode(), at)

        def work(connection: SqlConnection) -> list[PastMemory]:
            found = list[PastMemory]()
            for row in versions(connection, _AT, args):
                then, now = read_revision(row), read_or_skip(connection, "memory", row["subject"])
                if now is not None and counts_then(then.memory):
                    found.append(PastMemory(then=then, now=read_memory(now)))
            return found

        return await self._database.read(work)

    async def plan(self, scope: RollbackScope) -> RollbackPlan:
        """Say what going back would do now; nothing changes."""
        return await self._database.read(lambda connection: rollback.plan(connection, scope))

    async def heads(self) -> Sequence[ChainHead]:
        """Return where each chain ends; raise StoreError where its signature does not hold."""
        key = self._database.secret_key

        def work(connection: SqlConnection) -> list[ChainHead]:
            marks = {chain.table: chain.head(connection, key) for chain in (AUDIT, REVISIONS)}
            return [ChainHead(table=table, row=mark.row, hash=mark.hash) for table, mark in marks.items()]

        return await self._database.read(work)
