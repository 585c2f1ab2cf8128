"""A call that would be one too many waits; one that has arrived is told at once."""

from __future__ import annotations

import asyncio
import time

import pytest
from discord.errors import RateLimited

from adapters.discord.rest.client import RateLimitBucket
from bot.errors import DeliveryError
from tests.adapters.discord.conversation import message, refusal, speaking
from tests.servers.discord import Drops, Limit, Refuses


@pytest.fixture
async def on():
    async with speaking() as found:
        found.world.limits.set({"create_message": Limit(5, 0.6)})
        yield found


async def sent(on, count, channel=None):
    """Send one after another; return when each was told to have arrived, in seconds from the first."""
    began, channel = time.perf_counter(), channel or on.support
    told = []
    for n in range(count):
        await on.bot.send(message(channel, str(n), nonce=f"{channel.id % 1000}-{n}"))
        told.append(time.perf_counter() - began)
    return told


async def test_the_last_one_of_a_burst_is_told_as_soon_as_the_others(on):
    told = await sent(on, 11)
    assert told[4] < 0.5 < told[5], "five at once, and the sixth when there is room again"
    assert told[9] < 1.1 < told[10]
    assert not on.server.limited and on.support.transcript().count("\n") == 10


async def test_a_limit_for_minutes_refuses_nothing_while_there_is_room(on):
    on.world.limits.set({"create_message": Limit(5, 600)})
    assert (await sent(on, 5))[-1] < 0.5
    error = await refusal(on.bot.send(message(on.support, "one too many", nonce="n6")))
    assert (error.code, error.permanent) == ("flood", False) and error.retry_after > 590
    assert not on.server.limited and len(on.support.standing) == 5


async def test_who_waits_already_is_refused_as_soon_as_the_limit_turns_out_to_be_for_minutes(on):
    on.world.limits.set({"create_message": Limit(1, 600)})
    sends = (on.bot.send(message(on.support, str(n), nonce=f"n{n}")) for n in range(3))
    async with asyncio.timeout(5):
        found = await asyncio.gather(*sends, return_exceptions=True)
    assert [one.code for one in found if isinstance(one, DeliveryError)] == ["flood", "flood"]
    assert not on.server.limited and len(on.support.standing) == 1


async def test_many_at_once_share_what_there_is(on):
    await on.bot.send(message(on.support, "first", nonce="first"))
    async with asyncio.TaskGroup() as group:
        for n in range(12):
            group.create_task(on.bot.send(message(on.support, str(n), nonce=f"n{n}")))
    assert not on.server.limited and len(on.support.standing) == 13


async def test_other_channels_do_not_wait(on):
    other = on.guild.channel("other")
    await sent(on, 5)
    assert (await sent(on, 5, other))[-1] < 0.5


async def test_what_fails_gives_its_place_back(on):
    on.server.fault("create_message", Drops(), nth=2, times=2)
    on.server.fault("create_message", Refuses(403, 50013, "Missing Permissions"), nth=4)
    for n in range(12):
        try:
            await on.bot.send(message(on.support, str(n), nonce=f"n{n}"))
        except DeliveryError:
            continue
    assert len(on.support.standing) == 9 and not on.server.limited


async def test_who_goes_away_takes_no_place(on):
    await sent(on, 5)
    async with asyncio.TaskGroup() as group:
        waiting = [group.create_task(on.bot.send(message(on.support, "x", nonce=f"x{n}"))) for n in range(3)]
        await asyncio.sleep(0.01)
        for one in waiting[:2]:
            one.cancel()
    assert len(on.support.standing) == 6 and not on.server.limited


async def test_too_long_a_wait_is_refused_at_once():
    bucket = RateLimitBucket(30.0)
    bucket.expires, bucket.remaining = asyncio.get_running_loop().time() + 60, 0
    with pytest.raises(RateLimited):
        await bucket.acquire()
