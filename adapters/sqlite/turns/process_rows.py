"""Rows of branches and workers: what the other parts of the store need of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, read_or_skip, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelKey
from bot.domain.process import NewProcess, ProcessState, StoredProcess

OPEN = "WHERE relayed_at = 0 ORDER BY id"
"""What runs, and what came back and was not spoken of."""


def stored_process(row: SqlRow) -> StoredProcess:
    """Read a row. The columns are what counts: a move changes them."""
    body = orjson.loads(row["body"])
    body |= {"agent": row["agent"], "channel": row["channel"], "task": row["task"] or ""}
    return StoredProcess(
        id=row["id"],
        body=NewProcess.model_validate(body),
        state=ProcessState(row["state"]),
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        turns=tuple(orjson.loads(row["turns"])),
        segment=row["segment"],
        progress=row["progress"],
        calls=row["calls"],
        result=row["result"] or "",
        reason=row["reason"],
        row=row["returned"],
        relayed_at=row["relayed_at"],
        version=row["version"],
    )


async def with_work(database: SqliteDatabase, state: ChannelState) -> ChannelState:
    """Add to a conversation what works for it; nothing is read again while no process has changed."""
    found = (await database.ask("open processes", ("process",), _by_channel)).get(state.key)
    if not found:
        return state
    running = (process.as_running for process in found if not process.is_over)
    finished = (process.as_finished for process in found)
    return state.model_copy(
        update={
            "running": tuple(one for one in running if one is not None),
            "finished": tuple(one for one in finished if one is not None),
        }
    )


def relay(connection: SqlConnection, rows: Sequence[int], at: int) -> None:
    """Note that results were spoken of; part of the unit in which a turn ends."""
    for number in rows:
        row = read_or_skip(connection, "process", number)
        if row is not None and not row["relayed_at"] and row["state"] != ProcessState.RUNNING:
            update_sealed(connection, "process", row, **without_words(row), relayed_at=at, version=row["version"] + 1)


def without_words(row: SqlRow) -> dict[str, Value]:
    """Return what a process's row loses when its result was read: the words, where nothing is to be recorded."""
    return row_without_words(row) if orjson.loads(row["body"]).get("wordless") else {}


def row_without_words(row: SqlRow) -> dict[str, Value]:
    """Return what a process's row is without its words."""
    body = orjson.loads(row["body"])
    body.pop("artifacts", None)
    body |= {"name": "", "needs": [], "by": [body["by"][0], "", *body["by"][2:]]}
    plain: dict[str, Value] = {"task": None, "result": None, "progress": "", "reason": first_word(row["reason"])}
    return plain | {"body": orjson.dumps(body).decode()}


def first_word(reason: str) -> str:
    """Return the word that code wrote, without what a model or a service said."""
    return reason.partition(": ")[0]


def put_back(connection: SqlConnection, rows: Sequence[int]) -> None:
    """Let results wait for the next turn, because the turn that was begun for them did not speak of them."""
    for number in rows:
        row = read_or_skip(connection, "process", number)
        if row is not None and not row["relayed_at"] and row["returned"]:
            update_sealed(connection, "process", row, returned=0, version=row["version"] + 1)


def _by_channel(connection: SqlConnection) -> Mapping[ChannelKey, tuple[StoredProcess, ...]]:
    found: dict[ChannelKey, tuple[StoredProcess, ...]] = {}
    for row in verified_rows(connection, "process", OPEN):
        process = stored_process(row)
        found[process.key] = (*found.get(process.key, ()), process)
    return found
