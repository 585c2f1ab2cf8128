"""A bot account on a loopback server, with ears that keep what they hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.discord import DiscordAdapter, create
from bot.domain.ids import ChannelId, channel_id
from bot.domain.messages import Inbound, InboundKind
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import TaskSupervisor
from tests.fakes.clock import FakeClock
from tests.fakes.ears import FakeEars
from tests.inside.discord import holds_nothing, knows_every_guild, read_so_far
from tests.servers.discord import Bot, Channel, DiscordServer, Guild, Person, World, discord_server

FAST: dict[str, Any] = {"connect_timeout": 2.0, "request_timeout": 2.0, "calls_per_second": 0}


@dataclass
class Listening:
    """One adapter and its surroundings; it listens from `listen` on. Ann owns the kitchen, in which all are."""

    world: World
    server: DiscordServer
    bot: Bot
    ann: Person
    bob: Person
    kitchen: Guild
    table: Channel
    clock: FakeClock
    changes: dict[str, Any]
    ears: FakeEars = field(default_factory=FakeEars)
    discord: DiscordAdapter = None  # type: ignore[assignment]
    _tasks: TaskSupervisor = field(default_factory=TaskSupervisor)

    def make(self, **duty: bool) -> DiscordAdapter:
        """Make an adapter; the one before is forgotten."""
        self.discord = self.another(**duty)
        return self.discord

    def another(self, **duty: bool) -> DiscordAdapter:
        """Return an adapter of another process for the same account."""
        addresses = {"rest_url": self.server.api_url, "cdn_url": self.server.cdn_url}
        return create({"token": self.bot.token, **addresses, **FAST, **self.changes}, self.clock, **duty)

    def listen(self, ears: PlatformListener | None = None) -> asyncio.Task[None]:
        """Connect in the background."""
        return self.runs(self.discord, ears or self.ears)

    def runs(self, adapter: DiscordAdapter, ears: PlatformListener) -> asyncio.Task[None]:
        """Let an adapter be at work in the background."""
        return self._tasks.spawn("discord", adapter.run(ears))

    async def up(self) -> None:
        """Connect, and wait until everything is well and nothing waits."""
        self.listen()
        await self.until(lambda: self.discord.health().state == "up")
        await self.caught_up()

    async def caught_up(self) -> None:
        """Wait until everything that happened was heard."""
        await self.world.flushed()
        await self.until(lambda: self.is_read and holds_nothing(self.discord) and knows_every_guild(self.discord))

    async def restart(self) -> None:
        """End as a killed process does, and begin again with what was stored."""
        await self.close()
        self.begin_again()
        await self.up()

    def begin_again(self) -> None:
        """Make a new adapter; the one before is left as it is."""
        self._tasks = TaskSupervisor()
        self.make()

    async def close(self) -> None:
        await self._tasks.close()
        await self.discord.close()

    async def healthy(self, code: str) -> None:
        """Wait until the health says this."""
        await self.until(lambda: self.discord.health().code == code and self.discord.health().state != "starting")

    async def until(self, question: Callable[[], bool]) -> None:
        """Wait until something is so; asked at every turn of the loop."""
        async with asyncio.timeout(8):
            while not question():  # noqa: ASYNC110 - a health is asked, it calls nobody
                await asyncio.sleep(0.001)

    async def hears(self, *texts: str) -> None:
        """Wait until these are the last messages that were stored."""
        await self.until(lambda: self.ears.said[-len(texts) :] == list(texts))

    def newest(self, kind: InboundKind = InboundKind.MESSAGE) -> Inbound:
        return [one for one in self.ears.heard_all if one.kind is kind][-1]

    def id_of(self, channel: Channel) -> ChannelId:
        assert channel.guild is not None
        return channel_id("discord", channel.guild.id, channel.id)

    @property
    def is_read(self) -> bool:
        """Whether the client has read everything that its sessions were told."""
        sessions, read = self.bot.sessions, read_so_far(self.discord)
        return bool(sessions) and all(read.get(one.id, -1) == one.sequence for one in sessions)


@asynccontextmanager
async def listening(*, is_up: bool = True, **changes: Any) -> AsyncIterator[Listening]:
    """Run a server with a bot, Ann and Bob; `changes` are settings of the adapter."""
    clock = FakeClock()
    world = World(clock=lambda: clock.now() / 1000)
    bot, ann, bob = world.bot(), world.person("Ann"), world.person("Bob")
    kitchen = world.guild("Kitchen", ann, bob, bot)
    table = kitchen.channel("table")
    async with discord_server(world) as server:
        here = Listening(world, server, bot, ann, bob, kitchen, table, clock, changes)
        here.make()
        try:
            if is_up:
                await here.up()
            yield here
        finally:
            await here.close()
