"""Several processes on one database, as tests open them."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress
from pathlib import Path

from bot.errors import StoreError
from bot.ports.leases import Lease, Leases
from tests.adapters.postgres.opened import settings_in
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.servers.postgres import SCHEMA, PostgresServer

AN_HOUR_LATER = f"UPDATE {SCHEMA}.lease_owner SET until = until - interval '1 hour' WHERE process = '{{}}'"


class Machines:
    """Processes with a directory each, on one database."""

    def __init__(self, server: PostgresServer, directory: Path, stack: AsyncExitStack) -> None:
        self.server = server
        self._directory = directory
        self._stack = stack

    async def leases(self, name: str, clock: FakeClock | None = None, url: str = "", *, joins: bool = False) -> Leases:
        from adapters.postgres import LeaseSettings, open_leases

        where = self.at(name) if joins else self._directory / name
        wanted = LeaseSettings(url or self.server.url(), SCHEMA, where, clock or FakeClock(), FakeEntropy(name), name)
        leases = await open_leases(wanted)
        self._stack.push_async_callback(leases.close)
        await leases.renew()
        return leases

    async def store(self, name: str, lease: Lease | None, url: str = ""):
        where = self.at(name)
        return await self.opened(settings_in(where, url or self.server.url())._replace(lease=lease))

    def at(self, name: str) -> Path:
        """Return the directory of a process, with the key that all need."""
        where = self._directory / name
        key = next(self._directory.glob("*/secret.key"), None)
        if key is not None and not where.exists():
            where.mkdir(mode=0o700)
            (where / key.name).write_bytes(key.read_bytes())
            (where / key.name).chmod(0o600)
        return where

    async def opened(self, settings):
        from adapters.postgres import create

        store = await create(settings)
        self._stack.push_async_callback(_closed, store)
        return store

    def sleeps(self, name: str) -> None:
        """Let an hour pass in which a process did nothing."""
        self.server.run(AN_HOUR_LATER.format(name))

    def stays(self, name: str) -> None:
        """Let a process have been heard from for an hour."""
        self.server.run(f"UPDATE {SCHEMA}.lease_owner SET since = since - interval '1 hour' WHERE process = '{name}'")

    async def worker(self, name: str, url: str = ""):
        """Return the leases of one of several, and its store."""
        leases = await self.leases(name, url=url, joins=True)
        self.stays(name)
        store = await self.store(name, await leases.join(), url)
        return leases, store


async def _closed(store) -> None:
    with suppress(StoreError):
        await store.close()
