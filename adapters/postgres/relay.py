"""What one process heard and another one handles, as rows of the database; a notice only says when to look."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, cast

import orjson

from adapters.postgres.engine.connection import PostgresConnection, PostgresThread, ServerAddress, connect
from adapters.postgres.engine.outages import OutageWatch
from adapters.postgres.engine.rows import PostgresResult
from adapters.postgres.relay_cipher import RelayCipher
from adapters.sqlite.engine.connection import on_thread
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import DatabaseFault, SqlConnection
from adapters.sqlite.ledger.ledger_writer import keep_cursor
from bot.domain.ids import ChannelId, platform_of
from bot.domain.ledger import StreamCursor
from bot.errors import StoreError
from bot.ports.relay import RelayedEvent, RelayedEvents, StoredEvent, StoredQuestion
from bot.runtime.tasks import TaskSupervisor

POLL_SECONDS = 0.5
"""Seconds after which whoever waits looks again, whatever it was told: behind a pooler nobody is told anything."""
_PASS_ON = """
    INSERT INTO relayed (platform, channel, kind, key, body)
    SELECT platform, channel, kind, key, body
    FROM json_to_recordset($1::json) AS new (platform text, channel text, kind text, key text, body text)
    ON CONFLICT DO NOTHING"""
_OF_CHANNELS = "channel IN (SELECT value FROM json_texts($1))"
_EVENTS = """
    SELECT id, (extract(epoch FROM at) * 1000)::bigint, channel, kind, body, key FROM relayed
    WHERE {} AND id NOT IN (SELECT value FROM json_numbers($2)) ORDER BY id LIMIT $3"""
_FEW = 20
"""Of so many channels it is asked at once; of more it is looked first in which of all channels there is anything."""
_ANY_EVENTS = "SELECT DISTINCT channel FROM relayed"
_ANY_QUESTIONS = "SELECT DISTINCT channel FROM question WHERE answer IS NULL"
_SETTINGS = "SELECT coalesce(max(settings), 0) FROM turnstile"
_DONE = "DELETE FROM relayed WHERE id IN (SELECT value FROM json_numbers($1))"
_ASK = """
    INSERT INTO question (channel, body, until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
    RETURNING id"""
_QUESTIONS = """
    SELECT id, channel, body FROM question
    WHERE {} AND answer IS NULL AND until > clock_timestamp() ORDER BY id"""
_ANSWER = "UPDATE question SET answer = $2 WHERE id = $1 AND answer IS NULL AND until > clock_timestamp()"
_ANSWERED = """
    SELECT answer, extract(epoch FROM until - clock_timestamp())::double precision FROM question WHERE id = $1"""
_TAKE_BACK = "DELETE FROM question WHERE id = $1 RETURNING answer"
_FORGOTTEN = "DELETE FROM question WHERE until < clock_timestamp() - interval '1 minute'"
_RING = "SELECT pg_notify($1, '')"


class PostgresRelay:
    """Implements `bot.ports.relay.Relay`. Whatever is stored passes the turnstile, like everything else.

    What is said in a row is encrypted: it may hold the token of an interaction, by which anybody could answer.
    """

    def __init__(
        self, database: SqliteDatabase, address: ServerAddress, outages: OutageWatch, cipher: RelayCipher
    ) -> None:
        self._database = database
        self._cipher = cipher
        self._bell = RelayBell(address, outages)
        self._looked = 0

    async def pass_on(self, events: Sequence[RelayedEvent], cursor: StreamCursor | None) -> None:
        """Relay events, with how far their platform was read, in one transaction."""
        rows = orjson.dumps([self._row(event) for event in events])

        def work(connection: SqlConnection) -> None:
            if events:
                _run(connection, _PASS_ON, rows.decode())
                self._bell.ring(connection)
            if cursor is not None:
                keep_cursor(connection, cursor)

        await self._database.write(work)

    async def events(
        self, channels: Sequence[ChannelId] | None, limit: int, besides: Collection[int] = ()
    ) -> RelayedEvents:
        """Return what was relayed to these channels, or to any; without what is being handled now."""
        self._looked = self._bell.rung
        sql, without = _of(_EVENTS, channels), orjson.dumps(list(besides)).decode()

        def work(connection: SqlConnection) -> RelayedEvents:
            named = _names(_having_any(connection, _ANY_EVENTS, channels))
            found = _run(connection, sql, named, without, limit).fetchall()
            events = [
                StoredEvent(number, at, RelayedEvent(ChannelId(channel), kind, self._cipher.open(body), key))
                for number, at, channel, kind, body, key in found
            ]
            return RelayedEvents(events, _run(connection, _SETTINGS).fetchall()[0][0])

        return await self._database.read(work)

    async def done(self, numbers: Sequence[int]) -> None:
        """Take away what was handled, with the next thing that is stored."""
        handled = orjson.dumps(list(numbers)).decode()
        await self._database.write(lambda connection: _run(connection, _DONE, handled) and None, hurries=False)

    async def ask(self, channel: ChannelId, body: str, seconds: float) -> str | None:
        """Ask whoever has a channel; None where nobody has answered within so many seconds."""

        def put(connection: SqlConnection) -> int:
            _run(connection, _FORGOTTEN)
            asked = _run(connection, _ASK, channel, self._cipher.shut(body), seconds)
            self._bell.ring(connection)
            return int(asked.fetchall()[0][0])

        number, left = await self._database.write(put), seconds
        while left > 0:
            heard = self._bell.rung
            found = await self._database.read(lambda connection: _run(connection, _ANSWERED, number).fetchall())
            left = max((until for answer, until in found if answer is None), default=0.0)
            if left > 0:
                await self._bell.wait(heard, min(left, POLL_SECONDS))
        # it may have come at the last moment
        taken = await self._database.write(lambda connection: _run(connection, _TAKE_BACK, number).fetchall())
        return self._cipher.open(taken[0][0]) if taken and taken[0][0] is not None else None

    async def questions(self, channels: Sequence[ChannelId] | None) -> Sequence[StoredQuestion]:
        """Return what is asked about these channels, or any, and not answered yet, as long as somebody waits for it."""
        self._looked = self._bell.rung
        sql = _of(_QUESTIONS, channels)

        def work(connection: SqlConnection) -> list[Any]:
            return list(_run(connection, sql, _names(_having_any(connection, _ANY_QUESTIONS, channels))).fetchall())

        found = await self._database.read(work)
        return [StoredQuestion(number, ChannelId(channel), self._cipher.open(body)) for number, channel, body in found]

    async def answer(self, number: int, body: str) -> bool:
        """Answer a question; False where nobody waits for it any more."""

        def work(connection: SqlConnection) -> bool:
            self._bell.ring(connection)
            return _run(connection, _ANSWER, number, self._cipher.shut(body)).rowcount == 1

        return await self._database.write(work)

    async def news(self, seconds: float) -> None:
        """Return when something may have come since the last look, and after so many seconds at the latest."""
        await self._bell.wait(self._looked, seconds)

    def _row(self, event: RelayedEvent) -> dict[str, str]:
        return {**event._asdict(), "body": self._cipher.shut(event.body), "platform": platform_of(event.channel)}

    async def close(self) -> None:
        """Listen no more."""
        await self._bell.close()


class RelayBell:
    """Wakes whoever waits for something. `rung` is another number after each time; it also rings without a reason."""

    def __init__(self, address: ServerAddress, outages: OutageWatch) -> None:
        self.rung = 0
        self._address = address
        self._outages = outages
        self._session: PostgresThread | None = None
        self._listening: asyncio.Task[None] | None = None
        self._tasks = TaskSupervisor()

    def ring(self, connection: SqlConnection) -> None:
        """Wake the others once a unit is committed; part of it."""
        server = cast(PostgresConnection, connection)
        if not server.is_pooled:
            _run(server, _RING, _bell(self._address))

    async def wait(self, heard: int, seconds: float) -> None:
        """Return once it has rung since, and after so many seconds at the latest."""
        if self.rung != heard or self._tasks.closed:
            return
        if self._listening is None or self._listening.done():
            # one for all who wait, so that nobody takes another's notice away
            self._listening = self._tasks.spawn("relay-bell", self._listen())
        await asyncio.wait([self._listening], timeout=seconds)

    async def close(self) -> None:
        """End the session."""
        await self._tasks.close(POLL_SECONDS)
        if self._session is not None:
            await self._session.close()

    async def _listen(self) -> None:
        try:
            if self._session is None:
                self._session = await connect(partial(_listening, self._address))
            await on_thread(self._session, self._hear)
        except DatabaseFault as fault:
            raise StoreError(fault.words) from fault
        finally:
            self.rung += 1

    def _hear(self, connection: PostgresConnection) -> None:
        if connection.is_lost:
            self._outages.outlast(connection.reopen)
            _listen_to(connection)
        connection.wait_for_notice(POLL_SECONDS)


def _listening(address: ServerAddress) -> PostgresConnection:
    connection = PostgresConnection(address)
    _listen_to(connection)
    return connection


def _listen_to(connection: PostgresConnection) -> None:
    if not connection.is_pooled:
        connection.script(f'LISTEN "{_bell(connection.address)}"')


def _bell(address: ServerAddress) -> str:
    # the server takes 63 bytes for a name, and a schema may have as many
    return f"glassmind relay {address.schema}"[:63]


def _run(connection: SqlConnection, sql: str, *args: Any) -> PostgresResult:
    return cast(PostgresConnection, connection).ask(sql, args)


def _having_any(
    connection: SqlConnection, any_of: str, channels: Sequence[ChannelId] | None
) -> Sequence[ChannelId] | None:
    """Leave out channels for which there is nothing: of the thousands that a process may have few have something."""
    if channels is None or len(channels) <= _FEW:
        return channels
    some = {channel for (channel,) in _run(connection, any_of).fetchall()}
    return [channel for channel in channels if channel in some]


def _names(channels: Sequence[ChannelId] | None) -> str:
    return orjson.dumps(list(channels or ())).decode()


def _of(sql: str, channels: Sequence[ChannelId] | None) -> str:
    return sql.format("$1::text IS NOT NULL" if channels is None else _OF_CHANNELS)
