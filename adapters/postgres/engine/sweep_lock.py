"""One sweep or erasure at a time, whichever process does it: what one takes out another may just be looking at."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType

from adapters.postgres.engine.connection import PostgresConnection, PostgresThread, ServerAddress, connect
from adapters.sqlite.engine.connection import explain, on_thread
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.ports.clock import Clock

POLL_SECONDS = 0.5
_TAKE = "SELECT pg_try_advisory_xact_lock(hashtextextended('glassmind sweeps ' || $1, 0))"
_LASTS = {"idle_in_transaction_session_timeout": "0"}


class SweepLock:
    """A lock of this process and of the schema. It lasts as long as a transaction, so that a pooler may be between."""

    def __init__(self, address: ServerAddress, clock: Clock) -> None:
        self._address = address
        self._clock = clock
        self._here = asyncio.Lock()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> None:
        await self._here.acquire()
        try:
            session = await connect(partial(PostgresConnection, self._address, settings=_LASTS))
            self._stack.push_async_callback(session.close)
            while not await _is_taken(session, self._address.schema):
                await self._clock.sleep(POLL_SECONDS)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            # with its session the transaction ends, and with that the lock
            await self._stack.aclose()
        finally:
            self._here.release()


async def _is_taken(session: PostgresThread, schema: str) -> bool:
    def work(connection: PostgresConnection) -> bool:
        connection.ask("BEGIN")
        taken = bool(connection.ask(_TAKE, (schema,)).fetchall()[0][0])
        if not taken:
            connection.ask("ROLLBACK")
        return taken

    try:
        return await on_thread(session, work)
    except DatabaseFault as fault:
        raise explain(fault) from fault
