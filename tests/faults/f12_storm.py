"""F12: a storm of 429s: of many sends a third is refused, again and again; all arrive in order, and nobody is banned.

`discord/10000/0` are ten thousand sends, the first time. Of the calls 24 % are told to wait, 5 % that everything has
to, and 1 % meet the network in front of Discord, which says no more than 429. Telegram asks chat by chat. The time
leaps. `growing/200/0`: two hundred answers that are shown while they are written.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.domain.messages import OutboundAddress
from bot.domain.turn import NewOutbox
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import a_telegram_bot
from tests.faults import growing
from tests.faults.family import Family, Size, Verdict
from tests.faults.leaping import SECOND, LeapingClock
from tests.servers.discord import CLOUDFLARE
from tests.servers.discord import Flood as DiscordFlood
from tests.servers.telegram import Flood
from tests.servers.telegram.exchange import Exchange

SENDS = {Size.SLICE: 40, Size.NIGHTLY: 4000, Size.RELEASE: 10_000}
GROWING = {Size.SLICE: 12, Size.NIGHTLY: 100, Size.RELEASE: 200}
ROOMS = 100
LEAST = 10
"""Sends in one room."""
WINDOW = 600.0
"""Seconds in which Discord counts what is refused: https://discord.com/developers/docs/topics/rate-limits."""
INVALID = frozenset({401, 403, 429})


def cases(size: Size) -> Iterable[str]:
    yield f"discord/{SENDS[size]}/0"
    yield f"telegram/{SENDS[size]}/0"
    yield f"growing/{GROWING[size]}/0"


@dataclass(frozen=True, slots=True)
class DiscordWeather:
    """What a call to Discord meets."""

    chance: random.Random

    async def play(self, exchange: Exchange) -> None:
        drawn = self.chance.random()
        if drawn < 0.24:
            await DiscordFlood(self.chance.uniform(0.2, 5.0)).play(exchange)
        elif drawn < 0.29:
            await DiscordFlood(self.chance.uniform(0.1, 1.0), is_global=True).play(exchange)
        elif drawn < 0.30:
            await CLOUDFLARE.play(exchange)
        else:
            await exchange.answer()


@dataclass(frozen=True, slots=True)
class TelegramWeather:
    """What a call to Telegram meets."""

    chance: random.Random

    async def play(self, exchange: Exchange) -> None:
        if self.chance.random() < 0.30:
            await Flood(self.chance.randint(1, 30)).play(exchange)
        else:
            await exchange.answer()


async def play(key: str, directory: Path) -> Verdict:
    platform, many, _ = key.split("/")
    if platform == "growing":
        return await growing.play(int(many), directory)
    chance, clock = random.Random(key), LeapingClock()
    each = max(LEAST, int(many) // ROOMS)
    names = [f"room-{one}" for one in range(int(many) // each)]
    async with AsyncExitStack() as stack:
        if platform == "discord":
            bot: Any = await stack.enter_async_context(
                a_discord_bot(directory / "data", clock=clock, platform=growing.PATIENT, pace=growing.USUAL)
            )
            rooms = [bot.house.channel(name) for name in names]
            method, weather = "create_message", DiscordWeather(chance)
        else:
            bot = await stack.enter_async_context(a_telegram_bot(directory / "data", clock=clock))
            bot.server.set_second(SECOND)
            rooms = [bot.world.group(name, bot.ann, bot.me) for name in names]
            method, weather = "sendMessage", TelegramWeather(chance)
        clock.is_busy = bot.is_writing
        await bot.settled()
        bot.server.fault(method, weather, times=1 << 60)
        wanted = {room.id: [f"{room.id} no. {n}" for n in range(each)] for room in rooms}
        await _send(bot, rooms, wanted)
        await bot.settled()
        return _verdict(bot, rooms, wanted)


async def _send(bot: Any, rooms: Sequence[Any], wanted: dict[int, list[str]]) -> None:
    """Let the outbox have everything at once, room by room."""
    for room in rooms:
        to = OutboundAddress(platform=bot.name, channel=bot.key(room).channel)
        rows = [NewOutbox(kind="reply", to=to, text=text) for text in wanted[room.id]]
        bot.app.sender.enqueue(await bot.store.outbox.put(rows, [], bot.clock.now()))


def _verdict(bot: Any, rooms: Sequence[Any], wanted: dict[int, list[str]]) -> Verdict:
    lost = twice = disorder = 0
    for room in rooms:
        order = wanted[room.id]
        came = [text for text in bot.texts(room) if text in order]
        lost += len(set(order) - set(came))
        twice += len(came) - len(set(came))
        disorder += sum(order.index(a) > order.index(b) for a, b in pairwise(came))
    refused = [call.at for call in bot.server.calls() if call.status in INVALID]
    figures = {"storm_minutes": bot.clock.passed / 60}
    if bot.name == "discord":
        figures["invalid_per_10min"] = float(_most_within(refused, WINDOW))
    counts = {"lost": lost, "twice": twice, "disorder": disorder, "refused": len(refused)}
    return Verdict(n=sum(map(len, wanted.values())), counts=counts, figures=figures)


def _most_within(times: Sequence[float], seconds: float) -> int:
    """Count the most of these that lie within any so many seconds."""
    most = first = 0
    for last, at in enumerate(times):
        while times[first] <= at - seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


FAMILY = Family("F12", "a storm of 429s", cases, play, seconds=900)
