"""People and a bot on `discord-digital-twin`, and an adapter that listens to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from adapters.discord import DiscordAdapter, create
from adapters.system import SystemClock
from bot.domain.ids import ChannelId
from bot.domain.messages import OutboundAddress, OutgoingMessage
from bot.runtime.tasks import TaskSupervisor
from tests.fakes.clock import FakeClock
from tests.fakes.ears import FakeEars
from tests.inside.discord import knows_every_guild
from tests.peers.processes import PATIENCE

TOKEN = "MTIzNDU2Nzg5.GaBcDe.0123456789abcdefghijklmnopqrstuvwxyz01"
NOW = SystemClock().now
"""The peer's numbers hold the true time, so the adapter's clock begins there."""


@dataclass
class Peer:
    """The server as the people in the kitchen see it: Ann and Bob, and the bot, at the table and at the window."""

    url: str
    session: aiohttp.ClientSession
    world: Any = None

    async def call(self, what: str, **body: Any) -> Any:
        async with self.session.post(f"{self.url}/twin/{what}", json=body) as response:
            found = await response.json()
            assert response.status == 200, found
            return found

    def who(self, name: str) -> str:
        return str(self.world["people"][name])

    def where(self, name: str) -> str:
        return str(self.world["channels"][name])

    @property
    def at(self) -> str:
        return f"<@{self.world['bot']}>"

    async def says(self, name: str, text: str, *, where: str = "", **more: Any) -> str:
        at = where or self.where("table")
        said = await self.call("simulateUserMessage", channelId=at, userId=self.who(name), content=text, **more)
        return str(said["id"])

    async def messages(self, where: str = "") -> list[Any]:
        found: list[Any] = await self.call("messages", channelId=where or self.where("table"))
        return found

    async def texts(self, where: str = "") -> list[str]:
        return [one["content"] for one in await self.messages(where) if one["authorId"] == self.world["bot"]]

    async def hears(self, *texts: str, where: str = "") -> None:
        await eventually(lambda: self._is_said(where, texts))

    async def _is_said(self, where: str, texts: tuple[str, ...]) -> bool:
        return tuple(await self.texts(where)) == texts


@dataclass
class Here:
    """One adapter that listens to the peer, with ears that keep what they hear."""

    peer: Peer
    ears: FakeEars
    discord: DiscordAdapter
    clock: FakeClock

    @property
    def table(self) -> ChannelId:
        return ChannelId(f"discord:{self.peer.world['guild']}:{self.peer.where('table')}")

    def words(self, text: str, nonce: str = "n1", **more: Any) -> OutgoingMessage:
        return OutgoingMessage(
            nonce=nonce, to=OutboundAddress(platform="discord", channel=self.table), text=text, **more
        )

    async def heard(self, *texts: str) -> None:
        await until(lambda: tuple(self.ears.said) == texts)


@asynccontextmanager
async def listening(peer: Peer, ears: FakeEars, **changes: Any) -> AsyncIterator[Here]:
    addresses = {"rest_url": peer.world["rest_url"], "cdn_url": peer.url}
    clock, tasks = FakeClock(NOW()), TaskSupervisor()
    discord = create({"token": TOKEN, "calls_per_second": 0, **addresses, **changes}, clock)
    tasks.spawn("discord", discord.run(ears))
    try:
        yield Here(peer, ears, discord, clock)
    finally:
        await tasks.close()
        await discord.close()


async def up(here: Here) -> None:
    """Wait until it listens, and has looked into the whole guild."""
    await until(lambda: here.discord.health().state == "up" and knows_every_guild(here.discord))


async def until(question: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not question():  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.01)


async def eventually(question: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await question():  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.02)
