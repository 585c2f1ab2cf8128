"""Tool calls at rest: the records of a turn, and what is known of a channel's newest ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import orjson

from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.places import done_from, names_of
from adapters.sqlite.engine.sealed_rows import Value, by_slot, change, fetch, select, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import defer_links, is_traced, when_committed
from adapters.sqlite.turns.process_rows import stored_process
from bot.domain.channel import ProcessKind
from bot.domain.handles import Handle, HandleKind, parse_handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.llm import LLMResponse
from bot.domain.record_access import (
    HOST,
    TALKS,
    RecordOwner,
    RecordReader,
    may_read,
    of_channel,
    of_person,
    of_process,
)
from bot.domain.spread_items import RECALL_TOOL, recalled_memories
from bot.domain.turn import CallPart, CallParts, CallQuery, CallState, ToolCallRecord
from bot.errors import DamagedRow

_MAX_TURNS = 500
"""How many turns back parts are looked for."""
_TURNS = """SELECT id FROM turn WHERE agent = ? AND channel = ? AND kind = ? AND id >= ?
    AND id NOT IN (SELECT id FROM turn WHERE status = 'running') ORDER BY id DESC LIMIT ?"""
"""By turns, because no index knows the channel of a call; two indexes know all that is asked of a turn."""

_OPEN = """SELECT id FROM turn WHERE agent = ? AND channel = ? AND kind IN ('channel', 'branch', 'worker')
    AND session = 0 ORDER BY id DESC LIMIT ?"""
_TURNS_OF_WORK = "json_each(CASE WHEN json_valid(turns) THEN turns ELSE '[]' END)"
_SENT_OUT = f"""WHERE agent = ? AND channel = ? AND instr(turns, ?) > 0
    AND EXISTS (SELECT 1 FROM {_TURNS_OF_WORK} WHERE value = ?) ORDER BY id"""  # noqa: S608 - a constant of ours
_PRIVATE = f"""SELECT value FROM process, {_TURNS_OF_WORK}
    WHERE agent = ? AND channel = ? AND json_valid(body) AND json_extract(body, '$.session') > 0"""  # noqa: S608
"""Turns of workers that an admin had sent out in private; newer ones name their session themselves."""
_HANDLE_KINDS = {"id": {HandleKind.CALL}, "turn": {HandleKind.TURN}}
_RUNNING = """WHERE instr(body, '"state":"running"') > 0"""
"""As in the index that knows them; there is hardly ever one."""
_STAGING_TOOLS = ("memory_save", "preference_revise", "preference_retract")
_IS_STAGING = " OR ".join(f"""instr(body, '"tool_name":"{name}"') > 0""" for name in _STAGING_TOOLS)
_STAGED = f"WHERE turn = ? AND ({_IS_STAGING})"
_NOT_KEPT_WORDS = "Nothing of this was kept: its turn broke off before its end. Save it again if it still holds."
_LOST_WORDS = (
    "The bot was stopped while this ran. Nobody knows whether it was done, and nothing of its result is on record."
)


class CallRecordReader:
    """What the journal keeps and answers about tool calls."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def calls_of_turn(self, turn: int) -> Sequence[ToolCallRecord]:
        """Return a turn's tool calls, in model order."""

        def work(connection: SqlConnection) -> list[ToolCallRecord]:
            rows = select(connection, "tool_call", "WHERE turn = ? ORDER BY round, position, id", (turn,))
            return [_call(row) for row in rows]

        return await self._database.read(work)

    async def call_by_handle(self, handle: Handle) -> ToolCallRecord | None:
        """Return the newest tool call of a handle's slot."""

        def work(connection: SqlConnection) -> ToolCallRecord | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.CALL else None
            found = row and fetch(connection, "tool_call", row)
            return _call(found) if found else None

        return await self._database.read(work)

    async def asked_for_tools(self, turn: int) -> bool:
        """Say whether a model asked for a tool in a turn, whatever came of it."""
        kept = "SELECT 1 FROM tool_call WHERE turn = ? LIMIT 1"

        def work(connection: SqlConnection) -> bool:
            return connection.execute(kept, (turn,)).fetchone() is not None or bool(_without_record(connection, turn))

        return await self._database.read(work)

    async def logged(self, query: CallQuery) -> Sequence[ToolCallRecord]:
        """Return the records that a query names, newest first; a damaged row is left out."""
        key = self._database.moves.key(query.key) if query.key else None
        reader = RecordReader(frozenset({key}), query.actor) if key else HOST
        return await self._database.read(lambda connection: _logged_calls(connection, query, key, reader))

    async def owner_of(self, turn: int) -> RecordOwner:
        """Return whose the records of a turn are; of one that is not on record they are nobody's."""
        return await self._database.read(lambda connection: owner_of(connection, turn))

    async def amend_call(self, record: ToolCallRecord) -> None:
        """Put what came of a call that went on in the place of its record."""
        columns = {"body": body_of(record), "output": record.result_output}

        def work(connection: SqlConnection) -> None:
            change(connection, "tool_call", record.record_id, **columns)
            link_recalled(connection, record.record_id, record)
            if is_traced(connection) and (found := fetch(connection, "tool_call", record.record_id)):
                turn = found["turn"]
                when_committed(connection, lambda told: told.traces.called(turn, [record.record_id], [record]))

        await self._database.write(work)

    async def lose_calls(self, at: int, channels: Collection[ChannelId] | None = None) -> int:
        """Finish the records of calls that were going on when their process died; count them."""
        which, args = _RUNNING, tuple[Value, ...]()
        if channels is not None:
            which, args = f"{_RUNNING} AND {done_from('tool_call')}", (names_of(channels),) * 2

        def work(connection: SqlConnection) -> int:
            rows = verified_rows(connection, "tool_call", which, args)
            for row in rows:
                lost = _call(row).model_copy(
                    update={
                        "state": CallState.UNKNOWN,
                        "success": False,
                        "execution_end": at,
                        "result_output": _LOST_WORDS,
                    }
                )
                output = _LOST_WORDS if row["output"] is not None else None
                change(connection, "tool_call", row["id"], body=body_of(lost), output=output)
            return len(rows)

        if not await self._database.read(
            lambda connection: verified_rows(connection, "tool_call", f"{which} LIMIT 1", args)
        ):
            return 0
        return await self._database.write(work)

    async def parts(self, key: ChannelKey, first: int, broken: Sequence[int], limit: int) -> CallParts:
        """Return the newest parts of a channel's own turns from `first` on; a damaged row costs that part."""
        own = self._database.moves.key(key)
        return await self._database.read(
            lambda connection: _parts(connection, (*own, ProcessKind.CHANNEL, first, _MAX_TURNS), broken, limit)
        )


def take_back_staged(connection: SqlConnection, turn: int) -> None:
    """Say in the records of a turn that what its calls promised for its end did not come about."""
    for row in verified_rows(connection, "tool_call", _STAGED, (turn,)):
        record = _call(row)
        if record.is_at is not CallState.OK:
            continue
        gone = record.model_copy(update={"state": CallState.CANCELLED, "success": False})
        # what was promised stays readable, behind what became of it: a reader may see the beginning alone
        output = f"{_NOT_KEPT_WORDS} It had said: {row['output']}" if row["output"] is not None else None
        change(connection, "tool_call", row["id"], body=body_of(gone), output=output)


def _parts(connection: SqlConnection, args: tuple[Value, ...], broken: Sequence[int], limit: int) -> CallParts:
    tail = f"WHERE turn IN ({_TURNS}) ORDER BY turn DESC, round DESC, position DESC, id DESC LIMIT ?"
    parts = [_part(row) for row in verified_rows(connection, "tool_call", tail, (*args, limit))]
    sql = f"SELECT turn, count(DISTINCT position) FROM tool_call WHERE turn IN ({_TURNS}) GROUP BY turn"  # noqa: S608
    made = dict(connection.execute(sql, args).fetchall())
    for turn in broken:
        unknown = _without_record(connection, turn)
        made[turn] = made.get(turn, 0) + len(unknown)
        parts += unknown
    newest = sorted(parts, key=lambda part: (part.turn, part.seq, part.row), reverse=True)[:limit]
    return CallParts(parts=tuple(newest), made=tuple(sorted((turn, n) for turn, n in made.items() if n)))


def _without_record(connection: SqlConnection, turn: int) -> list[CallPart]:
    """Return the calls that a turn's last answer asks for, where the process died before it could keep a record."""
    asked = """
        WHERE response IS NOT NULL AND request = (SELECT id FROM request WHERE turn = ? ORDER BY id DESC LIMIT 1)
        ORDER BY number DESC, id DESC LIMIT 1"""
    attempts = verified_rows(connection, "attempt", asked, (turn,))
    if not attempts:
        return []
    (round_number,) = connection.execute("SELECT round FROM request WHERE id = ?", (attempts[0]["request"],)).fetchone()
    sql = "SELECT coalesce(max(round), -1), coalesce(max(position), -1) FROM tool_call WHERE turn = ?"
    done, position = connection.execute(sql, (turn,)).fetchone()
    if done >= round_number:
        return []
    calls = LLMResponse.model_validate_json(attempts[0]["response"]).calls
    return [
        CallPart(row=0, turn=turn, seq=seq, tool=call.name, state=CallState.UNKNOWN, ms=None, text=call.arguments)
        for seq, call in enumerate(calls, position + 1)
    ]


def _part(row: SqlRow) -> CallPart:
    # the row is sealed, and there may be two hundred of them before an answer: not checked again
    record = orjson.loads(row["body"])
    return CallPart.model_construct(
        row=row["id"],
        turn=row["turn"],
        seq=record["order_index"],
        tool=record["tool_name"],
        state=_state(record),
        ms=record["duration_ms"],
        text=row["output"] or "",
    )


def _state(record: dict[str, Any]) -> CallState:
    if "state" in record:
        return CallState(record["state"])
    return CallState.OK if record["success"] else CallState.FAILED


def body_of(record: ToolCallRecord) -> str:
    """Write what is kept of a record beside its words and its row."""
    return record.model_copy(update={"raw_arguments_json": "", "result_output": "", "record_id": 0}).model_dump_json()


def link_recalled(connection: SqlConnection, row: int, record: ToolCallRecord) -> None:
    """Note which memories a search of the model's returned; part of the unit that keeps its record."""
    if record.tool_name != RECALL_TOOL or not record.success:
        return
    found = {by_slot(connection, one) for one in recalled_memories(record.result_output)}
    defer_links(connection, "call_memory", ("memory", "call"), [(memory, row) for memory in found if memory])


def owner_of(connection: SqlConnection, turn: int) -> RecordOwner:
    """Return whose the records of a turn are; of one that is not on record they are nobody's."""
    try:
        return _owner_of(connection, turn)
    except DamagedRow as error:
        # nobody can read whose it was
        note(connection, error)
        return of_person(None)


def _owner_of(connection: SqlConnection, turn: int) -> RecordOwner:
    row = fetch(connection, "turn", turn)
    if row is None:
        return of_person(None)
    key = ChannelKey(AgentId(row["agent"]), ChannelId(row["channel"]))
    if row["session"]:
        session = fetch(connection, "session", row["session"])
        return of_person(PersonKey(session["platform"], UserId(session["actor"])) if session else None, key)
    if row["kind"] in TALKS:
        return of_person(None, key)
    if row["kind"] == ProcessKind.WORKER:
        # older rows: only the process knows that an admin had it done in private
        for process in select(connection, "process", _SENT_OUT, (*key, str(turn), turn)):
            return of_process(stored_process(process))
    return of_channel(key)


def _logged_calls(
    connection: SqlConnection, query: CallQuery, key: ChannelKey | None, reader: RecordReader
) -> list[ToolCallRecord]:
    terms: list[tuple[str, tuple[Value, ...]]] = []
    for name, column in ((query.record, "id"), (query.turn, "turn")):
        parsed = parse_handle(name) if name else None
        row = by_slot(connection, parsed) if parsed and parsed.kind in _HANDLE_KINDS[column] else None
        if name and row is None:
            return []
        terms += [(f"tool_call.{column} = ?", (row,))] if row else []
    if key is not None:
        # the turns by their index, because none knows the channel of a call
        own = () if query.record or query.turn else (f"turn IN ({_OPEN})",)
        terms += [("agent = ? AND channel = ?", tuple(key)), *((sql, (*key, _MAX_TURNS)) for sql in own)]
        terms += [(f"turn NOT IN ({_PRIVATE})", tuple(key))] if own else []
    if query.tool:
        terms.append(("json_valid(body) AND json_extract(body, '$.tool_name') = ?", (query.tool,)))
    if query.success is not None:
        terms.append(("json_valid(body) AND json_extract(body, '$.success') = ?", (int(query.success),)))
    where = f"WHERE {' AND '.join(sql for sql, _ in terms)}" if terms else ""
    args = [value for _, values in terms for value in values]
    tail = f"{where} ORDER BY turn DESC, round DESC, position DESC, tool_call.id DESC LIMIT ? OFFSET ?"
    rows = verified_rows(connection, "tool_call", tail, (*args, query.limit, query.offset))
    if reader.is_host:
        return [_call(row) for row in rows]
    owners = {turn: owner_of(connection, turn) for turn in {row["turn"] for row in rows}}
    return [_call(row) for row in rows if may_read(reader, owners[row["turn"]])]


def _call(row: SqlRow) -> ToolCallRecord:
    return ToolCallRecord.model_validate_json(row["body"]).model_copy(
        update={
            "record_id": row["id"],
            "turn_summary_id": row["turn"],
            "raw_arguments_json": row["arguments"] or "",
            "result_output": row["output"] or "",
        }
    )
