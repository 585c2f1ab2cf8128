"""Check a data directory from start to end: pages, seals, texts, both chains, and what versions say."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from adapters.sqlite.engine.audit_chain import AUDIT
from adapters.sqlite.engine.connection import connect, on_thread
from adapters.sqlite.engine.database import snapshot
from adapters.sqlite.engine.directory import DATABASE, SECRET, read_secret
from adapters.sqlite.engine.migrate import steps, version_of
from adapters.sqlite.engine.revisions import REVISIONS
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, SqlConnection, odd_texts
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.upkeep.integrity import AlteredRow, scan, unreadable
from adapters.sqlite.upkeep.versions_check import unlike_versions
from bot.errors import StoreError
from bot.ports.revisions import ChainHead
from bot.ports.verifying import StoreCheck
from bot.sentences import later


async def verify_directory(directory: Path) -> StoreCheck:
    """Look at everything that a data directory keeps; nothing is changed, and a bot may be running."""
    path = directory / DATABASE
    if not path.exists():
        raise StoreError(later("store.nothing-there", folder=str(directory), file=DATABASE))
    key = read_secret(directory) if (directory / SECRET).exists() else b""
    reader = await connect(path, writable=False)
    try:
        return await on_thread(reader, partial(snapshot, partial(_look, key)))
    finally:
        await reader.close()


def _look(key: bytes, connection: SqlConnection) -> StoreCheck:
    version = version_of(connection)
    if version != max(steps()):
        raise StoreError(later("store.not-newest", version=str(version), newest=str(max(steps()))))
    return check_rows(connection, key)


def check_rows(connection: SqlConnection, key: bytes) -> StoreCheck:
    """Look at every row of a database, whatever kind it is."""
    found = all_damage(connection, key)
    heads = []
    for chain in (AUDIT, REVISIONS):
        try:
            mark = chain.head(connection, key)
        except StoreError:
            continue  # it is among what was found
        heads.append(ChainHead(table=chain.table, row=mark.row, hash=mark.hash))
    return StoreCheck(
        rows=sum(_count(connection, table) for table in SEALED),
        audit=_count(connection, "audit"),
        versions=_count(connection, "revision"),
        damage=tuple(dict.fromkeys(map(str, found))),
        heads=tuple(heads),
        has_key=bool(key),
    )


def all_damage(connection: SqlConnection, key: bytes) -> list[AlteredRow]:
    """Return what is not what was written, in rows, chains, and between rows and their versions."""
    found = scan(connection, key)
    named = {(one.table, one.row) for one in found}
    # text that is none any more makes a row another than its version, and stops nobody from looking at the rest
    with odd_texts(connection):
        try:
            found += [one for one in unlike_versions(connection) if (one.table, one.row) not in named]
        except (*DATABASE_ERRORS, ValueError) as error:
            found.append(unreadable("revision", error))
    return found


def _count(connection: SqlConnection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - names of ours
