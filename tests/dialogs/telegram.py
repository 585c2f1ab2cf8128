"""The whole bot on Telegram: the real library, real sockets, a world of people, and time as a value."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.simulated import create as simulated
from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from adapters.telegram import Telegram
from adapters.telegram import create as open_telegram
from bot.app import App
from bot.config import LoadedConfig, parse_config
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.ports.edges import Edges
from bot.ports.model import LLMProvider
from bot.wiring import build
from tests.dialogs.bot import NoTable
from tests.dialogs.tide import TidalClock
from tests.fakes.clock import FakeEntropy
from tests.fakes.provider import ScriptedProvider
from tests.servers.telegram import Bot as Account
from tests.servers.telegram import Call, Chat, Message, Person, Press, TelegramServer, Topic, World, telegram_server

NAME = "glassmind_bot"
AT = f"@{NAME}"
TOKEN = "GLASSMIND_TOKEN"
CONFIG = """
[bot]
data_dir = "{data}"
[platforms.telegram]
token = "env:GLASSMIND_TOKEN"
base_url = "{base_url}"
file_url = "{file_url}"
owner_ids = [{root}]
admin_ids = [{mod}]
names = ["glassmind"]
{platform}
[drift]
sample = 1.0
[conversation]
debounce = 0
streaming = {streaming}
ambient_messages = 50
[limits]
user_per_minute = 0
channel_per_minute = 0
loop_guard_messages = 0
send_wait = 0.1
[cortex]
per_minute = 1000
{more}
"""
SCRIPTED = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
rounds = 3
{model}
"""
"""A bot whose model is a `ScriptedProvider`, passed as `model=`."""
NOWHERE = "http://127.0.0.1:9/bot"
"""The discard port, where nobody listens: what a dead process still wants to say goes there."""
SENDS = frozenset({"sendMessage", "sendDocument", "sendPhoto", "editMessageText", "sendMessageDraft"})


@dataclass
class TelegramBot:
    """A running bot and the people around it.

    `root` owns the bot, `mod` steers it; both run the kitchen, a supergroup in which everybody is and the bot reads
    all. Nobody but `root` has opened a private chat at first.
    """

    data: Path
    world: World
    server: TelegramServer
    clock: TidalClock
    providers: Mapping[str, LLMProvider]
    more: str = ""
    platform: str = ""
    streaming: bool = False
    entropy: FakeEntropy = field(default_factory=FakeEntropy)
    app: App = None  # type: ignore[assignment]
    telegram: Telegram = None  # type: ignore[assignment]
    _listening: asyncio.Task[None] = None  # type: ignore[assignment]
    _lives: int = 0

    def __post_init__(self) -> None:
        world = self.world
        self.me: Account = world.bot(NAME)
        self.me.privacy = False
        self.root, self.mod = world.person("Root", "root"), world.person("Mod", "mod")
        self.ann, self.james = world.person("Ann", "ann"), world.person("James", "james")
        self.kitchen = world.supergroup("kitchen", self.root, self.mod, self.ann, self.james, self.me)
        world.admit(self.kitchen, self.mod, status="administrator")
        world.dm(self.root).is_started = True

    @property
    def config(self) -> LoadedConfig:
        text = CONFIG.format(
            data=self.data,
            base_url=self.server.base_url,
            file_url=self.server.base_file_url,
            root=self.root.id,
            mod=self.mod.id,
            platform=self.platform,
            streaming=str(self.streaming).lower(),
            more=self.more,
        )
        return parse_config(text, {TOKEN: self.me.token})

    @property
    def store(self):
        return self.app.edges.store

    # its life

    async def open(self) -> None:
        """Start, and listen."""
        loaded = self.config
        store = await open_sqlite(StoreSettings(self.data, self.clock, self.entropy, low_water=0, ballast=0))
        self.telegram = open_telegram(loaded.config.platforms["telegram"].settings, self.clock)
        edges = Edges(self.clock, self.entropy, store, NoTable(), {"telegram": self.telegram}, self.providers)
        self.app = build(edges, loaded)
        await self.app.start()
        listening = self.app.watch.listen("telegram", self.app.manager)
        self._listening = asyncio.get_running_loop().create_task(listening)

    async def close(self) -> None:
        """End in order."""
        await self._deaf()
        await self.app.close("the test ends")
        await self.telegram.close()
        await self.store.close()

    async def restart(self) -> None:
        """End in order and start again, a second later."""
        await self.close()
        self.clock.advance(1)
        await self.open()

    async def dies(self) -> None:
        """End as a killed process does, at this very moment: what was committed stays, nothing more goes out."""
        self._lives += 1
        left = self.data.with_name(f"{self.data.name.partition('-')[0]}-{self._lives}")
        shutil.copytree(self.data, left, ignore=shutil.ignore_patterns("glassmind.db*", "*.lock"))
        with (
            closing(sqlite3.connect(self.data / "glassmind.db")) as old,
            closing(sqlite3.connect(left / "glassmind.db")) as new,
        ):
            old.backup(new)
        connection = self.telegram._connection
        for carrier in (connection.carrier, connection._polling):
            carrier._settings = carrier._settings.model_copy(update={"base_url": NOWHERE})
        await self._deaf()
        await self.telegram.close()
        circles = self.app.circles
        for tasks in (circles.messaging, circles.cortex, circles.aside, circles.sending):
            await tasks.close()
        await self.telegram.close()
        await self.store.close()
        self.data = left

    async def lives_again(self) -> None:
        """Start after a death, a second later."""
        self.clock.advance(1)
        await self.open()

    async def settled(self) -> None:
        """Wait until every update was taken and nothing is under way any more."""
        while True:
            await self.server.caught_up(self.me)
            await self.telegram._tasks.idle()
            await self.app.settled()
            if not self.me.inlet.pending and not self.telegram._tasks.busy and not self._busy:
                return

    def is_at_work(self) -> bool:
        """Whether a thread or a call is under way; one that hangs, or waits for updates, is not."""
        database = self.store._database if self.app else None
        if database is not None and (database.writer._draining or any(database._pending)):
            return True
        gate = self.server._dispatch.gate
        under_way = sum(not call.is_over for call in self.server.calls())
        return under_way > gate.hanging + sum(bot.inlet.is_polled for bot in self.world.bots.values())

    @property
    def _busy(self) -> bool:
        circles = self.app.circles
        return any(tasks.busy for tasks in (circles.messaging, circles.cortex, circles.aside, circles.sending))

    async def _deaf(self) -> None:
        self._listening.cancel()
        await asyncio.wait([self._listening])

    # what people do

    def say(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen if nothing else is said; go on at once."""
        return self.world.say(chat or self.kitchen, who, text, **more)

    async def hears(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> list[Message]:
        """Let somebody write, wait until all is done, and return what the bot wrote meanwhile, wherever."""
        before = self.written()
        self.say(who, text, chat, **more)
        await self.settled()
        self.clock.advance(1)
        return [message for message in self.written() if message not in before]

    async def presses(self, who: Person, button: str, message: Message | None = None) -> Press:
        """Let somebody press the newest button whose label begins so, and wait until all is done."""
        found = message or [one for one in self.written() if labels_of(one, button)][-1]
        press = self.world.press(found, labels_of(found, button)[0], who)
        await self.settled()
        self.clock.advance(1)
        return press

    # what is there to see

    def dm(self, who: Person) -> Chat:
        return self.world.dm(who, self.me)

    def chats(self) -> list[Chat]:
        return [*self.world.chats.values(), *self.world.privates.values()]

    def written(self, chat: Chat | None = None) -> list[Message]:
        """What the bot has written and nobody has deleted, in the order of sending within each chat."""
        chats = self.chats() if chat is None else [chat]
        return [m for one in chats for m in self.world.messages(one) if m.author is self.me and m.text + files_of(m)]

    def texts(self, chat: Chat | None = None) -> list[str]:
        return [message.text for message in self.written(chat or self.kitchen)]

    def private(self, who: Person) -> str:
        """Everything that the bot has written to somebody in private."""
        return "\n".join(self.texts(self.dm(who)))

    def transcript(self, chat: Chat | None = None, topic: Topic | None = None) -> str:
        return self.world.transcript(chat or self.kitchen, topic)

    def sends(self) -> list[Call]:
        """Every call that puts words where people read them, in the order in which they came."""
        return [call for call in self.server.calls() if call.method in SENDS]

    async def newest(self, chat: Chat | None = None, topic: int | None = None) -> StoredInbound:
        """The newest message of a chat, as the ledger knows it."""
        (found,) = await self.store.ledger.recent(self.key(chat, topic), 1)
        return found

    def key(self, chat: Chat | None = None, topic: int | None = None) -> ChannelKey:
        number = (chat or self.kitchen).id
        return ChannelKey(MAIN, ChannelId(f"telegram:{number}" + (f":{topic}" if topic else "")))


def labels_of(message: Message, start: str) -> list[str]:
    """The buttons of a message whose labels begin so."""
    return [one["text"] for one in message.buttons if one.get("text", "").startswith(start)]


def files_of(message: Message) -> str:
    return str(message.json.get("document", {}).get("file_name", ""))


@asynccontextmanager
async def a_telegram_bot(
    data: Path,
    *,
    model: ScriptedProvider | None = None,
    more: str = "",
    platform: str = "",
    begins: bool = True,
    **changes: Any,
) -> AsyncIterator[TelegramBot]:
    """Run a bot; `more` is further configuration, `platform` further keys of `[platforms.telegram]`.

    Without a `model` it is the simulation. Without `begins` it is for the test to `open` the bot, once the world is as
    it should be. `changes` are further fields of `TelegramBot`.
    """
    clock = TidalClock()
    world = World(clock=lambda: clock.now() / 1000)
    async with telegram_server(world) as server:
        providers = {"simulated": simulated("simulated", {})} | ({"scripted": model} if model else {})
        more += SCRIPTED.format(model="") if model and "[model]" not in more else ""
        bot = TelegramBot(data, world, server, clock, providers, more, platform, **changes)
        tide = asyncio.get_running_loop().create_task(clock.ebb_and_flow(bot.is_at_work))
        try:
            if begins:
                await bot.open()
            yield bot
        finally:
            if bot.app is not None:
                await bot.close()
            tide.cancel()
            await asyncio.wait([tide])


def alone(texts: Sequence[str]) -> str:
    """The only one."""
    (only,) = texts
    return only
