"""Branches and workers at rest. How one ends, and by what its channel hears of it, is one transaction."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, by_slot, fetch, insert, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.engine.write_batch import when_committed
from adapters.sqlite.ledger.ledger_writer import add_stages, store_arrival
from adapters.sqlite.turns.journal import SqliteJournal
from adapters.sqlite.turns.outbox import chunk_as_put, put_chunk
from adapters.sqlite.turns.process_rows import OPEN, put_back, relay, stored_process, without_words
from bot.domain.channel_moves import with_current_address
from bot.domain.handles import Handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict, StoredInbound, stored_as
from bot.domain.process import RESULT_PREFIX, NewProcess, ProcessEnd, ProcessState, StoredProcess
from bot.domain.turn import NewOutbox, StoredOutbox

_RETURNS = f"""SELECT count(DISTINCT inbound.turn) FROM process JOIN inbound
    ON inbound.agent = process.agent AND inbound.channel = process.channel
    AND inbound.message_id = '{RESULT_PREFIX}' || process.id
    WHERE process.inbound = ? AND inbound.turn > 0"""  # noqa: S608 - a constant of ours


class SqliteProcesses:
    """Implements `bot.ports.processes.ProcessStore`."""

    def __init__(self, database: SqliteDatabase, journal: SqliteJournal) -> None:
        self._database = database
        self._journal = journal

    async def begin(self, new: NewProcess, at: int) -> StoredProcess:
        """Keep a process that begins."""
        person = new.by.person

        def work(connection: SqlConnection) -> StoredProcess:
            row = insert(
                connection,
                "process",
                agent=new.agent,
                channel=self._database.moves.current_id(new.channel),
                kind=new.kind,
                state=ProcessState.RUNNING,
                platform=person.platform,
                actor=person.user_id,
                inbound=new.inbound,
                started_at=at,
                ended_at=0,
                turns="[]",
                segment=0,
                calls=0,
                progress="",
                body=new.model_dump_json(exclude={"agent", "channel", "task"}),
                task=new.task,
                result=None,
                reason="",
                returned=0,
                relayed_at=0,
                version=1,
            )
            begun = _get(connection, row)
            add_stages(connection, _trail_rows(begun, "began", at))
            return begun

        return await self._database.write(work)

    async def note(self, row: int, turn: int, segment: int, progress: str, calls: int) -> StoredProcess | None:
        """Note how far a running one has come; None where it is over."""

        def work(connection: SqlConnection) -> StoredProcess | None:
            found = fetch(connection, "process", row)
            if found is None or found["state"] != ProcessState.RUNNING:
                return None
            turns = orjson.loads(found["turns"])
            turns += [turn] if turn and turn not in turns else []
            changes: dict[str, Value] = {"turns": orjson.dumps(turns).decode(), "segment": segment, "calls": calls}
            update_sealed(connection, "process", found, **changes, progress=progress, version=found["version"] + 1)
            return _get(connection, row)

        return await self._database.write(work)

    async def end(self, end: ProcessEnd) -> tuple[StoredProcess, StoredInbound | None] | None:
        """Commit a terminal state, the end of its turn and the result's arrival, in one transaction."""

        def work(connection: SqlConnection) -> tuple[StoredProcess, StoredInbound | None] | None:
            found = fetch(connection, "process", end.id)
            if found is None or found["state"] != ProcessState.RUNNING or found["version"] != end.version:
                return None
            if end.turn is not None:
                self._journal.ends(connection, end.turn)
            arrival = end.arrival if _returns(connection, found["inbound"]) < end.most_returns else None
            row = store_arrival(connection, arrival) if arrival else 0
            body = orjson.loads(found["body"])
            if end.origins is not None:
                body["origins"] = end.origins.model_dump(mode="json")
            if end.artifacts:
                body["artifacts"] = [one.model_dump(mode="json") for one in end.artifacts]
            update_sealed(
                connection,
                "process",
                found,
                state=end.state,
                body=orjson.dumps(body).decode() if end.origins is not None or end.artifacts else found["body"],
                ended_at=end.at,
                result=end.result,
                reason=end.reason,
                returned=row,
                relayed_at=end.at if end.quiet else 0,
                version=end.version + 1,
            )
            ended = _get(connection, end.id)
            if end.quiet and (now := fetch(connection, "process", end.id)) is not None:
                # whoever stopped it is told what it had; nobody reads it later
                update_sealed(connection, "process", now, **without_words(now))
            add_stages(connection, _trail_rows(ended, end.state.value, end.at))
            when_committed(connection, lambda told: told.traces.finished(ended))
            return ended, stored_as(arrival, arrival.inbound, row) if arrival else None

        return await self._database.write(work)

    async def get(self, row: int) -> StoredProcess | None:
        def work(connection: SqlConnection) -> StoredProcess | None:
            found = fetch(connection, "process", row)
            return stored_process(found) if found else None

        return await self._database.read(work)

    async def by_handle(self, handle: Handle) -> StoredProcess | None:
        """Return the newest one of a handle's slot, if it is of the handle's kind."""

        def work(connection: SqlConnection) -> StoredProcess | None:
            row = by_slot(connection, handle)
            found = fetch(connection, "process", row) if row else None
            process = stored_process(found) if found else None
            return process if process and process.handle[0] == handle.kind.value else None

        return await self._database.read(work)

    async def of_channel(self, key: ChannelKey, limit: int, *, running_only: bool = False) -> Sequence[StoredProcess]:
        """Return the newest ones of a channel, newest first."""
        which = "AND state = 'running' " if running_only else ""
        tail = f"WHERE agent = ? AND channel = ? {which}ORDER BY id DESC LIMIT ?"
        return await self._many(tail, (*self._database.moves.key(key), limit))

    async def of_inbound(self, inbound: int) -> Sequence[StoredProcess]:
        """Return every one that goes back to a message, oldest first."""
        return await self._many("WHERE inbound = ? AND inbound > 0 ORDER BY id", (inbound,))

    async def running(self) -> Sequence[StoredProcess]:
        """Return every one that is not over, oldest first."""
        tail = OPEN.replace(" ORDER BY", f"{self._database.left_in('process')} ORDER BY")
        return [process for process in await self._many(tail, ()) if not process.is_over]

    async def unrelayed(self) -> Sequence[StoredProcess]:
        """Return every one that is over and whose result was not read, oldest first."""
        return [process for process in await self._many(OPEN, ()) if process.is_over]

    async def relayed(self, rows: Sequence[int], at: int) -> None:
        """Note that results were read."""
        await self._database.write(lambda connection: relay(connection, rows, at))

    async def mark_told(self, row: int, outbox: Sequence[NewOutbox], at: int) -> Sequence[StoredOutbox] | None:
        """Keep what tells somebody of a result, and that they are told, in one transaction."""

        def work(connection: SqlConnection) -> list[StoredOutbox] | None:
            found = fetch(connection, "process", row)
            if found is None or found["state"] == ProcessState.RUNNING or found["relayed_at"]:
                return None
            relay(connection, [row], at)
            bodies = [with_current_address(new, self._database.moves) for new in outbox]
            numbers = [put_chunk(connection, body, found["agent"], at) for body in bodies]
            instance = self._database.instance
            return [chunk_as_put(number, body, at, instance) for number, body in zip(numbers, bodies, strict=True)]

        return await self._database.write(work)

    async def put_back(self, rows: Sequence[int]) -> None:
        """Let results wait for the next turn of their channel."""
        await self._database.write(lambda connection: put_back(connection, rows))

    async def _many(self, tail: str, args: tuple[Value, ...]) -> list[StoredProcess]:
        return await self._database.read(
            lambda connection: [stored_process(row) for row in verified_rows(connection, "process", tail, args)]
        )


def _trail_rows(process: StoredProcess, what: str, at: int) -> list[StageRow]:
    """Say in the trail of the message that a process goes back to what becomes of it, if there is one."""
    if not process.body.inbound:
        return []
    detail = [("process", process.handle), ("kind", process.body.kind.value)]
    detail += [("parent", str(process.body.parent_process))] if process.body.parent_process else []
    row = StageRow(
        inbound=process.body.inbound,
        at=at,
        stage=LedgerStage.PROCESS,
        verdict=StageVerdict.NOTED,
        reason=what,
        detail=tuple(detail),
    )
    return [row]


def _get(connection: SqlConnection, row: int) -> StoredProcess:
    found = fetch(connection, "process", row)
    assert found is not None
    return stored_process(found)


def _returns(connection: SqlConnection, inbound: int) -> int:
    """Count the turns that began with results of one message."""
    return int(connection.execute(_RETURNS, (inbound,)).fetchone()[0])
