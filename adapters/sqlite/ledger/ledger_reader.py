"""The ledger's reading side: what arrived, under whichever id of its channel, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.packed_trails import read_trail
from adapters.sqlite.engine.places import IN_CHANNELS, names_of
from adapters.sqlite.engine.sealed_rows import by_slot, fetch, select, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.base import canonical_json
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import InboundOutcome, InboundTrail, Outcome, OutcomeCount, StoredInbound
from bot.domain.messages import Inbound

_UNHEARD = """
    WHERE id IN (
        WITH heard (agent, channel, newest) AS (
            SELECT agent, channel, max(inbound) FROM history
            WHERE at >= ?1 AND ambient = 1 GROUP BY +agent, +channel),
        missed (id, age) AS (
            SELECT id, row_number() OVER (PARTITION BY agent, channel, kind = 'message' ORDER BY id DESC)
            FROM inbound INDEXED BY inbound_by_age LEFT JOIN heard USING (agent, channel)
            WHERE arrived_at >= ?1 AND text IS NOT NULL AND (
                kind <> 'message' AND disposition IN ('amend', 'queue')
                OR disposition = 'ambient' AND id > coalesce(newest, 0)
                AND NOT EXISTS (SELECT 1 FROM history WHERE history.inbound = inbound.id AND history.inbound > 0)))
        SELECT id FROM missed WHERE age <= ?2)
    ORDER BY id"""
"""Ambient talk becomes history in the order in which it arrived, so the newest that is there tells what is not.

Asked at every start, so it looks at what is recent and at nothing else: `+` and `inbound > 0` choose the indexes."""

_UNHEARD_IN = _UNHEARD.replace("text IS NOT NULL", f"{IN_CHANNELS.replace('?', '?3')} AND text IS NOT NULL")

_MAX_VERSIONS = 20
_NOT_OWN = """ AND (instr(body, '"kind":"self"') = 0 OR json_extract(body, '$.author.kind') <> 'self')"""
"""Leaves out what the bot itself wrote; JSON is read of the few rows alone that may be such."""


class LedgerReader:
    """What is asked of the ledger."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def unsettled(self, channels: Collection[ChannelId] | None = None) -> Sequence[StoredInbound]:
        """Return every inbound without an outcome, oldest first."""
        if channels is None:
            return await self._many("WHERE outcome IS NULL ORDER BY id", ())
        return await self._many(f"WHERE outcome IS NULL AND {IN_CHANNELS} ORDER BY id", (names_of(channels),))

    async def unheard(
        self, since: int, keep: int, channels: Collection[ChannelId] | None = None
    ) -> Sequence[StoredInbound]:
        """Return ambient talk that its channel's history does not hold yet, and all changes, oldest first."""
        if channels is None:
            return await self._many(_UNHEARD, (since, keep))
        return await self._many(_UNHEARD_IN, (since, keep, names_of(channels)))

    async def inbound(self, row: int) -> StoredInbound | None:
        def work(connection: SqlConnection) -> StoredInbound | None:
            found = fetch(connection, "inbound", row)
            return self._read(found) if found else None

        return await self._database.read(work)

    async def by_message(self, key: ChannelKey, message_id: str) -> StoredInbound | None:
        """Return the newest form of a platform message."""
        return next(iter(await self._forms(key, message_id, 1)), None)

    async def versions(self, key: ChannelKey, message_id: str) -> Sequence[StoredInbound]:
        """Return every form of a platform message, its deletion too, newest first; of very many the newest."""
        return await self._forms(key, message_id, _MAX_VERSIONS)

    async def _forms(self, key: ChannelKey, message_id: str, most: int) -> Sequence[StoredInbound]:
        tail = "WHERE agent = ? AND channel = ? AND message_id = ? ORDER BY id DESC LIMIT ?"
        for channel, name in self._database.moves.spellings(key.channel, message_id):
            if found := await self._many(tail, (key.agent, channel, name, most)):
                return found
        return ()

    async def recent(self, key: ChannelKey, limit: int) -> Sequence[StoredInbound]:
        """Return the newest inbounds of a channel, newest first."""
        where, args = self._of(key)
        return await self._many(f"WHERE {where} ORDER BY id DESC LIMIT ?", (*args, limit))

    async def outcomes(self, keys: Sequence[ChannelKey], limit: int) -> Mapping[ChannelKey, Sequence[InboundOutcome]]:
        """Return how the newest inbounds of each channel ended, newest first, without their words."""

        def work(connection: SqlConnection) -> dict[ChannelKey, list[InboundOutcome]]:
            return {key: _outcomes(connection, *self._of(key), limit) for key in keys}

        return await self._database.read(work)

    async def events(self, key: ChannelKey, since: int) -> Sequence[StoredInbound]:
        """Return what happened in a channel beside messages since a time (UTC ms), newest first."""
        where, args = self._of(key)
        tail = f"WHERE {where} AND kind = 'event' AND arrived_at >= ? ORDER BY id DESC"
        return await self._many(tail, (*args, since))

    async def trail(self, row: int) -> InboundTrail | None:
        """Return an inbound with its stages."""
        return await self._database.read(lambda connection: self._trail(connection, row))

    async def trail_of_stage(self, handle: Handle) -> InboundTrail | None:
        """Return the trail that a gate handle's row belongs to."""

        def work(connection: SqlConnection) -> InboundTrail | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.GATE else None
            stage = row and fetch(connection, "stage", row)
            return self._trail(connection, stage["inbound"]) if stage else None

        return await self._database.read(work)

    async def by_handle(self, handle: Handle) -> StoredInbound | None:
        """Return the newest inbound of a handle's slot."""

        def work(connection: SqlConnection) -> StoredInbound | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.INBOUND else None
            found = row and fetch(connection, "inbound", row)
            return self._read(found) if found else None

        return await self._database.read(work)

    async def counts(self, key: ChannelKey | None, since: int) -> Sequence[OutcomeCount]:
        """Count outcomes by channel, outcome and the first word of the reason; `newest` is a time.

        What the bot itself wrote, and some platforms tell it of, is nothing that anybody said to it; a message that
        could not be read is kept as an event, and was said all the same.
        """
        sql = """
            SELECT channel, outcome,
                   rtrim(substr(outcome_reason, 1, instr(outcome_reason || ' ', ' ') - 1), ':,') AS why,
                   count(*), max(outcome_at)
            FROM inbound
            WHERE outcome IS NOT NULL AND outcome_at >= :since
              AND (kind <> 'event' OR instr(body, '"kind":"unreadable"') > 0)
              AND NOT (outcome_reason = 'author' AND instr(body, '"kind":"self"') > 0)
              AND (:agent IS NULL OR (agent = :agent AND channel IN (SELECT value FROM json_each(:names))))
            GROUP BY channel, outcome, why"""
        moves = self._database.moves
        names = canonical_json(moves.names(key.channel) if key else ())
        args = {"since": since, "agent": key and key.agent, "names": names}

        def work(connection: SqlConnection) -> list[OutcomeCount]:
            counts: dict[tuple[ChannelId, Outcome, str], OutcomeCount] = {}
            for channel, outcome, why, count, newest in connection.execute(sql, args):
                now = moves.current_id(channel)
                known = counts.get((now, outcome, why))
                total, latest = (known.count, known.newest) if known else (0, 0)
                counts[now, outcome, why] = OutcomeCount(
                    channel=now, outcome=outcome, reason=why, count=total + count, newest=max(latest, newest)
                )
            return sorted(counts.values(), key=lambda one: (one.channel, -one.count, one.outcome, one.reason))

        return await self._database.read(work)

    async def _many(self, tail: str, args: tuple[str | int, ...]) -> list[StoredInbound]:
        return await self._database.read(
            lambda connection: [self._read(row) for row in verified_rows(connection, "inbound", tail, args)]
        )

    def _of(self, key: ChannelKey) -> tuple[str, tuple[str, ...]]:
        """Return a condition on the rows of a channel, under whichever id they arrived."""
        names = self._database.moves.names(key.channel)
        if len(names) == 1:
            return "agent = ? AND channel = ?", (key.agent, *names)
        return f"agent = ? AND channel IN ({', '.join('?' * len(names))})", (key.agent, *names)

    def _read(self, row: SqlRow) -> StoredInbound:
        stored = _inbound(row)
        now = self._database.moves.as_now(stored.inbound)
        return stored if now is stored.inbound else stored.model_copy(update={"inbound": now})

    def _trail(self, connection: SqlConnection, row: int) -> InboundTrail | None:
        found = fetch(connection, "inbound", row)
        if found is None:
            return None
        stored = select(connection, "stage", "WHERE inbound = ? ORDER BY id", (row,))
        return InboundTrail(inbound=self._read(found), stages=read_trail(found, stored))


def _outcomes(connection: SqlConnection, where: str, args: tuple[str, ...], limit: int) -> list[InboundOutcome]:
    tail = f"WHERE {where}{_NOT_OWN} ORDER BY id DESC LIMIT ?"
    rows = verified_rows(connection, "inbound", tail, (*args, limit))
    return [InboundOutcome(row["id"], row["outcome"] and Outcome(row["outcome"]), row["outcome_at"]) for row in rows]


def _inbound(row: SqlRow) -> StoredInbound:
    bare = Inbound.model_validate_json(row["body"])
    return StoredInbound(
        id=row["id"],
        agent=AgentId(row["agent"]),
        inbound=bare.model_copy(update={"text": row["text"] or ""}),
        arrived_at=row["arrived_at"],
        disposition=row["disposition"],
        text_sha256=row["text_sha256"],
        text_kept=row["text"] is not None,
        outcome=row["outcome"],
        outcome_reason=row["outcome_reason"],
        outcome_at=row["outcome_at"],
        redacted=bool(row["redacted"]),
        turn=row["turn"],
    )
