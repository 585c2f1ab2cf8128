"""Measure how long it takes to count and to draw who taught the bot what: `python -m tests.bench.timeline` prints JSON.

100,000 memories in one channel by 5,000 people over 60 days, a tenth of them forgotten; asked about 30 days and a year.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

import orjson
import structlog

from adapters.sqlite import StoreSettings, create
from bot.cortex.pages.chart_pictures import draw_chart
from bot.cortex.pages.memory_chart_page import ordered, teaching_chart, timeline_text
from bot.domain.access import Authority
from bot.domain.ids import MAIN, ChannelId
from bot.domain.memory import MemoryPlaces
from bot.domain.memory_timeline import TimelineSpan
from bot.inspect.charts.chart import ChartStyle
from bot.inspect.charts.memory_values import MAX_TEACHERS
from bot.text.redaction import Redactor
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.inside.store import database_of

MEMORIES, PEOPLE, DAYS, TIMES = 100_000, 5_000, 60, 9
DAY_MS = 86_400_000
CHANNEL = ChannelId("console:#general")
PLACES = MemoryPlaces(agent=MAIN, platform="console", channels=(CHANNEL,))


def fill(connection: sqlite3.Connection, memories: int, first: int = 1) -> None:
    """Write memories as they lie there; nothing of what is counted is sealed."""

    def memory(row: int) -> tuple[object, ...]:
        # who comes first teaches most
        author = str(row % PEOPLE if row % 3 else row % 7)
        body = {"provenance": {"author": author, "author_name": f"teller {author}"}, "type": "fact", "importance": 0.6}
        at = START - row * 7919 % DAYS * DAY_MS
        scope = (MAIN, "console", "channel", CHANNEL, CHANNEL, author)
        return (row, *scope, at, orjson.dumps(body).decode(), f"fact {row}", START if row % 10 == 0 else 0)

    many = connection.executemany
    many(
        "INSERT INTO memory (id, agent, platform, scope, scope_id, channel, author, created_at, body, content,"
        " forgotten_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (memory(row) for row in range(first, first + memories)),
    )


async def measure(directory: Path, memories: int = MEMORIES) -> dict[str, float]:
    """Return milliseconds, by the clock and of this process alone, and how much came back."""
    store = await create(StoreSettings(directory, FakeClock(), FakeEntropy(), 0, 0))
    redactor = Redactor.of({})
    taken: dict[str, list[float]] = {}

    def note(name: str, began: float, began_cpu: float) -> None:
        taken.setdefault(f"{name}_ms", []).append((time.perf_counter() - began) * 1000)
        # on a machine that others use, too, the clock says how busy it is
        taken.setdefault(f"{name}_cpu_ms", []).append((time.process_time() - began_cpu) * 1000)

    try:
        await database_of(store).write(lambda connection: fill(connection, memories))
        teachers = 0
        for name, days in (("month", 30), ("year", 365)):
            span = TimelineSpan.back(START, days * DAY_MS)
            for _ in range(TIMES):
                began = time.perf_counter(), time.process_time()
                found = await store.memory_audit.timeline(PLACES, (CHANNEL,), span, MAX_TEACHERS)
                note(f"{name}_counted", *began)
                began = time.perf_counter(), time.process_time()
                people = ordered(found, lambda _: Authority.EVERYONE, redactor)
                assert timeline_text(found, people, "#general", 0, redactor)
                chart = teaching_chart(found, people, "#general")
                assert await draw_chart(chart, ChartStyle.DARK)
                note(f"{name}_drawn", *began)
                teachers = max(teachers, len(found.teachers))
            assert found.total.total + found.older == memories
        return {**{name: round(statistics.median(times), 1) for name, times in taken.items()}, "rows": teachers}
    finally:
        await store.close()


def main() -> None:
    # what is printed is read as JSON
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(Path(directory), *map(int, sys.argv[1:2])))))


if __name__ == "__main__":
    main()
