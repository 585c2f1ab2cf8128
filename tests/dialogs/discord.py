"""The whole bot on Discord, and a world of people around it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from adapters.discord import DiscordAdapter
from adapters.discord import create as open_discord
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.runtime.tasks import TaskSupervisor
from tests.dialogs.chat_bot import NOWHERE, SCRIPTED, TOKEN, ChatBot, alive, alone, labels_of, thinking
from tests.dialogs.tide import TidalClock
from tests.fakes.provider import ScriptedProvider
from tests.inside.discord import holds_nothing, is_up, knows_every_guild, presses_of, read_so_far, rest_of
from tests.servers.discord import Bot as Account
from tests.servers.discord import Call, Channel, DiscordServer, Guild, Interaction, Message, Person, World
from tests.servers.discord import discord_server as a_server

__all__ = ["SCRIPTED", "TOKEN", "DiscordBot", "a_discord_bot", "alone", "labels_of"]

NAME = "glassmind"
KEYS = """
rest_url = "{rest_url}"
cdn_url = "{cdn_url}"
owner_ids = [{root}]
admin_ids = [{admins}]
calls_per_second = {pace}
"""
SENDS = frozenset({"create_message", "edit_message", "callback", "create_followup", "edit_original", "edit_followup"})


@dataclass
class DiscordBot(ChatBot):
    """A running bot and the people around it.

    `root` owns the bot and the house, `mod` steers the bot and manages the house. Everybody is in the house, whose
    channel is the kitchen. `pace` is how many calls a second the bot allows itself (0: as many as it likes).
    """

    name: ClassVar[str] = "discord"
    world: World
    server: DiscordServer
    further_admins: int = 0
    pace: float = 0.0
    discord: DiscordAdapter = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        world = self.world
        self.me: Account = world.bot(NAME)
        self.root, self.mod = world.person("Root"), world.person("Mod")
        self.ann, self.james = world.person("Ann"), world.person("James")
        self.house: Guild = world.guild("House", self.root, self.mod, self.ann, self.james, self.me)
        self.admins = [world.person(f"Admin{number}") for number in range(self.further_admins)]
        self.house.admit(*self.admins)
        self.house.role("keepers", "manage_guild", members=(self.mod, *self.admins))
        self.kitchen: Channel = self.house.channel("kitchen")

    @property
    def at(self) -> str:
        """The bot's own mention, as it is written."""
        return f"<@{self.me.id}>"

    # its life

    @property
    def keys(self) -> str:
        return KEYS.format(
            rest_url=self.server.api_url,
            cdn_url=self.server.cdn_url,
            root=self.root.id,
            pace=self.pace,
            admins=", ".join(str(admin.id) for admin in (self.mod, *self.admins)),
        )

    @property
    def token(self) -> str:
        return self.me.token

    @property
    def adapter(self) -> DiscordAdapter:
        return self.discord

    def adapt(self, settings: Mapping[str, Any], **part: bool) -> DiscordAdapter:
        adapter = open_discord(settings, self.clock, **part)
        if part.get("listens", True):
            self.discord = adapter
        return adapter

    def strand(self) -> None:
        for adapter in self.adapters:
            rest = rest_of(adapter)
            rest.settings = rest.settings.model_copy(update={"rest_url": f"{NOWHERE}api"})

    def is_private(self, channel: ChannelId) -> bool:
        return channel.startswith("discord:dm:")

    async def settled(self) -> None:
        while True:
            await self.caught_up()
            await self._presses.idle()
            await self.quiet()
            if self.has_read_all and not self._presses.busy and not self.busy:
                return

    def is_called(self) -> bool:
        dispatch = self.server.dispatch
        if dispatch.under_way > dispatch.gate.hanging:
            return True
        return any(one.is_open and not one.is_mute and self._is_behind(one) for one in self.server.gateway.connections)

    def _is_behind(self, connection: Any) -> bool:
        """Whether the bot has not read yet what a connection has for it; a new one has its greeting."""
        session = connection.session
        return session is None or self.read_so_far.get(session.id) != session.sequence

    @property
    def read_so_far(self) -> dict[Any, Any]:
        """The number of the newest event that the bot has read, by session."""
        return read_so_far(self.discord) if self.discord is not None else {}

    async def caught_up(self) -> None:
        await self.world.flushed()
        while not self.has_read_all:  # noqa: ASYNC110 - what was read is asked, it calls nobody
            await asyncio.sleep(self.clock.soon)

    @property
    def has_read_all(self) -> bool:
        """Whether the bot has heard and stored everything that happened, or hears nothing."""
        sessions, read = self.me.sessions, self.read_so_far
        if self.discord.health().state == "down":
            return True
        everything = bool(sessions) and all(read.get(one.id) == one.sequence for one in sessions if one.id in read)
        if not everything or not is_up(self.discord) or not any(one.id in read for one in sessions):
            return False
        return knows_every_guild(self.discord) and holds_nothing(self.discord)

    @property
    def _presses(self) -> TaskSupervisor:
        return presses_of(self.discord)

    # what people do

    async def says(self, who: Person, text: str, where: Channel | Account | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen if nothing else is said; go on at once."""
        return await who.says(where or self.kitchen, text, **more)

    async def hears(self, who: Person, text: str, where: Channel | Account | None = None, **more: Any) -> list[Message]:
        """Let somebody write, wait until all is done, and return what the bot wrote meanwhile, wherever."""
        before = self.written()
        await self.says(who, text, where, **more)
        await self.settled()
        self.clock.advance(1)
        return [message for message in self.written() if message not in before]

    async def presses(self, who: Person, button: str, message: Message | None = None) -> Interaction:
        """Let somebody press the newest button whose label begins so, and wait until all is done."""
        found = message or [one for one in self.written() if labels_of(one, button)][-1]
        press = await who.presses(found, labels_of(found, button)[0])
        await self.settled()
        self.clock.advance(1)
        return press

    async def slash(self, who: Person, command: str, where: Channel | None = None, **options: Any) -> Interaction:
        """Let somebody use a native command, in the kitchen if nothing else is said, and wait until all is done."""
        typed = await who.slash(where or self.kitchen, command, **options)
        await self.settled()
        self.clock.advance(1)
        return typed

    async def picks(self, who: Person, command: str, message: Message) -> Interaction:
        """Let somebody use a command from the menu of a message, and wait until all is done."""
        used = await who.picks(command, message)
        await self.settled()
        self.clock.advance(1)
        return used

    # what is there to see

    def dm(self, who: Person) -> Channel:
        return self.world.dm(who, self.me)

    def written(self, where: Channel | None = None) -> list[Message]:
        """What the bot has written and nobody has deleted, in the order of sending within each channel."""
        channels = [*self.world.channels.values()] if where is None else [where]
        return [message for one in channels for message in one.standing if message.author is self.me]

    def texts(self, where: Channel | None = None) -> list[str]:
        return [message.text for message in self.written(where or self.kitchen)]

    def private(self, who: Person) -> str:
        """Everything that the bot has written to somebody in private."""
        return "\n".join(self.texts(self.dm(who)))

    def aside(self, who: Person) -> list[Message]:
        """What somebody is shown for their commands and presses, and nobody else sees, oldest first."""
        asked = [one for one in self.world.interactions.values() if one.person is who]
        return sorted((message for one in asked for message in one.shown), key=lambda message: message.id)

    def transcript(self, where: Channel | None = None) -> str:
        return (where or self.kitchen).transcript()

    def sends(self) -> list[Call]:
        """Every call that puts words where people read them, in the order in which they came."""
        return [call for call in self.server.calls() if call.operation in SENDS]

    async def newest(self, where: Channel | None = None) -> StoredInbound:
        """The newest message of a channel that somebody else wrote, as the ledger knows it."""
        found = await self.store.ledger.recent(self.key(where), 50)
        return next(one for one in found if one.inbound.author.kind != "self")

    def key(self, where: Channel | None = None) -> ChannelKey:
        channel = where or self.kitchen
        if channel.guild is None:
            (person,) = [one for one in channel.recipients if one is not self.me]
            return ChannelKey(MAIN, ChannelId(f"discord:dm:{person.id}"))
        return ChannelKey(MAIN, ChannelId(f"discord:{channel.guild.id}:{channel.id}"))


@asynccontextmanager
async def a_discord_bot(
    data: Path,
    *,
    model: ScriptedProvider | None = None,
    more: str = "",
    begins: bool = True,
    clock: TidalClock | None = None,
    **changes: Any,
) -> AsyncIterator[DiscordBot]:
    """Run a bot; `more` is further configuration, `changes` are further fields of `DiscordBot`.

    Without a `model` it is the simulation. Without `begins` it is for the test to `open` the bot, once the world is as
    it should be.
    """
    time = clock or TidalClock()
    world = World(clock=lambda: time.now() / 1000)
    async with a_server(world) as server:
        whole = DiscordBot(data=data, world=world, server=server, clock=time, **thinking(model, more), **changes)
        async with alive(whole, begins=begins) as bot:
            if begins:
                await bot.settled()
            yield bot
