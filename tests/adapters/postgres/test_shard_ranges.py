"""Several gateways that each hear some of Discord's shards: who dies is heard for by the others, and nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass

import pytest

from bot.app.adapters import ClockAndEntropy, Tenure, alone, open_edges, open_leases
from bot.app.gateway_process import LOOK_SECONDS
from bot.app.lease_keeper import ProcessRole
from bot.app.roles import process_of
from bot.config import LoadedConfig, parse_config
from bot.domain.heard import HeardInbound, read_heard
from bot.ports.edges import Edges
from bot.ports.platform import PlatformDuty
from tests.adapters.postgres.machines import Machines
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.servers.discord import World, discord_server
from tests.servers.postgres import SCHEMA, PostgresServer

CONFIG = """
[bot]
data_dir = "{data}"
[store]
url = "{url}"
schema_name = "{schema}"
[platforms.discord]
token = "{token}"
owner_ids = [1]
rest_url = "{server.api_url}"
cdn_url = "{server.cdn_url}"
calls_per_second = 0
shard_count = 2
shard_ranges = 2
"""
LIVES = f"UPDATE {SCHEMA}.lease_owner SET until = 'infinity', since = '-infinity' WHERE process LIKE '{{}} %'"
IS_OVER = f"UPDATE {SCHEMA}.lease_owner SET until = clock_timestamp() - interval '1 minute' WHERE process LIKE '{{}} %'"
HEARS = f"""
    SELECT lease.name FROM {SCHEMA}.lease JOIN {SCHEMA}.lease_owner ON lease_owner.id = owner
    WHERE process LIKE '{{}} %' AND name LIKE 'gateway:%' ORDER BY 1"""


@dataclass
class Gateway:
    """A process that listens; its time moves when a test moves it."""

    name: str
    server: PostgresServer
    edges: Edges
    clock: FakeClock
    running: asyncio.Task[None]

    @property
    def hears(self) -> list[str]:
        return [name.removeprefix("gateway:") for (name,) in self.server.run(HEARS.format(self.name))]

    async def until(self, question: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not question():
                self.clock.advance(0.5)
                await asyncio.sleep(0.01)

    async def is_killed(self) -> None:
        """Let it end without a word, and long ago."""
        self.running.cancel()
        with suppress(asyncio.CancelledError):
            await self.running
        for platform in self.edges.platforms.values():
            await platform.close()
        self.server.run(IS_OVER.format(self.name))


@pytest.fixture
async def stack():
    async with AsyncExitStack() as opened:
        yield opened


async def gateway(machines: Machines, stack: AsyncExitStack, name: str, loaded: LoadedConfig) -> Gateway:
    clock = FakeClock(auto=False)
    on = ClockAndEntropy(clock, FakeEntropy(name))
    leases = await open_leases(loaded, on, name)
    stack.push_async_callback(leases.close)
    await leases.renew()
    lease = await leases.join()
    assert lease is not None
    machines.server.run(LIVES.format(name))
    edges = await stack.enter_async_context(
        open_edges(loaded, on, tenure=Tenure(lease, alone), duty=PlatformDuty(speaks=False))
    )
    process = process_of(ProcessRole.GATEWAY, edges, loaded, leases, lease)
    running = asyncio.get_running_loop().create_task(process.run(asyncio.Event()))
    one = Gateway(name, machines.server, edges, clock, running)
    stack.push_async_callback(one.is_killed)
    return one


async def test_each_of_two_gateways_hears_some_of_the_shards_and_one_all_of_them_when_the_other_is_dead(
    machines: Machines, stack: AsyncExitStack
):
    world = World()
    me, ann = world.bot(), world.person("Ann")
    channels = {}
    while len(channels) < 2:
        world.wait(0.001)  # which shard a guild is told of by goes by the time of its making
        guild = world.guild("Kitchen", ann, me)
        channels.setdefault((guild.id >> 22) % 2, guild.channel("talk"))
    server = await stack.enter_async_context(discord_server(world))

    def loaded(name: str, ranges: int = 2) -> LoadedConfig:
        text = CONFIG.format(
            data=machines.at(name), url=machines.server.url(), schema=SCHEMA, token=me.token, server=server
        )
        return parse_config(text.replace("shard_ranges = 2", f"shard_ranges = {ranges}"), {})

    async def heard(many: int) -> list[str]:
        """Return what was handed on, once it is so much."""
        found = []
        while len(found) < many:
            await asyncio.sleep(0.005)
            found = (await two.edges.store.relay.events(None, 99)).events
        return [read_heard(HeardInbound, one.event.body).inbound.text for one in found]

    one = await gateway(machines, stack, "one", loaded("one"))
    await one.until(lambda: len(one.hears) == 1)
    two = await gateway(machines, stack, "two", loaded("two"))
    await two.until(lambda: len(two.hears) == 1)
    assert [*one.hears, *two.hears] == ["discord 1 of 2", "discord 2 of 2"]
    await one.until(lambda: [0, 2] in [each["shard"] for each in me.identifies])
    await two.until(lambda: [1, 2] in [each["shard"] for each in me.identifies])
    for number, channel in sorted(channels.items()):
        await ann.says(channel, f"to shard {number}")
    assert sorted(await heard(2)) == ["to shard 0", "to shard 1"]
    await one.is_killed()
    await ann.says(channels[0], "is anybody there?")
    await two.until(lambda: len(two.hears) == 2 and len(me.identifies) == 3)
    await ann.says(channels[1], "here we are")
    assert sorted((await heard(4))[2:]) == ["here we are", "is anybody there?"]
    # whose configuration divides them in another way listens when nobody else does
    whole = await gateway(machines, stack, "whole", loaded("whole", 1))
    await whole.until(lambda: whole.clock.slept[-3:] == [LOOK_SECONDS] * 3)
    assert whole.hears == []
    await two.is_killed()
    await whole.until(lambda: whole.hears == ["discord"])
