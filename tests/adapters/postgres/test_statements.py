"""What PostgreSQL takes for statements that were written for SQLite."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import adapters.sqlite as repositories
from adapters.postgres.engine.statements import Statement, read_statement
from adapters.sqlite.engine.sql_connection import DatabaseFault
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, postgres_server

WHOLE = re.compile(r"\s*(INSERT|UPDATE|DELETE|WITH|SELECT\b.*\bFROM)\b", re.DOTALL)
TYPES = {"turn": {"id": "bigint", "status": "text", "h": "bytea"}}


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("BEGIN IMMEDIATE", "BEGIN"),
        ("SELECT 1 FROM t WHERE a = ? AND b = ?", "SELECT 1 FROM t WHERE a = $1 AND b = $2"),
        ("SELECT ?1, ?2, ?1", "SELECT $1, $2, $1"),
        ("SELECT '?' WHERE a = ':b' AND c = ?", "SELECT '?' WHERE a = ':b' AND c = $1"),
        ("SELECT 1 FROM t INDEXED BY t_by_age WHERE a = ?", "SELECT 1 FROM t  WHERE a = $1"),
        ("h IS NOT row_hash(hex(a))", "h IS DISTINCT FROM row_hash(hex(a))"),
        (
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        ),
        (
            "turn IN (SELECT value FROM json_each(?)) AND t.channel IN (SELECT value FROM json_each(?))",
            "turn IN (SELECT value FROM json_numbers($1)) AND t.channel IN (SELECT value FROM json_texts($2))",
        ),
        ("json_extract(body, '$.fresh_start.agent') = ?", "(body::json #>> '{fresh_start,agent}') = $1"),
        (
            "json_extract(place, '$.is_dm') = 0",
            "(CASE (place::json #>> '{is_dm}') WHEN 'true' THEN 1 WHEN 'false' THEN 0 END) = 0",
        ),
        (
            "UPDATE turn SET status = new.column2, h = new.column3 FROM (VALUES (?, ?, ?), (?, ?, ?)) AS new "
            "WHERE turn.id = new.column1",
            "UPDATE turn SET status = new.column2, h = new.column3 FROM (VALUES ($1::bigint, $2::text, $3::bytea), "
            "($4, $5, $6)) AS new WHERE turn.id = new.column1",
        ),
        (
            "INSERT INTO history_fts (history_fts, rowid, text) VALUES ('delete', ?, ?)",
            "DELETE FROM history_fts USING (VALUES ($1::bigint, $2::text)) AS gone "
            "WHERE history_fts.rowid = gone.column1",
        ),
    ],
)  # fmt: skip
def test_a_statement_is_read(said: str, taken: str):
    assert read_statement(said, TYPES) == Statement(taken)


def test_values_by_name_come_in_their_order():
    read = read_statement("SELECT :b, :a WHERE :b IS NULL OR x > :a", TYPES)
    assert read == Statement("SELECT $1, $2 WHERE $1::text IS NULL OR x > $2", ("b", "a"))


def statements() -> dict[str, str]:
    """Every whole statement that stands in a module of the repositories."""
    found: dict[str, str] = {}
    for one in pkgutil.walk_packages(repositories.__path__, f"{repositories.__name__}."):
        for name, value in vars(importlib.import_module(one.name)).items():
            if isinstance(value, str) and WHOLE.match(value) and not re.search(r"\{\w*\}", value):
                found[f"{one.name}.{name}"] = value
    return found


def test_a_server_understands_every_statement():
    server = postgres_server()
    from adapters.postgres.engine.connection import PostgresConnection, read_address
    from adapters.postgres.engine.migrate import bring_up

    connection = PostgresConnection(read_address(server.url(), SCHEMA))
    bring_up(connection, START)
    refused = []
    for number, (name, sql) in enumerate(statements().items()):
        try:
            connection.ask(f"PREPARE understood{number} AS {read_statement(sql, {}).sql}")
        except DatabaseFault as fault:
            refused.append(f"{name}: {fault}")
    connection.close()
    assert len(statements()) > 50 and not refused
