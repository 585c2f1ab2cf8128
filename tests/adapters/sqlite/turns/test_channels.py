"""Channels that another agent gets."""

from __future__ import annotations

from pathlib import Path

from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.fakes.values import settings

HERE, THERE = ChannelId("console:#here"), ChannelId("console:#there")
HELPER = AgentId("helper")


async def opened(path: Path):
    return await open_sqlite(StoreSettings(path, FakeClock(), FakeEntropy(), low_water=0, ballast=0))


def owner(agent: AgentId, *channels: ChannelId):
    return lambda channel, place: agent if channel in channels else MAIN


async def test_a_bot_that_always_had_one_agent_is_not_looked_at(tmp_path):
    store = await opened(tmp_path)
    await store.channels.meet(ChannelKey(MAIN, HERE), "#here", ChannelPlace(), settings())
    assert await store.channels.hand_over(owner(HELPER, HERE), START, several=False) == ()
    await store.close()


async def test_each_goes_to_its_owner_once_and_back(tmp_path):
    store = await opened(tmp_path)
    for channel in (HERE, THERE):
        await store.channels.meet(ChannelKey(MAIN, channel), channel, ChannelPlace(), settings())
    for _ in range(2):
        (moved, *more) = [*await store.channels.hand_over(owner(HELPER, HERE), START, several=True), None]
        assert (moved is None) or (moved.channel, moved.former, moved.agent) == (HERE, MAIN, HELPER)
        assert more in ([], [None])
    helpers, mains = [await store.channels.load(ChannelKey(agent, HERE)) for agent in (HELPER, MAIN)]
    assert (helpers.settings.came_from, helpers.settings.left_to) == (MAIN, "")
    assert mains.settings.left_to == HELPER and helpers.name == HERE
    assert await store.channels.load(ChannelKey(HELPER, THERE)) is None
    # the configuration names no other agent any more
    (back,) = await store.channels.hand_over(owner(MAIN), START + 5, several=False)
    assert (back.former, back.agent) == (HELPER, MAIN)
    again = await store.channels.load(ChannelKey(MAIN, HERE))
    assert (again.settings.came_from, again.settings.left_to, again.epoch) == (HELPER, "", mains.epoch + 1)
    assert await store.channels.hand_over(owner(MAIN), START + 6, several=False) == []
    await store.close()
