"""A newer program and an older one on one database, for as long as it takes to start all processes anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.errors import StoreError
from tests.adapters.postgres.machines import Machines
from tests.adapters.postgres.test_several_writers import Talk
from tests.contracts.test_store import is_sound
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA, PostgresServer

ADDS = "ALTER TABLE outbox ADD COLUMN mood text NOT NULL DEFAULT 'calm'; CREATE TABLE mood (name text PRIMARY KEY)"
TAKES_AWAY = "ALTER TABLE outbox RENAME COLUMN text TO words"
OLD = 4
"""The newest step that the older program knows: it is this one."""


@pytest.fixture
def database(machines: Machines) -> Iterator[PostgresServer]:
    yield machines.server
    machines.server.run(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")


def newer_starts(server: PostgresServer, sql: str) -> int:
    """Let a program start that knows one more step; return how many it ran."""
    from adapters.postgres.engine.connection import PostgresConnection, read_address
    from adapters.postgres.engine.migrate import bring_up, steps

    assert max(steps()) == OLD
    connection = PostgresConnection(read_address(server.url(), SCHEMA), settings={"glassmind.seals": "on"})
    try:
        return bring_up(connection, START, known={**steps(), OLD + 1: sql})
    finally:
        connection.close()


def talk(store: Any, name: str) -> Talk:
    return Talk(store, ChannelKey(MAIN, ChannelId(f"console:#{name}")))


async def test_an_older_process_goes_on_and_starts_again_beside_a_newer_one(
    database: PostgresServer, machines: Machines
):
    chance = random.Random(1)
    (_, first), (leases, second) = await machines.worker("one"), await machines.worker("two")
    talks = [talk(first, "one"), talk(second, "two")]
    for one in talks:
        await one.goes_on(chance)

    assert newer_starts(database, f"-- oldest: {OLD}\n{ADDS}") == 1
    assert newer_starts(database, f"-- oldest: {OLD}\n{ADDS}") == 0
    for one in talks:
        await one.goes_on(chance)
    # the newer one uses what is new; rows of the older ones have what it says about them
    assert database.run(f"SELECT DISTINCT mood FROM {SCHEMA}.outbox") == [("calm",)]

    # one of the older ones is started again, as after a crash in the middle of it
    await second.close()
    await leases.give_back()
    _, again = await machines.worker("two again")
    talks[1].store = again
    for one in talks:
        await one.goes_on(chance)
        await one.holds(again)
        await is_sound(one.store)
    (schema,) = [one for one in await again.probe() if one.name == "store schema"]
    assert schema.state == "ok" and schema.evidence.endswith(
        f"version {OLD + 1}: a newer program made it, which this one, of {OLD}, can go on with"
    )


async def test_a_step_does_not_hold_up_those_who_work_while_somebody_reads_for_long(
    database: PostgresServer, machines: Machines
):
    import psycopg

    _, store = await machines.worker("one")
    with psycopg.connect(database.url()) as reads:
        reads.execute(f"SELECT * FROM {SCHEMA}.outbox")
        with pytest.raises(
            StoreError, match=rf"Step {OLD + 1} of the schema failed, nothing was changed: .* lock timeout"
        ):
            newer_starts(database, f"-- oldest: {OLD}\n{ADDS}")
        await talk(store, "one").goes_on(random.Random(1))
    assert newer_starts(database, f"-- oldest: {OLD}\n{ADDS}") == 1


async def test_what_an_older_process_cannot_go_on_with_waits_until_it_has_ended(
    database: PostgresServer, machines: Machines
):
    leases, store = await machines.worker("one")
    with pytest.raises(
        StoreError, match=rf"Older processes are at work .* from {OLD} to {OLD + 1}, .* Stop all of them first\.$"
    ):
        newer_starts(database, TAKES_AWAY)
    await talk(store, "one").goes_on(random.Random(1))
    await store.close()
    await leases.give_back()
    assert newer_starts(database, TAKES_AWAY) == 1
    with pytest.raises(
        StoreError, match=rf"has schema {OLD + 1}, this program knows {OLD}\. Install the newer Glassmind again"
    ):
        await machines.worker("two")
