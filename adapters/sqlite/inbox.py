"""The ledger: inbounds, their trails, their outcomes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

from pydantic import TypeAdapter

from adapters.sqlite.database import Database
from adapters.sqlite.rows import by_slot, change, fetch, insert, select
from bot.domain.base import canonical_json
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import (
    Arrival,
    Cursor,
    Disposition,
    GateVerdict,
    Outcome,
    OutcomeCount,
    Settlement,
    Stage,
    StageRow,
    StoredInbound,
    Trail,
    Verdict,
    event_reason,
)
from bot.domain.messages import Inbound

_AT_ONCE = {
    Disposition.DROP: Outcome.GATED,
    Disposition.AMBIENT: Outcome.STORED_ONLY,
    Disposition.AMEND: Outcome.STORED_ONLY,
    Disposition.NOTE: Outcome.STORED_ONLY,
}
"""Dispositions that end an inbound when it arrives; the others are settled by what they lead to."""

_UNHEARD = """
    WHERE id IN (
        WITH heard (agent, channel, newest) AS (
            SELECT agent, channel, max(inbound) FROM history WHERE at >= ?1 AND ambient = 1 GROUP BY agent, channel),
        missed (id, age) AS (
            SELECT id, row_number() OVER (PARTITION BY agent, channel, kind = 'message' ORDER BY id DESC)
            FROM inbound LEFT JOIN heard USING (agent, channel)
            WHERE arrived_at >= ?1 AND text IS NOT NULL AND (
                kind <> 'message' AND disposition IN ('amend', 'queue')
                OR disposition = 'ambient' AND id > coalesce(newest, 0)
                AND NOT EXISTS (SELECT 1 FROM history WHERE history.inbound = inbound.id)))
        SELECT id FROM missed WHERE age <= ?2)
    ORDER BY id"""
"""Ambient talk becomes history in the order in which it arrived, so the newest that is there tells what is not."""

_VERDICTS: TypeAdapter[tuple[GateVerdict, ...]] = TypeAdapter(tuple[GateVerdict, ...])
_DETAIL: TypeAdapter[tuple[tuple[str, str], ...]] = TypeAdapter(tuple[tuple[str, str], ...])


class SqliteLedger:
    """Implements `bot.ports.ledger.Ledger`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def arrive(self, arrivals: Sequence[Arrival], cursor: Cursor | None) -> Sequence[int | None]:
        """Store inbounds, gate rows and the cursor in one transaction; None for what was there already."""

        def work(connection: sqlite3.Connection) -> list[int | None]:
            rows = [_arrive(connection, arrival) for arrival in arrivals]
            if cursor is not None:
                connection.execute(
                    "INSERT INTO cursor (agent, adapter, stream, value) VALUES ('main', ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET value = excluded.value",
                    (cursor.adapter, cursor.stream, cursor.value),
                )
            return rows

        return await self._database.write(work)

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        sql = "SELECT value FROM cursor WHERE agent = 'main' AND adapter = ? AND stream = ?"

        def work(connection: sqlite3.Connection) -> str | None:
            row = connection.execute(sql, (adapter, stream)).fetchone()
            return str(row[0]) if row else None

        return await self._database.read(work)

    async def note(self, rows: Sequence[StageRow]) -> Sequence[int]:
        """Add stage rows."""
        return await self._database.write(lambda connection: add_stages(connection, rows))

    async def settle(self, settlements: Sequence[Settlement]) -> None:
        """Set outcomes; the first one stays."""
        await self._database.write(lambda connection: settle(connection, settlements))

    async def unsettled(self) -> Sequence[StoredInbound]:
        """Return every inbound without an outcome, oldest first."""
        return await self._many("WHERE outcome IS NULL ORDER BY id", ())

    async def unheard(self, since: int, keep: int) -> Sequence[StoredInbound]:
        """Return ambient talk that its channel's history does not hold yet, and all changes, oldest first."""
        return await self._many(_UNHEARD, (since, keep))

    async def inbound(self, row: int) -> StoredInbound | None:
        """Return one inbound."""

        def work(connection: sqlite3.Connection) -> StoredInbound | None:
            found = fetch(connection, "inbound", row)
            return self._read(found) if found else None

        return await self._database.read(work)

    async def by_message(self, key: ChannelKey, message_id: str) -> StoredInbound | None:
        """Return the newest form of a platform message."""
        tail = "WHERE agent = ? AND channel = ? AND message_id = ? ORDER BY id DESC LIMIT 1"
        for channel, name in self._database.moves.spellings(key.channel, message_id):
            if found := await self._many(tail, (key.agent, channel, name)):
                return found[0]
        return None

    async def recent(self, key: ChannelKey, limit: int) -> Sequence[StoredInbound]:
        """Return the newest inbounds of a channel, newest first."""
        where, args = self._of(key)
        return await self._many(f"WHERE {where} ORDER BY id DESC LIMIT ?", (*args, limit))

    async def events(self, key: ChannelKey, since: int) -> Sequence[StoredInbound]:
        """Return what happened in a channel beside messages since a time (UTC ms), newest first."""
        where, args = self._of(key)
        tail = f"WHERE {where} AND kind = 'event' AND arrived_at >= ? ORDER BY id DESC"
        return await self._many(tail, (*args, since))

    async def trail(self, row: int) -> Trail | None:
        """Return an inbound with its stages."""
        return await self._database.read(lambda connection: self._trail(connection, row))

    async def trail_of_stage(self, handle: Handle) -> Trail | None:
        """Return the trail that a gate handle's row belongs to."""

        def work(connection: sqlite3.Connection) -> Trail | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.GATE else None
            stage = row and fetch(connection, "stage", row)
            return self._trail(connection, stage["inbound"]) if stage else None

        return await self._database.read(work)

    async def by_handle(self, handle: Handle) -> StoredInbound | None:
        """Return the newest inbound of a handle's slot."""

        def work(connection: sqlite3.Connection) -> StoredInbound | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.INBOUND else None
            found = row and fetch(connection, "inbound", row)
            return self._read(found) if found else None

        return await self._database.read(work)

    async def counts(self, key: ChannelKey | None, since: int) -> Sequence[OutcomeCount]:
        """Count outcomes by channel, outcome and the first word of the reason; `newest` is a time."""
        sql = """
            SELECT channel, outcome,
                   rtrim(substr(outcome_reason, 1, instr(outcome_reason || ' ', ' ') - 1), ':,') AS why,
                   count(*), max(outcome_at)
            FROM inbound
            WHERE outcome IS NOT NULL AND outcome_at >= :since AND kind <> 'event'
              AND (:agent IS NULL OR (agent = :agent AND channel IN (SELECT value FROM json_each(:names))))
            GROUP BY channel, outcome, why"""
        moves = self._database.moves
        names = canonical_json(moves.names(key.channel) if key else ())
        args = {"since": since, "agent": key and key.agent, "names": names}

        def work(connection: sqlite3.Connection) -> list[OutcomeCount]:
            counts: dict[tuple[ChannelId, Outcome, str], OutcomeCount] = {}
            for channel, outcome, why, count, newest in connection.execute(sql, args):
                now = moves.now(channel)
                known = counts.get((now, outcome, why))
                total, latest = (known.count, known.newest) if known else (0, 0)
                counts[now, outcome, why] = OutcomeCount(
                    channel=now, outcome=outcome, reason=why, count=total + count, newest=max(latest, newest)
                )
            return sorted(counts.values(), key=lambda one: (one.channel, -one.count, one.outcome, one.reason))

        return await self._database.read(work)

    async def _many(self, tail: str, args: tuple[str | int, ...]) -> list[StoredInbound]:
        return await self._database.read(
            lambda connection: [self._read(row) for row in select(connection, "inbound", tail, args)]
        )

    def _of(self, key: ChannelKey) -> tuple[str, tuple[str, ...]]:
        """Return a condition on the rows of a channel, under whichever id they arrived."""
        names = self._database.moves.names(key.channel)
        if len(names) == 1:
            return "agent = ? AND channel = ?", (key.agent, *names)
        return f"agent = ? AND channel IN ({', '.join('?' * len(names))})", (key.agent, *names)

    def _read(self, row: sqlite3.Row) -> StoredInbound:
        stored = _inbound(row)
        now = self._database.moves.as_now(stored.inbound)
        return stored if now is stored.inbound else stored.model_copy(update={"inbound": now})

    def _trail(self, connection: sqlite3.Connection, row: int) -> Trail | None:
        found = fetch(connection, "inbound", row)
        if found is None:
            return None
        stages = select(connection, "stage", "WHERE inbound = ? ORDER BY id", (row,))
        return Trail(inbound=self._read(found), stages=tuple(_stage(stage) for stage in stages))


def add_stages(connection: sqlite3.Connection, rows: Sequence[StageRow]) -> list[int]:
    """Add stage rows; part of many units."""
    return [
        insert(
            connection,
            "stage",
            inbound=row.inbound,
            at=row.at,
            stage=row.stage,
            verdict=row.verdict,
            reason=row.reason,
            detail=_DETAIL.dump_json(row.detail).decode(),
        )
        for row in rows
    ]


def settle(connection: sqlite3.Connection, settlements: Sequence[Settlement]) -> None:
    """Set outcomes where there are none; part of many units."""
    for settlement in settlements:
        row = fetch(connection, "inbound", settlement.inbound)
        if row is None or row["outcome"] is not None:
            continue
        change(
            connection,
            "inbound",
            settlement.inbound,
            outcome=settlement.outcome,
            outcome_reason=settlement.reason,
            outcome_at=settlement.at,
            redacted=int(settlement.redacted),
        )


def _arrive(connection: sqlite3.Connection, arrival: Arrival) -> int | None:
    inbound = arrival.inbound
    name = (arrival.agent, inbound.channel, inbound.message_id, inbound.edit, inbound.kind, inbound.adapter)
    if connection.execute(
        "SELECT 1 FROM inbound WHERE agent = ? AND channel = ? AND message_id = ? AND edit = ? AND kind = ?"
        " AND adapter = ?",
        name,
    ).fetchone():
        return None
    outcome = _AT_ONCE.get(arrival.disposition)
    row = insert(
        connection,
        "inbound",
        agent=arrival.agent,
        adapter=inbound.adapter,
        channel=inbound.channel,
        message_id=inbound.message_id,
        edit=inbound.edit,
        kind=inbound.kind,
        body=inbound.model_copy(update={"text": ""}).model_dump_json(exclude_defaults=True),
        text=inbound.text if arrival.keeps_text else None,
        text_sha256=hashlib.sha256(inbound.text.encode("utf-8", "surrogatepass")).hexdigest(),
        arrived_at=arrival.arrived_at,
        disposition=arrival.disposition,
        outcome=outcome,
        outcome_reason=_reason(arrival) if outcome else "",
        outcome_at=arrival.arrived_at if outcome else 0,
    )
    add_stages(connection, _first_stages(arrival, row))
    return row


def _reason(arrival: Arrival) -> str:
    """Say what ended an inbound when it arrived: the gate, or that it was an event."""
    if arrival.stopped_by is not None:
        return arrival.stopped_by.gate
    event = arrival.inbound.event
    return event_reason(event) if event is not None else ""


def _first_stages(arrival: Arrival, row: int) -> list[StageRow]:
    at, stopped = arrival.arrived_at, arrival.stopped_by
    stages = [StageRow(inbound=row, at=at, stage=Stage.ARRIVED, verdict=Verdict.NOTED)]
    if arrival.verdicts:
        stages.append(
            StageRow(
                inbound=row,
                at=at,
                stage=Stage.GATES,
                verdict=Verdict.STOPPED if stopped else Verdict.PASSED,
                reason=stopped.gate if stopped else "",
                detail=_gates(arrival),
            )
        )
    if arrival.disposition is Disposition.QUEUE:
        stages.append(StageRow(inbound=row, at=at, stage=Stage.QUEUED, verdict=Verdict.PASSED))
    return stages


def _gates(arrival: Arrival) -> tuple[tuple[str, str], ...]:
    """Say first which gate stopped it, why and what was compared; then every verdict as JSON, named `verdicts`."""
    everything = ("verdicts", _VERDICTS.dump_json(arrival.verdicts).decode())
    stopped = arrival.stopped_by
    if stopped is None:
        return (everything,)
    return (("gate", stopped.gate), ("reason", stopped.reason), *stopped.compared, everything)


def _stage(row: sqlite3.Row) -> StageRow:
    return StageRow(
        id=row["id"],
        inbound=row["inbound"],
        at=row["at"],
        stage=row["stage"],
        verdict=row["verdict"],
        reason=row["reason"],
        detail=_DETAIL.validate_json(row["detail"]),
    )


def _inbound(row: sqlite3.Row) -> StoredInbound:
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
