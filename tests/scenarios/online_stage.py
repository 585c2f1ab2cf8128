"""The whole bot on a platform: the real adapter, people, and a service on loopback that does what it is told."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol

from adapters.openai import create as openai
from adapters.sqlite import StoreSettings, open_readonly
from adapters.sqlite import create as open_sqlite
from bot.app.adapters import health_of_platforms
from bot.app.bot import Bot
from bot.app.cortex import offered_tools
from bot.cli.host_queries import HostQueries
from bot.config import Config, LoadedConfig, load_config
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery, LiveSources
from bot.diagnostics.evidence.evidence import Evidence
from bot.domain.ids import ChannelKey, PersonKey, UserId
from bot.domain.snapshot import ContextSnapshot
from bot.errors import UserError
from bot.ports.edges import Edges
from bot.ports.store import Store
from bot.runtime.tasks import TaskSupervisor
from bot.tools.runtime.tool_grants import ToolGrants
from tests.dialogs.bot import NoTable
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.inside.alerts import EDIT_SECONDS, is_edit_due
from tests.scenarios.setting import Setting, plain
from tests.scenarios.stage import BASE, BEHIND_REPORTS, ONLINE, PATIENCE, Simulation
from tests.servers.model import ModelServer, Reply, model_server


class Playable(Protocol):
    """What of a scenario sets the stage: what the model says, and the keys of the configuration."""

    @property
    def script(self) -> Sequence[Reply]: ...

    @property
    def settings(self) -> Mapping[str, Mapping[str, Any]]: ...


_STEP = 60.0
"""Seconds for which a platform may say nothing without being taken for dead."""
_HOUR = 3600.0
REPORT = ("✗ ", "? ", "✓ ", "○ ")
EVIDENCE = rf"(?![{''.join(mark[0] for mark in REPORT)}] )[^\0]*\b[a-z](?=\w*\d)[0-9a-z]{{4,5}}\b|No evidence to open"
"""A page of records: each has its handle, and none begins as a report does."""
"""How a report begins; whatever else the bot says in private is no answer to `why`."""


@dataclass
class OnlineStage(ABC):
    """What a scenario has to play with: `root` owns the bot, `mod` is an admin, `ann` a member of the `kitchen`."""

    platform: ClassVar[str]
    data: Path
    server: Any
    models: ModelServer
    providers: Mapping[str, Any]
    clock: FakeClock
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    setting: Setting = field(default_factory=plain)
    replied: Any = None
    """The message that the question is a reply to, where it is one."""
    app: Bot = None  # type: ignore[assignment]
    adapter: Any = None
    open: bool = False
    root: Any = None
    mod: Any = None
    ann: Any = None
    kitchen: Any = None
    file: Path | None = None
    """The configuration as it is written in a file, where it is."""
    environ: Mapping[str, str] = field(default_factory=dict)
    _running: TaskSupervisor = field(default_factory=TaskSupervisor)

    @abstractmethod
    def make(self, settings: Mapping[str, Any]) -> Any:
        """Make the adapter."""

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """The adapter's own keys."""

    @abstractmethod
    def key(self, chat: Any) -> ChannelKey:
        """Name a chat as the bot does."""

    @property
    @abstractmethod
    def names(self) -> Mapping[ChannelKey, str]:
        """The names of all chats."""

    @abstractmethod
    async def arrived(self) -> None:
        """Wait until everything that was said has arrived."""

    @abstractmethod
    async def shows_life(self) -> None:
        """Let the platform show that it is there."""

    @abstractmethod
    async def said(self, who: Any, text: str, chat: Any = None, reply_to: Any = None) -> None:
        """Let somebody write, in private unless a chat is named."""

    @abstractmethod
    async def press(self, who: Any, on: Any, label: str) -> None:
        """Let somebody press a button."""

    @abstractmethod
    def told(self, who: Any) -> list[Any]:
        """What the bot wrote to somebody in private."""

    @abstractmethod
    def messages(self) -> list[Any]:
        """What everybody reads in the kitchen."""

    @abstractmethod
    def public(self) -> list[str]:
        """What the bot said where everybody reads."""

    @abstractmethod
    def labels(self, message: Any) -> tuple[str, ...]:
        """The buttons of a message."""

    @property
    def store(self) -> Store:
        return self.app.edges.store

    @property
    def platform_keys(self) -> Mapping[str, Any]:
        """What stands in the platform's table of the configuration."""
        people = {"owner_ids": [self.root.id], "admin_ids": [self.mod.id]}
        return {**people, **self.settings, **self.tables.get(self.platform, {})}

    @property
    def config(self) -> LoadedConfig:
        if self.file is not None:
            return load_config(self.file, self.environ)
        own = self.platform_keys
        names = {*BASE, *self.tables} - {"console", self.platform, "client"}
        tables = {name: {**BASE.get(name, {}), **self.tables.get(name, {})} for name in names}
        tables["conversation"] = {"streaming": False, **tables["conversation"]}
        whole = {"bot": {"data_dir": str(self.data)}, "platforms": {self.platform: own}}
        return LoadedConfig(config=Config.model_validate({**whole, **tables}), origins={}, secrets={})

    async def begins(self) -> None:
        """Start the process, and let the platform deliver."""
        config = self.config
        store = await open_sqlite(StoreSettings(self.data, self.clock, FakeEntropy(), low_water=0, ballast=0))
        self.adapter = self.make(config.config.platforms[self.platform].settings)
        platforms = {self.platform: self.adapter}
        self.app = Bot(Edges(self.clock, FakeEntropy(), store, NoTable(), platforms, self.providers), config)
        await self.app.start()
        self._running = TaskSupervisor()
        self._running.spawn("platform", self.app.watch.listen(self.platform, self.app.manager))
        self._running.spawn("menu", self.app.publish(self.platform))
        self.open = True

    async def waits(self, seconds: float) -> None:
        """Let time pass in which the platform is there."""
        step = _STEP if seconds < _HOUR else _HOUR
        while seconds > 0:
            step = min(seconds, step)
            self.passes(step)
            await self.shows_life()
            seconds -= step

    async def ends(self, reason: str) -> None:
        """End the process, in order or (without a reason) from one moment to the next."""
        self.open = False
        await self._running.close()
        self.server.release()
        if reason:
            await self.app.close(reason)
        else:
            circles = self.app.task_groups
            for tasks in (circles.messaging, circles.cortex, circles.background, circles.sending):
                await tasks.close()
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

    def passes(self, seconds: float) -> None:
        """Let time pass; whoever slept long enough goes on."""
        self.clock.advance(seconds)

    async def quiet(self) -> None:
        """Wait until everything has arrived, and all that follows from it has happened."""
        async with asyncio.timeout(PATIENCE):
            await self.arrived()
            settling = asyncio.ensure_future(self.app.settled())  # noqa: TID251 - awaited here
            while not settling.done():
                await asyncio.wait({settling}, timeout=0.02)
                if not settling.done() and is_edit_due(self.app.alerts):
                    self.passes(EDIT_SECONDS)
        self.passes(1)

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so in the world, or of the adapter."""
        async with asyncio.timeout(PATIENCE):
            while not happened():  # noqa: ASYNC110 - a health is asked, it calls nobody
                await asyncio.sleep(0.005)

    async def in_time(self, happened: Callable[[], bool]) -> None:
        """Let time pass second by second until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not happened():
                self.passes(1)
                await asyncio.sleep(0.005)

    async def is_told_to_wait(self) -> None:
        """Wait until the platform has asked to wait with something that is to be sent."""
        async with asyncio.timeout(PATIENCE):
            while not any(row.error for row in await self.store.outbox.pending()):  # noqa: ASYNC110 - as below
                await asyncio.sleep(0.005)

    async def gives_up(self, chat: Any, seconds: float) -> None:
        """Let time pass step by step until something to a chat is not sent any more."""
        async with asyncio.timeout(PATIENCE):
            while not await self.store.outbox.in_state(self.key(chat), False, 1):
                self.passes(seconds)
                await asyncio.sleep(0.01)

    async def fails_with(self, code: str) -> None:
        """Wait until the adapter says why it hears nothing."""
        await self.until(lambda: self.adapter.health().code == code)

    async def tells(self, who: Any, text: str, chat: Any = None, *, report: bool = False, reply_to: Any = None) -> Any:
        """Let somebody write; return the next thing (the next report) that the bot says to them in private."""
        before = len(self.told(who))

        def answers() -> list[Any]:
            told = [said for said in self.told(who)[before:] if not BEHIND_REPORTS.match(said.text)]
            return [said for said in told if not report or said.text.startswith(REPORT)]

        await self.said(who, text, chat, reply_to)
        await self.until(lambda: bool(answers()))
        self.passes(1)
        return answers()[0]

    async def presses(self, who: Any, on: Any, label: str) -> str:
        """Press a button; return what the bot says then."""
        before = len(self.told(who))

        begins = {"Evidence": EVIDENCE, "All checks": "All checks for "}.get(label, "")

        def answers() -> list[str]:
            told = [said.text for said in self.told(who)[before:] if not BEHIND_REPORTS.match(said.text)]
            # what was asked for before may come late
            return [text for text in told if re.match(begins, text)]

        await self.press(who, on, label)
        await self.until(lambda: bool(answers()))
        self.passes(1)
        return answers()[0]

    async def evidence(self, key: ChannelKey, name: str) -> Evidence:
        """Collect what the rules look at, as the cortex of this bot does for the owner."""
        app = self.app

        async def preview(key: ChannelKey) -> ContextSnapshot | None:
            with suppress(UserError):
                return (await app.inspector.inspect(key)).snapshot
            return None

        live = LiveSources(
            app.registry,
            lambda: health_of_platforms(app.edges, app.started_at),
            app.mind.turns.models.health,
            preview,
            self.adapter.probe,
            app.running.stale,
            partial(offered_tools, ToolGrants(app.config.tools, agents=app.config.agents)),
            app.mind.vitals,
        )
        asker = PersonKey(self.platform, UserId(str(self.root.id)))
        return await EvidenceCollector(self.store, self.clock, app.config, live).collect(
            key, name, EvidenceQuery(asker=asker, replied_message_id=str(self.replied.id) if self.replied else "")
        )

    @asynccontextmanager
    async def host(self) -> AsyncIterator[HostQueries]:
        """Look at the data directory as the host's commands do."""
        if self.open:
            await self.app.maintenance.beat()
        store = await open_readonly(self.data)
        try:
            yield HostQueries(store, self.config.config, self.clock)
        finally:
            await store.close()


@asynccontextmanager
async def staged(
    stage: type[OnlineStage],
    serve: Callable[[FakeClock], AbstractAsyncContextManager[Any]],
    directory: Path,
    scenario: Playable,
    setting: Setting | None = None,
) -> AsyncIterator[OnlineStage]:
    """Open a world and run a bot in it; its model answers by a script, or is the simulation where there is none."""
    setting = setting or plain()
    clock, script, settings = FakeClock(setting.start, auto=False), scenario.script, setting.settings(scenario.settings)
    async with model_server(*setting.replies(script)) as models, serve(clock) as server:
        provider = openai(
            "openai", {"base_url": models.base_url, "first_token_timeout": 5.0, **settings.get("client", {})}
        )
        tables = {**settings, **({"model": {**ONLINE, **settings.get("model", {})}} if script else {})}
        if script:
            tables["providers"] = {"openai": {"kind": "openai"}}
        providers = {"simulated": Simulation("simulated"), "openai": provider}
        opened = stage(directory, server, models, providers, clock, tables, setting)
        await opened.begins()
        await opened.quiet()
        try:
            yield opened
        finally:
            await opened.close()
            await provider.close()
