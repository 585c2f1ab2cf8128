"""The life of a whole bot on a chat platform: the real library, real sockets, and time as a value."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from adapters.otel import create as tracing
from adapters.prometheus import create as metering
from adapters.simulated import create as simulated
from adapters.sqlite import StoreSettings
from bot.app.adapters import page_logins
from bot.app.bot import Bot
from bot.config import LoadedConfig, parse_config
from bot.domain.ids import ChannelId
from bot.ports.edges import Edges
from bot.ports.metrics import NO_METRICS
from bot.ports.model import LLMProvider
from bot.ports.traces import NO_TRACES, NO_WATCHERS, RecordWatchers
from bot.text.redaction import Redactor
from tests.dialogs import stores
from tests.dialogs.bot import NoTable
from tests.dialogs.several import PARTS, SeveralProcesses
from tests.dialogs.stores import leave_database, open_processes, open_store
from tests.dialogs.tide import TidalClock
from tests.fakes.clock import FakeEntropy
from tests.fakes.provider import ScriptedProvider
from tests.inside.sending import waits_for_a_platform
from tests.inside.store import is_busy

TOKEN = "GLASSMIND_TOKEN"
CONFIG = """
[bot]
data_dir = "{data}"
{bot_keys}
[platforms.{name}]
token = "env:GLASSMIND_TOKEN"
names = ["glassmind"]
{keys}
{platform}
[drift]
sample = 1.0
[conversation]
debounce = {debounce}
streaming = {streaming}
ambient_messages = 50
{talk}
[limits]
user_per_minute = {per_minute}
channel_per_minute = {per_minute}
loop_guard_messages = 0
send_wait = 0.1
[cortex]
per_minute = {asks}
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
NOWHERE = "http://127.0.0.1:9/"
"""The discard port, where nobody listens: what a dead process still wants to say goes there."""


@dataclass
class ChatBot:
    """A running bot. Each platform says how its adapter is made, what it waits for, and what people do there.

    `more` is further configuration, `platform` further keys of the platform's table, `bot_keys` of `[bot]`,
    `talk` of `[conversation]`. `traced` is what `[traces]` would hold. `asks` is how many questions an admin has
    a minute. `watched` sees the edges of every life before anything is wired. A `metered` one counts for a monitor, on
    a free port.
    """

    name: ClassVar[str]
    data: Path
    world: Any
    server: Any
    clock: TidalClock
    providers: Mapping[str, LLMProvider]
    more: str = ""
    platform: str = ""
    bot_keys: str = ""
    streaming: bool = False
    debounce: float = 0
    talk: str = ""
    per_minute: int = 0
    asks: int = 1000
    watched: Callable[[Edges], None] = lambda _: None
    metered: bool = False
    traced: Mapping[str, Any] = field(default_factory=dict)
    entropy: FakeEntropy = field(default_factory=FakeEntropy)
    app: Bot = None  # type: ignore[assignment]
    _listening: asyncio.Task[None] = None  # type: ignore[assignment]
    _trying: asyncio.Task[None] = None  # type: ignore[assignment]
    _lives: int = 0
    left_behind: Path | None = None
    several: SeveralProcesses | None = None
    adapters: list[Any] = field(default_factory=list)

    # what each platform says

    @property
    def keys(self) -> str:
        """The platform's own keys."""
        raise NotImplementedError

    @property
    def token(self) -> str:
        raise NotImplementedError

    @property
    def adapter(self) -> Any:
        """The adapter of this life; None before the first."""
        raise NotImplementedError

    def adapt(self, settings: Mapping[str, Any], **part: bool) -> Any:
        """Make an adapter of a new life; with a `part`, for a process that does not all that there is to do."""
        raise NotImplementedError

    def strand(self) -> None:
        """Let the adapter reach nobody any more."""
        raise NotImplementedError

    def is_called(self) -> bool:
        """Whether the server has something under way with the bot; what hangs is not."""
        raise NotImplementedError

    async def settled(self) -> None:
        """Wait until everything that happened was heard, and nothing is under way any more."""
        raise NotImplementedError

    # its life

    @property
    def written_config(self) -> str:
        """What stands in its file."""
        return CONFIG.format(
            name=self.name,
            data=self.data,
            keys=self.keys,
            platform=self.platform,
            bot_keys=self.bot_keys,
            streaming=str(self.streaming).lower(),
            debounce=self.debounce,
            talk=self.talk,
            per_minute=self.per_minute,
            asks=self.asks,
            more=self.more,
        )

    @property
    def config(self) -> LoadedConfig:
        return parse_config(self.written_config, {TOKEN: self.token})

    @property
    def store(self):
        return self.app.edges.store

    async def open(self) -> None:
        """Start, and listen."""
        loaded = self.config
        exporter = metering({"listen": "127.0.0.1:0", "platforms": [self.name]}, self.clock) if self.metered else None
        settings = StoreSettings(self.data, self.clock, self.entropy, low_water=0, ballast=0)
        redactor = Redactor.of(loaded.secrets)
        traces = tracing(self.traced, self.clock, lambda text: redactor.redact(text).text) if self.traced else None
        watchers = RecordWatchers(exporter or NO_METRICS, traces or NO_TRACES) if exporter or traces else NO_WATCHERS
        settings = settings._replace(watchers=watchers)
        opened = await open_processes(settings, tuple(PARTS)) if stores.SEVERAL else []
        found = [one.store for one in opened] or [await open_store(settings)]
        if traces is not None:
            traces.begin(found[0].secret_key)
        parts = tuple(PARTS.values()) if stores.SEVERAL else ({},)
        self.adapters = [self.adapt(loaded.config.platforms[self.name].settings, **part) for part in parts]
        every = [
            Edges(
                clock=self.clock,
                entropy=self.entropy,
                store=store,
                counter=NoTable(),
                platforms={self.name: adapter},
                providers=self.providers,
                exporter=exporter,
                traces=traces,
                open_page_logins=partial(page_logins, loaded),
            )
            for store, adapter in zip(found, self.adapters, strict=True)
        ]
        for edges in every:
            self.watched(edges)
        if stores.SEVERAL:
            self.several = SeveralProcesses(
                [one.leases for one in opened],
                every,
                loaded,
                self.is_private,
                partial(stores.process_is_over, self.data),
            )
            self.app = self.several.bots[0]
            await self.several.start()
            return
        self.app = Bot(every[0], loaded)
        await self.app.start()
        listening = self.app.watch.listen(self.name, self.app.manager)
        self._listening = asyncio.get_running_loop().create_task(listening)
        self._trying = asyncio.get_running_loop().create_task(self.app.sender.queues.keep_trying())

    async def close(self) -> None:
        """End in order."""
        await self._deaf()
        if self.several is not None:
            await self.several.close()
        else:
            await self.app.close("the test ends")
            await self.store.close()
        for adapter in self.adapters:
            await adapter.close()
        if self.app.edges.traces is not None:
            await self.app.edges.traces.close()

    async def restart(self) -> None:
        """End in order and start again, a second later."""
        await self.close()
        self.clock.advance(1)
        await self.open()

    def falls(self) -> None:
        """Leave on the disk what a process that is killed at this very moment leaves; nothing more goes out."""
        self._lives += 1
        self.left_behind = self.data.with_name(f"{self.data.name.partition('-')[0]}-{self._lives}")
        leave(self.data, self.left_behind)
        self.strand()

    async def dies(self) -> None:
        """End as a killed process does, at this very moment, or at the one at which it fell."""
        if self.left_behind is None:
            self.falls()
        await self._deaf()
        for adapter in self.adapters:
            await adapter.close()
        for tasks in self._circles:
            await tasks.close()
        for adapter in self.adapters:
            await adapter.close()
        if self.several is not None:
            await self.several.let_go()
        else:
            await self.store.close()
        assert self.left_behind is not None
        self.data, self.left_behind = self.left_behind, None

    async def lives_again(self) -> None:
        """Start after a death, a second later."""
        self.clock.advance(1)
        await self.open()

    async def delivered(self) -> None:
        """Wait until what waits for a platform that can be reached again has gone out, and all is done."""
        while any(waits_for_a_platform(bot.sender) for bot in self.apps):  # noqa: ASYNC110 - nobody is called when it ends
            await asyncio.sleep(self.clock.soon)
        await self.settled()

    def is_at_work(self) -> bool:
        """Whether a thread, a call or an event is under way; what hangs is not, nor what waits for the clock."""
        return self.is_writing() or self.is_called()

    def is_writing(self) -> bool:
        """Whether the store's thread is at work."""
        opened = self.several.stores if self.several is not None else [self.store] if self.app is not None else []
        return any(map(is_busy, opened)) or (self.several is not None and self.several.bell.busy)

    @property
    def speaker(self) -> Any:
        """The adapter that speaks where people are together."""
        return self.adapters[1] if self.several is not None else self.adapter

    @property
    def apps(self) -> list[Bot]:
        """Whatever answers: the bot, or the workers in its place."""
        return self.several.bots if self.several is not None else [self.app]

    async def quiet(self) -> None:
        """Wait until nothing is under way in any of them."""
        await (self.several.settled() if self.several is not None else self.app.settled())

    def is_private(self, channel: ChannelId) -> bool:
        """Whether a channel is a private chat: one of two workers has those, and the other one all else."""
        raise NotImplementedError

    @property
    def _circles(self) -> Sequence[Any]:
        return [tasks for app in self.apps for tasks in app.task_groups]

    @property
    def busy(self) -> bool:
        return any(tasks.busy for tasks in self._circles)

    async def _deaf(self) -> None:
        if self.several is not None:
            await self.several.deaf()
            return
        for task in (self._listening, self._trying):
            task.cancel()
        await asyncio.wait([self._listening, self._trying])


def leave(data: Path, left: Path) -> None:
    """Copy a data directory as it is at this moment, with all that is committed and nothing else."""
    others = shutil.ignore_patterns("glassmind.db*", "*.lock")
    shutil.copytree(data, left, ignore=others, copy_function=_copy_what_is_there)
    leave_database(data, left)


def _copy_what_is_there(old: str, new: str) -> None:
    # a file that is just being written gets its name when it is whole, and is gone under the other
    with suppress(FileNotFoundError):
        shutil.copy2(old, new)


AnyBot = TypeVar("AnyBot", bound=ChatBot)


@asynccontextmanager
async def alive(bot: AnyBot, *, begins: bool = True) -> AsyncIterator[AnyBot]:
    """Let time flow where nothing is at work, open the bot if it `begins` now, and end both."""
    tide = asyncio.get_running_loop().create_task(bot.clock.ebb_and_flow(bot.is_at_work))
    try:
        if begins:
            await bot.open()
        yield bot
    finally:
        if bot.app is not None:
            await bot.close()
        tide.cancel()
        await asyncio.wait([tide])


def thinking(model: ScriptedProvider | None, more: str) -> dict[str, Any]:
    """Return the fields of a bot for its model: the simulation where there is no `model`."""
    providers = {"simulated": simulated("simulated", {})} | ({"scripted": model} if model else {})
    return {
        "providers": providers,
        "more": more + (SCRIPTED.format(model="") if model and "[model]" not in more else ""),
    }


def labels_of(message: Any, start: str) -> list[str]:
    """The buttons of a message whose labels begin so."""
    shown = (one.get("label") or one.get("text") or "" for one in message.buttons)
    return [label for label in shown if label.startswith(start)]


def alone(texts: Sequence[str]) -> str:
    """The only one."""
    (only,) = texts
    return only
