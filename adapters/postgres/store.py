"""The store as a whole on a PostgreSQL server: opening, signs of life, room, probing, closing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import structlog

from adapters.postgres.engine.connection import PostgresConnection, PostgresThread, ServerAddress, read_address
from adapters.postgres.engine.high_water import HighWater, fallen, keep_mark, numbers_of, read_mark, went_back
from adapters.postgres.engine.instance_key import KEY_CHECK as KEY_CHECK
from adapters.postgres.engine.instance_key import must_have_key
from adapters.postgres.engine.lease_rows import process_of
from adapters.postgres.engine.migrate import bring_up, steps, version_of
from adapters.postgres.engine.outages import LOOKING_SECONDS, OutageWatch
from adapters.postgres.engine.sessions import (
    LockedWriter,
    NoCommitLog,
    beside,
    is_owned,
    open_reader,
    open_writer,
)
from adapters.postgres.engine.sweep_lock import SweepLock
from adapters.postgres.outbox import PostgresOutbox
from adapters.postgres.relay import PostgresRelay
from adapters.postgres.relay_cipher import RelayCipher
from adapters.postgres.relayed_words import RelayedWords
from adapters.postgres.upkeep.server_facts import server_probes
from adapters.sqlite.engine.connection import explain, on_thread
from adapters.sqlite.engine.content_store import ContentStore
from adapters.sqlite.engine.damage import DamageList
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.directory import SECRET, ensure_secret, prepare, read_secret
from adapters.sqlite.engine.hash_chain import sign
from adapters.sqlite.engine.lock import DirectoryLock
from adapters.sqlite.engine.revisions import begin_history
from adapters.sqlite.engine.sealed_rows import newest_number
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, DatabaseFault, SqlConnection, roll_back
from adapters.sqlite.engine.writer import BatchWriter, WriterHooks
from adapters.sqlite.erasure.retention import RetentionSweep
from adapters.sqlite.store import SqlStore
from adapters.sqlite.turns.outbox import new_instance
from adapters.sqlite.upkeep import checkup
from adapters.sqlite.upkeep.integrity import heads_probe
from adapters.sqlite.upkeep.offline_check import check_rows
from adapters.sqlite.upkeep.restore import mark_unknown
from bot.domain.health import KILLED, ChannelProcess, Heartbeat, ProbeResult
from bot.domain.ids import ChannelId
from bot.errors import StoreError
from bot.ports.backups import BackUp
from bot.ports.clock import Clock, Entropy
from bot.ports.leases import Lease
from bot.ports.metrics import Backlog
from bot.ports.store import RetentionPolicy
from bot.ports.traces import NO_WATCHERS, RecordWatchers
from bot.ports.verifying import StoreCheck
from bot.sentences import later, say

log = structlog.get_logger(__name__)

READERS = 2
_INSTANCE = "SELECT value FROM meta WHERE name = 'instance' AND h IS row_hash(hex(name), hex(value))"
_OF_NOBODY = (
    " AND NOT EXISTS (SELECT 1 FROM lease_owner WHERE lease_owner.id = {table}.owner AND NOT lease_owner.ended)"
)
_TRY_SECONDS = 2.0
"""Seconds after which a full disk is tried again: who stores nothing meanwhile learns nothing of it."""


class PostgresSettings(NamedTuple):
    """What a store is opened with. The directory holds what is no row: the key, exports, workspaces."""

    url: str
    directory: Path
    clock: Clock
    entropy: Entropy
    schema: str = "glassmind"
    watchers: RecordWatchers = NO_WATCHERS
    """Told of what is on record."""
    lease: Lease | None = None
    """What every change is made by; without one nobody else may write as long as the store is open."""
    restored: bool = False
    """The database was put back to an earlier time, and that is meant."""

    def __repr__(self) -> str:
        """Name it without the address, in which there may be a password."""
        return f"PostgresSettings(directory={str(self.directory)!r}, schema={self.schema!r})"


class ServerCopies:
    """Nothing is copied here: the server's backups are made where it runs."""

    kept_ms = 0

    async def make_now(self, now: int) -> BackUp:
        """Make no copy."""
        return BackUp(at=now, state="skipped", why=say("server_store.no-copies"))


class PostgresStore(SqlStore):
    """Implements `bot.ports.store.Store`."""

    def __init__(
        self,
        database: SqliteDatabase,
        address: ServerAddress,
        outages: OutageWatch,
        lock: DirectoryLock | None,
        directory: Path,
    ) -> None:
        sweeping = SweepLock(address, database.clock) if database.shares and database.clock else None
        cipher = RelayCipher(database.secret_key)
        self._relayed = RelayedWords(database, cipher)
        super().__init__(database, directory, ServerCopies(), sweeping, self._relayed)
        self._relay = PostgresRelay(database, address, outages, cipher)
        self.relay = self._relay
        self.outbox = PostgresOutbox(database)
        self.address = address
        self.outages = outages
        self._lock = lock
        self._mark: HighWater | None = None
        self._full = (0, 0.0)
        """By which commit the disk was last seen to be full, and when (monotonic seconds)."""
        self._closed = False

    async def beat(self, heartbeat: Heartbeat) -> None:
        """Keep a sign of life, and here how far the database has come."""
        await super().beat(heartbeat)
        numbers = await self._database.read(numbers_of)
        mark = HighWater(instance=self._database.instance, numbers=numbers)
        if mark != self._mark:
            await asyncio.to_thread(keep_mark, self._directory, mark)
            self._mark = mark

    async def backlog(self) -> Backlog:
        """Say how much waits; at once, also where the server is away and others wait for it."""
        if self.outages.is_away:
            raise StoreError(lambda: self.outages.probe().evidence)
        return await super().backlog()

    async def heartbeat(self) -> Heartbeat | None:
        """Return the last sign of life, of this or an earlier process; who only looks sees also that it was killed."""
        found = await self.last_sign()
        if found is None or found.exit_reason or self._database.writer is not None:
            return found
        return found if await self._database.read(is_owned) else found.replace(exit_reason=KILLED)

    async def process_of(self, channel: ChannelId) -> ChannelProcess | None:
        """Return which of several processes has a channel, living or not, and how much waits for it."""
        return await self._database.read(lambda connection: process_of(cast(PostgresConnection, connection), channel))

    async def sweep(self, retention: RetentionPolicy, now: int) -> dict[str, int]:
        """Wipe what is too old; return counts by kind. One sweep at a time."""
        async with self._sweeping:
            sweep = RetentionSweep(self._database, retention, now)
            await sweep.run()
            waited = await self._relayed.sweep(retention.messages_ms)
            return {**sweep.counts, **({"never_taken_up": waited} if waited else {})}

    async def back_up(self, retention: RetentionPolicy, now: int) -> BackUp:
        """Make no copy: a server's backups are made where it runs, and `doctor` says what is known of them."""
        if self._lock is None:
            raise StoreError(later("store.read-only"))
        return BackUp(at=now, state="off")

    def has_room(self) -> bool:
        """Whether the server took what was written last, or it is time to try again.

        It does not say how much room there is.
        """
        writer, clock = self._database.writer, self._database.clock
        if self._lock is None or writer is None or not writer.was_full:
            return self._lock is not None
        now = clock.monotonic() if clock is not None else 0.0
        if self._full[0] != writer.groups:
            self._full = (writer.groups, now)
        return now - self._full[1] >= _TRY_SECONDS

    async def probe(self) -> Sequence[ProbeResult]:
        """Check row hashes, both chains, the schema, and what the server says of itself; never raise."""
        now, key = self._database.now(), self.secret_key
        if self.outages.is_away:
            return [self.outages.probe()]

        def look(connection: SqlConnection) -> list[ProbeResult]:
            server = cast(PostgresConnection, connection)
            return [
                _schema_probe(server),
                checkup.examine(connection, key, now),
                heads_probe(connection, key),
                *server_probes(server),
            ]

        try:
            return [*await self._database.read(look), self.outages.probe()]
        except (StoreError, *DATABASE_ERRORS, ValueError) as error:
            return [ProbeResult(name="store", state="failed", evidence=str(error), fix=say("server_store.restore-fix"))]

    async def check(self) -> StoreCheck:
        """Look at every row."""
        return await self._database.read(partial(check_rows, key=self.secret_key))

    async def close(self) -> None:
        """Finish what is queued, end the sessions, release the lock."""
        if self._closed:
            return
        self._closed = True
        self.outages.end()
        try:
            await self._relay.close()
            await self._database.close()
        finally:
            if self._lock:
                self._lock.release()


async def create(settings: PostgresSettings) -> PostgresStore:
    """Open the store for the one process that owns its schema; raise StoreError."""
    address = read_address(settings.url, settings.schema)
    prepare(settings.directory)
    lock = DirectoryLock(settings.directory)
    outages = OutageWatch(settings.clock)
    try:
        database = await _open(settings, address, outages)
    except BaseException:
        lock.release()
        raise
    store = PostgresStore(database, address, outages, lock, settings.directory)
    await store.lessons.load()
    return store


async def open_readonly(
    url: str, directory: Path, clock: Clock | None = None, *, schema: str = "glassmind", signs: bool = False
) -> PostgresStore:
    """Open for reading while another process runs or after it died, on the server or a replica; nothing is changed."""
    address = read_address(url, schema)
    outages = OutageWatch(clock, LOOKING_SECONDS)
    reader = await open_reader(address, outages)
    database = SqliteDatabase([reader], None, ContentStore(), clock)
    try:
        version = await database.read(lambda connection: version_of(cast(PostgresConnection, connection)))
        if version < max(steps()):
            versions = {"version": str(version or "none"), "newest": str(max(steps()))}
            raise StoreError(later("store.older", place=address.__str__, **versions))
        database.instance = await database.read(_instance)
        if signs and (directory / SECRET).exists():
            database.secret_key = read_secret(directory)
        await database.read(database.recall)
    except BaseException:
        await database.close()
        raise
    store = PostgresStore(database, address, outages, None, directory)
    await store.lessons.load()
    return store


async def verify_database(url: str, directory: Path, schema: str) -> StoreCheck:
    """Check the database from start to end; nothing is changed, and the bot may be running."""
    store = await open_readonly(url, directory, schema=schema, signs=True)
    try:
        return await store.check()
    finally:
        await store.close()


async def _open(settings: PostgresSettings, address: ServerAddress, outages: OutageWatch) -> SqliteDatabase:
    writer = await open_writer(address, outages, settings.lease)
    readers: list[PostgresThread] = []
    damage = DamageList()
    try:
        await on_thread(writer, partial(_bring_up, settings))
        raw = cast(LockedWriter, writer._conn)
        raw.watchers, raw.damage = settings.watchers, damage
        for _ in range(READERS):
            reader = await open_reader(address, outages)
            readers.append(reader)
            reader._conn.damage = damage
    except BaseException as error:
        for opened in (*readers, writer):
            await opened.close()
        if isinstance(error, DatabaseFault):
            raise explain(error) from error
        raise
    names = ContentStore()
    database = SqliteDatabase(readers, None, names, settings.clock)
    memory = WriterHooks(database.undone, database.look_for)
    database.writer = BatchWriter(writer, memory, _no_room_to_make, NoCommitLog(), _nothing_to_check)
    database.damage = damage
    database.secret_key = raw.secret_key
    database.vacuum = partial(_vacuum, address)
    database.instance = await database.read(_instance)
    await database.read(database.recall)
    raw.when_reopened = database.undone
    raw.when_others_wrote = database.others_wrote
    database.shares = raw.shares
    database.of_nobody = _OF_NOBODY if raw.shares else ""
    return database


def _bring_up(settings: PostgresSettings, connection: LockedWriter) -> None:
    now = settings.clock.now()
    bring_up(connection, now, settings.lease.owner if settings.lease is not None else "")
    connection.hold()
    connection.run(
        "INSERT INTO meta (name, value) VALUES ('instance', ?) ON CONFLICT DO NOTHING",
        (new_instance(settings.entropy),),
    )
    connection.secret_key = _key_of(settings, connection)
    _must_not_be_older(settings, connection)
    connection.mark_commits()
    begin_history(now, connection)
    connection.newest["turn"] = newest_number(connection, "turn")


def _must_not_be_older(settings: PostgresSettings, connection: LockedWriter) -> None:
    """Raise StoreError where the database held more when this directory was last used, and nobody says why."""
    mark, numbers = read_mark(settings.directory), numbers_of(connection)
    if mark is not None and mark.instance == _instance(connection) and (back := fallen(mark.numbers, numbers)):
        if not settings.restored:
            raise StoreError(went_back(connection.address.__str__, back))
        connection.run("BEGIN IMMEDIATE")
        try:
            marked = mark_unknown(connection, settings.clock.now(), settings.entropy)
            signed = sign(connection.secret_key, KEY_CHECK, _instance(connection))
            connection.run("UPDATE meta SET value = ? WHERE name = ?", (signed, KEY_CHECK))
            connection.run("COMMIT")
        except BaseException:
            roll_back(connection)
            raise
        log.warning("database_restored", uncertain=marked.uncertain, interrupted=marked.interrupted)
    connection.stored = numbers_of(connection)


def _key_of(settings: PostgresSettings, connection: LockedWriter) -> bytes:
    """Return the key by which this database was signed; raise StoreError where the directory holds another one."""
    if must_have_key(connection, settings.directory):
        return read_secret(settings.directory)
    key = ensure_secret(settings.directory, settings.entropy)
    signed = sign(key, KEY_CHECK, _instance(connection))
    connection.run("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (KEY_CHECK, signed))
    # of several that start at the same moment with keys of their own one goes on
    must_have_key(connection, settings.directory)
    return key


def _instance(connection: SqlConnection) -> str:
    row = connection.execute(_INSTANCE).fetchone()
    if row is None:
        raise StoreError(later("store.instance-altered", restore=later("server_store.restore-fix")))
    return str(row[0])


def _schema_probe(connection: PostgresConnection) -> ProbeResult:
    try:
        version = version_of(connection)
    except (StoreError, DatabaseFault) as error:
        fix = say("server_store.restore-fix")
        return ProbeResult(name="store schema", state="failed", evidence=str(error), fix=fix)
    address = connection.address
    where = {"place": str(address), "schema": address.schema, "version": str(version)}
    if version > max(steps()):
        told = say("server_store.schema-newer", newest=str(max(steps())), **where)
    else:
        told = say("server_store.schema", **where)
    return ProbeResult(name="store schema", state="ok", evidence=told)


async def _vacuum(address: ServerAddress) -> None:
    """Take deleted rows out of the tables' files, beside those who write."""
    async with beside(address) as session:
        await on_thread(session, _vacuum_tables)


def _vacuum_tables(connection: PostgresConnection) -> None:
    # only this schema's: the role may own nothing else
    schema = connection.address.schema
    tables = connection.ask("SELECT tablename FROM pg_tables WHERE schemaname = $1", (schema,)).fetchall()
    names = ", ".join(f'"{schema}"."{name}"' for (name,) in tables)
    connection.script(f"VACUUM (SKIP_LOCKED) {names}")


def _no_room_to_make() -> bool:
    return False


def _nothing_to_check() -> None:
    return None
