"""Several processes share the channels of a bot: each has some, and whoever ends leaves them to the others."""

from __future__ import annotations

import re

import pytest

from bot.domain.finding import NewSession
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.ledger import Outcome, Settlement
from bot.errors import LeaseLost
from bot.ports.leases import HOUSE, WHOLE_BOT, Lease, gateway_lease, leased_channel
from bot.ports.relay import RelayedEvent
from tests.adapters.postgres.machines import Machines
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.servers.postgres import SCHEMA

ONE, TWO, THREE = (ChannelId(f"console:#{name}") for name in ("one", "two", "three"))


def named(leases: list[Lease]) -> list[tuple[ChannelId | None, int]]:
    return [(leased_channel(lease.name), lease.epoch) for lease in leases]


async def test_channels_are_shared_and_change_hands_with_a_new_epoch(machines: Machines):
    one, _ = await machines.worker("one")
    other, _ = await machines.worker("other")
    assert named(await one.take_channels([TWO, ONE, TWO, THREE], 2)) == [(TWO, 1), (ONE, 1)]
    assert named(await other.take_channels([ONE, TWO, THREE], 9)) == [(THREE, 1)]
    assert await one.take_channels([ONE, THREE], 9) == []
    await one.give_back_channels([TWO, THREE])  # the third is not its own
    await other.news(60)  # returns at once
    assert named(await other.take_channels([TWO, ONE], 9)) == [(TWO, 2)]
    assert [leased_channel(lease.name) for lease in await one.renew()] == [ONE, None]
    assert len(await other.renew()) == 3


async def test_the_whole_bot_and_shared_channels_shut_each_other_out(machines: Machines):
    worker, store = await machines.worker("worker")
    whole = await machines.leases("whole", joins=True)
    assert await whole.take(WHOLE_BOT) is None
    holder = await whole.holder(WHOLE_BOT)
    assert holder is not None and holder.process == "worker"
    assert await worker.take(HOUSE) is not None and await whole.holder(gateway_lease("discord")) is None
    await store.close()
    await worker.give_back()
    assert await whole.take(WHOLE_BOT) is not None
    late = await machines.leases("late", joins=True)
    assert (await late.join(), await late.take(HOUSE), await late.take_channels([ONE], 1)) == (None, None, [])
    holder = await late.holder(HOUSE)
    assert holder is not None and holder.process == "whole"


async def test_of_whom_nothing_is_heard_is_ended_once_somebody_takes_something_of_it(machines: Machines):
    asleep, its_store = await machines.worker("asleep")
    other, store = await machines.worker("other")
    await asleep.take(HOUSE)
    await asleep.take_channels([ONE, TWO], 9)
    machines.sleeps("asleep")
    # nobody wants anything of it: it goes on
    assert named(await other.take_channels([THREE], 1)) == [(THREE, 1)]
    await its_store.ledger.arrive([v.arrival(message_id="1")], None)
    assert len(await asleep.renew()) == 4
    machines.sleeps("asleep")
    (seen,) = [one for one in await other.processes() if one.process == "asleep"]
    assert (seen.is_over, seen.channels) == (False, 2)
    assert 3600 < seen.silent < 3700 and len(seen.leases) == 2
    has = await store.process_of(ONE)
    assert has is not None and has.process == "asleep" and 3_600_000 < has.silent_ms < 3_700_000 and not has.waiting
    assert named(await other.take_channels([TWO], 1)) == [(TWO, 2)]
    with pytest.raises(LeaseLost):
        await its_store.ledger.arrive([v.arrival(message_id="2")], None)
    for _ in range(2):
        with pytest.raises(LeaseLost):
            await asleep.renew()
    assert await asleep.take_channels([ONE], 1) == [] and await asleep.join() is None
    # what it had is free, all of it
    assert await store.process_of(ONE) is None and await other.take(HOUSE) is not None
    assert [(one.process, one.channels) for one in await other.processes()] == [("other", 2)]


async def test_the_first_that_is_back_after_an_outage_ends_nobody_who_is_as_well(machines: Machines):
    one, _ = await machines.worker("one")
    other, _ = await machines.worker("other")
    await one.take_channels([ONE], 1)
    machines.sleeps("one")
    machines.sleeps("other")
    await other.renew()
    assert list(await other.take_channels([ONE], 1)) == []
    assert len(await one.renew()) == 2
    machines.sleeps("one")
    machines.stays("other")  # and one that does not come back has no such luck
    assert named(await other.take_channels([ONE], 1)) == [(ONE, 2)]


async def test_what_waits_is_work_that_nobody_living_has_the_oldest_first(machines: Machines):
    dead, store = await machines.worker("dead")
    other, others_store = await machines.worker("other")
    await dead.take_channels([ONE, TWO, THREE], 9)
    (row,) = await store.ledger.arrive([v.arrival(message_id="1", channel=TWO)], None)
    assert row is not None
    await store.journal.begin_turn(v.turn_start(channel=ONE), [])
    await store.outbox.put([v.outgoing("late", to=v.address(THREE))], [], START + 5)
    await others_store.outbox.put([v.outgoing("mine", to=v.address(THREE))], [], START)
    assert list(await other.waiting(9)) == []
    machines.sleeps("dead")
    assert set(await other.waiting(9)) == {ONE, TWO, THREE} and len(await other.waiting(1)) == 1
    assert [chunk.body.text for chunk in await others_store.outbox.left([THREE])] == []  # it may only be late
    assert len(await other.take_channels([THREE, ONE], 9)) == 2
    assert [chunk.body.text for chunk in await others_store.outbox.left([THREE])] == ["late"]
    assert await others_store.outbox.left([ONE]) == [] and list(await other.waiting(9)) == [TWO]
    await others_store.ledger.settle([Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)])
    assert list(await other.waiting(9)) == []
    await others_store.relay.pass_on([RelayedEvent(TWO, "inbound", "{}", "2")], None)
    assert list(await other.waiting(9)) == [TWO]


async def test_work_is_of_the_chat_from_which_it_was_asked_for_and_of_the_place_it_lies_in(machines: Machines):
    _, store = await machines.worker("dead")
    other, _ = await machines.worker("other")
    private, topic = ChannelId("console:private"), ChannelId("telegram:1:7")
    talk = NewSession(
        platform="console",
        actor=UserId("1"),
        actor_name="root",
        agent=MAIN,
        target=ONE,
        dm_channel=private,
        dm_thread="",
        title="a talk",
        created_at=START,
    )
    session = (await store.sessions.open(talk)).id
    await store.journal.begin_turn(v.turn_start(channel=ONE, session=session), [])
    await store.ledger.arrive([v.arrival(channel=topic)], None)
    # what a living process runs is its own, whoever has the channel
    assert list(await other.waiting(9)) == [topic]
    assert len(await other.take_channels([ChannelId("telegram:1")], 1)) == 1
    machines.sleeps("dead")
    assert list(await other.waiting(9)) == [private]


async def test_who_takes_while_somebody_is_at_a_transaction_waits_for_its_end_or_takes_nothing(machines: Machines):
    from adapters.postgres.engine.connection import read_address
    from adapters.postgres.engine.sessions import FencedWriter

    one, _ = await machines.worker("one")
    other, _ = await machines.worker("other")
    await one.take_channels([ONE], 1)
    lease = next(lease for lease in await one.renew() if leased_channel(lease.name) is None)
    writer = FencedWriter(read_address(machines.server.url(), SCHEMA), lease)
    try:
        writer.run("BEGIN IMMEDIATE")
        machines.sleeps("one")
        assert list(await other.take_channels([ONE], 1)) == []
        writer.run("COMMIT")
        assert named(await other.take_channels([ONE], 1)) == [(ONE, 2)]
    finally:
        writer.close()


async def test_the_doctor_tells_which_process_does_what_and_who_is_missing(machines: Machines):
    one, store = await machines.worker("worker 1 on yard")
    await machines.worker("worker 2 on yard")
    ears, _ = await machines.worker("gateway 3 on yard")

    async def said() -> ProbeResult:
        return next(probe for probe in await store.probe() if probe.name == "store processes")

    assert (await said()).fix == "Nobody listens. Start one that does: glassmind run --role gateway."
    await ears.take(gateway_lease("telegram"))
    await one.take(HOUSE)
    await one.take_channels([ONE], 1)
    assert await said() == ProbeResult(
        name="store processes",
        state="ok",
        evidence="3 processes share the channels: gateway 3 on yard listens on telegram, "
        "worker 1 on yard has 1 channel and keeps house, worker 2 on yard has 0 channels",
    )
    # who only looks has nothing, and is named beside them as long as it is there
    await machines.leases("looker 4 on lawn", joins=True)
    assert (await said()).state == "ok" and (await said()).evidence.endswith("; looking on: looker 4 on lawn")
    machines.sleeps("looker 4 on lawn")
    assert "looker" not in (await said()).evidence
    machines.sleeps("worker 2 on yard")
    assert re.search(r"worker 2 on yard \(not heard from for 36\d\d s\) has 0 channels", (await said()).evidence)
