"""What one process hears and another one handles: in order, once, and only by whoever has the channel."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.ledger import StreamCursor
from bot.errors import LeaseLost, StoreError
from bot.ports.leases import gateway_lease
from bot.ports.relay import RelayedEvent
from tests.adapters.postgres.machines import Machines
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import SCHEMA

ANN = PersonKey("discord", UserId("7"))
HERE, THERE = ChannelId("discord:1:1"), ChannelId("discord:1:2")


def heard(number: int, channel: ChannelId = HERE) -> RelayedEvent:
    return RelayedEvent(channel, "inbound", f'{{"said": {number}}}', f"{channel} {number}")


@pytest.fixture(params=["direct", "pooled"])
def url(request: pytest.FixtureRequest, machines: Machines) -> str:
    return pooled_url() if request.param == "pooled" else machines.server.url()


async def gateway_of(machines: Machines, url: str):
    leases = await machines.leases("gateway", url=url, joins=True)
    return leases, await machines.store("gateway", await leases.take(gateway_lease("discord")), url)


async def test_what_is_relayed_comes_in_order_to_whoever_has_the_channel_and_once(machines: Machines, url: str):
    _, gateway = await gateway_of(machines, url)
    _, worker = await machines.worker("worker", url)
    relay, cursor = gateway.relay, StreamCursor(adapter="discord", stream="gateway", value="7")
    await relay.pass_on([heard(1), heard(1, THERE), heard(2)], cursor)
    await relay.pass_on([heard(2), heard(3), RelayedEvent(HERE, "order", "{}")], None)  # it hands out one twice
    await relay.pass_on([RelayedEvent(HERE, "order", "{}")], None)
    assert await worker.ledger.cursor("discord", "gateway") == "7"
    page = await worker.relay.events([HERE], 9)
    bodies = [stored.event.body for stored in page.events]
    assert bodies == ['{"said": 1}', '{"said": 2}', '{"said": 3}', "{}", "{}"]
    first, second, *rest = (stored.number for stored in page.events)
    assert [one.number for one in (await worker.relay.events([HERE], 2, [first])).events] == [second, rest[0]]
    assert [one.event.channel for one in (await worker.relay.events(None, 2)).events] == [HERE, THERE]
    await worker.relay.done([first, second])
    assert [one.number for one in (await worker.relay.events([HERE], 9)).events] == rest
    assert not (await worker.relay.events([], 9)).events
    waits = await worker.process_of(HERE)
    assert waits is not None and (waits.process, waits.waiting) == ("", len(rest))
    assert await worker.process_of(ChannelId("discord:1:3")) is None


async def test_who_has_thousands_of_channels_is_told_of_those_with_something(machines: Machines, url: str):
    _, gateway = await gateway_of(machines, url)
    leases, worker = await machines.worker("worker", url)
    many = [ChannelId(f"console:#{number}") for number in range(2500)]
    assert not (await worker.relay.events(many, 9)).events and not await worker.relay.questions(many)
    await gateway.relay.pass_on([heard(1, many[7]), heard(2, THERE), heard(3, many[7]), heard(4, many[2000])], None)
    found = (await worker.relay.events(many, 9)).events
    assert [one.event for one in found] == [heard(1, many[7]), heard(3, many[7]), heard(4, many[2000])]
    asked = asyncio.gather(gateway.relay.ask(many[1], "pressed", 5))
    while not (questions := await worker.relay.questions(many)):
        await leases.news(0.01)
    assert [one.channel for one in questions] == [many[1]]
    assert await worker.relay.answer(questions[0].number, "done") and await asked == ["done"]


async def test_news_is_what_came_since_the_last_look(machines: Machines, url: str):
    _, gateway = await gateway_of(machines, url)
    _, worker = await machines.worker("worker", url)
    for number in range(3):
        page = await worker.relay.events([HERE], 9)
        assert len(page.events) == number
        comes = asyncio.gather(worker.relay.news(60), gateway.relay.pass_on([heard(number)], None))
        while len((await worker.relay.events([HERE], 9)).events) == number:
            await worker.relay.news(60)
        await comes


async def test_a_question_is_answered_by_another_process_or_by_nobody(machines: Machines, url: str):
    _, gateway = await gateway_of(machines, url)
    leases, worker = await machines.worker("worker", url)
    asked = asyncio.gather(gateway.relay.ask(HERE, "pressed", 30))
    while not (questions := await worker.relay.questions([HERE])):
        await worker.relay.news(1)
    assert list(await leases.waiting(9)) == [HERE]
    assert await worker.relay.questions([THERE]) == [] and len(await worker.relay.questions(None)) == 1
    assert await worker.relay.answer(questions[0].number, "done")
    assert await asked == ["done"]
    assert not await worker.relay.answer(questions[0].number, "done again")
    assert await gateway.relay.ask(HERE, "pressed", 0.01) is None and not await leases.waiting(9)


async def test_who_was_ended_relays_nothing_and_takes_nothing_away(machines: Machines, url: str):
    from adapters.postgres import copy_to_file

    leases, gateway = await gateway_of(machines, url)
    await gateway.relay.pass_on([heard(1)], None)
    await leases.give_back()
    for late in (gateway.relay.pass_on([heard(2)], None), gateway.relay.done([1])):
        with pytest.raises(LeaseLost):
            await late
    await gateway.close()
    # nor is it left behind where the bot moves away from this database
    with pytest.raises(StoreError, match="Nothing was copied: 1 of the messages that came in was not taken up"):
        await asyncio.to_thread(copy_to_file, url, SCHEMA, machines.at("gateway"), machines.at("file"))
    _, worker = await machines.worker("worker", url)
    assert len((await worker.relay.events(None, 9)).events) == 1


async def test_the_number_of_what_all_keep_in_memory_rises_with_what_changes_it(machines: Machines, url: str):
    _, one = await machines.worker("one", url)
    _, other = await machines.worker("other", url)
    numbers = [(await other.relay.events([], 1)).settings]

    async def rises() -> bool:
        numbers.append((await other.relay.events([], 1)).settings)
        return numbers[-1] > numbers[-2]

    await one.ledger.arrive([v.arrival()], None)
    assert not await rises()
    await one.opt_outs.opt_out(ANN, START)
    assert await rises()
    await one.zones.choose(ANN, "Europe/Vienna")
    assert await rises()
