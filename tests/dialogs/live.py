"""A whole bot on a platform that shows answers while they are written; a clock that moves when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from adapters.simulated import create as simulated
from adapters.sqlite import StoreSettings
from bot.app.bot import Bot
from bot.config import parse_config
from bot.domain.ledger import StoredInbound
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.errors import ProviderError
from bot.ports.edges import Edges
from tests.dialogs.bot import CONFIG, GENERAL, NoTable
from tests.dialogs.stores import open_store
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, Writes
from tests.inside.store import is_busy

MODEL = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
rounds = 3
"""
PAUSE = 0.4
"""Seconds that the model takes for a word."""
STEP = 0.2

Script = Callable[[LLMRequest], tuple[str, LLMResponse | ProviderError | None]]
"""What the model writes, and what it answers in the end (None: just that)."""


def words_of(request: LLMRequest) -> str:
    """The newest thing that somebody said."""
    return next(m for m in reversed(request.messages) if m.role is Role.USER).text.rsplit("\n", 1)[-1]


@dataclass
class Live:
    """Say something with `hears`; what people see is on `platform.screen`."""

    data: Path
    platform: FakePlatform
    script: Script
    more: str = ""
    clock: FakeClock = field(default_factory=lambda: FakeClock(auto=False))
    app: Bot = None  # type: ignore[assignment]

    async def open(self, look: Callable[[Live], Awaitable[None]] | None = None) -> None:
        store = await open_store(StoreSettings(self.data, self.clock, FakeEntropy(), low_water=0, ballast=0))
        providers = {"simulated": simulated("simulated", {}), "scripted": ScriptedProvider(self._writes)}
        edges = Edges(self.clock, FakeEntropy(), store, NoTable(), {"console": self.platform}, providers)
        self.app = Bot(edges, parse_config(CONFIG.format(data=self.data, ambient=50, more=MODEL + self.more), {}))
        if look is not None:
            await look(self)
        await self.app.start()

    async def close(self) -> None:
        await self.app.close("the test ends")
        await self.app.edges.store.close()

    def _writes(self, request: LLMRequest) -> Writes:
        text, then = self.script(request)
        return Writes(self.clock, text, PAUSE, then)

    @property
    def store(self):
        return self.app.edges.store

    async def arrives(self, text: str, message_id: str = "m1") -> None:
        """Hear something, and do not wait for what comes of it."""
        inbound = v.inbound(text, message_id, author=v.author("101", "ann"), mentions_bot=True)
        await self.app.manager.receive([inbound], None)
        await self.settles()

    async def hears(self, text: str, message_id: str = "m1") -> StoredInbound:
        """Hear something, and let time pass until nothing is under way any more."""
        await self.arrives(text, message_id)
        await self.comes_to_rest()
        return await self.newest()

    async def newest(self) -> StoredInbound:
        (found,) = await self.store.ledger.recent(GENERAL, 1)
        return found

    async def passes(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            await self.settles()

    async def comes_to_rest(self) -> None:
        circles = self.app.task_groups
        async with asyncio.timeout(20):
            while any(tasks.busy for tasks in (circles.messaging, circles.cortex, circles.background, circles.sending)):
                await self.passes(STEP)

    async def settles(self) -> None:
        """Let everything run that does not wait for the clock, the store included."""
        calm = 0
        while calm < 12:
            await asyncio.sleep(0)
            calm += 1
            while is_busy(self.store):
                calm = 0
                await asyncio.sleep(0.0005)


@asynccontextmanager
async def a_live_bot(
    data: Path, script: Script, platform: FakePlatform | None = None, more: str = ""
) -> AsyncIterator[Live]:
    """Run one."""
    bot = Live(data, platform or FakePlatform(streaming=True, idempotent=True), script, more)
    await bot.open()
    try:
        yield bot
    finally:
        await bot.close()
