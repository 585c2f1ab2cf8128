"""The store as a whole: opening, signs of life, room, probing, closing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Hashable, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import structlog

from adapters.sqlite.engine import copies
from adapters.sqlite.engine.audit_chain import SqliteAuditTrail
from adapters.sqlite.engine.connection import Work, connect, explain, on_thread
from adapters.sqlite.engine.content_store import ContentStore
from adapters.sqlite.engine.copies import put_back
from adapters.sqlite.engine.damage import DamageList, DamageTracking
from adapters.sqlite.engine.database import SqliteDatabase, snapshot
from adapters.sqlite.engine.directory import (
    DATABASE,
    SECRET,
    DiskRoom,
    ensure_database,
    ensure_secret,
    prepare,
    read_secret,
    spare_bytes,
    taken_bytes,
)
from adapters.sqlite.engine.file_watch import FileWatch
from adapters.sqlite.engine.leftovers import LeftoverWiper
from adapters.sqlite.engine.lock import DirectoryLock, was_killed
from adapters.sqlite.engine.migrate import check_shape, migrate, steps, version_of
from adapters.sqlite.engine.revisions import begin_history
from adapters.sqlite.engine.sealed_rows import newest_number
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.engine.wal_checkpointer import WriteAheadLog
from adapters.sqlite.engine.write_batch import BatchingConnection, execute_unbatched
from adapters.sqlite.engine.writer import BatchWriter, WriterHooks
from adapters.sqlite.erasure.erasure import Copies, SqliteErasures, WordsOnTheirWay
from adapters.sqlite.erasure.retention import RetentionSweep, tidy
from adapters.sqlite.governance.invitations import SqliteInvitations
from adapters.sqlite.governance.kept_checks import SqliteChecks
from adapters.sqlite.governance.lessons import SqliteLessons
from adapters.sqlite.governance.offers import SqliteOffers
from adapters.sqlite.governance.optouts import SqliteOptOuts
from adapters.sqlite.governance.person_choices import LANGUAGE, ZONE, SqliteChoices
from adapters.sqlite.governance.revision_log import SqliteRevisions
from adapters.sqlite.governance.sessions import SqliteSessions
from adapters.sqlite.governance.starts import SqliteStarts
from adapters.sqlite.ledger.ledger_writer import SqliteLedger
from adapters.sqlite.memories.memories import SqliteMemories
from adapters.sqlite.memories.memory_archive import SqliteMemoryArchive
from adapters.sqlite.memories.memory_audit import SqliteMemoryAudit
from adapters.sqlite.memories.vectors import SqliteVectors
from adapters.sqlite.turns.channels import SqliteChannels
from adapters.sqlite.turns.checkpoints import SqliteCheckpoints
from adapters.sqlite.turns.compactions import SqliteCompactions
from adapters.sqlite.turns.history import HistoryWriter, SqliteHistory
from adapters.sqlite.turns.journal import SqliteJournal
from adapters.sqlite.turns.outbox import SqliteOutbox, new_instance
from adapters.sqlite.turns.outlines import SqliteOutlines
from adapters.sqlite.turns.previews import SqlitePreviews
from adapters.sqlite.turns.processes import SqliteProcesses
from adapters.sqlite.turns.sent_files import SqliteSentFiles
from adapters.sqlite.turns.spread import SqliteSpread
from adapters.sqlite.upkeep import checkup
from adapters.sqlite.upkeep.backups import DailyCopies, open_beside
from adapters.sqlite.upkeep.integrity import AlteredRow, heads_probe, schema_probe
from adapters.sqlite.upkeep.meter import SqliteMeter
from adapters.sqlite.upkeep.offline_check import all_damage
from adapters.sqlite.upkeep.restore import complete_restore
from bot.domain.health import KILLED, ChannelProcess, Heartbeat, ListenerHealth, ProbeResult
from bot.domain.ids import ChannelId
from bot.errors import DamagedRow, StoreError
from bot.ports.backups import BackUp
from bot.ports.bookkeeping import CheckStore, ChoiceStore, ErasureStore, OptOutStore, OutlineStore, StartLog
from bot.ports.channels import ChannelStore
from bot.ports.checkpoints import CheckpointStore
from bot.ports.clock import Clock, Entropy
from bot.ports.compactions import CompactionStore
from bot.ports.embeddings import VectorStore
from bot.ports.governance import AuditTrail, InvitationStore, OfferStore, SessionStore
from bot.ports.journal import Journal, Outbox, PreviewStore, SentFiles
from bot.ports.ledger import Ledger
from bot.ports.memories import HistorySearch as SearchedHistory
from bot.ports.memories import MemoryArchive, MemoryAuditStore, MemoryStore, SpreadStore
from bot.ports.meter import UsageMeter
from bot.ports.metrics import Backlog
from bot.ports.processes import ProcessStore
from bot.ports.relay import Relay
from bot.ports.revisions import RevisionLog
from bot.ports.store import RetentionPolicy
from bot.ports.traces import NO_WATCHERS, RecordWatchers
from bot.sentences import later, say
from bot.text.figures import size

log = structlog.get_logger(__name__)

READERS = 2
_LIVE_TABLES = ("inbound", "stage", "outbox", "process", "channel")
_ERASING_TABLES = ("erasure", "erasure_in", "request_mark")
_HEARTBEAT = "SELECT body FROM heartbeat WHERE agent = 'main' AND h IS row_hash(hex(agent), hex(body))"
_LISTENERS = "SELECT body FROM heartbeat WHERE agent <> 'main' AND h IS row_hash(hex(agent), hex(body)) ORDER BY agent"
_BEAT = "INSERT INTO heartbeat (agent, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body"
_INSTANCE = "SELECT value FROM meta WHERE name = 'instance' AND h IS row_hash(hex(name), hex(value))"
_BACKLOG = """
    SELECT (SELECT count(*) FROM outbox WHERE state IN ('new', 'sending') AND kind <> 'preview'),
      coalesce((SELECT arrived_at FROM inbound WHERE outcome IS NULL ORDER BY id LIMIT 1), 0)"""


class StoreSettings(NamedTuple):
    """What a store is opened with. Below `low_water` free bytes nothing new is taken in."""

    directory: Path
    clock: Clock
    entropy: Entropy
    low_water: int = 64 * 1024 * 1024
    ballast: int = 8 * 1024 * 1024
    fresh: bool = False
    """Begin with an empty database where there is none any more."""
    watchers: RecordWatchers = NO_WATCHERS
    """Told of what is on record."""


class SqlStore:
    """The parts of a store, and what is the same whatever the database is."""

    def __init__(
        self,
        database: SqliteDatabase,
        directory: Path,
        copies: Copies,
        sweeping: AbstractAsyncContextManager[None] | None = None,
        on_their_way: WordsOnTheirWay | None = None,
    ) -> None:
        self._database = database
        self._directory = directory
        self._sweeping = sweeping or asyncio.Lock()
        self.relay: Relay | None = None
        history = HistoryWriter(database.names)
        journal = SqliteJournal(database, history)
        self.journal: Journal = journal
        self.secret_key = database.secret_key
        self._checkup: checkup.CheckupProgress | None = None
        self.instance = database.instance
        self.ledger: Ledger = SqliteLedger(database)
        self.channels: ChannelStore = SqliteChannels(database, history)
        self.compactions: CompactionStore = SqliteCompactions(database, history, journal)
        self.processes: ProcessStore = SqliteProcesses(database, journal)
        self.meter: UsageMeter = SqliteMeter(database)
        self.outbox: Outbox = SqliteOutbox(database)
        self.previews: PreviewStore = SqlitePreviews(database)
        self.sent_files: SentFiles = SqliteSentFiles(database)
        self.memories: MemoryStore = SqliteMemories(database)
        self.memory_audit: MemoryAuditStore = SqliteMemoryAudit(database)
        self.memory_archive: MemoryArchive = SqliteMemoryArchive(database)
        self.vectors: VectorStore = SqliteVectors(database)
        self.spread: SpreadStore = SqliteSpread(database)
        self.history: SearchedHistory = SqliteHistory(database)
        self.sessions: SessionStore = SqliteSessions(database)
        self.offers: OfferStore = SqliteOffers(database)
        self.invitations: InvitationStore = SqliteInvitations(database)
        self.audit: AuditTrail = SqliteAuditTrail(database)
        self.revisions: RevisionLog = SqliteRevisions(database)
        self.checkpoints: CheckpointStore = SqliteCheckpoints(database)
        self.outlines: OutlineStore = SqliteOutlines(database)
        self.starts: StartLog = SqliteStarts(database)
        self.lessons = SqliteLessons(database)
        self.opt_outs: OptOutStore = SqliteOptOuts(database)
        self.checks: CheckStore = SqliteChecks(database)
        self.zones: ChoiceStore = SqliteChoices(database, ZONE)
        self.languages: ChoiceStore = SqliteChoices(database, LANGUAGE)
        self.erasures: ErasureStore = SqliteErasures(
            database, directory, partial(tidy, database), self._sweeping, copies, on_their_way
        )

    @property
    def damaged(self) -> Sequence[DamagedRow]:
        """The rows that were found damaged since the start, in the order in which they were met; none is used."""
        return self._database.damage.met

    async def look_over(self, seconds: float) -> None:
        """Look at a part of everything for so long, beside everything else; the next call goes on from there."""
        clock, now = self._database.clock, self._database.now()
        if clock is None or self._database.writer is None:
            raise StoreError(later("store.read-only"))
        state = self._checkup
        if state is None:
            state = await self._database.read(checkup.recall)
        if not state.is_due(now):
            return
        until = clock.monotonic() + seconds
        go_on = partial(
            checkup.go_on,
            key=self.secret_key,
            state=state,
            now=now,
            has_time=lambda: clock.monotonic() < until,
        )
        self._checkup = state = await self._looked(go_on)
        await self._database.write(partial(checkup.remember, state), hurries=False)

    async def _looked(self, go_on: Work[checkup.CheckupProgress]) -> checkup.CheckupProgress:
        """Go on with a look at everything, where it holds nobody up."""
        return await self._database.read(go_on)

    async def ledger_version(self) -> Hashable:
        """Return what is another whenever a message came or went on, work began or ended, or something was sent."""
        return await self._database.version_on_disk(_LIVE_TABLES)

    async def erasure_version(self) -> Hashable:
        """Return what is another whenever somebody's words are taken out, or requests lose theirs."""
        return await self._database.version_on_disk(_ERASING_TABLES)

    async def beat(self, heartbeat: Heartbeat) -> None:
        """Keep a sign of life; the newest replaces the one before."""
        await self.starts.started(heartbeat.started_at)
        await self._beat("main", heartbeat.model_dump_json())

    async def heard_by_listener(self, heard: ListenerHealth) -> None:
        """Keep how the process that listens on a platform finds it."""
        await self._beat(f"listener:{heard.health.name}", heard.model_dump_json())

    async def _beat(self, whose: str, body: str) -> None:
        await self._database.write(lambda connection: execute_unbatched(connection, _BEAT, (whose, body)) and None)

    async def listeners(self) -> Sequence[ListenerHealth]:
        """Return how platforms were found by processes that listen for others."""
        rows = await self._database.read(lambda connection: connection.execute(_LISTENERS).fetchall())
        return [ListenerHealth.model_validate_json(body) for (body,) in rows]

    async def process_of(self, channel: ChannelId) -> ChannelProcess | None:
        """Return nobody: there is one process."""
        return None

    async def last_sign(self) -> Heartbeat | None:
        """Return the last sign of life, as it was written."""

        def work(connection: SqlConnection) -> Heartbeat | None:
            row = connection.execute(_HEARTBEAT).fetchone()
            return Heartbeat.model_validate_json(row[0]) if row else None

        return await self._database.read(work)

    async def backlog(self) -> Backlog:
        """Say how much is still to be sent, and since when the oldest message waits for its outcome."""

        def work(connection: SqlConnection) -> Backlog:
            return Backlog(*connection.execute(_BACKLOG).fetchone())

        return await self._database.read(work)

    async def verify(self) -> Sequence[AlteredRow]:
        """Scan every row; return those that are not what was written."""
        return await self._database.read(lambda connection: all_damage(connection, self.secret_key))


class SqliteStore(SqlStore):
    """Implements `bot.ports.store.Store`."""

    def __init__(
        self, database: SqliteDatabase, room: DiskRoom | None, lock: DirectoryLock | None, directory: Path
    ) -> None:
        self._copies = DailyCopies(database, directory, room)
        super().__init__(database, directory, self._copies)
        self._room, self._lock = room, lock
        self._closed = False

    async def heartbeat(self) -> Heartbeat | None:
        """Return the last sign of life, of this or an earlier process; who only looks sees also that it was killed."""
        found = await self.last_sign()
        if found is None or found.exit_reason or self._database.writer is not None:
            return found
        return found.replace(exit_reason=KILLED) if was_killed(self._directory) else found

    async def sweep(self, retention: RetentionPolicy, now: int) -> dict[str, int]:
        """Wipe what is too old; return counts by kind. One sweep at a time."""
        async with self._sweeping:
            sweep = RetentionSweep(self._database, retention, now)
            await sweep.run()
            if self._room:
                self._room.stock()
            return sweep.counts

    async def back_up(self, retention: RetentionPolicy, now: int) -> BackUp:
        """Make the daily copy when it is due, check it, then remove copies that are too old."""
        if self._lock is None:
            raise StoreError(later("store.read-only"))
        async with self._sweeping:
            return await self._copies.make(retention, now)

    def has_room(self) -> bool:
        """Whether free space is above the low-water mark; below it nothing new is taken in."""
        return self._lock is not None and self._room is not None and self._room.enough()

    async def probe(self) -> Sequence[ProbeResult]:
        """Check integrity, row hashes, free space, schema; never raise."""
        now = self._database.now()

        # in the language of who asked, of which the thread of the database knows nothing
        asked_in = copy_context()

        def look(connection: SqlConnection) -> list[ProbeResult]:
            key = self.secret_key
            return [
                asked_in.run(schema_probe, connection),
                asked_in.run(checkup.examine, connection, key, now),
                asked_in.run(heads_probe, connection, key),
            ]

        try:
            found = await self._database.read(look)
        except (StoreError, sqlite3.Error, ValueError) as error:
            found = [
                ProbeResult(name="store", state="failed", evidence=str(error), fix=say("store_doctor.restore-a-backup"))
            ]
        return [*found, *self._space(), *await self._backups()]

    async def _looked(self, go_on: Work[checkup.CheckupProgress]) -> checkup.CheckupProgress:
        async with open_beside(self._directory / DATABASE) as connection:
            cast(DamageTracking, connection._conn).damage = self._database.damage
            return await on_thread(connection, partial(snapshot, go_on))

    async def close(self) -> None:
        """Finish what is queued, checkpoint, release the lock."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._close()
        finally:
            if self._lock:
                self._lock.release()

    async def _close(self) -> None:
        """Close the database; where its file has lost its name, what is in it is put back under that name first."""
        watch, writer = self._database.watch, self._database.writer
        ready = copies.path_of(self._directory, "replaced", self._database.now())
        rescued = False
        if watch is not None and writer is not None and (problem := watch.problem()):
            try:
                await writer.run_alone(partial(copies.write_draft, ready))
                rescued = True
            except (StoreError, sqlite3.Error, OSError) as error:
                log.critical("database_not_rescued", problem=problem, error=str(error))
        await self._database.close()
        if rescued:
            try:
                place = await asyncio.to_thread(put_back, self._directory, ready)
                log.critical("database_rescued", to=str(place))
            except OSError as error:
                log.critical("database_not_rescued", error=str(error))

    async def _backups(self) -> list[ProbeResult]:
        now = self._database.now()
        return [await self._copies.probe(now)] if now else []

    def _space(self) -> list[ProbeResult]:
        if self._room is None:
            return []
        free = self._room.free()
        inside = spare_bytes(self._directory)
        values = {"free": size(free), "folder": str(self._directory), "takes": size(taken_bytes(self._directory))}
        if inside:
            evidence = say("store_doctor.room-inside", inside=size(inside), **values)
        else:
            evidence = say("store_doctor.room", **values)
        if self._room.enough():
            return [ProbeResult(name="store room", state="ok", evidence=evidence)]
        fix = say("store_doctor.free-space")
        return [ProbeResult(name="store room", state="failed", evidence=evidence, fix=fix)]


async def create(settings: StoreSettings) -> SqliteStore:
    """Open the store of a data directory for the one process that owns it; raise StoreError."""
    prepare(settings.directory)
    try:
        return await _open_alone(settings)
    except OSError as error:
        raise StoreError(later("store.unusable", folder=str(settings.directory), why=str(error))) from error


async def _open_alone(settings: StoreSettings) -> SqliteStore:
    lock = DirectoryLock(settings.directory)
    try:
        room = DiskRoom(settings.directory, settings.clock, settings.low_water, settings.ballast)
        complete_restore(settings.directory)
        database = await _open(settings, room)
    except BaseException:
        lock.release()
        raise
    store = SqliteStore(database, room, lock, settings.directory)
    await store.lessons.load()
    return store


async def open_store(directory: Path, clock: Clock, entropy: Entropy) -> SqliteStore:
    """Open the store of a data directory with the usual limits."""
    return await create(StoreSettings(directory, clock, entropy))


async def open_readonly(
    directory: Path, clock: Clock | None = None, low_water: int = 0, *, signs: bool = False
) -> SqliteStore:
    """Open for reading while another process runs or after it died: no lock, no secret, nothing made or changed.

    What is written for others is signed, and only for that the secret is read.
    With a clock, `probe` says also whether the room is below the mark, and how old the newest copy is.
    """
    path = directory / DATABASE
    if not path.exists():
        raise StoreError(later("store.nothing-there", folder=str(directory), file=DATABASE))
    reader = await connect(path, writable=False)
    database = SqliteDatabase([reader], None, ContentStore(), clock)
    try:
        version = await database.read(version_of)
        if version < max(steps()):
            versions = {"version": str(version or "none"), "newest": str(max(steps()))}
            raise StoreError(later("store.older", place=str(directory), **versions))
        await database.read(check_shape)
        database.instance = await database.read(_instance)
        if signs and (directory / SECRET).exists():
            database.secret_key = read_secret(directory)
        await database.read(database.recall)
    except BaseException:
        await database.close()
        raise
    room = DiskRoom(directory, clock, low_water, 0) if clock is not None else None
    store = SqliteStore(database, room, None, directory)
    await store.lessons.load()
    return store


async def _open(settings: StoreSettings, room: DiskRoom) -> SqliteDatabase:
    path = ensure_database(settings.directory, fresh=settings.fresh)
    names, damage = ContentStore(), DamageList()
    connection = await connect(path, writable=True, damage=damage)
    beside = []
    try:
        instance = new_instance(settings.entropy)
        await on_thread(connection, partial(_bring_up, settings, instance))
        secret = ensure_secret(settings.directory, settings.entropy)
        cast(BatchingConnection, connection._conn).secret_key = secret
        cast(BatchingConnection, connection._conn).watchers = settings.watchers
        await on_thread(connection, partial(begin_history, settings.clock.now()))
        for _ in range(READERS):
            beside.append(await connect(path, writable=False, damage=damage))
        beside.append(await connect(path, writable=True))
    except BaseException as error:
        for opened in (*beside, connection):
            await opened.close()
        raise explain(error, path) from error
    room.stock()
    *readers, copying = beside
    database = SqliteDatabase(readers, None, names, settings.clock)
    memory = WriterHooks(database.undone, database.look_for)
    database.watch = FileWatch(settings.directory)
    database.leftovers = LeftoverWiper(path)
    database.writer = BatchWriter(connection, memory, room.spend, WriteAheadLog(copying), database.watch.check)
    database.damage = damage
    database.secret_key = secret
    database.instance = await database.read(_instance)
    await database.read(database.recall)
    return database


def _bring_up(settings: StoreSettings, instance: str, connection: sqlite3.Connection) -> None:
    migrate(connection, settings.directory, settings.clock.now())
    connection.execute("INSERT INTO meta (name, value) VALUES ('instance', ?) ON CONFLICT DO NOTHING", (instance,))
    # drawn while nobody waits for the database (see `BatchWriter.draw`)
    cast(BatchingConnection, connection).newest["turn"] = newest_number(connection, "turn")


def _instance(connection: SqlConnection) -> str:
    row = connection.execute(_INSTANCE).fetchone()
    if row is None:
        raise StoreError(later("store.instance-altered", restore=later("store.restore-a-backup")))
    return str(row[0])
