"""Opening stores on the server in tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.clock import FakeClock, FakeEntropy
from tests.servers.postgres import SCHEMA, postgres_server


def settings_in(directory: Path, url: str = "", clock: FakeClock | None = None):
    from adapters.postgres import PostgresSettings

    url = url or postgres_server().url()
    return PostgresSettings(url, directory, clock or FakeClock(), FakeEntropy(), SCHEMA)


@asynccontextmanager
async def opened(directory: Path, url: str = "", clock: FakeClock | None = None) -> AsyncIterator:
    from adapters.postgres import create

    store = await create(settings_in(directory, url, clock))
    try:
        yield store
    finally:
        await store.close()
