"""What tests ask of an open store beside its port; no other place knows where a store keeps its database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.writer import BatchWriter


def database_of(store: Any) -> SqliteDatabase:
    """The open file: what runs SQL on it goes through `read` and `write`, like everything in the store."""
    database: SqliteDatabase = store._database
    return database


def writer_of(store: Any) -> BatchWriter:
    """The one who commits; only a store that was opened to be written has one."""
    writer = database_of(store).writer
    assert writer is not None
    return writer


def is_busy(store: Any) -> bool:
    """Whether something is being read or written: the threads of a store tell nobody when they are done."""
    database = database_of(store)
    return bool(writer_of(store)._draining or any(database._pending))


def after_each_commit(store: Any, call: Callable[[], Awaitable[None] | None]) -> None:
    """Call this after every commit."""
    writer = writer_of(store)
    commit = writer._commit

    async def committed(group: Any) -> None:
        await commit(group)
        done = call()
        if done is not None:
            await done

    writer._commit = committed  # type: ignore[method-assign]


async def trace(store: Any, said: Callable[[str], object]) -> None:
    """Be told of every statement that is run for a writer."""
    await writer_of(store).run_alone(lambda connection: connection.set_trace_callback(said))
