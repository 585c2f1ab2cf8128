"""Replies on their way, from the row that is written first to the platform's word."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.audit_chain import append as append_audit
from adapters.sqlite.engine.json_without_text import bare_json
from adapters.sqlite.engine.sealed_rows import exists, fetch, insert, read_or_skip, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import is_traced, when_committed
from adapters.sqlite.ledger.ledger_writer import add_stages, settle
from adapters.sqlite.turns.chunks import DIGITS, ChunkReader, nonce, read_chunk
from bot.domain.channel_moves import with_current_address
from bot.domain.finding import NewAudit
from bot.domain.ids import MAIN, AgentId
from bot.domain.ledger import Settlement, StageRow
from bot.domain.messages import Receipt
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox, TurnStatus
from bot.ports.clock import Entropy
from bot.ports.metrics import TurnPart
from bot.ports.traces import SentChunk

PREVIEW = "preview"
"""The kind of rows that are in no text's delivery: see `previews.py`."""
_FINAL = {OutboxState.SENT, OutboxState.UNCERTAIN, OutboxState.DEAD}


class SqliteOutbox(ChunkReader):
    """Implements `bot.ports.journal.Outbox`."""

    async def put(self, rows: Sequence[NewOutbox], stages: Sequence[StageRow], at: int) -> Sequence[StoredOutbox]:
        """Keep chunks to be sent."""
        instance = self._database.instance

        def work(connection: SqlConnection) -> list[StoredOutbox]:
            add_stages(connection, stages)
            now = [with_current_address(row, self._database.moves) for row in rows]
            return [
                chunk_as_put(put_chunk(connection, row, agent_of(connection, row), at), row, at, instance)
                for row in now
            ]

        return await self._database.write(work)

    async def sending(self, row: int) -> None:
        """Commit the intent directly before the call to the platform."""

        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if found and found["state"] != OutboxState.SENT:
                update_sealed(connection, "outbox", found, state=OutboxState.SENDING, attempts=found["attempts"] + 1)

        await self._database.write(work)

    async def sent(self, row: int, receipt: Receipt, stages: Sequence[StageRow], done: Sequence[Settlement]) -> None:
        """Commit the platform's word, with the outcome when it was the last chunk; once."""

        def work(connection: SqlConnection) -> None:
            found, name, at = read_or_skip(connection, "outbox", row), receipt.message_id, receipt.at
            if not _is_open(connection, row, found, {OutboxState.SENT}):
                return
            if found:
                if found["kind"] == "reply":
                    waited = (self._database.now() - found["created_at"]) / 1000
                    when_committed(connection, lambda told: told.metrics.took(TurnPart.SEND, waited))
                if is_traced(connection):
                    chunk = _as_sent(found, receipt)
                    when_committed(connection, lambda told: told.traces.sent(chunk))
                update_sealed(
                    connection, "outbox", found, state=OutboxState.SENT, error="", message_id=name, receipt_at=at
                )
            # a damaged row cannot take the word; what it answers can, because that is a row of its own
            add_stages(connection, stages)
            settle(connection, done)

        await self._database.write(work)

    async def postponed(self, row: int, error: str, not_before: int) -> None:
        """Put a chunk back for another attempt."""

        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if found and found["state"] != OutboxState.SENT:
                update_sealed(connection, "outbox", found, state=OutboxState.NEW, error=error, not_before=not_before)

        await self._database.write(work)

    async def made_new(self, row: int, error: str) -> None:
        """Let a chunk be a message of its own: what it was to edit cannot be edited."""

        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if found and found["state"] not in _FINAL:
                body = NewOutbox.model_validate_json(found["body"]).model_copy(update={"edits": ""})
                text, state = body.model_dump_json(), OutboxState.NEW
                update_sealed(connection, "outbox", found, body=text, state=state, error=error, not_before=0)

        await self._database.write(work)

    async def ended(
        self, row: int, *, uncertain: bool, error: str, stages: Sequence[StageRow], done: Sequence[Settlement]
    ) -> None:
        """Give a chunk up: dead, or uncertain (it may have arrived).

        A dead one decides nothing while its turn may still say something, or has said something after it.
        """
        state = OutboxState.UNCERTAIN if uncertain else OutboxState.DEAD

        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if not _is_open(connection, row, found, _FINAL):
                return
            if found:
                update_sealed(connection, "outbox", found, state=state, error=error)
            add_stages(connection, stages)
            settle(connection, done if uncertain or found is None or _is_last_word(connection, found) else ())

        await self._database.write(work)

    async def send_again(self, row: int, attempts: int, note: StageRow, audit: NewAudit | None) -> StoredOutbox | None:
        """Put an uncertain chunk back to be sent, once for as often as it was tried."""

        def work(connection: SqlConnection) -> StoredOutbox | None:
            found = fetch(connection, "outbox", row)
            if found is None or found["state"] != OutboxState.UNCERTAIN or found["attempts"] != attempts:
                return None
            body = with_current_address(NewOutbox.model_validate_json(found["body"]), self._database.moves)
            text, state = body.model_dump_json(), OutboxState.NEW
            update_sealed(
                connection, "outbox", found, channel=body.to.channel, body=text, state=state, error="", not_before=0
            )
            add_stages(connection, [note] if note.inbound else [])
            if audit is not None:
                append_audit(connection, self._database.secret_key, audit)
            return read_chunk(fetch(connection, "outbox", row), self._database.instance)

        return await self._database.write(work)


def _as_sent(row: SqlRow, receipt: Receipt) -> SentChunk:
    return SentChunk(
        row=row["id"],
        kind=row["kind"],
        part=row["part"],
        agent=row["agent"],
        channel=row["channel"],
        inbound=row["inbound"],
        turn=row["turn"],
        created_at=row["created_at"],
        attempts=row["attempts"],
        receipt=receipt,
    )


def put_chunk(connection: SqlConnection, new: NewOutbox, agent: AgentId, at: int, *, departs: bool = False) -> int:
    """Store a chunk, which takes the place of the preview that it edits; part of many units."""
    if new.edits:
        _close_preview(connection, new, agent)
    return insert(
        connection,
        "outbox",
        agent=agent,
        channel=new.to.channel,
        kind=new.kind,
        part=new.part,
        inbound=new.inbound,
        turn=new.turn,
        body=bare_json(new),
        text=new.text,
        state=OutboxState.SENDING if departs else OutboxState.NEW,
        created_at=at,
        attempts=int(departs),
        not_before=0,
        message_id="",
        receipt_at=0,
        error="",
    )


def chunk_as_put(row: int, body: NewOutbox, at: int, instance: str, *, departs: bool = False) -> StoredOutbox:
    """Return a chunk that was just put, as it would be read."""
    state = OutboxState.SENDING if departs else OutboxState.NEW
    return StoredOutbox(
        row=row, nonce=nonce(instance, row), body=body, state=state, created_at=at, attempts=int(departs)
    )


def _is_open(connection: SqlConnection, row: int, found: SqlRow | None, closed: set[OutboxState]) -> bool:
    """Say whether something may still become of a chunk; of a damaged one it may, because nobody can tell."""
    return found["state"] not in closed if found else exists(connection, "outbox", row)


def _is_last_word(connection: SqlConnection, chunk: SqlRow) -> bool:
    """Say whether the turn of a chunk is over, and said nothing after the text that the chunk is a part of."""
    turn = read_or_skip(connection, "turn", chunk["turn"]) if chunk["turn"] else None
    if turn is not None and turn["status"] == TurnStatus.RUNNING:
        return False
    # the parts of one text have consecutive numbers
    sql = "SELECT 1 FROM outbox WHERE turn = ? AND turn > 0 AND kind = 'reply' AND id - part > ? LIMIT 1"
    return connection.execute(sql, (chunk["turn"], chunk["id"] - chunk["part"])).fetchone() is None


def _close_preview(connection: SqlConnection, new: NewOutbox, agent: AgentId) -> None:
    tail = (
        "WHERE agent = ? AND channel = ? AND message_id = ? AND message_id <> '' AND kind = 'preview' "
        "AND state = 'sending'"
    )
    for row in verified_rows(connection, "outbox", tail, (agent, new.to.channel, new.edits)):
        update_sealed(connection, "outbox", row, state=OutboxState.SENT)


def of_turn(connection: SqlConnection, turn: int, instance: str) -> list[StoredOutbox]:
    """Return the chunks of a turn, in order."""
    rows = verified_rows(connection, "outbox", "WHERE turn = ? AND turn > 0 AND kind <> 'preview' ORDER BY id", (turn,))
    return [read_chunk(row, instance) for row in rows]


def new_instance(entropy: Entropy, besides: str = "") -> str:
    """Draw the two characters that begin every nonce of a data directory; `besides` are those it must not be."""
    while (drawn := "".join(DIGITS[byte % 32] for byte in entropy.token(2))) == besides:
        pass
    return drawn


def agent_of(connection: SqlConnection, new: NewOutbox) -> AgentId:
    """Say for whom a chunk goes out."""
    for table, row in (("turn", new.turn), ("inbound", new.inbound)):
        found = read_or_skip(connection, table, row) if row else None
        if found:
            return AgentId(found["agent"])
    return MAIN
