"""Bring a database to the schema of this program, by numbered steps of its own, each in one transaction.

A step says in a line `-- oldest: N` which step a program has to know at least to go on with what it makes: one that
knows step N and not this one may run beside newer ones, and be started again. A step without it is for nobody older.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources

from adapters.postgres.engine.connection import PostgresConnection
from adapters.postgres.engine.lease_rows import has_leases, is_leased
from adapters.sqlite.engine.sql_connection import DatabaseFault, roll_back
from bot.errors import StoreError
from bot.sentences import later

# the catalogue tells also of tables that this role may not read; in one look, while another one may be making them
_TABLES = "SELECT count(*), count(*) FILTER (WHERE tablename = 'schema_step') FROM pg_tables WHERE schemaname = $1"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('glassmind steps ' || $1, 0))"
_WAITS_BRIEFLY = "SET LOCAL lock_timeout = '1s'"
"""Who waits for a table holds up all who come after: of processes at work one may be reading for long."""
# as long as no step said so there was no such column
_OLDEST = """
    SELECT max(coalesce((to_jsonb(schema_step) ->> 'oldest')::bigint, number)) FROM schema_step WHERE number > $1"""
_SAYS_OLDEST = re.compile(r"^-- oldest: (\d+)$", re.MULTILINE)


def steps() -> dict[int, str]:
    """Return the SQL of every step by its number."""
    files = resources.files("adapters.postgres.migrations").iterdir()
    return {int(file.name[:4]): file.read_text("utf-8") for file in files if file.name.endswith(".sql")}


def version_of(connection: PostgresConnection) -> int:
    """Return the version of the schema, 0 where there is none; raise StoreError for what is not of this program.

    It may be a newer one that this program can go on with.
    """
    many, is_known = connection.ask(_TABLES, (connection.address.schema,)).fetchall()[0]
    if not is_known:
        if many:
            address = connection.address
            raise StoreError(later("server_store.other-tables", schema=address.schema, place=address.__str__))
        return 0
    row = connection.ask("SELECT coalesce(max(number), 0) FROM schema_step").fetchone()
    version = int(row[0]) if row else 0
    newest = max(steps())
    if version > newest and _oldest_for(connection, newest) > newest:
        versions = {"version": str(version), "newest": str(newest)}
        raise StoreError(later("server_store.newer", place=connection.address.__str__, **versions))
    return version


def _oldest_for(connection: PostgresConnection, newest: int) -> int:
    """Return which step a program has to know at least that knows none after `newest`."""
    return int(connection.ask(_OLDEST, (newest,)).fetchall()[0][0])


def oldest_for(number: int, sql: str) -> int:
    """Return which step a program has to know at least to go on with what a step makes."""
    said = _SAYS_OLDEST.search(sql)
    return int(said[1]) if said else number


def bring_up(connection: PostgresConnection, now: int, owner: str = "", known: Mapping[int, str] | None = None) -> int:
    """Run the steps that are missing; return how many ran. `owner` is this process among those that share the bot.

    Where others are at work that are older, and could not go on, nothing is run: StoreError.
    """
    known = steps() if known is None else known
    name = connection.address.schema
    if connection.ask("SELECT 1 FROM pg_namespace WHERE nspname = $1", (name,)).fetchone() is None:
        _make_schema(connection, name)
    version = version_of(connection)
    missing = {number: sql for number, sql in sorted(known.items()) if number > version}
    oldest = max((oldest_for(number, sql) for number, sql in missing.items()), default=0)
    can_run = oldest <= version or not has_leases(connection) or not is_leased(connection, owner)
    # whoever is at work may have run the steps a moment ago, of several that start at once
    if not can_run and version_of(connection) == version:
        versions = {"version": str(version), "newest": str(max(known))}
        raise StoreError(later("server_store.older-at-work", place=connection.address.__str__, **versions))
    for number, sql in missing.items():
        _run(connection, number, sql, now)
    connection.learn_types()
    return len(missing)


def _make_schema(connection: PostgresConnection, name: str) -> None:
    connection.ask("BEGIN")
    try:
        connection.ask(_ONE_AT_A_TIME, (name,))
        connection.script(f'CREATE SCHEMA IF NOT EXISTS "{name}"')
        connection.ask("COMMIT")
    except DatabaseFault:
        roll_back(connection)
        raise


def _run(connection: PostgresConnection, number: int, sql: str, now: int) -> None:
    connection.ask("BEGIN")
    try:
        # of several processes that start at once one runs it, and the others find it done
        connection.ask(_ONE_AT_A_TIME, (connection.address.schema,))
        connection.script("CREATE TABLE IF NOT EXISTS schema_step (number bigint PRIMARY KEY, at bigint NOT NULL)")
        connection.script("ALTER TABLE schema_step ADD COLUMN IF NOT EXISTS oldest bigint")
        if connection.ask("SELECT 1 FROM schema_step WHERE number = $1", (number,)).fetchone() is not None:
            roll_back(connection)
            return
        connection.script(_WAITS_BRIEFLY)
        connection.script(sql)
        sets = (number, now, oldest_for(number, sql))
        connection.ask("INSERT INTO schema_step (number, at, oldest) VALUES ($1, $2, $3)", sets)
        connection.ask("COMMIT")
    except DatabaseFault as fault:
        roll_back(connection)
        raise StoreError(later("store.step-failed", number=str(number), why=fault.words)) from fault
