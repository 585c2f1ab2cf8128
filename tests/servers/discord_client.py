"""The real library against the loopback server: one guild, one bot, some people.

discord.py is pointed elsewhere by three class attributes: `discord.http.Route.BASE`, `discord.asset.Asset.BASE` and
`discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY`; where it resumes is told by READY. `pointed_at` sets and restores
them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from tests.servers.discord import Bot, Channel, DiscordServer, Guild, Person, World, discord_server


class Heard(discord.Client):
    """The real client; it keeps every event it was told, in order."""

    def __init__(self, **options: Any) -> None:
        # two real seconds pass by default before the library believes that no more guilds come
        settings = {"guild_ready_timeout": 0.02, "intents": discord.Intents.all()} | options
        super().__init__(enable_debug_events=True, **settings)
        self.events: list[tuple[str, tuple[Any, ...]]] = []
        self.news = asyncio.Event()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Never wait five seconds before a new session."""

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.events.append((event, args))
        self.news.set()
        super().dispatch(event, *args, **kwargs)

    def told(self, event: str) -> list[Any]:
        """List the first argument of every event of a name."""
        return [args[0] if args else None for name, args in self.events if name == event]

    async def hears(self, event: str, count: int = 1) -> Any:
        """Wait until an event came so often, and return what the last one carried."""
        await self.until(lambda: len(self.told(event)) >= count)
        return self.told(event)[count - 1]

    async def until(self, question: Callable[[], bool]) -> None:
        """Wait until something is so; asked again at every event."""
        async with asyncio.timeout(10):
            while not question():
                self.news.clear()
                await self.news.wait()


@contextmanager
def pointed_at(server: DiscordServer) -> Iterator[None]:
    """Let discord.py talk to this server."""
    route, asset = discord.http.Route, discord.asset.Asset
    kept = route.BASE, asset.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    route.BASE, asset.BASE = server.api_url, server.cdn_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        route.BASE, asset.BASE, DiscordWebSocket.DEFAULT_GATEWAY = kept


@asynccontextmanager
async def connected(client: discord.Client, token: str) -> AsyncIterator[asyncio.Task[None]]:
    """Log a client in and let it run; yields its task, which ends when the client gives up."""
    await client.login(token)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(_run(client))
        try:
            yield running
        finally:
            await client.close()
            running.cancel()


async def _run(client: discord.Client) -> None:
    try:
        await client.connect()
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired, ValueError, KeyError) as gone:
        client.dispatch("gone", gone)


@dataclass
class Stage:
    """What most tests need; `client` is discord.py's, `me` is the same bot in the world."""

    world: World
    server: DiscordServer
    client: Heard
    me: Bot
    ann: Person
    ben: Person
    guild: Guild
    support: Channel

    @property
    def channel(self) -> Any:
        """Return #support as the library has it."""
        return self.client.get_channel(self.support.id)


@asynccontextmanager
async def a_stage(**options: Any) -> AsyncIterator[Stage]:
    """Open a guild that Ann owns and Ben is in, with the bot connected and ready."""
    world = World()
    me, ann, ben = world.bot(), world.person("Ann"), world.person("Ben")
    guild = world.guild("Kitchen", ann, ben, me)
    support = guild.channel("support")
    async with discord_server(world) as server:
        with pointed_at(server):
            client = Heard(**options)
            async with connected(client, me.token):
                await client.hears("ready")
                yield Stage(world, server, client, me, ann, ben, guild, support)


async def refused(work: Awaitable[Any], kind: type[discord.HTTPException] = discord.HTTPException) -> tuple[int, int]:
    """Do what is refused; return the status and the code."""
    with pytest.raises(kind) as caught:
        await work
    return caught.value.status, caught.value.code
