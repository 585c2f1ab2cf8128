"""The real library against the loopback server: one person, one bot, one place of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import telegram
from telegram.request import HTTPXRequest

from tests.servers.telegram import Bot, Chat, Person, TelegramServer, World, telegram_server

ALL = list(telegram.constants.UpdateType)


@dataclass
class Stage:
    """What most tests need; `bot` is python-telegram-bot's, `me` is the same bot in the world."""

    world: World
    server: TelegramServer
    bot: telegram.Bot
    me: Bot
    ann: Person
    ben: Person
    dm: Chat

    async def updates(self, offset: int | None = None, **more: Any) -> tuple[telegram.Update, ...]:
        return await self.bot.get_updates(offset=offset, **more)

    async def only(self) -> telegram.Update:
        (update,) = await self.updates()
        await self.updates(update.update_id + 1)
        return update

    async def forget(self) -> None:
        await self.updates(-1)
        last = await self.updates()
        if last:
            await self.updates(last[-1].update_id + 1)

    async def said(self) -> list[str]:
        return [update.effective_message.text for update in await self.updates() if update.effective_message]


def real_bot(server: TelegramServer, bot: Bot, read_timeout: float = 5) -> telegram.Bot:
    # No certificate is ever shown on loopback, and loading the list of authorities takes most of a test's time.
    request, updates = (HTTPXRequest(read_timeout=read_timeout, httpx_kwargs={"verify": False}) for _ in range(2))
    urls = {"base_url": server.base_url, "base_file_url": server.base_file_url}
    return telegram.Bot(bot.token, request=request, get_updates_request=updates, **urls)


@asynccontextmanager
async def a_stage() -> AsyncIterator[Stage]:
    """Open a world in which Ann has started the bot and Ben has not."""
    world = World()
    me, ann, ben = world.bot(), world.person("Ann", "ann"), world.person("Ben")
    async with telegram_server(world) as server, real_bot(server, me) as bot:
        world.dm(ann).is_started = True
        yield Stage(world, server, bot, me, ann, ben, world.dm(ann))
