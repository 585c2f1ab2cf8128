"""The whole bot on Telegram: people with phones, and a Bot API that does what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from adapters.telegram import TelegramAdapter
from adapters.telegram import create as telegram
from bot.domain.ids import MAIN, ChannelKey, channel_id
from tests.fakes.clock import FakeClock
from tests.scenarios.online_stage import OnlineStage, Playable, staged
from tests.scenarios.setting import Setting
from tests.servers.telegram import Chat, Message, TelegramServer, World, telegram_server
from tests.servers.telegram import Person as Somebody


@dataclass
class Phones(OnlineStage):
    """`kitchen` is a group of root (who owns it and the bot), mod (an admin), ann.

    The bot is an ordinary member of it, and BotFather's group privacy is off unless `world.privacy(True)`.
    """

    platform: ClassVar[str] = "telegram"
    server: TelegramServer
    adapter: TelegramAdapter = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        world = self.world
        self.me = world.bot()
        self.root, self.mod, self.ann = (
            world.person(name if name == "Ann" else self.setting.name(name), name.lower())
            for name in ("Root", "Mod", "Ann")
        )
        self.kitchen = world.supergroup("kitchen", self.root, self.mod, self.ann, self.me)
        world.admit(self.kitchen, self.mod, status="administrator")
        world.privacy(False)
        world.start(self.root)
        world.start(self.mod)

    @property
    def world(self) -> World:
        return self.server.world

    @property
    def settings(self) -> Mapping[str, Any]:
        urls = {"base_url": self.server.base_url, "file_url": self.server.base_file_url, "token": self.me.token}
        return {**urls, "poll_timeout": 25, "request_timeout": 1, "connect_timeout": 1}

    def make(self, settings: Mapping[str, Any]) -> TelegramAdapter:
        return telegram(settings, self.clock)

    def key(self, chat: Chat) -> ChannelKey:
        return ChannelKey(MAIN, channel_id("telegram", chat.id))

    @property
    def names(self) -> Mapping[ChannelKey, str]:
        return {self.key(chat): chat.title for chat in self.world.chats.values()}

    async def arrived(self) -> None:
        await self.server.caught_up()

    def says(self, who: Somebody, text: str, chat: Chat | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen unless another chat is named; what comes of it takes its time."""
        return self.world.say(chat or self.kitchen, who, self.setting.words(text), **more)

    async def asks(self, who: Somebody, text: str, chat: Chat | None = None, **more: Any) -> None:
        """Let somebody write, and everything come of it."""
        self.says(who, text, chat, **more)
        await self.quiet()

    async def said(self, who: Somebody, text: str, chat: Chat | None = None, reply_to: Message | None = None) -> None:
        self.says(who, text, chat or self.world.dm(who), reply_to=reply_to)

    async def polls(self) -> None:
        """Wait until a poll has come back at this very time."""
        await self.until(lambda: ("last_poll_at", str(self.clock.now())) in self.adapter.health().facts)

    async def shows_life(self) -> None:
        await self.polls()

    async def press(self, who: Somebody, on: Message, label: str) -> None:
        self.world.press(on, label, who)

    def labels(self, message: Message) -> tuple[str, ...]:
        return tuple(str(button["text"]) for button in message.buttons)

    def messages(self) -> list[Message]:
        return list(self.world.messages(self.kitchen))

    def public(self) -> list[str]:
        """What the bot said where everybody reads."""
        return [said.text for said in self.world.messages(self.kitchen) if said.author is self.me]

    def told(self, who: Somebody) -> list[Message]:
        return [said for said in self.world.messages(self.world.dm(who)) if said.author is self.me]


def phones(
    directory: Path, scenario: Playable, setting: Setting | None = None, kind: type[Phones] = Phones
) -> AbstractAsyncContextManager[OnlineStage]:
    """Open a world and run a bot in it."""

    def serve(clock: FakeClock) -> AbstractAsyncContextManager[TelegramServer]:
        return telegram_server(World(clock=lambda: clock.now() / 1000))

    return staged(kind, serve, directory, scenario, setting)
