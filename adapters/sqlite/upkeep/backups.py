"""The daily copy: made beside everything else, read from start to end, kept no longer than what it holds."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import aiosqlite

from adapters.sqlite.engine import copies
from adapters.sqlite.engine.connection import connect, explain, on_thread
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.directory import DATABASE, DiskRoom, taken_bytes
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.upkeep.integrity import damage_of
from bot.domain.health import ProbeResult
from bot.errors import StoreError
from bot.ports.backups import BackUp
from bot.ports.store import RetentionPolicy
from bot.sentences import later, say
from bot.text.figures import size
from bot.text.times import age

_DAY_MS = 86_400_000
_LATE_MS = 2 * _DAY_MS
_WAIT_FIX = "Start the bot and let it run: it makes one soon after its start. See the log for why the last one failed."
_REMEMBER = "INSERT INTO meta (name, value) VALUES ('backup', ?) ON CONFLICT DO UPDATE SET value = excluded.value"

_ANYTHING = tuple(f"SELECT 1 FROM {table} LIMIT 1" for table in ("inbound", "history", "memory", "request"))  # noqa: S608

_RECALL = "SELECT value FROM meta WHERE name = 'backup' AND h IS row_hash(hex(name), hex(value))"


@asynccontextmanager
async def open_beside(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    """Open a file for long work that changes nothing in it; who stops waiting for the work stops it."""
    connection = await connect(path, writable=False)
    try:
        # VACUUM INTO counts as writing; the file itself stays open for reading only
        await on_thread(connection, lambda raw: raw.execute("PRAGMA query_only = OFF").fetchall())
        yield connection
    finally:
        await connection.interrupt()
        await connection.close()


async def verify(path: Path, key: bytes) -> str:
    """Read a copy of this schema from start to end; return what is wrong with it (empty: nothing)."""
    async with open_beside(path) as connection:
        return await on_thread(connection, partial(damage_of, key=key))


async def holds_rows(path: Path) -> bool:
    """Say whether a copy can be opened and has a message, a conversation, a memory or a request in it."""
    try:
        async with open_beside(path) as connection:
            return await on_thread(connection, _holds_rows)
    except (StoreError, sqlite3.Error, OSError):
        return False


class DailyCopies:
    """The copies of one data directory, and what became of the newest."""

    def __init__(self, database: SqliteDatabase, directory: Path, room: DiskRoom | None) -> None:
        self._database = database
        self._directory = directory
        self._room = room
        self._last: BackUp | None = None
        self.kept_ms = 0
        """How long copies are kept, as the newest sweep said; 0: unknown, or for ever."""

    async def make(self, retention: RetentionPolicy, now: int) -> BackUp:
        """Make the copy if it is due; then remove those that may not be kept any more, whatever they were made for."""
        self.kept_ms = retention.copies_ms
        done = await self._attempt(retention, now)
        before = now - retention.copies_ms if retention.copies_ms else 0
        # left by a clock that ran ahead; their time would not come for years
        after = now + _DAY_MS if done.state in {"made", "not_due"} else 0
        made = Path(done.path)
        await self._remove(lambda copy: copy.path != made and (copy.at < before or bool(after and copy.at > after)))
        if done.state != "not_due":
            await self._remember(done)
        return done

    async def probe(self, now: int) -> ProbeResult:
        """Say how old the newest copy is, and how the last attempt went."""
        row = partial(ProbeResult, name="store backup")
        last = await self._recalled()
        if last is not None and last.state == "off":
            return row(state="ok", evidence=say("store_doctor.copies-off"))
        newest = next(iter(await asyncio.to_thread(_daily, self._directory)), None)
        evidence = await asyncio.to_thread(_copy_words, newest, now)
        if last is not None and last.why:
            evidence = say("store_doctor.copy-failed", age=age(now - last.at), why=last.why, newest=evidence)
            return row(state="warning", evidence=evidence, fix=say("store_doctor.copy-again"))
        is_late = newest is not None and now - newest.at > _LATE_MS
        if is_late or (newest is None and last is not None):
            return row(state="warning", evidence=evidence, fix=_WAIT_FIX)
        return row(state="ok", evidence=evidence)

    async def _attempt(self, retention: RetentionPolicy, now: int) -> BackUp:
        if not retention.backups_ms:
            return BackUp(at=now, state="off")
        # where copies may be kept for less than a day one a day would leave hours without any
        every = min(_DAY_MS, retention.copies_ms)
        if any(0 <= now - copy.at < every for copy in await asyncio.to_thread(_daily, self._directory)):
            return BackUp(at=now, state="not_due")
        return await self.make_now(now)

    async def make_now(self, now: int) -> BackUp:
        """Make a copy whether it is due or not, and check it; nothing is removed."""
        if lacking := await asyncio.to_thread(self._lacking):
            return BackUp(at=now, state="skipped", why=lacking)
        try:
            path = await self._copy(copies.path_of(self._directory, copies.DAILY, now))
        except (StoreError, sqlite3.Error, OSError, ValueError) as error:
            return BackUp(at=now, state="failed", why=str(explain(error)))
        return BackUp(at=now, state="made", path=str(path), size=path.stat().st_size)

    async def _copy(self, path: Path) -> Path:
        try:
            async with open_beside(self._directory / DATABASE) as source:
                draft = await on_thread(source, partial(copies.write_draft, path))
            if damage := await verify(draft, self._database.secret_key):
                raise StoreError(later("store.copy-removed", damage=damage))
            return await asyncio.to_thread(copies.publish, path)
        finally:
            copies.draft_of(path).unlink(missing_ok=True)

    async def _remove(self, is_old: Callable[[copies.DatabaseCopy], bool]) -> None:
        """Remove copies; the newest one that holds anything stays where no other one would be left that does."""
        there = await asyncio.to_thread(copies.find_copies, self._directory)
        old = [copy for copy in there if is_old(copy)]
        if not old:
            return
        for copy in (*(copy for copy in there if copy not in old), *old):
            if await holds_rows(copy.path):
                old = [one for one in old if one != copy]
                break
        await asyncio.to_thread(copies.remove, self._directory, lambda copy: copy in old)

    def _lacking(self) -> str:
        needed = taken_bytes(self._directory)
        if self._room is None or self._room.holds(needed):
            return ""
        return f"There is no room for {size(needed)} more above the low-water mark. Free some space."

    async def _remember(self, done: BackUp) -> None:
        if (done.state, done.why) == ("off", "") and self._last is not None and self._last.state == "off":
            return
        self._last = done
        # the host's doctor reads it there; on a full disk it hears of that by other means
        with suppress(StoreError):
            body = done.model_dump_json()
            await self._database.write(lambda connection: connection.execute(_REMEMBER, (body,)) and None)

    async def _recalled(self) -> BackUp | None:
        def work(connection: SqlConnection) -> BackUp | None:
            row = connection.execute(_RECALL).fetchone()
            return BackUp.model_validate_json(row[0]) if row else None

        if self._last is None:
            with suppress(StoreError):
                return await self._database.read(work)
        return self._last


def _holds_rows(connection: SqlConnection) -> bool:
    return any(connection.execute(sql).fetchone() for sql in _ANYTHING)


def _daily(directory: Path) -> Sequence[copies.DatabaseCopy]:
    return [copy for copy in copies.find_copies(directory) if copy.kind == copies.DAILY]


def _copy_words(newest: copies.DatabaseCopy | None, now: int) -> str:
    if newest is None:
        return say("store_doctor.no-copy")
    room = size(newest.path.stat().st_size)
    return say("store_doctor.copy", name=newest.path.name, age=age(now - newest.at), size=room)
