"""The whole bot on Telegram: the real adapter, people with phones, and a Bot API that does what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.openai import create as openai
from adapters.simulated.provider import SimulatedProvider
from adapters.sqlite import StoreSettings, open_readonly
from adapters.sqlite import create as open_sqlite
from adapters.telegram import Telegram
from adapters.telegram import create as telegram
from bot.app import App, adapters_of
from bot.config import Config, LoadedConfig
from bot.cortex.host import Host
from bot.diagnostics.collect import Ask, Collector, Live
from bot.diagnostics.evidence import Evidence
from bot.domain.ids import MAIN, ChannelKey, Person, UserId, channel_id
from bot.domain.snapshot import ContextSnapshot
from bot.errors import UserError
from bot.ports.edges import Edges
from bot.ports.store import Store
from bot.tasks import Tasks
from bot.wiring import build
from tests.dialogs.bot import NoTable
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.scenarios.stage import BASE, ONLINE, PATIENCE
from tests.servers.model import ModelServer, Reply, model_server
from tests.servers.telegram import Chat, Message, TelegramServer, World, telegram_server
from tests.servers.telegram import Person as Somebody

REPORT = ("✗ ", "? ", "✓ ", "○ ")
"""How a report begins; whatever else the bot says in private is no answer to `why`."""
SETTINGS: Mapping[str, Any] = {"poll_timeout": 25, "request_timeout": 1, "connect_timeout": 1}


@dataclass
class Phones:
    """What a scenario has to play with. `kitchen` is a group of root (who owns it and the bot), mod (an admin), ann.

    The bot is an ordinary member of it, and BotFather's group privacy is off unless `world.privacy(True)`.
    """

    data: Path
    server: TelegramServer
    models: ModelServer
    providers: Mapping[str, Any]
    clock: FakeClock
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    app: App = None  # type: ignore[assignment]
    adapter: Telegram = None  # type: ignore[assignment]
    open: bool = False
    _running: Tasks = field(default_factory=Tasks)

    def __post_init__(self) -> None:
        world = self.world
        self.me = world.bot()
        self.root, self.mod, self.ann = (world.person(name, name.lower()) for name in ("Root", "Mod", "Ann"))
        self.kitchen = world.supergroup("kitchen", self.root, self.mod, self.ann, self.me)
        world.admit(self.kitchen, self.mod, status="administrator")
        world.privacy(False)
        world.start(self.root)
        world.start(self.mod)

    @property
    def world(self) -> World:
        return self.server.world

    @property
    def store(self) -> Store:
        return self.app.edges.store

    @property
    def config(self) -> LoadedConfig:
        own = self.tables.get("telegram", {})
        urls = {"base_url": self.server.base_url, "file_url": self.server.base_file_url, "token": self.me.token}
        people = {"owner_ids": [self.root.id], "admin_ids": [self.mod.id]}
        names = {*BASE, *self.tables} - {"console", "telegram", "client"}
        tables = {name: {**BASE.get(name, {}), **self.tables.get(name, {})} for name in names}
        tables["conversation"] = {"streaming": False, **tables["conversation"]}
        whole = {"bot": {"data_dir": str(self.data)}, "platforms": {"telegram": {**people, **urls, **SETTINGS, **own}}}
        return LoadedConfig(config=Config.model_validate({**whole, **tables}), origins={}, secrets={})

    async def begins(self) -> None:
        """Start the process, and let the platform deliver."""
        config = self.config
        store = await open_sqlite(StoreSettings(self.data, self.clock, FakeEntropy(), low_water=0, ballast=0))
        self.adapter = telegram(config.config.platforms["telegram"].settings, self.clock)
        platforms = {"telegram": self.adapter}
        self.app = build(Edges(self.clock, FakeEntropy(), store, NoTable(), platforms, self.providers), config)
        await self.app.start()
        self._running = Tasks()
        self._running.spawn("platform telegram", self.app.watch.listen("telegram", self.app.manager))
        self.open = True

    async def ends(self, reason: str) -> None:
        """End the process in order."""
        self.open = False
        await self._running.close()
        self.server.release()
        await self.app.close(reason)
        await self.adapter.close()
        await self.store.close()

    async def close(self) -> None:
        """End; what still waits to be sent gets its time first."""
        if self.open:
            self.passes(600)
            await self.ends("the test ends")

    def set(self, table: str, **keys: Any) -> None:
        """Change the configuration of the next start."""
        self.tables = {**self.tables, table: {**self.tables.get(table, {}), **keys}}

    def key(self, chat: Chat) -> ChannelKey:
        return ChannelKey(MAIN, channel_id("telegram", chat.id))

    def passes(self, seconds: float) -> None:
        """Let time pass; whoever slept long enough goes on."""
        self.clock.advance(seconds)

    def says(self, who: Somebody, text: str, chat: Chat | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen unless another chat is named; what comes of it takes its time."""
        return self.world.say(chat or self.kitchen, who, text, **more)

    async def asks(self, who: Somebody, text: str, chat: Chat | None = None, **more: Any) -> None:
        """Let somebody write, and everything come of it."""
        self.says(who, text, chat, **more)
        await self.quiet()

    async def quiet(self) -> None:
        """Wait until everything has arrived, and all that follows from it has happened."""
        async with asyncio.timeout(PATIENCE):
            await self.server.caught_up()
            await self.app.settled()
        self.passes(1)

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so in the world, or of the adapter."""
        async with asyncio.timeout(PATIENCE):
            while not happened():  # noqa: ASYNC110 - a health is asked, it calls nobody
                await asyncio.sleep(0.005)

    async def is_told_to_wait(self) -> None:
        """Wait until the platform has asked to wait with something that is to be sent."""
        async with asyncio.timeout(PATIENCE):
            while not any(row.error for row in await self.store.outbox.pending()):  # noqa: ASYNC110 - as below
                await asyncio.sleep(0.005)

    async def gives_up(self, chat: Chat, seconds: float) -> None:
        """Let time pass step by step until something to a chat is not sent any more."""
        async with asyncio.timeout(PATIENCE):
            while not await self.store.outbox.in_state(self.key(chat), False, 1):
                self.passes(seconds)
                await asyncio.sleep(0.01)

    async def polls(self) -> None:
        """Wait until a poll has come back at this very time."""
        await self.until(lambda: ("last_poll_at", str(self.clock.now())) in self.adapter.health().facts)

    async def fails_to_poll(self, code: str) -> None:
        """Wait until the adapter says why it hears nothing."""
        await self.until(lambda: self.adapter.health().code == code)

    async def tells(self, who: Somebody, text: str, chat: Chat | None = None, *, report: bool = False) -> Message:
        """Let somebody write; return the next thing (the next report) that the bot says to them in private."""
        before = len(self._told(who))

        def answers() -> list[Message]:
            return [said for said in self._told(who)[before:] if not report or said.text.startswith(REPORT)]

        self.says(who, text, chat or self.world.dm(who))
        await self.until(lambda: bool(answers()))
        self.passes(1)
        return answers()[0]

    async def presses(self, who: Somebody, on: Message, label: str) -> str:
        """Press a button; return what the bot says then."""
        before = len(self._told(who))
        self.world.press(on, label, who)
        await self.until(lambda: len(self._told(who)) > before)
        self.passes(1)
        return self._told(who)[before].text

    async def evidence(self, key: ChannelKey, name: str) -> Evidence:
        """Collect what the rules look at, as the cortex of this bot does for the owner."""
        app = self.app

        async def preview(key: ChannelKey) -> ContextSnapshot | None:
            with suppress(UserError):
                return (await app.inspector.inspect(key)).snapshot
            return None

        live = Live(
            app.registry,
            lambda: adapters_of(app.edges, app.started_at),
            app.models.health,
            preview,
            self.adapter.probe,
        )
        asker = Person("telegram", UserId(str(self.root.id)))
        return await Collector(self.store, self.clock, app.config, live).collect(key, name, Ask(asker=asker))

    @asynccontextmanager
    async def host(self) -> AsyncIterator[Host]:
        """Look at the data directory as the host's commands do."""
        if self.open:
            await self.app.beat()
        store = await open_readonly(self.data)
        try:
            yield Host(store, self.config.config, self.clock)
        finally:
            await store.close()

    def public(self) -> list[str]:
        """What the bot said where everybody reads."""
        return [said.text for said in self.world.messages(self.kitchen) if said.author is self.me]

    def _told(self, who: Somebody) -> list[Message]:
        return [said for said in self.world.messages(self.world.dm(who)) if said.author is self.me]


@asynccontextmanager
async def phones(
    directory: Path, script: Sequence[Reply], settings: Mapping[str, Mapping[str, Any]]
) -> AsyncIterator[Phones]:
    """Open a world and run a bot in it; its model answers by a script, or is the simulation where there is none."""
    clock = FakeClock(auto=False)
    world = World(clock=lambda: clock.now() / 1000)
    async with model_server(*script) as models, telegram_server(world) as server:
        provider = openai("openai", {"base_url": models.base_url, "first_token_timeout": 5.0})
        tables = {**settings, **({"model": {**ONLINE, **settings.get("model", {})}} if script else {})}
        if script:
            tables["providers"] = {"openai": {"kind": "openai"}}
        providers = {"simulated": SimulatedProvider("simulated"), "openai": provider}
        stage = Phones(directory, server, models, providers, clock, tables)
        await stage.begins()
        await stage.quiet()
        try:
            yield stage
        finally:
            await stage.close()
            await provider.close()
