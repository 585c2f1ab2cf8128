"""The ledger's writing side: inbounds, their trails, their outcomes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence

import orjson

from adapters.sqlite.arrivals import LedgerReader
from adapters.sqlite.group import apart
from adapters.sqlite.rows import Value, amend, insert_all, insert_new, spared
from bot.domain.ledger import (
    Arrival,
    Cursor,
    Disposition,
    Outcome,
    Settlement,
    Stage,
    StageRow,
    Verdict,
    event_reason,
)

_AT_ONCE = {
    Disposition.DROP: Outcome.GATED,
    Disposition.AMBIENT: Outcome.STORED_ONLY,
    Disposition.AMEND: Outcome.STORED_ONLY,
    Disposition.NOTE: Outcome.STORED_ONLY,
}
"""Dispositions that end an inbound when it arrives; the others are settled by what they lead to."""


class SqliteLedger(LedgerReader):
    """Implements `bot.ports.ledger.Ledger`; reading is in `LedgerReader`."""

    async def arrive(self, arrivals: Sequence[Arrival], cursor: Cursor | None) -> Sequence[int | None]:
        """Store inbounds, gate rows and the cursor in one transaction; None for what was there already."""

        def work(connection: sqlite3.Connection) -> list[int | None]:
            rows = insert_new(connection, "inbound", [_as_row(arrival) for arrival in arrivals])
            _add_first_stages(connection, arrivals, rows)
            if cursor is not None:
                apart(
                    connection,
                    "INSERT INTO cursor (agent, adapter, stream, value) VALUES ('main', ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET value = excluded.value",
                    (cursor.adapter, cursor.stream, cursor.value),
                )
            return rows

        return await self._database.write(work)

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        # from the start where that is damaged: what the platform hands out again is known by its name
        sql = """
            SELECT value FROM cursor WHERE agent = 'main' AND adapter = ? AND stream = ?
              AND h IS row_hash(hex(agent), hex(adapter), hex(stream), hex(value))"""

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


def arrived(connection: sqlite3.Connection, arrival: Arrival) -> int:
    """Store an inbound that the program itself made, with its first rows; part of a unit. Return its number."""
    (row,) = insert_all(connection, "inbound", [_as_row(arrival)])
    _add_first_stages(connection, [arrival], [row])
    return row


def add_stages(connection: sqlite3.Connection, rows: Sequence[StageRow]) -> list[int]:
    """Add stage rows; part of many units."""
    return insert_all(
        connection,
        "stage",
        [_stage(row.inbound, row.at, row.stage, row.verdict, row.reason, row.detail) for row in rows],
    )


def settle(connection: sqlite3.Connection, settlements: Sequence[Settlement]) -> None:
    """Set outcomes where there are none; part of many units."""
    for settlement in settlements:
        row = spared(connection, "inbound", settlement.inbound)
        if row is None or row["outcome"] is not None:
            continue
        amend(
            connection,
            "inbound",
            row,
            outcome=settlement.outcome,
            outcome_reason=settlement.reason,
            outcome_at=settlement.at,
            redacted=int(settlement.redacted),
        )


def _as_row(arrival: Arrival) -> tuple[Value, ...]:
    inbound, outcome = arrival.inbound, _AT_ONCE.get(arrival.disposition)
    return (
        arrival.agent,
        inbound.adapter,
        inbound.channel,
        inbound.message_id,
        inbound.edit,
        inbound.kind,
        inbound.model_copy(update={"text": ""}).model_dump_json(exclude_defaults=True),
        inbound.text if arrival.keeps_text else None,
        hashlib.sha256(inbound.text.encode("utf-8", "surrogatepass")).hexdigest(),
        arrival.arrived_at,
        arrival.disposition,
        outcome,
        _reason(arrival) if outcome else "",
        arrival.arrived_at if outcome else 0,
        0,  # not redacted
        0,  # no turn yet
    )


def _reason(arrival: Arrival) -> str:
    """Say what ended an inbound when it arrived: the gate, or that it was an event."""
    if arrival.stopped_by is not None:
        return arrival.stopped_by.gate
    event = arrival.inbound.event
    return event_reason(event) if event is not None else ""


def _add_first_stages(connection: sqlite3.Connection, arrivals: Sequence[Arrival], rows: Sequence[int | None]) -> None:
    came = zip(arrivals, rows, strict=True)
    insert_all(connection, "stage", [stage for arrival, row in came if row for stage in _first_stages(arrival, row)])


def _first_stages(arrival: Arrival, row: int) -> Iterator[tuple[Value, ...]]:
    at, stopped = arrival.arrived_at, arrival.stopped_by
    yield _stage(row, at, Stage.ARRIVED, Verdict.NOTED)
    if arrival.verdicts:
        verdict = Verdict.STOPPED if stopped else Verdict.PASSED
        yield _stage(row, at, Stage.GATES, verdict, stopped.gate if stopped else "", _gates(arrival))
    if arrival.disposition is Disposition.QUEUE:
        yield _stage(row, at, Stage.QUEUED, Verdict.PASSED)


def _stage(
    row: int, at: int, stage: Stage, verdict: Verdict, reason: str = "", detail: tuple[tuple[str, str], ...] = ()
) -> tuple[Value, ...]:
    """Return a row as it is stored."""
    return row, at, stage.value, verdict.value, reason, orjson.dumps(detail).decode() if detail else "[]"


def _gates(arrival: Arrival) -> tuple[tuple[str, str], ...]:
    """Say first which gate stopped it, why and what was compared; then every verdict as JSON, named `verdicts`."""
    everything = ("verdicts", f"[{','.join(verdict.json_text for verdict in arrival.verdicts)}]")
    stopped = arrival.stopped_by
    if stopped is None:
        return (everything,)
    return (("gate", stopped.gate), ("reason", stopped.reason), *stopped.compared, everything)
