"""Hours in which nobody says anything, in simulated time: no model call, no more memory, no more rows."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from adapters.sqlite import StoreSettings
from adapters.sqlite import create as open_sqlite
from bot.app.bot import Bot
from bot.config import parse_config
from bot.domain.llm import LLMRequest, LLMResponse
from bot.ports.edges import Edges
from bot.ports.platform import PlatformListener
from tests.bench.floor import rss_mib
from tests.dialogs.bot import CONFIG, NoTable
from tests.dialogs.live import MODEL
from tests.dialogs.tide import TidalClock
from tests.fakes import values as v
from tests.fakes.clock import FakeEntropy
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.family import Verdict
from tests.inside.store import is_busy

HOUR = 3600
SETTLED = 2 * HOUR
"""Until when a bot still comes to rest: it loads what it will need, sweeps for the first time, makes the daily copy."""
GROWN_MIB = 2.0
FEW_ROWS = 4
"""Rows that a day may add: its copy, and what was noted of it."""


class Silent(FakePlatform):
    """A platform on which one thing is said, as soon as somebody listens."""

    async def run(self, ears: PlatformListener) -> None:
        inbound = v.inbound("are you there?", "m1", author=v.author("101", "ann"), mentions_bot=True)
        await ears.receive([inbound], None)
        await asyncio.Event().wait()


async def idle(hours: int, directory: Path) -> Verdict:
    """Ask the bot one thing, and then nothing for hours."""
    asked: list[LLMRequest] = []

    def answer(request: LLMRequest) -> LLMResponse:
        asked.append(request)
        return says("Yes, I am here, and I am listening.")

    clock = TidalClock()
    store: Any = await open_sqlite(StoreSettings(directory / "data", clock, FakeEntropy(), low_water=0, ballast=0))
    edges = Edges(clock, FakeEntropy(), store, NoTable(), {"console": Silent()}, {"scripted": ScriptedProvider(answer)})
    app = Bot(edges, parse_config(CONFIG.format(data=directory / "data", ambient=50, more=MODEL), {}))
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(app.run(stop))
        tide = group.create_task(clock.ebb_and_flow(lambda: is_busy(store)))
        await clock.sleep(min(SETTLED, hours * HOUR / 2))
        before = len(asked)
        assert before == 1, f"the model was asked {before} times, not once"
        rss, rows = _rss(), _rows(directory)
        await clock.sleep(max(hours * HOUR - SETTLED, hours * HOUR / 2))
        grown, more = _rss() - rss, _rows(directory) - rows
        stop.set()
        await running
        tide.cancel()
    await store.close()
    calls = len(asked) - before
    assert not calls, f"{calls} model calls in {hours} hours in which nobody said anything"
    assert sum(more.values()) <= FEW_ROWS, f"rows that came while nobody said anything: {dict(more)}"
    assert grown <= GROWN_MIB, f"{grown:.1f} MiB more after {hours} hours in which nobody said anything"
    return Verdict(n=hours, counts={"calls": calls, "rows": sum(more.values())}, figures={"grown_mib": grown})


def _rss() -> float:
    gc.collect()
    return rss_mib("self")


def _rows(directory: Path) -> Counter[str]:
    """Count the rows of every table."""
    with closing(sqlite3.connect(next((directory / "data").glob("*.db")))) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return Counter({name: connection.execute(f"SELECT count(*) FROM [{name}]").fetchone()[0] for name in tables})
