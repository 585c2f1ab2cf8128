"""The ledger's writing side: inbounds, their trails, their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from adapters.sqlite.engine.json_without_text import REFERS_JSON, bare_json
from adapters.sqlite.engine.packed_trails import details, first_rows
from adapters.sqlite.engine.prefetch import unique_names
from adapters.sqlite.engine.sealed_rows import Value, insert_all, insert_new, read_or_skip, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import AT_ONCE, Values, execute_unbatched, when_committed
from adapters.sqlite.ledger.ledger_reader import LedgerReader
from bot.domain.ledger import (
    DELETED,
    Arrival,
    ArrivalDisposition,
    Outcome,
    Settlement,
    StageRow,
    StreamCursor,
    event_reason,
)
from bot.domain.messages import Inbound, InboundKind
from bot.ports.traces import RecordWatchers

_AT_ONCE = {
    ArrivalDisposition.DROP: Outcome.GATED.value,
    ArrivalDisposition.AMBIENT: Outcome.STORED_ONLY.value,
    ArrivalDisposition.AMEND: Outcome.STORED_ONLY.value,
    ArrivalDisposition.NOTE: Outcome.STORED_ONLY.value,
}
"""Dispositions that end an inbound when it arrives; the others are settled by what they lead to."""

_QUOTING = (
    f"WHERE adapter = ? AND instr(body, '{REFERS_JSON}') > 0 AND channel = ? AND agent = ? AND instr(body, ?) > 0"
)


class SqliteLedger(LedgerReader):
    """Implements `bot.ports.ledger.Ledger`; reading is in `LedgerReader`."""

    async def arrive(self, arrivals: Sequence[Arrival], cursor: StreamCursor | None) -> Sequence[int | None]:
        """Store inbounds, gate rows and the cursor in one transaction; None for what was there already."""
        written: list[tuple[Value, ...]] = []

        def inbounds() -> list[tuple[Value, ...]]:
            # written once, on the writer's thread, by whoever asks first
            if not written:
                written.extend(map(_as_row, arrivals))
            return written

        def ahead() -> list[Values]:
            # a whole batch fills statements of its own
            return unique_names("inbound", inbounds()) if len(arrivals) < AT_ONCE else []

        def work(connection: SqlConnection) -> list[int | None]:
            rows = insert_new(connection, "inbound", inbounds())
            insert_all(connection, "stage", first_rows(arrivals, rows))
            for arrival in arrivals:
                if arrival.inbound.kind is InboundKind.DELETE:
                    self._wipe(connection, arrival)
            when_committed(
                connection, partial(_count_arrivals, [a for a, row in zip(arrivals, rows, strict=True) if row])
            )
            if cursor is not None:
                keep_cursor(connection, cursor)
            return rows

        return await self._database.write(work, ahead)

    def _wipe(self, connection: SqlConnection, gone: Arrival) -> None:
        """Take the words out of the rows of a message that was deleted on its platform, its edits and answers."""
        of_message = "WHERE agent = ? AND channel = ? AND message_id = ? AND kind IN ('message', 'edit')"
        for channel in self._database.moves.names(gone.inbound.channel):
            for row in verified_rows(connection, "inbound", of_message, (gone.agent, channel, gone.inbound.message_id)):
                update_sealed(connection, "inbound", row, **_columns_without_words(row))
            named = f'"message_id":"{gone.inbound.message_id}"'
            for row in verified_rows(
                connection, "inbound", _QUOTING, (gone.inbound.adapter, channel, gone.agent, named)
            ):
                bare = Inbound.model_validate_json(row["body"])
                left = tuple(one for one in bare.refers if one.message_id != gone.inbound.message_id)
                if left != bare.refers:
                    body = bare_json(bare.replace(refers=left), exclude_defaults=True)
                    update_sealed(connection, "inbound", row, body=body)

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        # from the start where that is damaged: what the platform hands out again is known by its name
        sql = """
            SELECT value FROM cursor WHERE agent = 'main' AND adapter = ? AND stream = ?
              AND h IS row_hash(hex(agent), hex(adapter), hex(stream), hex(value))"""

        def work(connection: SqlConnection) -> str | None:
            row = connection.execute(sql, (adapter, stream)).fetchone()
            return str(row[0]) if row else None

        return await self._database.read(work)

    async def note(self, rows: Sequence[StageRow]) -> Sequence[int]:
        return await self._database.write(lambda connection: add_stages(connection, rows))

    async def settle(self, settlements: Sequence[Settlement]) -> None:
        """Set outcomes; the first one stays."""
        await self._database.write(lambda connection: settle(connection, settlements))


def keep_cursor(connection: SqlConnection, cursor: StreamCursor) -> None:
    """Note how far a stream was read; part of the unit that stores what was read."""
    execute_unbatched(
        connection,
        "INSERT INTO cursor (agent, adapter, stream, value) VALUES ('main', ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        (cursor.adapter, cursor.stream, cursor.value),
    )


def store_arrival(connection: SqlConnection, arrival: Arrival) -> int:
    """Store an inbound that the program itself made, with its first rows; part of a unit. Return its number."""
    (row,) = insert_all(connection, "inbound", [_as_row(arrival)])
    when_committed(connection, partial(_count_arrivals, [arrival]))
    insert_all(connection, "stage", first_rows([arrival], [row]))
    return row


def add_stages(connection: SqlConnection, rows: Sequence[StageRow]) -> list[int]:
    """Add stage rows; part of many units."""
    values = [
        (row.inbound, row.at, row.stage._value_, row.verdict._value_, row.reason, details(row.detail)) for row in rows
    ]
    return insert_all(connection, "stage", values) if values else []


def settle(connection: SqlConnection, settlements: Sequence[Settlement]) -> None:
    """Set outcomes where there are none; part of many units."""
    for settlement in settlements:
        row = read_or_skip(connection, "inbound", settlement.inbound)
        if row is None or row["outcome"] is not None:
            continue
        when_committed(connection, partial(_count_outcome, row["adapter"], settlement.outcome))
        is_deleted = (settlement.outcome, settlement.reason) == (Outcome.SUPERSEDED, DELETED)
        update_sealed(
            connection,
            "inbound",
            row,
            outcome=settlement.outcome,
            outcome_reason=settlement.reason,
            outcome_at=settlement.at,
            redacted=int(settlement.redacted),
            # the deletion may have come before the message
            **(_columns_without_words(row) if is_deleted else {}),
        )


def _count_arrivals(arrivals: Sequence[Arrival], told: RecordWatchers) -> None:
    for arrival in arrivals:
        if arrival.stopped_by is not None:
            told.metrics.stopped(arrival.stopped_by.gate)
        if outcome := _AT_ONCE.get(arrival.disposition):
            told.metrics.settled(arrival.inbound.adapter, Outcome(outcome))


def _count_outcome(platform: str, outcome: Outcome, told: RecordWatchers) -> None:
    told.metrics.settled(platform, outcome)


def _columns_without_words(row: SqlRow) -> dict[str, Value]:
    body = Inbound.model_validate_json(row["body"]).replace(attachments=(), refers=())
    return {"text": None, "body": bare_json(body, exclude_defaults=True)}


def _as_row(arrival: Arrival) -> tuple[Value, ...]:
    inbound, outcome = arrival.inbound, _AT_ONCE.get(arrival.disposition)
    if not arrival.keeps_text and (inbound.refers or inbound.attachments):
        # the name of a file or a card is words, and its address leads to all of them
        bare = tuple(file.replace(name="", reference="") for file in inbound.attachments)
        inbound = inbound.replace(refers=(), attachments=bare)
    return (
        arrival.agent,
        inbound.adapter,
        inbound.channel,
        inbound.message_id,
        inbound.edit,
        inbound.kind._value_,
        bare_json(inbound, exclude_defaults=True),
        inbound.text if arrival.keeps_text else None,
        arrival.text_sha256,
        arrival.arrived_at,
        arrival.disposition._value_,
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
