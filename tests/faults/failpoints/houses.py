"""The three kinds of house."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from adapters.simulated import create as simulated
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import OutboundAddress
from bot.ports.model import LLMProvider
from tests.dialogs.bot import PEOPLE, Bot, NoTable
from tests.dialogs.chat_bot import SCRIPTED, alive, labels_of, leave
from tests.dialogs.discord import DiscordBot
from tests.dialogs.telegram import AT, TelegramBot, files_of
from tests.dialogs.tide import TidalClock
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider
from tests.faults.failpoints.house import House, Owed
from tests.faults.failpoints.points import Aim, WatchedEars, watch_wire
from tests.servers.discord import Upload as DiscordUpload
from tests.servers.discord import World as DiscordWorld
from tests.servers.discord import discord_server
from tests.servers.telegram import Upload as TelegramUpload
from tests.servers.telegram import World as TelegramWorld
from tests.servers.telegram import telegram_server

FAST = {
    "telegram": "poll_timeout = 0.1\nrequest_timeout = 0.5\nconnect_timeout = 0.5",
    "discord": "request_timeout = 0.5\nconnect_timeout = 0.5\nstalled_after = 0.6",
}
ROOMS = {"kitchen": "#general", "yard": "#yard"}


class _Wrong:
    """A wall clock that may be wrong, by `skew` milliseconds; the platform's own is right."""

    skew = 0
    at: int

    def now(self) -> int:
        return self.at + self.skew


class HouseClock(_Wrong, FakeClock):
    """Time at a terminal."""


class ChatClock(_Wrong, TidalClock):
    """Time on a platform."""


@dataclass
class Terminal(House):
    """Somebody's terminal, which outlives the process, as a screen does that is held by another program."""

    name = "console"
    at = "@glassmind"
    _left: Any = None
    _image: Path = Path()

    async def say(self, who: str, text: str, place: str = "kitchen", file: bytes = b"") -> Any:
        room = ROOMS.get(place, place)
        await self._types(f"[{room}] {who}> {text}")
        return self.bot.console.world.said[-1]

    async def edit(self, said: Any, text: str) -> None:
        await self._goes_to(said)
        await self._types(f"/edit {said.message_id} {text}")

    async def delete(self, said: Any) -> None:
        await self._goes_to(said)
        await self._types(f"/delete {said.message_id}")

    async def press(self, who: str, label: str) -> None:
        await self._types(f"/as {who}")
        await self._types(f"/press {label}")

    def key(self, who: str, place: str) -> ChannelKey:
        channel = f"console:dm:{PEOPLE[who]}" if place == "dm" else f"console:{ROOMS.get(place, place)}"
        return ChannelKey(MAIN, ChannelId(channel))

    def number(self, said: Any) -> str:
        return str(said.message_id)

    def told(self) -> list[tuple[str, str]]:
        return [(said.channel, said.text) for said in self.bot.console.world.said if said.by_bot]

    def is_marked(self, owed: Owed) -> bool:
        """Whether the screen says that a message of that person, in that place, has a warning on it."""
        world = self.bot.console.world
        place = world.place(OutboundAddress(platform=self.name, channel=owed.key.channel))
        who = {one.name for one in world.said if one.channel == owed.key.channel and one.text.endswith(owed.name)}
        return any(f"[{place}] ⚠️ on {name}'s message" in line for name in who for line in self.bot.lines)

    async def rows(self, owed: Owed) -> list[StoredInbound]:
        """Find a message by its words: who was killed while it was typed knows no number."""
        return [row for row in await self.messages(owed.key) if row.inbound.text.endswith(owed.name)]

    def leaves(self) -> None:
        # the screen is what it was; whatever the dead one prints is not on it
        console = self.bot.console
        world = replace(console.world, said=console.world.said.copy(), buttons=dict(console.world.buttons))
        self._left = world, self.bot.lines.copy()
        self._image = self.bot.data.with_name(f"data-{self.deaths}")
        leave(self.bot.data, self._image)

    async def dies(self) -> None:
        await self.bot.dies()
        self.bot.data = self._image

    async def lives_again(self) -> None:
        self.bot.clock.advance(1)
        world, self.bot.lines[:] = self._left

        async def look() -> None:
            for part in fields(world):
                setattr(self.bot.console.world, part.name, getattr(world, part.name))

        await self.bot.open(look)

    async def settled(self) -> None:
        await self.bot.app.settled()

    async def _types(self, line: str) -> None:
        await self.bot.console.type(line, WatchedEars(self.bot.app.manager, self.points))

    async def _goes_to(self, said: Any) -> None:
        await self._types(f"/as {said.name}")
        place = said.channel.removeprefix("console:")
        await self._types(f"/join {place}" if place.startswith("#") else "/dm")


@dataclass
class _Chat(House):
    """A house on a platform with servers; what people do there has the same names on both."""

    yard: Any = None

    async def settled(self) -> None:
        await self.bot.settled()

    def where(self, who: str, place: str) -> Any:
        return self.bot.dm(getattr(self.bot, who)) if place == "dm" else getattr(self, place, None) or self.bot.kitchen

    def key(self, who: str, place: str) -> ChannelKey:
        key: ChannelKey = self.bot.key(self.where(who, place))
        return key

    def number(self, said: Any) -> str:
        return str(said.id)

    async def press(self, who: str, label: str) -> None:
        await self.bot.presses(getattr(self.bot, who), label)


@dataclass
class Group(_Chat):
    """A group on Telegram."""

    name = "telegram"
    at = AT

    async def say(self, who: str, text: str, place: str = "kitchen", file: bytes = b"") -> Any:
        more = {"document": TelegramUpload("recipe.txt", file, "text/plain")} if file else {}
        return self.bot.say(getattr(self.bot, who), text, self.where(who, place), **more)

    async def edit(self, said: Any, text: str) -> None:
        self.bot.world.edit(said, text)

    async def delete(self, said: Any) -> None:
        self.bot.world.delete(said)

    def told(self) -> list[tuple[str, str]]:
        bot = self.bot
        return [(bot.key(one).channel, m.text + files_of(m)) for one in bot.chats() for m in bot.written(one)]

    def is_marked(self, owed: Owed) -> bool:
        messages = (m for chat in self.bot.chats() for m in self.bot.world.messages(chat))
        return any(str(m.id) == owed.message_id and m.reactions.get(self.bot.me.id) for m in messages)


@dataclass
class Guild(_Chat):
    """A server on Discord."""

    name = "discord"

    async def say(self, who: str, text: str, place: str = "kitchen", file: bytes = b"") -> Any:
        more = {"files": [DiscordUpload("recipe.txt", file, "text/plain")]} if file else {}
        person = getattr(self.bot, who)
        return await self.bot.says(person, text, self.bot.me if place == "dm" else self.where(who, place), **more)

    async def edit(self, said: Any, text: str) -> None:
        self.bot.clock.advance(1)
        await said.author.edits(said, text)

    async def delete(self, said: Any) -> None:
        await said.author.deletes(said)

    def told(self) -> list[tuple[str, str]]:
        found = []
        for one in self.bot.world.channels.values():
            if written := self.bot.written(one):
                name = self.bot.key(one).channel
                found += [(name, m.text + " ".join(a["filename"] for a in m.attachments)) for m in written]
        return found

    def is_marked(self, owed: Owed) -> bool:
        messages = (m for channel in self.bot.world.channels.values() for m in channel.standing)
        return any(
            str(m.id) == owed.message_id and any(self.bot.me in who for who in m.reactions.values()) for m in messages
        )


@dataclass(frozen=True)
class Furniture:
    """What a house is opened with: the model, further configuration, whether answers are shown while written."""

    model: Any
    more: str = ""
    streaming: bool = False

    def thinking(self) -> Mapping[str, LLMProvider]:
        return {"simulated": simulated("simulated", {}), "scripted": ScriptedProvider(self.model)}


@asynccontextmanager
async def a_house(platform: str, directory: Path, furniture: Furniture, aim: Aim | None) -> AsyncIterator[House]:
    """Open a house."""
    make = {"console": _terminal, "telegram": _group, "discord": _guild}[platform]
    async with make(directory / "data", furniture, aim) as house:
        yield house


@asynccontextmanager
async def _terminal(data: Path, furniture: Furniture, aim: Aim | None) -> AsyncIterator[House]:
    house = Terminal(None, aim)
    bot = Bot(data, HouseClock(), FakeEntropy(), furniture.thinking(), NoTable(), furniture.more, watched=house.watched)
    house.bot = bot
    await bot.open()
    try:
        yield house
    finally:
        house.lets_go()
        await bot.close()


@asynccontextmanager
async def _group(data: Path, furniture: Furniture, aim: Aim | None) -> AsyncIterator[House]:
    clock = ChatClock()
    world = TelegramWorld(clock=lambda: clock.at / 1000)
    async with telegram_server(world) as server:
        house = Group(None, aim)
        watch_wire(server.dispatch, lambda: house.points)
        bot = TelegramBot(data=data, world=world, server=server, clock=clock, **_as_chat(furniture, house))
        house.bot = bot
        house.yard = world.group("yard", bot.root, bot.ann, bot.james, bot.me)
        world.dm(bot.mod).is_started = world.dm(bot.ann).is_started = True
        async with alive(bot):
            try:
                yield house
            finally:
                house.lets_go()


@asynccontextmanager
async def _guild(data: Path, furniture: Furniture, aim: Aim | None) -> AsyncIterator[House]:
    clock = ChatClock()
    world = DiscordWorld(clock=lambda: clock.at / 1000)
    async with discord_server(world) as server:
        house = Guild(None, aim)
        watch_wire(server.dispatch, lambda: house.points)
        server.gateway.interval = 100
        bot = DiscordBot(data=data, world=world, server=server, clock=clock, **_as_chat(furniture, house))
        house.bot, house.at = bot, bot.at
        house.yard = bot.house.channel("yard")
        async with alive(bot):
            await bot.settled()
            for who in (
                bot.ann,
                bot.root,
            ):  # a private chat shows itself only by what is written while somebody listens
                await bot.hears(who, "hello", bot.me)
            try:
                yield house
            finally:
                house.lets_go()


def _as_chat(furniture: Furniture, house: House) -> dict[str, Any]:
    more = {"more": furniture.more, "streaming": furniture.streaming, "providers": furniture.thinking()}
    return {**more, "platform": FAST[house.name], "watched": house.watched}


__all__ = ["SCRIPTED", "Furniture", "a_house", "labels_of"]
