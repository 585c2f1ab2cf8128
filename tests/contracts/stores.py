"""The stores that hold the contract: each is opened in a data directory, and again in the same one."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from bot.ports.store import Store
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import SCHEMA, postgres_server

STORES = ("sqlite", "postgres")


async def open_store_of(kind: str, directory: Path) -> Store:
    """Open what is there, or what is there for the first time."""
    clock, entropy = FakeClock(), FakeEntropy()
    if kind == "sqlite":
        return await open_sqlite(StoreSettings(directory, clock, entropy, low_water=0, ballast=0))
    server = postgres_server()
    from adapters.postgres import PostgresSettings
    from adapters.postgres import create as open_postgres

    was_there = await asyncio.to_thread(directory.exists)
    url = server.url() if was_there else server.emptied()
    if kind == "pooled":
        url = pooled_url()
    return await open_postgres(PostgresSettings(url, directory, clock, entropy))


def run_behind(kind: str, directory: Path, sql: str) -> None:
    """Do what another program might do to the database of a store that is open."""
    if kind == "sqlite":
        with sqlite3.connect(directory / "glassmind.db") as connection:
            connection.execute(sql)
    else:
        postgres_server().run(f"SET search_path = {SCHEMA}", sql)
