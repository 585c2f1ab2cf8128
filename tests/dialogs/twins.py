"""Two bots of one platform in one process, opened from one file as `glassmind run` does it."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from bot.app.adapters import ClockAndEntropy, open_edges
from bot.app.bot import Bot
from bot.config import LoadedConfig, parse_config
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.dialogs.bot import NoTable
from tests.dialogs.chat_bot import TOKEN, ChatBot, alive, thinking
from tests.dialogs.discord import DiscordBot
from tests.dialogs.telegram import TelegramBot
from tests.dialogs.tide import TidalClock
from tests.servers.discord import World as DiscordWorld
from tests.servers.discord import discord_server
from tests.servers.telegram import World as TelegramWorld
from tests.servers.telegram import telegram_server

SECOND = "support"
SECOND_TOKEN = "SUPPORT_TOKEN"
TABLE = """
[platforms.{second}]
kind = "{kind}"
token = "env:{token}"
names = ["helper"]
{keys}
"""


@dataclass
class Twins(ChatBot):
    """Two bots in one process. `first` and `second` are what people see of each; `second_token` is the other's."""

    first: Any = None
    second: Any = None
    second_account: Any = None
    second_token: str = ""
    kind: ClassVar[type]
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def config(self) -> LoadedConfig:
        table = TABLE.format(second=SECOND, kind=self.name, token=SECOND_TOKEN, keys=self.keys)
        return parse_config(self.written_config + table, {TOKEN: self.token, SECOND_TOKEN: self.second_token})

    async def open(self) -> None:
        loaded, machine = self.config, ClockAndEntropy(self.clock, self.entropy)
        edges = await self._open.enter_async_context(open_edges(loaded, machine))
        edges = edges._replace(counter=NoTable(), providers=self.providers)
        self.app = Bot(edges, loaded)
        self.adapters = [getattr(platform, "adapter", platform) for platform in edges.platforms.values()]
        self.first = self._half(self.kind, self.me, self.adapters[0])
        self.second = self._half(self.kind, self.second_account, self.adapters[1])
        await self.app.start()
        loop = asyncio.get_running_loop()
        self._listening = loop.create_task(self._listen(tuple(edges.platforms)))
        self._trying = loop.create_task(self.app.sender.queues.keep_trying())

    async def _listen(self, names: tuple[str, ...]) -> None:
        await asyncio.gather(*(self.app.watch.listen(name, self.app.manager) for name in names))

    async def close(self) -> None:
        await self._deaf()
        await self.app.close("the test ends")
        await self._open.aclose()
        self._open = AsyncExitStack()

    def _half(self, kind: type, account: Any, adapter: Any) -> Any:
        half = copy.copy(self)
        half.__class__, half.me = kind, account
        setattr(half, self.name, adapter)
        return half

    @property
    def halves(self) -> list[Any]:
        return [one for one in (self.first, self.second) if one is not None]

    async def settled(self) -> None:
        for _ in range(2):
            for half in self.halves:
                await half.settled()

    async def told(self, who: Any, text: str, where: Any = None) -> None:
        """Let somebody write, and wait until both bots have done what they do."""
        said = self.first.says(who, text, where) if self.name == "discord" else self.first.say(who, text, where)
        if asyncio.iscoroutine(said):
            await said
        await self.settled()
        self.clock.advance(1)


@dataclass
class DiscordTwins(Twins, DiscordBot):
    kind: ClassVar[type] = DiscordBot

    def __post_init__(self) -> None:
        super().__post_init__()
        self.second_account = self.world.bot("helper")
        self.second_token = self.second_token or self.second_account.token
        self.house.admit(self.second_account)
        self.cellar = self.house.channel("cellar")

    @property
    def read_so_far(self) -> dict[Any, Any]:
        return {key: value for half in self.halves for key, value in half.read_so_far.items()}

    @property
    def adapter(self) -> Any:
        return self.first.discord

    def key_of_second(self, where: Any) -> ChannelKey:
        return ChannelKey(MAIN, ChannelId(f"{SECOND}:{where.guild.id}:{where.id}"))


@dataclass
class TelegramTwins(Twins, TelegramBot):
    kind: ClassVar[type] = TelegramBot

    def __post_init__(self) -> None:
        super().__post_init__()
        self.second_account = self.world.bot("helper_bot")
        self.second_account.privacy = False
        self.second_token = self.second_token or self.second_account.token
        self.world.admit(self.kitchen, self.second_account)
        self.world.dm(self.root, self.second_account).is_started = True

    @property
    def adapter(self) -> Any:
        return self.first.telegram

    def key_of_second(self, where: Any) -> ChannelKey:
        return ChannelKey(MAIN, ChannelId(f"{SECOND}:{where.id}"))


@asynccontextmanager
async def discord_twins(
    data: Path, *, made: type[DiscordTwins] = DiscordTwins, more: str = "", **changes: Any
) -> AsyncIterator[DiscordTwins]:
    """Run two bots on Discord, which stand in the same guild."""
    time = TidalClock()
    world = DiscordWorld(clock=lambda: time.now() / 1000)
    async with discord_server(world) as server:
        whole = made(data=data, world=world, server=server, clock=time, **thinking(None, more), **changes)
        async with alive(whole) as bots:
            yield bots


@asynccontextmanager
async def telegram_twins(data: Path, *, more: str = "", **changes: Any) -> AsyncIterator[TelegramTwins]:
    """Run two bots on Telegram, which are in the same group."""
    time = TidalClock()
    world = TelegramWorld(clock=lambda: time.now() / 1000)
    async with telegram_server(world) as server:
        whole = TelegramTwins(data=data, world=world, server=server, clock=time, **thinking(None, more), **changes)
        async with alive(whole) as bots:
            yield bots
