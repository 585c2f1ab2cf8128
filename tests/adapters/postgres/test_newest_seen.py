"""A database that was put back to yesterday is noticed by every machine that has seen today."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.health import Heartbeat
from bot.errors import StoreError
from tests.adapters.postgres.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, postgres_server

SIGN = Heartbeat(instance="a", pid=1, started_at=START, at=START, version="1")


async def test_nobody_goes_on_from_yesterday_without_a_word(tmp_path: Path):
    server = postgres_server()
    url = server.emptied()
    async with opened(tmp_path, url) as store:
        await store.ledger.arrive([v.arrival(message_id="1")], None)
        server.run("DROP SCHEMA IF EXISTS yesterday CASCADE", "CREATE SCHEMA yesterday",
                   f"CREATE TABLE yesterday.drawn AS SELECT * FROM {SCHEMA}.drawn")  # fmt: skip
        await store.ledger.arrive([v.arrival(message_id="2"), v.arrival(message_id="3")], None)
        await store.beat(SIGN)
    async with opened(tmp_path, url):
        pass  # it is as it was left
    server.run(f"UPDATE {SCHEMA}.drawn SET seq = was.seq FROM yesterday.drawn was WHERE was.name = drawn.name",
               "DROP SCHEMA yesterday CASCADE")  # fmt: skip
    with pytest.raises(StoreError) as caught:
        async with opened(tmp_path, url):
            pass
    seen = tmp_path / "newest_seen"
    assert str(caught.value) == (
        f"The database postgres at {server.home} was put back to an earlier state: this machine has seen 2 records "
        "that it does not hold. Nothing was changed. What came after it may be answered once more. To go on all the "
        f"same, remove {seen} on every machine; else restore a newer backup of the server."
    )
    seen.unlink()
    async with opened(tmp_path, url) as store:
        assert await store.ledger.arrive([v.arrival(message_id="4")], None)


async def test_another_database_is_no_earlier_state(tmp_path: Path):
    url = postgres_server().emptied()
    async with opened(tmp_path, url):
        (tmp_path / "newest_seen").write_text("zz 999")
    async with opened(tmp_path, url) as store:
        await store.beat(SIGN)
        assert (tmp_path / "newest_seen").read_text() == f"{store.instance} 0"
