"""Measure `!cortex context` with its picture, and the export: `python -m tests.bench.view` prints JSON.

The first figures are those of the first look of a process: texts are counted then, and the drawing library is loaded.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import tempfile
import time
from pathlib import Path

from bot.cortex.pages.chart_pictures import draw_chart
from bot.cortex.pages.exports import write_export
from bot.cortex.pages.usage_page import read_live_view, thresholds_of
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import CachedRedactor, CaptureReader, view_for_reader
from bot.inspect.charts.chart import ChartStyle
from bot.inspect.usage.export import export
from bot.inspect.usage.usage_chart import chart_of
from bot.inspect.usage.usage_text import LiveView, live_view
from bot.text.redaction import Redactor
from tests.bench._bot import Bench, Setup, a_bot
from tests.bench._model import a_model, prose
from tests.bench._stalls import stalls

TURNS, WORDS = 100, 152
PERSONA = prose(9_600, 3)
GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))
OWNER = CaptureReader(reads_content=True, operator=True)
TIMES = 20


class Look:
    """What the cortex does for the command, but for sending."""

    def __init__(self, bot: Bench) -> None:
        self.bot = bot
        self.redactor = CachedRedactor(Redactor.of({}))
        self.taken: dict[str, list[float]] = {}

    async def whole(self) -> None:
        """The view, as words and as a picture."""
        seen = await self.timed("captured", self.capture())
        shown = await self.timed("read", self.live(seen))
        began = time.perf_counter()
        text = live_view(shown)
        self.note("written", began)
        content = await self.timed("drawn", draw_chart(chart_of(shown), ChartStyle.DARK))
        assert content and text

    async def capture(self) -> tuple[object, InspectedContext]:
        inspection = await self.bot.app.inspector.inspect(GENERAL, CaptureKind.NEXT)
        return inspection, view_for_reader(inspection, OWNER, self.redactor)

    async def live(self, seen: tuple[object, InspectedContext]) -> LiveView:
        app = self.bot.app
        return await read_live_view(app.edges.store, *seen, thresholds_of(app.config.compaction))  # type: ignore[arg-type]

    async def timed(self, name: str, work):  # type: ignore[no-untyped-def]
        began = time.perf_counter()
        found = await work
        self.note(name, began)
        return found

    def note(self, name: str, began: float) -> None:
        self.taken.setdefault(name, []).append((time.perf_counter() - began) * 1000)


async def measure(url: str, data: Path) -> dict[str, float]:
    async with a_bot(Setup(data, url, persona=PERSONA)) as bot:
        for number in range(TURNS):
            await bot.says(prose(WORDS, number))
        look = Look(bot)
        await bot.app.edges.counter.warm(["load the table"])
        gc.collect()
        began = time.perf_counter()
        await look.whole()
        first = (time.perf_counter() - began) * 1000
        firsts = {f"view_{name}_first_ms": taken[0] for name, taken in look.taken.items()}
        look.taken.clear()
        wall, cpu, written = [], [], []
        async with stalls() as watched:
            for _ in range(TIMES):
                began, spent = time.perf_counter(), time.process_time()
                await look.whole()
                wall.append((time.perf_counter() - began) * 1000)
                cpu.append((time.process_time() - spent) * 1000)
        for _ in range(TIMES):
            _, shown = await look.capture()
            began = time.perf_counter()
            content = export(shown, "2026-11-21T03:00:00+01:00", "01")
            await asyncio.to_thread(write_export, data, GENERAL.channel, 0, content)
            written.append((time.perf_counter() - began) * 1000)
        return {
            "messages": len(shown.messages),
            "view_with_picture_first_ms": first,
            **firsts,
            "view_with_picture_ms": statistics.median(wall),
            "view_with_picture_cpu_ms": statistics.median(cpu),
            **{f"view_{name}_ms": statistics.median(taken) for name, taken in look.taken.items()},
            **watched.figures("view_stall"),
            "export_and_write_ms": statistics.median(written),
            "export_bytes": len(content),
        }


def main() -> None:
    with a_model(WORDS) as url, tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(url, Path(directory)))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
