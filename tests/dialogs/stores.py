"""Which store the dialogs run on: SQLite, or with GLASSMIND_STORE=postgres all of them on a server (README.md).

There each data directory has a schema of its own, which is another test's once the test is over.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from bot.ports.leases import WHOLE_BOT, Lease
from bot.ports.store import Store
from tests.fakes.clock import FakeEntropy
from tests.servers.postgres import postgres_server

ON_SERVER = os.environ.get("GLASSMIND_STORE") == "postgres"
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
                postgres_server().run(f"DELETE FROM {schema}.lease_owner")
                return lease
            await leases.news(0.05)  # whoever has it is in the middle of a transaction
    finally:
        await leases.close()


def _place_of(directory: Path) -> tuple[str, str]:
    server, test = postgres_server(), os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    if test != _of_test[0]:
        _of_test[0] = test
        _schemas.clear()
        server.run(_OTHERS_SESSIONS)
    if directory not in _schemas:
        _schemas[directory] = f"bot{len(_schemas)}"
        server.emptied(_schemas[directory])
    return server.url(), _schemas[directory]


def another_machine(data: Path) -> Path:
    """Return a directory from which a further process comes to the database of a bot on a server."""
    assert ON_SERVER
    other = data.with_name(f"{data.name}-another")
    other.mkdir(mode=0o700)
    shutil.copy2(data / "secret.key", other)
    _schemas[other] = _schemas[data]
    return other


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
    connection = PostgresConnection(read_address(url, target), options="-c session_replication_role=replica")
    try:
        bring_up(connection, 0)
        connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for table, names in connection.ask(_COLUMNS, (source,)).fetchall():
            connection.script(f"INSERT INTO {table} ({names}) SELECT {names} FROM {source}.{table}")
        connection.script("COMMIT")
    finally:
        connection.close()
