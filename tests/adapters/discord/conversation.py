"""A bot's voice on a loopback server: it speaks and asks, and hears nothing but interactions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord

from adapters.discord.base.settings import Settings
from adapters.discord.interactions.interactions import InteractionHandler
from adapters.discord.people.knowledge import DiscordKnowledge
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.speaker import DiscordVoice
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.own_messages import OwnMessages
from bot.domain.ids import ChannelId, PersonKey, UserId, channel_id
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage
from bot.errors import DeliveryError
from tests.fakes.clock import FakeClock
from tests.fakes.ears import FakeEars
from tests.servers import discord as world_of
from tests.servers.discord import Bot, Channel, DiscordServer, Guild, World, discord_server
from tests.servers.discord_client import connected as listening
from tests.servers.discord_client import pointed_at

FAST: dict[str, Any] = {"request_timeout": 5.0, "connect_timeout": 2.0, "upload_timeout": 5.0, "calls_per_second": 0}


class Listener(discord.Client):
    """The library's client over the adapter's session; it hands over interactions as the gateway brings them."""

    def __init__(self, on: Speaking) -> None:
        self._on = on
        super().__init__(intents=discord.Intents.none(), guild_ready_timeout=0.02)

    def _get_state(self, **options: Any) -> Any:
        self.http = self._on.rest
        return super()._get_state(**options)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Never wait five seconds before a new session."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self._on.interactions.take(interaction, self._on.ears)


class Speaker(DiscordVoice, DiscordKnowledge):
    """Both halves of the port that need no gateway."""

    def __init__(self, desk: DiscordDeps, interactions: InteractionHandler) -> None:
        DiscordVoice.__init__(self, desk, interactions)
        self.guilds: dict[int, int] = {}
        DiscordKnowledge.__init__(self, desk, interactions.sessions, self.guilds.get)


@dataclass
class Speaking:
    """One bot in Kitchen, where Ann owns everything and Ben is a member."""

    world: World
    server: DiscordServer
    clock: FakeClock
    changes: dict[str, Any]
    me: Bot
    ann: world_of.Person
    ben: world_of.Person
    guild: Guild
    support: Channel
    ears: FakeEars = field(default_factory=FakeEars)
    notes: dict[str, str] = field(default_factory=dict)
    rest: RestClient = None  # type: ignore[assignment]
    desk: DiscordDeps = None  # type: ignore[assignment]
    interactions: InteractionHandler = None  # type: ignore[assignment]
    bot: Speaker = None  # type: ignore[assignment]

    def make(self) -> Speaker:
        """Make a voice."""
        addresses = {"rest_url": self.server.api_url, "cdn_url": self.server.cdn_url}
        settings = Settings(**({"token": self.me.token} | addresses | FAST | self.changes))
        self.rest = RestClient(settings)
        return self._over_rest()

    def _over_rest(self) -> Speaker:
        self.desk = DiscordDeps(self.rest, DiscordAccount(self.rest), DmChannels(self.rest), self.clock, OwnMessages())
        self.interactions = InteractionHandler(self.desk, self.notes.__setitem__)
        self.bot = Speaker(self.desk, self.interactions)
        return self.bot

    async def restart(self) -> None:
        """Forget everything that a process forgets when it is killed."""
        await self.interactions.close()
        self._over_rest()

    async def close(self) -> None:
        await self.interactions.close()
        await self.rest.close_connections()


@asynccontextmanager
async def speaking(clock: FakeClock | None = None, **changes: Any) -> AsyncIterator[Speaking]:
    """Run a server with a guild; `changes` are settings of the adapter."""
    clock = clock or FakeClock()
    world = World(clock=lambda: clock.now() / 1000)
    me, ann, ben = world.bot(), world.person("Ann"), world.person("Ben")
    guild = world.guild("Kitchen", ann, ben, me)
    support = guild.channel("support")
    async with discord_server(world) as server:
        on = Speaking(world, server, clock, changes, me, ann, ben, guild, support)
        on.make()
        try:
            yield on
        finally:
            await on.close()


@asynccontextmanager
async def pressed_and_typed(clock: FakeClock | None = None, **changes: Any) -> AsyncIterator[Speaking]:
    """Run the same with a gateway that brings interactions."""
    async with speaking(clock, **changes) as on:
        client = Listener(on)
        with pointed_at(on.server):
            async with listening(client, on.me.token):
                await client.wait_until_ready()
                yield on


async def eventually(question: Callable[[], bool]) -> None:
    """Wait until something is so; asked at every turn of the loop."""
    async with asyncio.timeout(5):
        while not question():  # noqa: ASYNC110 - it calls nobody
            await asyncio.sleep(0.001)


async def refusal(work: Awaitable[object]) -> DeliveryError:
    """Return the DeliveryError that comes of this."""
    try:
        await work
    except DeliveryError as error:
        return error
    raise AssertionError("nothing was refused")


def person(who: world_of.Person) -> PersonKey:
    return PersonKey("discord", UserId(str(who.id)))


def dm(who: world_of.Person) -> ChannelId:
    return channel_id("discord", "dm", who.id)


def here(channel: Channel) -> ChannelId:
    return channel_id("discord", channel.guild.id if channel.guild else 0, channel.id)


def message(
    to: Channel | world_of.Person,
    text: str,
    *,
    nonce: str = "n1",
    thread: str = "",
    replies_to: str = "",
    edits: str = "",
    buttons: tuple[Button, ...] = (),
    file: OutgoingFile | None = None,
    since: int = 0,
) -> OutgoingMessage:
    """Write what goes to a channel, or to somebody in private."""
    if isinstance(to, Channel):
        address = OutboundAddress(platform="discord", channel=here(to), thread=thread)
    else:
        address = OutboundAddress(platform="discord", channel=dm(to), thread=thread, private_to=UserId(str(to.id)))
    parts = {"replies_to": replies_to, "edits": edits, "buttons": buttons, "file": file, "since": since}
    return OutgoingMessage(nonce=nonce, to=address, text=text, **parts)  # type: ignore[arg-type]
