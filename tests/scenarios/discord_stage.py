"""The whole bot on Discord: people in a server, a gateway and a REST interface that do what they are told."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from adapters.discord import DiscordAdapter
from adapters.discord import create as discord
from bot.domain.health import AdapterState
from bot.domain.ids import MAIN, ChannelKey, channel_id
from tests.fakes.clock import FakeClock
from tests.inside.discord import holds_nothing, read_so_far, shards_of
from tests.scenarios.online_stage import OnlineStage, Playable, staged
from tests.scenarios.setting import Setting
from tests.servers.discord import Channel, DiscordServer, Message, World, discord_server
from tests.servers.discord import Person as Somebody


@dataclass
class Screens(OnlineStage):
    """`house` is a server of root (who owns it and the bot), mod (who manages it), ann; the `kitchen` is in it."""

    platform: ClassVar[str] = "discord"
    server: DiscordServer
    adapter: DiscordAdapter = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        world = self.world
        self.me = world.bot()
        self.root, self.mod, self.ann = (
            world.person(name if name == "Ann" else self.setting.name(name), name.lower())
            for name in ("Root", "Mod", "Ann")
        )
        self.house = world.guild("House", self.root, self.mod, self.ann, self.me)
        self.house.role("mods", "manage_guild", members=(self.mod,))
        self.kitchen = self.house.channel("kitchen")

    @property
    def world(self) -> World:
        return self.server.world

    @property
    def settings(self) -> Mapping[str, Any]:
        urls = {"rest_url": self.server.api_url, "cdn_url": self.server.cdn_url, "token": self.me.token}
        return {**urls, "request_timeout": 2, "connect_timeout": 2, "calls_per_second": 0}

    def make(self, settings: Mapping[str, Any]) -> DiscordAdapter:
        return discord(settings, self.clock)

    def key(self, chat: Channel) -> ChannelKey:
        guild = chat.guild
        assert guild is not None
        return ChannelKey(MAIN, channel_id("discord", guild.id, chat.id))

    @property
    def names(self) -> Mapping[ChannelKey, str]:
        return {self.key(one): f"#{one.name}" for one in self.house.channels.values()}

    async def arrived(self) -> None:
        await self.world.flushed()
        await self.until(lambda: self.adapter.health().state is not AdapterState.STARTING)
        await self.until(lambda: self._is_read and holds_nothing(self.adapter))

    async def shows_life(self) -> None:
        """Let something happen in the house that is no message."""
        self.house.role("guests")
        await self.arrived()

    async def connects(self) -> None:
        """Let time pass until the bot is connected, with or without the right to read words."""
        await self.in_time(lambda: self._is_connected)
        await self.quiet()

    @property
    def _is_connected(self) -> bool:
        shards = shards_of(self.adapter)
        return bool(shards.conditions) and shards.is_up(0)

    async def says(self, who: Somebody, text: str, chat: Channel | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen unless another channel is named; what comes of it takes its time."""
        return await who.says(chat or self.kitchen, self.setting.words(text), **more)

    async def asks(self, who: Somebody, text: str, chat: Channel | None = None, **more: Any) -> Message:
        """Let somebody write to the bot, and everything come of it."""
        message = await self.says(who, text, chat, mentions=self.me, **more)
        await self.quiet()
        return message

    async def said(
        self, who: Somebody, text: str, chat: Channel | None = None, reply_to: Message | None = None
    ) -> None:
        if chat is None:
            await who.says(self.me, text)
        else:
            await who.says(chat, text, mentions=self.me, reply_to=reply_to)

    async def press(self, who: Somebody, on: Message, label: str) -> None:
        await who.presses(on, label)

    def labels(self, message: Message) -> tuple[str, ...]:
        return tuple(str(button["label"]) for button in message.buttons)

    def messages(self) -> list[Message]:
        return [said for said in self.kitchen.messages.values() if not said.is_for]

    def public(self) -> list[str]:
        """What the bot said where everybody reads."""
        return [said.text for said in self.kitchen.messages.values() if said.author is self.me and not said.is_for]

    def told(self, who: Somebody) -> list[Message]:
        return [said for said in who.dm().messages.values() if said.author is self.me]

    @property
    def _is_read(self) -> bool:
        """Whether the client has read everything that its sessions were told, unless it has no session."""
        read = read_so_far(self.adapter)
        return all(read.get(one.id, -1) == one.sequence for one in self.me.sessions if one.id in read)


def screens(
    directory: Path, scenario: Playable, setting: Setting | None = None, kind: type[Screens] = Screens
) -> AbstractAsyncContextManager[OnlineStage]:
    """Open a world and run a bot in it."""

    def serve(clock: FakeClock) -> AbstractAsyncContextManager[DiscordServer]:
        return discord_server(World(clock=lambda: clock.now() / 1000))

    return staged(kind, serve, directory, scenario, setting)
