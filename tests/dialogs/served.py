"""A bot on a platform whose model answers over a real socket, in time that leaps over waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bot.domain.ledger import Outcome
from bot.domain.messages import AuthorKind
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.online import client_of, model_config
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.faults.leaping import LeapingClock
from tests.servers.model import model_server

BOTS = {"discord": a_discord_bot, "telegram": a_telegram_bot}


@dataclass
class Stage:
    """A bot on a platform, and the model server that it asks."""

    bot: Any
    server: Any

    async def asks(self, text: str = "hello") -> None:
        bot = self.bot
        if bot.name == "telegram":
            bot.say(bot.ann, f"{AT} {text}")
        else:
            await bot.says(bot.ann, f"{bot.at} {text}")

    async def outcome(self) -> Outcome | None:
        heard = await self.bot.store.ledger.recent(self.key, 9)
        return next(one.outcome for one in heard if one.inbound.author.kind is AuthorKind.PERSON and one.inbound.text)

    @property
    def key(self) -> Any:
        return self.bot.app.registry.keys()[0]

    async def told(self, question: str) -> list[str]:
        """Let the owner ask in private about the kitchen; return what the bot wrote there at once."""
        bot = self.bot
        private = bot.dm(bot.root)
        before = bot.texts(private)
        if bot.name == "telegram":
            bot.say(bot.root, f"!cortex {question} #kitchen", private)
        else:
            await bot.root.says(bot.me, f"!cortex {question} #kitchen")
        await self.passes(3)
        return bot.texts(private)[len(before) :]

    async def passes(self, seconds: float) -> None:
        """Let the loop's time leap."""
        await asyncio.sleep(seconds)


@asynccontextmanager
async def a_stage(
    data,
    platform: str,
    *,
    streaming: bool = True,
    model: str = "",
    metered: bool = False,
    traced: Any = None,
    **client: Any,
) -> AsyncIterator[Stage]:
    async with model_server() as server:
        clock = LeapingClock()
        async with BOTS[platform](
            data, clock=clock, begins=False, streaming=streaming, metered=metered, traced=traced or {}
        ) as bot:
            provider = client_of(server, **client)
            bot.providers = {**bot.providers, "openai": provider}
            bot.more = model_config(retries=2, model=model).replace("cool_down = 0.5", "cool_down = 60")
            if platform == "telegram":
                bot.server.set_second(1.0)
            clock.is_busy = bot.is_writing
            try:
                await bot.open()
                await bot.settled()
                yield Stage(bot, server)
            finally:
                await provider.close()
