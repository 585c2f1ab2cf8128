"""Put a copy in the place of the database, whole or not at all, whenever the process is killed.

The copy is written, checked and made ready under another name. Giving that its final name (`restored-<stamp>.db`) is
the decision: before it the next start clears the draft away, after it the next start brings the restore to its end
(`complete`). The database that was there keeps its name until the copy takes it; then it lies in `backups/replaced-*`.

What a copy does not know: what was sent after it was made. So nothing that was pending in it is sent again: chunks on
their way are marked uncertain, and messages that waited are marked interrupted, for a person to answer by a button. New
chunks get nonces that no earlier one had (another instance), so that no platform takes them for repetitions.

Where a platform was read to (Telegram's cursor) is as old as the copy. That loses nothing and repeats nothing: the
platform hands out only what was never confirmed. A message that arrived before the restore and is handed out again is
processed as any other, because the restored inbox does not know it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from adapters.sqlite.engine import copies
from adapters.sqlite.engine.connection import connect, explain, on_thread
from adapters.sqlite.engine.directory import DATABASE, SECRET, prepare, read_secret, sync
from adapters.sqlite.engine.lock import DirectoryLock
from adapters.sqlite.engine.migrate import bring_up, check_shape, steps, version_of
from adapters.sqlite.engine.sealed_rows import change, select
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.ledger.ledger_writer import add_stages, settle
from adapters.sqlite.turns.outbox import new_instance
from adapters.sqlite.upkeep.backups import open_beside
from adapters.sqlite.upkeep.integrity import damage_of, damaged_pages
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import FailReason, LedgerStage, Outcome, Settlement, StageRow, StageVerdict
from bot.domain.turn import OutboxState
from bot.errors import StoreError, UserError
from bot.ports.backups import RestoreResult, StoredCopy
from bot.ports.clock import Clock, Entropy
from bot.sentences import later, say

_READY = "restored"
_REASON = f"{FailReason.SEND}:restored"
_SENT_SINCE = "restored: this was on its way when the copy was made and may have been sent since"
_ANSWERED_SINCE = "the database was restored from a copy, and this may have been answered after that was made"
_WAITING = """
    WHERE outcome IS NULL AND (turn = 0 OR NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.turn = inbound.turn))
    ORDER BY id"""
"""Messages that recovery would run again; what has an outbox row it only settles."""


class _Order(NamedTuple):
    directory: Path
    source: Path
    key: bytes
    now: int
    entropy: Entropy


class MarkedRows(NamedTuple):
    """How many rows were marked of which nobody knows what became of them since."""

    uncertain: int
    interrupted: int


class _MessageExtent(NamedTuple):
    messages: int
    newest_at: int
    later: int
    """Messages that arrived after the moment that was asked about."""


async def copies_in(directory: Path) -> Sequence[StoredCopy]:
    """Read every copy of a data directory from start to end; the bot may be running. Newest first."""
    key = read_secret(directory) if (directory / SECRET).exists() else b""
    examined = []
    for copy in copies.find_copies(directory):
        with suppress(FileNotFoundError):  # its time came meanwhile
            examined.append(await _examine_copy(copy.path, copy.at, key))
    return examined


async def restore_copy(directory: Path, source: str, clock: Clock, entropy: Entropy) -> RestoreResult:
    """Put a copy (a path, or the name of one in `backups`) in the place of the database.

    Raise UserError or StoreError, and then nothing has changed: the copy is missing or does not hold, a bot runs here,
    the disk is full, or the key that the audit chain is signed with is missing.
    """
    # without the key nobody can tell whether the copy's audit chain holds
    key = read_secret(directory)
    prepare(directory)
    lock = DirectoryLock(directory)
    try:
        complete_restore(directory)
        return await _restore(_Order(directory, _find(directory, source), key, clock.now(), entropy))
    finally:
        lock.release()


def complete_restore(directory: Path) -> None:
    """Bring a restore that was cut off to its end or to nothing, and clear drafts away; the caller holds the lock."""
    try:
        copies.remove_drafts(directory)
        for draft in directory.glob(f"{_READY}-*.db.part*"):
            draft.unlink()
        for ready in sorted(directory.glob(f"{_READY}-*.db")):
            _swap(directory, ready)
    except OSError as error:
        raise _unwritable_error(directory, error) from error


async def _restore(order: _Order) -> RestoreResult:
    directory, source = order.directory, order.source
    checked = await _examine_copy(source, 0, order.key)
    if checked.damage:
        raise UserError(say("store.cannot-restore", file=str(source), damage=checked.damage))
    ready = _free_name(directory, order.now)
    try:
        async with open_beside(source) as raw:
            await on_thread(raw, partial(copies.write_draft, ready))
        marked, kept = await _make_ready(copies.draft_of(ready), order)
        was = await _extent(directory / DATABASE, kept.newest_at)
        had_one = (directory / DATABASE).exists()
        copies.publish(ready)
    except BaseException as error:
        for path in (copies.draft_of(ready), ready):
            path.unlink(missing_ok=True)
        raise (_unwritable_error(directory, error) if isinstance(error, OSError) else explain(error, source)) from error
    complete_restore(directory)
    return RestoreResult(
        path=str(source),
        replaced=str(_replaced_path(directory, ready)) if had_one else "",
        messages=kept.messages,
        newest_at=kept.newest_at,
        lost=was.later if was else None,
        lost_newest_at=was.newest_at if was else 0,
        uncertain=marked.uncertain,
        interrupted=marked.interrupted,
    )


def _swap(directory: Path, ready: Path) -> None:
    """Put the present database aside and the ready one in its place; doing it again changes nothing."""
    live, aside = directory / DATABASE, _replaced_path(directory, ready)
    aside.parent.mkdir(mode=0o700, exist_ok=True)
    if live.exists() and not aside.exists():
        _keep(live, aside)
    # a log that stayed beside the new file would be played into it; with the old file it is read as before
    log = live.with_name(f"{DATABASE}-wal")
    if log.exists() and log.stat().st_size:
        os.replace(log, aside.with_name(f"{aside.name}-wal"))
    log.unlink(missing_ok=True)
    live.with_name(f"{DATABASE}-shm").unlink(missing_ok=True)
    sync(aside.parent)
    sync(directory)
    os.replace(ready, live)
    sync(directory)


def _keep(live: Path, aside: Path) -> None:
    try:
        os.link(live, aside)
    except OSError:  # a file system that knows no links
        draft = copies.draft_of(aside)
        shutil.copyfile(live, draft)
        draft.chmod(0o600)
        draft.rename(aside)


def _unwritable_error(directory: Path, error: OSError) -> StoreError:
    why = error.strerror or type(error).__name__
    return StoreError(later("store.cannot-write-there", folder=str(directory), why=why))


async def _examine_copy(path: Path, at: int, key: bytes) -> StoredCopy:
    size = (await asyncio.to_thread(path.stat)).st_size
    try:
        async with open_beside(path) as raw:
            version, damage = await on_thread(raw, partial(_look, key))
    except (StoreError, sqlite3.Error, OSError, ValueError) as error:
        version, damage = 0, f"{error.__cause__ or error}"
    return StoredCopy(path=str(path), at=at, size=size, version=version, damage=damage)


def _look(key: bytes, connection: sqlite3.Connection) -> tuple[int, str]:
    version = version_of(connection)
    if not version:
        return 0, say("store.copy-empty")
    check_shape(connection)
    # rows of an older schema are checked once the draft has been brought up
    damage = damage_of(connection, key) if version == max(steps()) else damaged_pages(connection)
    return version, f"{damage}." if damage else ""


async def _make_ready(draft: Path, order: _Order) -> tuple[MarkedRows, _MessageExtent]:
    connection = await connect(draft, writable=True)
    try:
        marked = await on_thread(connection, partial(_mark, order))
        damage = await on_thread(connection, partial(damage_of, key=order.key))
        kept = await on_thread(connection, partial(_measure_extent, 0))
        # back from WAL, so that no side file is left of the name that it bears only now
        await on_thread(connection, lambda raw: raw.execute("PRAGMA journal_mode = DELETE").fetchall())
    finally:
        await connection.close()
    if damage:
        raise StoreError(later("store.copy-damaged", damage=damage))
    return marked, kept


def _mark(order: _Order, connection: sqlite3.Connection) -> MarkedRows:
    bring_up(connection)
    connection.execute("BEGIN IMMEDIATE")
    marked = mark_unknown(connection, order.now, order.entropy)
    connection.execute("COMMIT")
    return marked


def mark_unknown(connection: SqlConnection, now: int, entropy: Entropy) -> MarkedRows:
    """Mark what may have been sent or answered after a copy was made, and take another name; part of a transaction."""
    pending = select(connection, "outbox", "WHERE state IN ('new', 'sending') ORDER BY id", ())
    for row in pending:
        change(connection, "outbox", row["id"], state=OutboxState.UNCERTAIN, error=_SENT_SINCE)
    add_stages(connection, [_uncertain_stage(row, now) for row in pending if row["inbound"]])
    waiting = select(connection, "inbound", _WAITING, ())
    settle(
        connection,
        [Settlement(inbound=row["id"], at=now, outcome=Outcome.INTERRUPTED, reason=_ANSWERED_SINCE) for row in waiting],
    )
    before = connection.execute("SELECT value FROM meta WHERE name = 'instance'").fetchone()[0]
    connection.execute("UPDATE meta SET value = ? WHERE name = 'instance'", (new_instance(entropy, before),))
    return MarkedRows(len(pending), len(waiting))


def _uncertain_stage(row: SqlRow, now: int) -> StageRow:
    detail = (("delivery", handle(HandleKind.DELIVERY, row["id"])), ("error", _SENT_SINCE))
    return StageRow(
        inbound=row["inbound"],
        at=now,
        stage=LedgerStage.DELIVERED,
        verdict=StageVerdict.NOTED,
        reason=_REASON,
        detail=detail,
    )


async def _extent(path: Path, since: int) -> _MessageExtent | None:
    """Say how much a database holds; None when it is missing or cannot be read."""
    try:
        async with open_beside(path) as raw:
            return await on_thread(raw, partial(_measure_extent, since))
    except (StoreError, sqlite3.Error):
        return None


def _measure_extent(since: int, connection: sqlite3.Connection) -> _MessageExtent:
    sql = "SELECT count(*), coalesce(max(arrived_at), 0), coalesce(sum(arrived_at > ?), 0) FROM inbound"
    return _MessageExtent(*connection.execute(sql, (since,)).fetchone())


def _find(directory: Path, source: str) -> Path:
    for path in (Path(source), directory / copies.FOLDER / source):
        if path.is_file():
            if (directory / DATABASE).exists() and path.samefile(directory / DATABASE):
                raise UserError(say("store.is-the-database", file=source))
            return path
    there = ", ".join(copy.path.name for copy in copies.find_copies(directory)) or "none"
    raise UserError(say("store.no-such-copy", file=source, folder=str(directory / copies.FOLDER), names=there))


def _free_name(directory: Path, now: int) -> Path:
    """Find a second of which nothing was put aside yet."""
    while _replaced_path(directory, path := directory / f"{_READY}-{copies.stamp(now)}.db").exists():
        now += 1000
    return path


def _replaced_path(directory: Path, ready: Path) -> Path:
    return directory / copies.FOLDER / f"replaced{ready.name.removeprefix(_READY)}"
