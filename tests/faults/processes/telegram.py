"""A house on Telegram: a kitchen and more groups, an owner with an open private chat, and two who ask."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.dialogs.telegram import AT, KEYS, TelegramBot
from tests.dialogs.tide import TidalClock
from tests.faults.processes.house import House
from tests.faults.story import Question
from tests.faults.telegram_story import TelegramStory
from tests.servers.model import model_server
from tests.servers.telegram import Chat, Message, World, telegram_server

PLATFORM = """
[platforms.telegram]
token = "env:GLASSMIND_TOKEN"
names = ["glassmind"]
poll_timeout = 50
request_timeout = 5
"""


class Around(TelegramBot):
    """The people and what they see; the store is opened by who adds up."""

    store: Any = None


class Sums(TelegramStory):
    """One run; unlike in longer ones, no notice may be lost along with an answer."""

    @property
    def places(self) -> Sequence[Chat]:
        return (*self.rooms, self.bot.dm(self.bot.root))

    rooms: Sequence[Chat] = ()

    async def is_told(self, question: Question) -> bool:
        self.kills = 0
        return await super().is_told(question)


@dataclass
class TelegramHouse(House):
    """What people do there is `around`: its world, its server, and what is to be seen."""

    name: ClassVar[str] = "telegram"
    around: Around = None  # type: ignore[assignment]

    async def open(self) -> None:
        self.story = Sums(0, self.around)
        self.story.rooms = self.rooms

    @property
    def platform(self) -> str:
        server, around = self.around.server, self.around
        keys = {"base_url": server.base_url, "file_url": server.base_file_url}
        return PLATFORM + KEYS.format(**keys, root=around.root.id, mod=around.mod.id)

    @property
    def token(self) -> str:
        return self.around.me.token

    def addressed(self, text: str) -> str:
        return f"{AT} {text}"

    async def speak(self, who: str, text: str, room: int) -> Message:
        return self.around.say(getattr(self.around, who), text, self.rooms[room])

    def is_taken(self) -> bool:
        return not self.around.me.inlet.pending

    def private(self) -> list[str]:
        return self.around.texts(self.around.dm(self.around.root))

    def public(self) -> list[str]:
        """What the bot has written where others read it."""
        own = self.around.dm(self.around.root)
        return [
            message.text for chat in self.around.chats() if chat is not own for message in self.around.written(chat)
        ]


@asynccontextmanager
async def a_house(
    directory: Path, *, rooms: int = 2, kind: type[TelegramHouse] = TelegramHouse, **changes: Any
) -> AsyncIterator[TelegramHouse]:
    """Open a house with so many groups; `changes` are further fields of `House`."""
    world = World(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    async with telegram_server(world, second=1.0) as server, model_server() as model:
        around = Around(directory, world, server, TidalClock(), {})
        members = (around.root, around.mod, around.ann, around.james, around.me)
        groups = [around.kitchen, *(world.supergroup(f"room{n}", *members) for n in range(1, rooms))]
        house = kind(directory, model, around=around, rooms=groups, **changes)
        await house.open()
        try:
            yield house
        finally:
            await house.close()
