"""A database that was put back to yesterday stops the bot, says so, and offers a way on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.domain.health import Heartbeat
from bot.domain.ledger import Outcome
from bot.errors import DamagedDatabase, StoreError
from tests.adapters.postgres.opened import opened, settings_in
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, PostgresServer, postgres_server

SIGN = Heartbeat(instance="a", pid=1, started_at=START, at=START, version="1")
YESTERDAY = (
    f"DELETE FROM {SCHEMA}.stage WHERE inbound = 2", f"DELETE FROM {SCHEMA}.inbound WHERE id = 2",
    f"UPDATE {SCHEMA}.drawn SET seq = 1 WHERE name = 'inbound'",
)  # fmt: skip
BACK = r"went back: .* \(inbound 2 was stored, the last there is 1.*start one with: glassmind run --restored"


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    server = postgres_server()
    server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    yield server


async def test_a_start_notices_says_so_and_goes_on_when_it_is_meant(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path) as store:
        for number in "12":
            await store.ledger.arrive([v.arrival(number, number)], None)
        await store.beat(SIGN)
    server.run(*YESTERDAY)
    from adapters.postgres import create

    with pytest.raises(StoreError, match=BACK):
        await create(settings_in(tmp_path))
    store = await create(settings_in(tmp_path)._replace(restored=True))
    (one,) = await store.ledger.recent(v.KEY, 5)
    assert one.outcome is Outcome.INTERRUPTED and "restored from a copy" in one.outcome_reason
    await store.beat(SIGN)
    await store.close()
    async with opened(tmp_path) as store:
        assert await store.verify() == []


async def test_a_bot_that_runs_notices_when_it_connects_again(server: PostgresServer, tmp_path: Path):
    async with opened(tmp_path) as store:
        for number in "12":
            await store.ledger.arrive([v.arrival(number, number)], None)
        server.run(
            *YESTERDAY,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'",
        )
        for number in "33":
            with pytest.raises(DamagedDatabase, match="went back"):
                await store.ledger.arrive([v.arrival(number, number)], None)
        assert server.run(f"SELECT count(*) FROM {SCHEMA}.inbound") == [(1,)]


async def test_two_that_keep_the_mark_at_once_do_not_get_in_each_others_way(tmp_path: Path):
    """A sign of life, and the look at the lease, each from a thread of its own."""
    from adapters.postgres.engine.high_water import HighWater, keep_mark, read_mark

    marks = [HighWater(instance="a", numbers={"inbound": number}) for number in range(40)]
    await asyncio.gather(*(asyncio.to_thread(keep_mark, tmp_path, mark) for mark in marks))
    assert read_mark(tmp_path) in marks
    assert os.listdir(tmp_path) == ["server.json"]
