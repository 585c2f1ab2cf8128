"""The stores that hold the contract: each is opened in a data directory, and again in the same one."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

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
    if kind == "shared":
        return await open_taking_turns(directory)
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


async def open_taking_turns(directory: Path) -> Store:
    """Open two stores of two processes on one database, as one whose calls are theirs in turn."""
    from adapters.postgres import LeaseSettings, PostgresSettings, open_leases
    from adapters.postgres import create as open_postgres

    server, clock = postgres_server(), FakeClock()
    was_there = await asyncio.to_thread(directory.exists)
    url = server.url() if was_there else server.emptied()
    stores, leases = [], []
    for name in ("one", "other"):
        where = directory / name
        if name == "other" and not was_there:
            await asyncio.to_thread(_share_key, directory / "one", where)
        who = FakeEntropy(f"{name} {'again' if was_there else ''}")
        taken = await open_leases(LeaseSettings(url, SCHEMA, where, clock, who, name))
        await taken.renew()
        lease = await taken.join()
        leases.append(taken)
        stores.append(await open_postgres(PostgresSettings(url, where, clock, FakeEntropy(name), lease=lease)))
    return cast(Store, TakingTurns(stores, leases))


def _share_key(made: Path, also: Path) -> None:
    also.mkdir(mode=0o700, parents=True)
    (also / "secret.key").write_bytes((made / "secret.key").read_bytes())
    (also / "secret.key").chmod(0o600)


class TakingTurns:
    """Several stores as one: whatever is asked of a part of it is asked of the next one's."""

    def __init__(self, stores: Sequence[Any], leases: Sequence[Any]) -> None:
        self.stores = stores
        self._leases = leases
        self._calls = 0

    async def close(self) -> None:
        for store, leases in zip(self.stores, self._leases, strict=True):
            await store.close()
            await leases.give_back()
            await leases.close()

    def __getattr__(self, name: str) -> Any:
        if name in _PARTS:
            return _Part(self, name)
        return getattr(self.next_one(), name)

    def next_one(self) -> Any:
        self._calls += 1
        return self.stores[self._calls % len(self.stores)]


_PARTS = frozenset(name for name in Store.__annotations__ if name not in {"secret_key", "instance", "relay"})


class _Part(NamedTuple):
    of: TakingTurns
    name: str

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(self.of.next_one(), self.name), name)
