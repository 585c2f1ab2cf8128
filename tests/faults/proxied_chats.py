"""Bots on Telegram and Discord behind a proxy: every question is answered once, or somebody is told."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.discord_story import DiscordStory
from tests.faults.family import Verdict
from tests.faults.leaping import SECOND, LeapingClock
from tests.faults.proxy import Kind, Proxy, Trouble
from tests.faults.schedule import answering
from tests.faults.story import Question, Story, Wrong
from tests.faults.telegram_story import TelegramStory

MOMENT = 1.0
"""Seconds that letting go may take after a timeout."""


class Way(NamedTuple):
    """Which requests get into trouble, and the configured seconds that anything may wait on them."""

    mark: re.Pattern[bytes]
    seconds: float


WAYS = {
    "telegram/send": Way(re.compile(rb"POST \S+/sendMessage "), 20),
    "telegram/poll": Way(re.compile(rb"POST \S+/getUpdates "), 25 + 20),
    "discord/send": Way(re.compile(rb"POST \S+/messages "), 20),
    "discord/gateway": Way(re.compile(rb"GET /gateway\b"), 90),
    "discord/resume": Way(re.compile(rb"GET /gateway\b"), 90),
    "discord/history": Way(re.compile(rb"GET \S+/messages\?"), 20),
}


async def play(path: str, kind: Kind, places: Iterable[int], directory: Path) -> Verdict:
    way, made = WAYS[path], _telegram if path.startswith("telegram") else _discord
    n = hung = 0
    counts = {"hung": 0, "lost": 0, "twice": 0}
    async with made(directory) as (story, proxy):
        for at in places:
            trouble = proxy.plan = Trouble(way.mark, kind, at)
            if path in ("discord/gateway", "discord/history"):
                story.bot.server.gateway.invalidate()
            elif path == "discord/resume":
                story.bot.server.gateway.drop()
            await _asks(story)
            await story.bot.settled()
            proxy.plan = None
            if trouble.began is None:
                break  # the answer is shorter
            n += 1
            hung += is_hung(trouble, way.seconds)
            story.note(f"{story.asked[-1].name}: {trouble}")
        try:
            await story.check()
        except Wrong as wrong:
            return Verdict(n=n, counts=counts | {wrong.count: 1}, trouble=str(wrong))
    return Verdict(n=n, counts=counts | {"hung": hung}, trouble=str(story) if hung else "")


def is_hung(trouble: Trouble, seconds: float) -> bool:
    """Say whether somebody waited on an answer for longer than so many seconds."""
    if trouble.kind in ("cut", "double"):
        return False
    assert trouble.began is not None
    return trouble.ended is None or trouble.ended - trouble.began > seconds + MOMENT


async def _asks(story: Story) -> None:
    bot, name = story.bot, f"q{len(story.asked)}"
    if isinstance(story, TelegramStory):
        said = bot.say(bot.ann, f"{AT} {name}")
    else:
        said = await bot.says(bot.ann, f"{bot.at} {name}")
    story.asked.append(Question(name, said))


@asynccontextmanager
async def _telegram(directory: Path) -> AsyncIterator[tuple[Story, Proxy]]:
    model, clock = ScriptedProvider(says("")), LeapingClock()
    async with a_telegram_bot(directory / "data", model=model, clock=clock, begins=False) as bot:
        bot.server.set_second(SECOND)
        yard = bot.world.group("yard", bot.ann, bot.me)
        async with _proxied(bot, model, bot.server) as proxy:
            yield TelegramStory(0, bot, yard=yard), proxy


@asynccontextmanager
async def _discord(directory: Path) -> AsyncIterator[tuple[Story, Proxy]]:
    model, clock = ScriptedProvider(says("")), LeapingClock()
    async with (
        a_discord_bot(directory / "data", model=model, clock=clock, begins=False) as bot,
        _proxied(bot, model, bot.world) as proxy,
    ):
        yield DiscordStory(0, bot, rooms=[bot.kitchen]), proxy


@asynccontextmanager
async def _proxied(bot: Any, model: ScriptedProvider, behind: Any) -> AsyncIterator[Proxy]:
    """Open a bot that finds its platform behind a proxy."""
    answering(bot, model, streaming=False)
    bot.clock.is_busy = bot.is_writing
    proxy = Proxy(int(behind.address.rpartition(":")[2]))
    await proxy.open()
    behind.address = proxy.address
    try:
        await bot.open()
        await bot.settled()
        yield proxy
    finally:
        await proxy.close()
