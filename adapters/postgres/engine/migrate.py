"""Bring a database to the schema of this program, by numbered steps of its own, each in one transaction."""

from __future__ import annotations

from importlib import resources

from adapters.postgres.engine.connection import PostgresConnection
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.errors import StoreError

# the catalogue tells also of tables that this role may not read
_KNOWN = "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'schema_step'"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('glassmind steps ' || $1, 0))"
_ANY = "SELECT count(*) FROM pg_tables WHERE schemaname = $1"


def steps() -> dict[int, str]:
    """Return the SQL of every step by its number."""
    files = resources.files("adapters.postgres.migrations").iterdir()
    return {int(file.name[:4]): file.read_text("utf-8") for file in files if file.name.endswith(".sql")}


def version_of(connection: PostgresConnection) -> int:
    """Return the version of the schema, 0 where there is none; raise StoreError for what is not of this program."""
    if connection.ask(_KNOWN, (connection.address.schema,)).fetchone() is None:
        many = connection.ask(_ANY, (connection.address.schema,)).fetchone()
        if many is not None and many[0]:
            raise StoreError(
                f"The schema {connection.address.schema} in {connection.address} holds tables of another program. "
                "Name another one: store.schema_name."
            )
        return 0
    row = connection.ask("SELECT coalesce(max(number), 0) FROM schema_step").fetchone()
    version = int(row[0]) if row else 0
    newest = max(steps())
    if version > newest:
        raise StoreError(
            f"The database {connection.address} has schema {version}, this program knows {newest}. Install the newer "
            "Glassmind again, or restore a backup of the server that was made before the upgrade."
        )
    return version


def bring_up(connection: PostgresConnection, now: int) -> int:
    """Run the steps that are missing; return how many ran."""
    name = connection.address.schema
    if connection.ask("SELECT 1 FROM pg_namespace WHERE nspname = $1", (name,)).fetchone() is None:
        _make_schema(connection, name)
    version = version_of(connection)
    missing = {number: sql for number, sql in sorted(steps().items()) if number > version}
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
        connection.ask("ROLLBACK")
        raise


def _run(connection: PostgresConnection, number: int, sql: str, now: int) -> None:
    connection.ask("BEGIN")
    try:
        # of several processes that start at once one runs it, and the others find it done
        connection.ask(_ONE_AT_A_TIME, (connection.address.schema,))
        connection.script("CREATE TABLE IF NOT EXISTS schema_step (number bigint PRIMARY KEY, at bigint NOT NULL)")
        if connection.ask("SELECT 1 FROM schema_step WHERE number = $1", (number,)).fetchone() is not None:
            connection.ask("ROLLBACK")
            return
        connection.script(sql)
        connection.ask("INSERT INTO schema_step (number, at) VALUES ($1, $2)", (number, now))
        connection.ask("COMMIT")
    except DatabaseFault as fault:
        connection.ask("ROLLBACK")
        raise StoreError(f"Step {number} of the schema failed, nothing was changed: {fault}") from fault
