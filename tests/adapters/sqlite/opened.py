"""Opening stores in tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.ports.traces import NO_WATCHERS, RecordWatchers
from tests.fakes.clock import FakeClock, FakeEntropy


@asynccontextmanager
async def opened(
    directory: Path,
    *,
    low_water: int = 0,
    ballast: int = 0,
    clock: FakeClock | None = None,
    fresh: bool = False,
    watchers: RecordWatchers = NO_WATCHERS,
) -> AsyncIterator[SqliteStore]:
    settings = StoreSettings(directory, clock or FakeClock(), FakeEntropy(), low_water, ballast, fresh, watchers)
    store = await create(settings)
    try:
        yield store
    finally:
        await store.close()
