"""Which store the dialogs run on: SQLite, or with GLASSMIND_STORE=postgres all of them on a server (tests/README.md).

With GLASSMIND_STORE=workers a gateway and two workers share one there.

There each data directory has a schema of its own, which is another test's once the test is over.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from adapters.sqlite.engine.directory import DiskRoom
from bot.ports.leases import WHOLE_BOT, Lease, Leases
from bot.ports.store import Store
from tests.fakes.clock import FakeEntropy
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import postgres_server

SEVERAL = os.environ.get("GLASSMIND_STORE") == "workers"
"""Whether a gateway and two workers stand in the place of each bot."""
POOLED = False
"""Whether a pooler in transaction mode stands before the server."""
ON_SERVER = SEVERAL or os.environ.get("GLASSMIND_STORE") == "postgres"
OF_A_FILE = pytest.mark.skipif(ON_SERVER, reason="of the database's file: its copies, its place on the disk")
OF_ONE_MACHINE = pytest.mark.skipif(SEVERAL, reason="of files: each machine has its own, and sees to no other's")
OF_ONE_PROCESS = pytest.mark.skipif(SEVERAL, reason="of what a process knows: each of several learns it for itself")
FOR_EVER = "9999-01-01"
"""Until when a process lives here that nobody has ended: no `infinity`, which Python cannot read."""
_OTHERS_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'"
_COLUMNS = """
    SELECT table_name, string_agg(column_name, ', ' ORDER BY ordinal_position) FROM information_schema.columns
    WHERE table_schema = $1 AND is_generated = 'NEVER' AND table_name <> 'schema_step' GROUP BY table_name"""
_schemas: dict[Path, str] = {}
_of_test = [""]
_lives = itertools.count()


async def open_store(settings: StoreSettings) -> Store:
    """Open the store of a data directory, where these dialogs keep theirs."""
    if not ON_SERVER:
        return await open_sqlite(settings)
    from adapters.postgres import PostgresSettings
    from adapters.postgres import create as open_postgres

    url, schema = _place_of(settings.directory)
    lease = await _taken_over(url, schema, settings)
    return await open_postgres(
        PostgresSettings(
            url, settings.directory, settings.clock, settings.entropy, schema, settings.watchers, lease=lease
        )
    )


async def _taken_over(url: str, schema: str, settings: StoreSettings) -> Lease:
    """Take the lease of whoever had it: one that was killed here would keep it for five seconds of real time."""
    from adapters.postgres import LeaseSettings, open_leases

    leases = await open_leases(
        LeaseSettings(url, schema, settings.directory, settings.clock, FakeEntropy(f"life {next(_lives)}"), "dialogs")
    )
    try:
        postgres_server().run(f"DELETE FROM {schema}.lease_owner")
        while True:
            await leases.renew()
            if lease := await leases.take(WHOLE_BOT):
                # nobody renews it, and what is to be alone later need not wait until it has run out
                postgres_server().run(f"UPDATE {schema}.lease_owner SET until = clock_timestamp()")
                return lease
            await leases.news(0.05)  # whoever has it is in the middle of a transaction
    finally:
        await leases.close()


def own_directory(data: Path, name: str) -> Path:
    """Return a directory for a further process of a bot, with the key that all need."""
    other = data.with_name(f"{data.name}-{name.replace(' ', '-')}")
    other.mkdir(mode=0o700, exist_ok=True)
    shutil.copy2(data / "secret.key", other)
    return other


class OpenedProcess(NamedTuple):
    """What one of several processes of a bot has opened."""

    leases: Leases
    store: Store


async def process_is_over(directory: Path, leases: Leases) -> None:
    """Let it have been long since a process of a bot was heard from."""
    (lease, *_) = await leases.renew()
    schema = _place_of(directory)[1]
    long_ago = "clock_timestamp() - interval '1 minute'"
    postgres_server().run(f"UPDATE {schema}.lease_owner SET until = {long_ago} WHERE id = '{lease.owner}'")


async def open_processes(settings: StoreSettings, names: Sequence[str]) -> list[OpenedProcess]:
    """Open the store of a data directory once for each of several processes that share it; who had it before is over.

    None of them has to say that it lives: time stands still for as long as a test wants.
    """
    from adapters.postgres import LeaseSettings, PostgresSettings, open_leases
    from adapters.postgres import create as open_postgres

    url, schema = _place_of(settings.directory)
    server, opened = postgres_server(), list[OpenedProcess]()
    for name in names:
        entropy = FakeEntropy(f"life {next(_lives)}")
        leases = await open_leases(LeaseSettings(url, schema, settings.directory, settings.clock, entropy, name))
        if not opened:
            server.run(f"DELETE FROM {schema}.lease_owner")
        await leases.renew()
        lease = await leases.join()
        assert lease is not None
        server.run(
            f"UPDATE {schema}.lease_owner SET until = '{FOR_EVER}', since = '2000-01-01' WHERE id = '{lease.owner}'"
        )
        directory = own_directory(settings.directory, name) if opened else settings.directory
        where = PostgresSettings(url, directory, settings.clock, settings.entropy, schema, settings.watchers)
        opened.append(OpenedProcess(leases, await open_postgres(where._replace(lease=lease))))
    return opened


def _place_of(directory: Path) -> tuple[str, str]:
    server, test = postgres_server(), os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    if test != _of_test[0]:
        _of_test[0] = test
        _schemas.clear()
        server.run(_OTHERS_SESSIONS)
    if directory not in _schemas:
        _schemas[directory] = f"bot{len(_schemas)}"
        server.emptied(_schemas[directory])
    return pooled_url() if POOLED else server.url(), _schemas[directory]


def another_machine(data: Path) -> Path:
    """Return a directory from which a further process comes to the database of a bot on a server."""
    assert ON_SERVER
    other = data.with_name(f"{data.name}-another")
    other.mkdir(mode=0o700)
    shutil.copy2(data / "secret.key", other)
    _schemas[other] = _schemas[data]
    return other


def ask_behind(directory: Path, sql: str) -> list[tuple]:
    """Ask the database of a data directory something, as another program might, while the bot runs or after it."""
    return _behind(directory, sql)[0]


def change_behind(directory: Path, sql: str) -> int:
    """Change rows of the database of a data directory, as another program might; return how many."""
    return _behind(directory, sql)[1]


def bytes_literal(value: bytes) -> str:
    """Write bytes as SQL."""
    return f"'\\x{value.hex()}'::bytea" if ON_SERVER else f"x'{value.hex()}'"


def tables_of(directory: Path) -> list[str]:
    """Name the tables of a data directory's database, without the indexes of words."""
    if ON_SERVER:
        schema = _place_of(directory)[1]
        sql = f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' AND tablename NOT LIKE '%fts%'"
    else:
        sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'"
    return [name for (name,) in ask_behind(directory, sql)]


def places_with(directory: Path, words: str) -> list[str]:
    """Name the files of a data directory that hold some words, and the tables where they are on a server."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    found = [path.name for path in files if words.encode() in path.read_bytes()]
    return found + (tables_with(directory, words) if ON_SERVER else [])


def tables_with(directory: Path, words: str) -> list[str]:
    """Name the tables that hold some words."""
    rows = {table: ask_behind(directory, f"SELECT * FROM {table}") for table in tables_of(directory)}
    return [table for table, of_it in rows.items() if any(words in str(value) for row in of_it for value in row)]


def make_room(patch: pytest.MonkeyPatch, store: Store, free: int) -> None:
    """Let a disk have so many bytes free. How many a server has nobody knows here, only whether it took what came."""
    patch.setattr(DiskRoom, "free", lambda _: free)
    if ON_SERVER:
        patch.setattr(type(store), "has_room", lambda _: free > 0)


def _behind(directory: Path, sql: str) -> tuple[list[tuple], int]:
    if not ON_SERVER:
        with closing(sqlite3.connect(directory / "glassmind.db", isolation_level=None)) as raw:
            done = raw.execute(sql)
            return done.fetchall(), done.rowcount
    from adapters.postgres.engine.connection import PostgresConnection, read_address

    connection = PostgresConnection(read_address(*_place_of(directory)))
    try:
        result = connection.execute(sql)
        return [tuple(row) for row in result.fetchall()], result.rowcount
    finally:
        connection.close()


def leave_image(data: Path, image: Path) -> None:
    """Copy a data directory as a process leaves it that is killed at this moment, with its log beside the database."""
    shutil.copytree(data, image)
    if ON_SERVER:
        leave_database(data, image)


def leave_database(data: Path, left: Path) -> None:
    """Leave in another place what is committed at this moment, as a process does that is killed."""
    if not ON_SERVER:
        files = (sqlite3.connect(place / "glassmind.db") for place in (data, left))
        with closing(next(files)) as old, closing(next(files)) as new:
            old.backup(new)
        return
    from adapters.postgres.engine.connection import PostgresConnection, read_address
    from adapters.postgres.engine.migrate import bring_up

    (url, source), (_, target) = _place_of(data), _place_of(left)
    # nothing is sealed anew, and rows may come before those that they hang on
    connection = PostgresConnection(read_address(url, target), settings={"session_replication_role": "replica"})
    try:
        bring_up(connection, 0)
        connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for table, names in connection.ask(_COLUMNS, (source,)).fetchall():
            connection.script(f"DELETE FROM {table}")
            rows = f"({names}) OVERRIDING SYSTEM VALUE SELECT {names} FROM {source}.{table}"
            connection.script(f"INSERT INTO {table} {rows}")
        for table in ("relayed", "question"):
            last = f"(SELECT coalesce(max(id), 0) + 1 FROM {source}.{table})"
            connection.script(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last})")
        connection.script("COMMIT")
    finally:
        connection.close()
