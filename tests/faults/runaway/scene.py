"""A whole bot in simulated time, on a platform that notes when each message went out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Author, ChannelPlace, Inbound, OutgoingMessage, Receipt
from tests.bot.cortex.chat import Chat, chat, config, dm_of
from tests.dialogs.tide import TidalClock
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import says
from tests.inside.store import is_busy

MODEL_SECONDS = 1.0
_ASKED = re.compile(r"question (\d+)(?!.*question \d)", re.S)


class Noting(FakePlatform):
    """Notes when each message went out, in seconds of its clock."""

    def __init__(self, clock: TidalClock) -> None:
        super().__init__(idempotent=True, max_units=4096)
        self.clock = clock
        self.times: list[tuple[float, OutgoingMessage]] = []

    async def send(self, message: OutgoingMessage) -> Receipt:
        receipt = await super().send(message)
        self.times.append((self.clock.monotonic(), message))
        return receipt


class Thinker:
    """A model that takes a second and repeats the number of the question, so that each answer is known."""

    def __init__(self, clock: TidalClock) -> None:
        self.clock = clock
        self.asked = 0

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        self.asked += 1
        await self.clock.sleep(MODEL_SECONDS)
        if "You are the inspection branch" in request.system_text:
            return says('{"findings":[],"summary":"All is well."}')
        found = _ASKED.search(request.messages[-1].text)
        return says(f"answer {found[1]}" if found else "yes")


class Scene:
    """The bot, and what is said to it."""

    def __init__(self, bot: Chat, platform: Noting, model: Thinker, clock: TidalClock) -> None:
        self.bot, self.platform, self.model, self.clock = bot, platform, model, clock
        self.number = 0

    def said(self, text: str, by: str, channel: ChannelId, **more: Any) -> Inbound:
        """Make a message; it is numbered in the order in which it was said."""
        self.number += 1
        is_dm = channel == dm_of(by)
        place = ChannelPlace(is_dm=is_dm, guild_id="" if is_dm else "1")
        author: Author = v.author(by, f"user{by}")
        name = "direct messages" if is_dm else channel.removeprefix("console:")
        return v.inbound(
            text,
            f"s{self.number}",
            channel=channel,
            channel_name=name,
            place=place,
            author=author,
            sent_at=self.clock.now(),
            **more,
        )


@asynccontextmanager
async def a_scene(directory: Path, **tables: Any) -> AsyncIterator[Scene]:
    """Open one; time flows where nothing is at work. The limits are the usual ones, unless told otherwise."""
    clock = TidalClock()
    platform, model = Noting(clock), Thinker(clock)
    limits = {"limits": {}, "cortex": {"per_minute": 6}} | tables
    stores: list[Any] = []

    def is_at_work() -> bool:
        return not stores or is_busy(stores[0])

    tide = asyncio.get_running_loop().create_task(clock.ebb_and_flow(is_at_work))
    try:
        async with chat(
            directory, model, settings=config(directory / "data", **limits), clock=clock, platform=platform
        ) as bot:
            stores.append(bot.store)
            yield Scene(bot, platform, model, clock)
            await bot.settled()
    finally:
        tide.cancel()
        await asyncio.wait([tide])
