"""Where scenarios happen: the whole bot behind a terminal, with a model service that does what it is told."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adapters.console import ConsoleAdapter, Settings
from adapters.console.world import dm_of
from adapters.openai import create as openai
from adapters.simulated.provider import SimulatedProvider
from adapters.sqlite import StoreSettings, open_readonly
from adapters.sqlite import create as open_sqlite
from bot.app.adapters import health_of_platforms
from bot.app.bot import Bot as App
from bot.app.cortex import offered_tools
from bot.cli.host_queries import HostQueries
from bot.config import Config, LoadedConfig, load_config
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery, LiveSources
from bot.diagnostics.evidence.evidence import Evidence
from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.ledger import StreamCursor
from bot.domain.llm import LLMResponse, WireRequest
from bot.domain.messages import AuthorKind, ButtonPress, Inbound, OutboundAddress, OutgoingMessage, Receipt
from bot.domain.snapshot import ContextSnapshot
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.edges import Edges
from bot.ports.model import OnText
from bot.ports.platform import PlatformListener
from bot.ports.store import Store
from bot.tools.runtime.tool_grants import ToolGrants
from tests.dialogs.bot import GENERAL, PEOPLE, Bot, NoTable
from tests.dialogs.online import types_on
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.scenarios.holding import Hang, HoldsTyping
from tests.scenarios.setting import Setting, plain
from tests.servers.model import ModelServer, Reply, model_server

PATIENCE = 10.0
"""Real seconds after which something that was promised has not come."""
BEHIND_REPORTS = re.compile(
    r"What can be tried next:|[^\n]*: what (may have silenced it|that answer is made of|it was told"
    r"|contradicts itself|it is no longer told|it said before)\n"
)
"""How the messages begin that come behind some reports, whenever they are sent."""
BASE: Mapping[str, Mapping[str, Any]] = {
    "console": {"owner_ids": [1], "admin_ids": [2], "names": ["glassmind"]},
    "conversation": {"debounce": 0},
    "limits": {"user_per_minute": 0, "channel_per_minute": 0},
    "cortex": {"per_minute": 1000},
    "drift": {"sample": 1.0},
}
ONLINE: Mapping[str, Any] = {
    "name": "openai/test-model",
    "context_window": 128_000,
    "max_output_tokens": 1000,
    "retries": 1,
    "retry_wait": 0.01,
    "rounds": 4,
}


class Lines(list[str]):
    """What was printed; wakes whoever waits for a line."""

    def __init__(self) -> None:
        super().__init__()
        self.printed = asyncio.Event()

    def append(self, line: str) -> None:
        super().append(line)
        self.printed.set()


class Terminal(HoldsTyping, ConsoleAdapter):
    """A terminal with channels that take no messages, with programs among its people, and that may feel unwell."""

    def __init__(self, settings: Settings, clock: Clock, show: Callable[[str], None]) -> None:
        super().__init__(settings, clock, show)
        self.objects: Callable[[OutgoingMessage], Exception | None] = lambda _: None
        self.hanging: dict[ChannelId, Hang] = {}
        self.programs: dict[str, AuthorKind] = {}
        self.echo_of = ""
        self.on_reacting: Callable[[], None] = lambda: None
        self.ill: AdapterHealth | None = None

    async def type(self, line: str, ears: PlatformListener) -> bool:
        return await super().type(line, Disguise(ears, self.programs, self.echo_of))

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        self.on_reacting()
        await super().react(channel, message_id, emoji)

    async def send(self, message: OutgoingMessage) -> Receipt:
        if (error := self.objects(message)) is not None:
            raise error
        await self._reach(message.to.channel)
        return await super().send(message)

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        await self._reach(dm_of(person.user_id))
        return await super().open_thread(person, title)

    def health(self) -> AdapterHealth:
        return self.ill or super().health().replace(state=AdapterState.UP)

    def forget_nonces(self) -> None:
        """Be a platform that does not recognise a message which is sent twice."""
        self.capabilities = self.capabilities.replace(idempotent_sends=False)

    async def _reach(self, channel: ChannelId) -> None:
        if channel in self.hanging:
            self.hanging[channel].begun.set()
            await self.hanging[channel].ended.wait()


@dataclass(frozen=True)
class Disguise:
    """Hands on what is typed; some of those who type are programs."""

    ears: PlatformListener
    programs: Mapping[str, AuthorKind]
    echo_of: str = ""

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        await self.ears.receive([self._as_written(inbound) for inbound in batch], cursor)

    async def pressed(self, press: ButtonPress) -> str:
        return await self.ears.pressed(press)

    async def settled(self) -> None:
        await self.ears.settled()

    def language(self) -> str:
        return self.ears.language()

    def _as_written(self, inbound: Inbound) -> Inbound:
        kind = self.programs.get(inbound.author.name)
        if kind is None:
            return inbound
        own = {"message_id": self.echo_of} if self.echo_of else {}
        return inbound.replace(author=inbound.author.replace(kind=kind), **own)


class Simulation(SimulatedProvider):
    """A simulated model with a fault that no service may have: it raises what is not a ProviderError."""

    fault: Exception | None = None
    holds_up: float = 0.0
    """Seconds for which nothing else can run."""

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        time.sleep(self.holds_up)  # noqa: ASYNC251 - that is what may be wrong with it
        if self.fault is not None:
            raise self.fault
        return await super().complete(wire, on_text)


@dataclass
class StagedBot(Bot):
    """A bot whose terminal can be told to misbehave. `tables` is its configuration, unless it has a `file`."""

    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    file: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    console: Terminal = None  # type: ignore[assignment]

    async def open(self, look: object = None) -> None:
        store = await open_sqlite(StoreSettings(self.data, self.clock, self.entropy, low_water=0, ballast=0))
        people = Settings(people=dict(PEOPLE), platform_admins=(1, 2))
        self.console = Terminal(people, self.clock, self.lines.append)
        on = self.config.config.platforms["console"].enabled
        platforms, off = ({"console": self.console}, ()) if on else ({}, ("console",))
        self.app = App(
            Edges(self.clock, self.entropy, store, self.counter, platforms, self.providers, off), self.config
        )
        await self.app.start()

    @property
    def config(self) -> LoadedConfig:
        if self.file is not None:
            return load_config(self.file, self.environ)
        tables = {name: {**BASE.get(name, {}), **self.tables.get(name, {})} for name in {*BASE, *self.tables}}
        console, _ = tables.pop("console"), (tables.pop("client", None), tables.pop("tls", None))
        whole = {"bot": {"data_dir": str(self.data)}, "platforms": {"console": console}, **tables}
        return LoadedConfig(config=Config.model_validate(whole), origins={}, secrets={})

    def set(self, table: str, **keys: Any) -> None:
        """Change the configuration of the next start."""
        self.tables = {**self.tables, table: {**self.tables.get(table, {}), **keys}}


@dataclass
class Stage:
    """What a scenario has to play with: people, the bot, its terminal, its store, its model service, the time."""

    bot: StagedBot
    server: ModelServer
    simulation: Simulation
    open: bool = True
    setting: Setting = field(default_factory=plain)
    replied: str = ""
    """The message that the question is a reply to, where it is one."""

    @property
    def terminal(self) -> Terminal:
        return self.bot.console

    @property
    def store(self) -> Store:
        return self.bot.app.edges.store

    @property
    def home(self) -> ChannelKey:
        """The channel in which it happens."""
        return GENERAL

    async def says(self, name: str, text: str, place: str = "#general") -> None:
        """Let somebody say something, and everything come of it."""
        await self.bot.says(name, self.setting.words(text), place)

    async def says_on(self, name: str, text: str, place: str = "#general") -> None:
        """Let somebody say something, and do not wait for what comes of it."""
        await types_on(self.bot, f"[{place}] {name}> {self.setting.words(text)}")

    def passes(self, seconds: float) -> None:
        """Let time pass in which nothing happens."""
        self.bot.clock.advance(seconds)

    async def waits(self, seconds: float) -> None:
        """Let time pass in which the platform is there."""
        self.passes(seconds)

    def address(self, place: str) -> OutboundAddress:
        """Return where a channel's messages are sent."""
        return OutboundAddress(platform="console", channel=ChannelId(f"console:{place}"))

    async def settles(self) -> None:
        """Let everything come of what has happened."""
        await self.bot.app.settled()

    async def restart(self) -> None:
        """End and start again, a second later."""
        await self.bot.restart()

    def holds_typing(self) -> Hang:
        """Let the mark that somebody types hang in #general."""
        self.terminal.capabilities = self.terminal.capabilities.replace(typing=True)
        return self.terminal.typing.setdefault(self.home.channel, Hang())

    def heard(self, text: str) -> bool:
        """Say whether the bot has said something that holds a text where everybody reads."""
        return any(text in line for line in self.bot.public())

    def number(self, name: str) -> str:
        """Return somebody's id."""
        return str(self.terminal.world.number(name))

    @property
    def platform_keys(self) -> Mapping[str, Any]:
        """What stands in the platform's table of the configuration."""
        return {**BASE["console"], **self.bot.tables.get("console", {})}

    @property
    def platform(self) -> str:
        return "console"

    def message_id(self, text: str) -> str:
        """Find the newest message that holds a text."""
        put = self.setting.words(text)
        return next(said.message_id for said in reversed(self.terminal.world.said) if put in said.text)

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until what is printed shows that something happened."""
        lines = self.bot.lines
        assert isinstance(lines, Lines)
        async with asyncio.timeout(PATIENCE):
            while not happened():
                lines.printed.clear()
                await lines.printed.wait()

    async def tells(self, name: str, line: str, place: str = "dm") -> str:
        """Let somebody type a line; return the next thing that the bot says to them in private."""
        before = len(self._told(name))
        await types_on(self.bot, f"/as {name}")
        await types_on(self.bot, "/dm" if place == "dm" else f"/join {place}")
        await types_on(self.bot, line)
        await self.until(lambda: len(self._told(name)) > before)
        self.passes(1)
        return self._told(name)[before]

    async def ends(self, reason: str) -> None:
        """End the process, in order or (without a reason) from one moment to the next."""
        self._let_go()
        if reason:
            await self.bot.app.close(reason)
        await self.bot.app.edges.store.close()
        self.open = False

    async def evidence(self, key: ChannelKey, name: str) -> Evidence:
        """Collect what the rules look at, as the cortex of this bot does for the owner."""
        app = self.bot.app

        async def preview(key: ChannelKey) -> ContextSnapshot | None:
            with contextlib.suppress(UserError):
                return (await app.inspector.inspect(key)).snapshot
            return None

        health = app.mind.turns.models.health
        probe, stale = self.terminal.probe, app.running.stale
        adapters = partial(health_of_platforms, app.edges, app.started_at)
        tools = partial(offered_tools, ToolGrants(app.config.tools, agents=app.config.agents))
        live = LiveSources(app.registry, adapters, health, preview, probe, stale, tools, app.mind.vitals)
        collector = EvidenceCollector(app.edges.store, app.edges.clock, app.config, live)
        asker = PersonKey("console", self.terminal.world.number("root"))
        return await collector.collect(key, name, EvidenceQuery(asker=asker, replied_message_id=self.replied))

    async def begins(self) -> None:
        """Start the process again."""
        await self.bot.open()
        self.open = True

    @asynccontextmanager
    async def host(self) -> AsyncIterator[HostQueries]:
        """Look at the data directory as the host's commands do."""
        store = await open_readonly(self.bot.data)
        try:
            yield HostQueries(store, self.bot.config.config, self.bot.clock)
        finally:
            await store.close()

    async def close(self) -> None:
        """End what is still under way."""
        self._let_go()
        if self.open:
            await self.bot.close()

    def _told(self, name: str) -> list[str]:
        world = self.terminal.world
        private = f"console:dm:{world.number(name)}"
        said = [said.text for said in world.said if said.by_bot and said.channel == private]
        return [text for text in said if not BEHIND_REPORTS.match(text)]

    def _let_go(self) -> None:
        for hanging in self.terminal.hanging.values():
            hanging.ended.set()
        self.terminal.let_go()


@asynccontextmanager
async def a_stage(
    directory: Path,
    script: Sequence[Reply],
    settings: Mapping[str, Mapping[str, Any]],
    setting: Setting | None = None,
) -> AsyncIterator[Stage]:
    """Open a bot whose model answers by a script over a socket, or is the simulation where there is none."""
    setting = setting or plain()
    settings = setting.settings(settings)
    async with model_server(*setting.replies(script)) as server:
        client = {"first_token_timeout": 5.0, **settings.get("client", {})}
        base_url = server.base_url.replace("http:", "https:") if "tls" in settings else server.base_url
        provider = openai("openai", {"base_url": base_url, **client})
        tables = {**settings, **({"model": {**ONLINE, **settings.get("model", {})}} if script else {})}
        if script:
            tables["providers"] = {"openai": {"kind": "openai"}}
        simulation = Simulation("simulated")
        bot = StagedBot(
            data=directory,
            clock=FakeClock(setting.start),
            entropy=FakeEntropy(),
            providers={"simulated": simulation, "openai": provider},
            counter=NoTable(),
            lines=Lines(),
            tables=tables,
        )
        await bot.open()
        stage = Stage(bot, server, simulation, setting=setting)
        try:
            yield stage
        finally:
            await stage.close()
            await provider.close()
