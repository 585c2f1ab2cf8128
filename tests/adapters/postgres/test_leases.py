"""Several processes on one database: one is at work by its lease, and whoever has lost it changes nothing any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.app.lease_keeper import LeaseKeeper
from bot.domain.ledger import Outcome, Settlement
from bot.errors import LeaseLost, StoreError
from bot.ports.leases import WHOLE_BOT, Lease
from tests.adapters.postgres.machines import Machines
from tests.adapters.postgres.opened import settings_in
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import SCHEMA
from tests.servers.postgres_proxy import CutsCommit, a_proxy


def epoch_of(lease: Lease | None) -> int:
    assert lease is not None
    return lease.epoch


async def test_one_is_at_work_and_the_other_stands_by(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    lease = await one.take(WHOLE_BOT)
    assert lease is not None and lease.epoch == 1
    assert await other.take(WHOLE_BOT) is None
    holder = await other.holder(WHOLE_BOT)
    assert holder is not None and holder.process == "one" and 4 < holder.seconds <= one.seconds == 5
    assert (await one.renew(), await other.renew()) == ([lease], [])
    # nor does it take twice what it has
    assert await one.take(WHOLE_BOT) is None


async def test_who_gives_it_back_wakes_who_stands_by(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    await one.take(WHOLE_BOT)
    await one.give_back()
    await other.news(60)  # returns at once
    assert epoch_of(await other.take(WHOLE_BOT)) == 2
    # it has said that it ends, and does not come back
    with pytest.raises(LeaseLost):
        await one.renew()


async def test_who_slept_finds_it_gone_and_who_was_not_missed_goes_on(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    lease = await one.take(WHOLE_BOT)
    machines.sleeps("one")
    assert await one.renew() == [lease]  # nobody wanted it meanwhile
    assert await other.take(WHOLE_BOT) is None
    machines.sleeps("one")
    assert epoch_of(await other.take(WHOLE_BOT)) == 2
    for _ in range(2):
        with pytest.raises(LeaseLost):
            await one.renew()
    # who has slept itself takes nothing before it is known to live
    third = await machines.leases("third")
    machines.sleeps("other")
    machines.sleeps("third")
    assert await third.take(WHOLE_BOT) is None


async def test_of_leases_of_many_names_each_has_its_own_epoch(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    await one.take("a")
    await other.take("b")
    await one.give_back()
    await other.take("a")
    assert [(one.name, one.epoch) for one in await other.renew()] == [("a", 2), ("b", 1)]


async def test_no_machine_is_asked_what_time_it_is(machines: Machines):
    one = await machines.leases("one")
    other = await machines.leases("other", FakeClock(START + 86_400_000))
    await one.take(WHOLE_BOT)
    assert await other.take(WHOLE_BOT) is None


async def test_what_a_process_does_that_has_lost_its_lease_is_stored_nowhere(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    old = await machines.store("one", await one.take(WHOLE_BOT))
    (first,) = await old.ledger.arrive([v.arrival(message_id="1")], None)
    machines.sleeps("one")
    new = await machines.store("other", await other.take(WHOLE_BOT))
    (second,) = await new.ledger.arrive([v.arrival(message_id="2")], None)
    with pytest.raises(LeaseLost, match="Another process has taken over"):
        await old.ledger.arrive([v.arrival(message_id="3")], None)
    with pytest.raises(LeaseLost):
        await old.outbox.put([v.outgoing()], [], START)
    # it may look, and sees what the other one has done; nothing else is there
    assert [one.id for one in await old.ledger.unsettled()] == [first, second]
    assert not await new.outbox.pending() and await new.verify() == []
    rows = {probe.name: probe.evidence for probe in await new.probe()}
    assert rows["store processes"] == "other at work; standing by: none"


async def test_epochs_that_come_again_in_a_database_of_yesterday_are_nobodys(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    store = await machines.store("one", await one.take(WHOLE_BOT))
    machines.server.run(f"UPDATE {SCHEMA}.lease SET epoch = 0, owner = ''")
    assert epoch_of(await other.take(WHOLE_BOT)) == 1
    with pytest.raises(LeaseLost):
        await store.ledger.arrive([v.arrival()], None)


@contextmanager
def in_a_transaction(machines: Machines, lease: Lease | None) -> Iterator[Any]:
    """Give the writer of whoever has a lease, in the middle of a transaction."""
    from adapters.postgres.engine.connection import read_address
    from adapters.postgres.engine.sessions import FencedWriter

    assert lease is not None
    writer = FencedWriter(read_address(machines.server.url(), SCHEMA), lease)
    try:
        writer.run("BEGIN IMMEDIATE")
        yield writer
    finally:
        writer.close()


async def test_nobody_takes_over_in_the_middle_of_a_transaction(machines: Machines):
    one, other = await machines.leases("one"), await machines.leases("other")
    with in_a_transaction(machines, await one.take(WHOLE_BOT)) as writer:
        # the server ends it itself where nothing comes any more, and sooner than a lease
        assert writer.ask("SHOW idle_in_transaction_session_timeout").fetchall() == [("500ms",)]
        machines.sleeps("one")
        assert await other.take(WHOLE_BOT) is None
        machines.server.run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state LIKE 'idle in%'")
        assert epoch_of(await other.take(WHOLE_BOT)) == 2


async def test_who_stands_still_halfway_through_what_it_sends_holds_nobody_up(machines: Machines):
    """The server does not count that as idle: it waits for the rest, for ever."""
    one, other = await machines.leases("one"), await machines.leases("other")
    with in_a_transaction(machines, await one.take(WHOLE_BOT)) as writer:
        writer.run("SELECT 1")
        writer._raw.pgconn.flush()  # a page of it is on its way, and here the process stops
        machines.sleeps("one")
        taken = None
        for _ in range(10):
            await other.renew()
            taken = taken or await other.take(WHOLE_BOT)
        assert epoch_of(taken) == 2
        with pytest.raises(DatabaseFault, match="terminating connection"):
            writer.ask("SELECT 1")


async def test_those_that_have_leases_and_one_that_is_to_be_alone_shut_each_other_out(machines: Machines):
    one = await machines.leases("one")
    lease = await one.take(WHOLE_BOT)
    store = await machines.store("one", lease)
    with pytest.raises(StoreError, match="in use by another process"):
        await machines.store("alone", None)
    await store.close()
    with pytest.raises(StoreError, match="in use by another process"):
        await machines.store("alone", None)  # it may just be about to begin
    await one.give_back()
    await machines.store("alone", None)
    with pytest.raises(StoreError, match="in use by another process"):
        await machines.store("one", lease)


async def test_who_could_not_go_on_with_the_database_is_told_so_before_it_has_to(machines: Machines, tmp_path: Path):
    one = await machines.leases("one")
    await machines.store("one", await one.take(WHOLE_BOT))
    with pytest.raises(StoreError, match=r"There is no secret\.key in .*Copy it from the machine that made it"):
        await machines.leases("other")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.key").write_bytes(b"another".ljust(32))
    with pytest.raises(StoreError, match="is not the key of the database"):
        await machines.leases("other")


async def test_settings_do_not_show_the_address(tmp_path: Path):
    from adapters.postgres import LeaseSettings

    wanted = LeaseSettings("postgresql://bot:canary@db/talk", SCHEMA, tmp_path, FakeClock(), FakeEntropy(), "one")
    assert "canary" not in f"{wanted} {wanted!r}"


async def test_a_session_that_was_cut_is_begun_again(machines: Machines):
    one = await machines.leases("one")
    lease = await one.take(WHOLE_BOT)
    machines.server.run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'glassmind'"
    )
    with suppress(StoreError):
        await one.renew()
    assert await one.renew() == [lease]


async def test_who_gets_a_lease_and_not_the_answer_has_it(machines: Machines):
    async with a_proxy(machines.server) as proxy:
        one = await machines.leases("one", url=proxy.url)
        row = b"bot".join((b"\0\0\0\x03", b""))  # its name, behind its length
        proxy.cut = lambda passed: passed.by_server and passed.kind == b"D" and row in passed.body
        with pytest.raises(StoreError):
            await one.take(WHOLE_BOT)
        proxy.cut = lambda _: False
        keeper = LeaseKeeper(one, FakeClock(auto=False))
        assert epoch_of(await keeper.take(asyncio.Event())) == 1
        await keeper.give_back()


@pytest.mark.parametrize(("arrives", "writes"), [(True, False), (True, True), (False, False)])
async def test_who_is_overtaken_while_a_commit_is_asked_about_knows_of_it_and_stores_nothing_more(
    machines: Machines, arrives: bool, writes: bool
):
    other = await machines.leases("other")
    async with a_proxy(machines.server) as proxy:
        one = await machines.leases("one")
        proxy.cut = sent = CutsCommit()
        old = await machines.store("one", await one.take(WHOLE_BOT), proxy.url)
        await old.ledger.arrive([v.arrival(message_id="1")], None)
        sent.is_armed = True
        # and from then on nobody comes through
        proxy.cut = lambda passed: bool(proxy.cuts) or (passed.says_committed if arrives else sent(passed))
        asked = asyncio.gather(old.ledger.arrive([v.arrival(message_id="2")], None), return_exceptions=True)
        while not proxy.cuts:  # noqa: ASYNC110 - a thread waits for the server
            await asyncio.sleep(0.001)
        machines.sleeps("one")
        while (lease := await other.take(WHOLE_BOT)) is None:
            await other.news(0.01)  # the server has not heard yet that nobody waits for the transaction any more
        new = await machines.store("other", lease)
        if writes:
            await new.ledger.settle([Settlement(inbound=1, at=START, outcome=Outcome.REPLIED)])
        proxy.cut = lambda _: False
        (became,) = await asked
        if arrives:
            # it was stored when nobody else was at work, and whoever is now has seen it
            assert became == [2]
        else:
            assert isinstance(became, LeaseLost)
        stored = [stored.inbound.message_id for stored in await new.ledger.recent(v.KEY, 9)]
        assert sorted(stored) == (["1", "2"] if arrives else ["1"])
        with pytest.raises(LeaseLost):
            await old.ledger.arrive([v.arrival(message_id="3")], None)
        assert await new.verify() == []


async def test_an_outage_that_is_longer_than_a_lease_ends_nobody_who_was_not_missed(machines: Machines):
    async with a_proxy(machines.server) as proxy:
        one = await machines.leases("one", url=proxy.url)
        lease = await one.take(WHOLE_BOT)
        store = await machines.store("one", lease, proxy.url)
        await proxy.go_away()
        with pytest.raises(StoreError):
            await one.renew()
        waits = asyncio.gather(store.ledger.arrive([v.arrival()], None))
        while not store.outages.is_away:  # noqa: ASYNC110 - a thread waits for the server
            await asyncio.sleep(0.001)
        machines.sleeps("one")
        await proxy.come()
        assert await waits == [[1]] and await one.renew() == [lease]


async def test_through_a_pooler_one_is_at_work_and_who_has_slept_changes_nothing(machines: Machines):
    pooled = pooled_url()
    one, other = await machines.leases("one", url=pooled), await machines.leases("other", url=pooled)
    old = await machines.store("one", await one.take(WHOLE_BOT), pooled)
    assert await old.ledger.arrive([v.arrival(message_id="1")], None) == [1]
    assert await other.take(WHOLE_BOT) is None
    for url in (pooled, machines.server.url()):
        with pytest.raises(StoreError, match="in use by another process"):
            await machines.store("alone", None, url)
    await other.news(0.01)  # nobody is told of anything there
    machines.sleeps("one")
    new = await machines.store("other", await other.take(WHOLE_BOT), pooled)
    with pytest.raises(LeaseLost):
        await old.ledger.arrive([v.arrival(message_id="2")], None)
    assert await new.ledger.arrive([v.arrival(message_id="2")], None) == [2]
    with pytest.raises(LeaseLost):
        await one.renew()
    assert await new.verify() == []


async def test_who_slept_behind_a_pooler_does_not_go_on_beside_one_that_is_alone(machines: Machines):
    pooled = pooled_url()
    one = await machines.leases("one", url=pooled)
    slept = await machines.store("one", await one.take(WHOLE_BOT), pooled)
    machines.sleeps("one")
    await machines.store("alone", None)
    with pytest.raises(LeaseLost):
        await slept.ledger.arrive([v.arrival()], None)
    with pytest.raises(StoreError, match="in use by another process"):
        await machines.store("late", await one.take(WHOLE_BOT), pooled)


async def test_who_stands_by_knows_how_far_the_database_was_when_it_goes_back(machines: Machines):
    clock = FakeClock()
    one = await machines.leases("one")
    store = await machines.store("one", await one.take(WHOLE_BOT))
    machines.at("other")
    other = await machines.leases("other", clock)
    for number in "12":
        await store.ledger.arrive([v.arrival(message_id=number)], None)
    clock.advance(60)
    await other.renew()
    machines.server.run(
        f"DELETE FROM {SCHEMA}.stage WHERE inbound = 2", f"DELETE FROM {SCHEMA}.inbound WHERE id = 2",
        f"UPDATE {SCHEMA}.drawn SET seq = 1 WHERE name = 'inbound'",
    )  # fmt: skip
    machines.sleeps("one")
    clock.advance(60)
    await other.renew()  # what it has seen is not forgotten
    lease = await other.take(WHOLE_BOT)
    with pytest.raises(StoreError, match=r"went back: .* \(inbound 2 was stored, the last there is 1"):
        await machines.store("other", lease)
    settings = settings_in(machines.at("other"))._replace(lease=lease, restored=True)
    await machines.opened(settings)
    # it goes on, and nobody else in the one that was
    with pytest.raises(LeaseLost):
        await store.ledger.arrive([v.arrival(message_id="3")], None)
