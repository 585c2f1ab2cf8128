"""The whole bot through its front door: a terminal with several people, a real store, a model of the test's choice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from adapters.console import ConsoleAdapter, Settings
from adapters.simulated import create as simulated
from adapters.sqlite import StoreSettings
from bot.app.adapters import open_browser, open_sandbox, open_web, open_workspaces, page_logins
from bot.app.bot import Bot as App
from bot.config import LoadedConfig, parse_config
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.ports.caller import WebhookCaller
from bot.ports.edges import Edges
from bot.ports.embeddings import Embedder
from bot.ports.model import LLMProvider, TokenCounter
from bot.ports.platform import Platform
from bot.ports.sandbox import Sandbox
from bot.ports.toolservers import ToolServers
from tests.dialogs.stores import open_store
from tests.fakes.clock import FakeClock, FakeEntropy

GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))
CONFIG = """
[bot]
data_dir = "{data}"
[platforms.console]
owner_ids = [1]
admin_ids = [2]
names = ["glassmind"]
[drift]
sample = 1.0
[conversation]
debounce = 0
ambient_messages = {ambient}
[limits]
user_per_minute = 0
channel_per_minute = 0
{more}
"""
PEOPLE = {"root": 1, "mod": 2, "ann": 101, "james": 102, "bo": 103}


@dataclass
class Bot:
    """A running bot and everything it said. `lines` are the lines of the terminal, oldest first.

    `others` are the platforms beside the terminal. `watched` sees the edges of every life before anything is wired.
    """

    data: Path
    clock: FakeClock
    entropy: FakeEntropy
    providers: Mapping[str, LLMProvider]
    counter: TokenCounter
    more: str = ""
    ambient: int = 50
    others: Mapping[str, Platform] = field(default_factory=dict)
    caller: WebhookCaller | None = None
    open_sandbox: Callable[[], Sandbox] | None = None
    tool_servers: ToolServers | None = None
    embedder: Embedder | None = None
    watched: Callable[[Edges], None] = lambda _: None
    lines: list[str] = field(default_factory=list)
    printed: asyncio.Event = field(default_factory=asyncio.Event)
    app: App = None  # type: ignore[assignment]
    console: ConsoleAdapter = None  # type: ignore[assignment]

    async def open(self, look: Callable[[], Awaitable[None]] | None = None) -> None:
        """Start; `look` is called when the store is open and nothing has been taken up yet."""
        loaded = self.config
        store = await open_store(StoreSettings(self.data, self.clock, self.entropy, low_water=0, ballast=0))
        self.console = ConsoleAdapter(Settings(people=PEOPLE, platform_admins=(1, 2)), self.clock, self._print)
        platforms = {"console": self.console, **self.others}
        edges = Edges(
            self.clock,
            self.entropy,
            store,
            self.counter,
            platforms,
            self.providers,
            caller=self.caller,
            open_workspaces=partial(open_workspaces, loaded),
            open_sandbox=self.open_sandbox or partial(open_sandbox, loaded),
            tool_servers=self.tool_servers,
            open_web=partial(open_web, loaded),
            open_browser=partial(open_browser, loaded),
            embedder=self.embedder,
            open_page_logins=partial(page_logins, loaded),
        )
        self.watched(edges)
        self.app = App(edges, loaded)
        if look is not None:
            await look()
        await self.app.start()

    @property
    def config(self) -> LoadedConfig:
        return parse_config(CONFIG.format(data=self.data, ambient=self.ambient, more=self.more), {})

    async def close(self) -> None:
        await self.app.close("the test ends")
        await self.app.edges.store.close()

    async def dies(self) -> None:
        """End as a killed process does: without a word, and with nothing more written."""
        circles = self.app.task_groups
        for tasks in (circles.messaging, circles.cortex, circles.background, circles.sending):
            await tasks.close()
        await self.app.edges.store.close()

    async def restart(self, look: Callable[[], Awaitable[None]] | None = None) -> None:
        """End and start again, a second later; the people and what they said on the platform stay."""
        world = self.console.world
        await self.close()
        self.clock.advance(1)
        await self.open(look)
        fresh = self.console.world
        fresh.next_id, fresh.here, fresh.speaker = world.next_id, world.here, world.speaker
        fresh.people, fresh.admins, fresh.buttons, fresh.said = world.people, world.admins, world.buttons, world.said

    async def types(self, *lines: str) -> list[str]:
        """Type lines, let everything settle, return what was printed meanwhile."""
        before = len(self.lines)
        for line in lines:
            await self.console.type(line, self.app.manager)
            await self.app.settled()
            self.clock.advance(1)
        return self.lines[before:]

    async def prints(self, start: str) -> str:
        """Wait for a line that begins so; return the first."""
        while (found := next((line for line in self.lines if line.startswith(start)), None)) is None:
            self.printed.clear()
            await self.printed.wait()
        return found

    def _print(self, line: str) -> None:
        self.lines.append(line)
        self.printed.set()

    async def says(self, name: str, text: str, place: str = "#general") -> list[str]:
        return await self.types(f"[{place}] {name}> {text}")

    @property
    def store(self):
        return self.app.edges.store

    def public(self) -> list[str]:
        """What stands in channels that everybody reads."""
        return [line for line in self.lines if re.match(r"\[#", line)]

    def private(self) -> list[str]:
        return [line for line in self.lines if line.startswith("[dm ")]


class NoTable:
    """A token counter that counts words; the real one has tests of its own."""

    ready = True
    trouble = None

    def tokenizer(self, model):
        from bot.domain.snapshot import CountMethod, Tokenizer

        return Tokenizer(name="words", method=CountMethod.ESTIMATE)

    def known(self, text):
        return self.count(text)

    def count(self, text):
        return len(text.split()) + len(text) // 8

    async def warm(self, texts):
        return None

    async def sizes(self, texts):
        return {text: self.count(text) for text in texts}


@asynccontextmanager
async def a_bot(
    data: Path,
    *,
    providers: Mapping[str, LLMProvider] | None = None,
    more: str = "",
    ambient: int = 50,
    sandbox: Callable[[], Sandbox] | None = None,
    counter: TokenCounter | None = None,
    embedder: Embedder | None = None,
) -> AsyncIterator[Bot]:
    """Run a bot; `more` is further configuration, `ambient` how much talk it remembers that was not meant for it."""
    bot = Bot(
        data=data,
        clock=FakeClock(),
        entropy=FakeEntropy(),
        providers={"simulated": simulated("simulated", {}), **(providers or {})},
        counter=counter or NoTable(),
        more=more,
        ambient=ambient,
        open_sandbox=sandbox,
        embedder=embedder,
    )
    await bot.open()
    try:
        yield bot
    finally:
        await bot.close()


__all__ = ["GENERAL", "Bot", "a_bot", "replace"]
