"""What a database can do to processes that share it: it goes back to yesterday, takes nothing, or tells a password."""

from __future__ import annotations

from contextlib import suppress

import pytest
import structlog

from bot.errors import LeaseLost, StoreError
from bot.ports.leases import WHOLE_BOT
from bot.ports.relay import RelayedEvent
from tests.adapters.postgres.machines import Machines
from tests.adapters.postgres.opened import settings_in
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.servers.postgres import SCHEMA
from tests.servers.postgres_proxy import a_proxy

YESTERDAY = (
    f"DELETE FROM {SCHEMA}.stage WHERE inbound = 2", f"DELETE FROM {SCHEMA}.inbound WHERE id = 2",
    f"UPDATE {SCHEMA}.drawn SET seq = 1 WHERE name = 'inbound'",
)  # fmt: skip
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'glassmind'"
CANARY = "canary-pass"


async def test_a_database_of_yesterday_stops_every_worker_and_all_go_on_once_one_was_told_that_it_is_meant(
    machines: Machines,
):
    clock = FakeClock()
    (one, first), (_, second) = await machines.worker("one"), await machines.worker("two")
    third = await machines.leases("three", clock, joins=True)
    for number, store in (("1", first), ("2", second)):
        await store.ledger.arrive([v.arrival(message_id=number)], None)
    await first.relay.pass_on([], None)  # whatever it stores, it sees how far the others are
    clock.advance(60)
    await third.renew()
    machines.server.run(*YESTERDAY, CUT)
    for store in (first, second):
        with pytest.raises(StoreError, match=r"went back: .* \(inbound 2 was stored, the last there is 1"):
            await store.ledger.arrive([v.arrival(message_id="3")], None)
    for leases in (one, third):
        with suppress(StoreError):  # its session was cut as well
            await leases.renew()
        await leases.renew()
    lease = await third.join()
    with pytest.raises(StoreError, match="went back"):
        await machines.store("three", lease)
    for stopped in (one, third):
        await stopped.give_back()
    machines.sleeps("two")
    alone = await machines.leases("again", joins=True)
    whole = await alone.take(WHOLE_BOT)
    store = await machines.opened(settings_in(machines.at("three"))._replace(lease=whole, restored=True))
    assert await store.ledger.arrive([v.arrival(message_id="3")], None) == [2]
    with pytest.raises((LeaseLost, StoreError)):
        await second.ledger.arrive([v.arrival(message_id="4")], None)
    await store.close()
    await alone.give_back()
    for name in ("four", "five"):
        leases = await machines.leases(name, joins=True)
        going_on = await machines.store(name, await leases.join())
        assert await going_on.verify() == []


async def test_a_worker_on_a_database_that_may_only_be_read_is_told_so(machines: Machines):
    await machines.worker("one")
    url = f"{machines.server.url()}&options=-c%20default_transaction_read_only%3Don"
    with pytest.raises(StoreError, match=r"is a read-only replica\. Name the primary in store\.url"):
        await machines.leases("two", url=url, joins=True)


async def test_whatever_fails_a_worker_says_no_password(machines: Machines):
    said: list[object] = []
    async with a_proxy(machines.server) as proxy:
        with structlog.testing.capture_logs() as logs:
            leases, store = await machines.worker("one", f"{proxy.url}&password={CANARY}")
            await leases.take_channels([v.KEY.channel], 1)
            await store.relay.pass_on([RelayedEvent(v.KEY.channel, "heard", "{}")], None)
            store.outages.patience = 0
            await proxy.go_away()
            for asking in (leases.renew, leases.processes, lambda: store.relay.events(None, 9), store.relay.close):
                try:
                    said.append(await asking())
                except StoreError as error:
                    said.append(repr(error))
            said += [repr(leases), repr(store), *await store.probe()]
            await proxy.come()
        assert any("is gone" in str(one) or "does not answer" in str(one) for one in said)
        assert CANARY not in repr((said, logs))
