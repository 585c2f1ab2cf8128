"""Measure how long it takes to follow a memory through the records: `python -m tests.bench.spread` prints JSON.

100,000 memories in one channel, 20,000 turns of it with two requests each that hold 20 memories, and a search in every
fourth; every tenth turn saves a memory, every hundredth sends a worker out, and every five hundred turns are
shortened, so that what came of the first memories reaches to the end: every record of the channel is found. In one that
was not shortened a usual memory went into what its turns left behind.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.domain.spread_items import SpreadKind, count_items
from bot.runtime.gc_tuning import COLLECTOR_THRESHOLDS
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.inside.store import database_of

MEMORIES, TURNS, HELD, EVERY = 100_000, 20_000, 20, 500
CHANNEL = "console:#general"


def fill(connection: sqlite3.Connection, memories: int, turns: int, *, shortens: bool = True) -> None:
    """Write the rows that such a life leaves; nothing of what is read here is sealed."""
    many: Callable[[str, object], object] = connection.executemany  # type: ignore[assignment]
    where = ("main", CHANNEL)

    def memory(row: int) -> tuple[object, ...]:
        turn = row * 10 if row * 10 <= turns else 0
        body = {"provenance": {"author": "100", "turn": turn}, "type": "fact", "importance": 0.6}
        scope = ("main", "console", "channel", CHANNEL, CHANNEL, "100")
        return (row, *scope, START + row, orjson.dumps(body).decode(), f"fact {row}")

    many(
        "INSERT INTO memory (id, agent, platform, scope, scope_id, channel, author, created_at, body, content)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (memory(row) for row in range(1, memories + 1)),
    )
    every = range(1, turns + 1)
    many(
        "INSERT INTO turn (id, agent, channel, kind, started_at, status, inbounds, session)"
        " VALUES (?, ?, ?, 'channel', ?, 'replied', '[]', 0)",
        ((turn, *where, START + turn * 1000) for turn in every),
    )
    stats = json.dumps({"filler": "x" * 400})
    many(
        "INSERT INTO request (id, agent, channel, turn, kind, round, at, digest, wire_sha256, wire_bytes, encoder,"
        " model, stats, extra, fallback_of) VALUES (?, ?, ?, ?, 'channel', ?, ?, x'00', '', 1, '', '', ?, '{}', 0)",
        (
            (turn * 2 + number, *where, turn, number, START + turn * 1000 + number, stats)
            for turn in every
            for number in (0, 1)
        ),
    )
    many(
        "INSERT INTO request_memory (memory, request) VALUES (?, ?)",
        (
            (1 if n == 0 else 2 + (turn * HELD + n) % (memories - 1), turn * 2 + number)
            for turn in every
            for number in (0, 1)
            for n in range(HELD)
        ),
    )
    searched = range(4, turns + 1, 4)
    many(
        "INSERT INTO tool_call (id, agent, channel, turn, round, position, at, body, output)"
        " VALUES (?, ?, ?, ?, 0, 0, ?, '{}', '')",
        ((turn, *where, turn, START + turn * 1000) for turn in searched),
    )
    many(
        "INSERT OR IGNORE INTO call_memory (memory, call) VALUES (?, ?)",
        ((1 + (turn * 7 + n) % memories, turn) for turn in searched for n in range(8)),
    )
    many(
        "INSERT INTO outbox (agent, channel, kind, part, inbound, turn, body, text, state, created_at)"
        " VALUES (?, ?, 'reply', 0, 0, ?, '{}', 'yes', 'sent', ?)",
        ((*where, turn, START + turn * 1000) for turn in every),
    )
    many(
        "INSERT INTO process (agent, channel, kind, state, platform, actor, inbound, started_at, turns, segment, calls,"
        " progress, body, reason, returned, relayed_at, version)"
        " VALUES (?, ?, 'worker', 'done', 'console', '100', 0, ?, '[]', 0, 0, '', ?, '', 0, 0, 1)",
        (
            (*where, START + turn * 1000, orjson.dumps({"parent_turn": turn, "session": 0}).decode())
            for turn in range(100, turns + 1, 100)
        ),
    )
    many(
        "INSERT INTO history (id, agent, channel, epoch, turn, inbound, at, ambient, blob)"
        " VALUES (?, ?, ?, 0, ?, 0, ?, 0, 0)",
        ((turn * 3 + n, *where, turn, START + turn * 1000) for turn in every for n in (0, 1)),
    )
    if shortens:
        _shorten(connection, turns)


def _shorten(connection: sqlite3.Connection, turns: int) -> None:
    """Let each compaction take the summary of the one before, and what was said since."""
    before = 0
    for row, last in enumerate(range(EVERY, turns + 1, EVERY), 1):
        first = last - EVERY + 1
        body = {"type": "half", "turn": 0, "taken": [1, *range(first, last + 1)]}
        connection.execute(
            "INSERT INTO compaction (id, agent, channel, epoch, at, state, reason, decided_at, body)"
            " VALUES (?, 'main', ?, 0, ?, 'done', '', 0, ?)",
            (row, CHANNEL, START + last * 1000 + 500, orjson.dumps(body).decode()),
        )
        line = 1_000_000 + row
        connection.execute(
            "INSERT INTO history (id, agent, channel, epoch, turn, inbound, at, ambient, blob)"
            " VALUES (?, 'main', ?, 0, 1, 0, ?, 0, 0)",
            (line, CHANNEL, START + last * 1000),
        )
        taken = [turn * 3 + n for turn in range(first, last + 1) for n in (0, 1)]
        connection.executemany(
            "INSERT INTO compacted (compaction, line, came, place) VALUES (?, ?, ?, ?)",
            [(row, one, 0, one if one < 1_000_000 else 3) for one in ([before] if before else []) + taken]
            + [(row, line, 1, 3)],
        )
        before = line


async def measure(
    directory: Path, memories: int = MEMORIES, turns: int = TURNS, *, shortens: bool = True
) -> dict[str, float]:
    """Return milliseconds: the memory that stood in every request, a usual one, the newest, all of the last tenth."""
    store: SqliteStore = await create(StoreSettings(directory, FakeClock(), FakeEntropy(), 0, 0))
    try:
        await database_of(store).write(lambda connection: fill(connection, memories, turns, shortens=shortens))
        asked = {
            "every_request": [1],
            "usual": [memories // 2],
            "newest": [memories],
            "last_tenth": list(range(memories - memories // 10, memories + 1)),
        }
        found: dict[str, float] = {}
        for name, seeds in asked.items():
            times, cpu = [], []
            for _ in range(5):
                began, began_cpu = time.perf_counter(), time.process_time()
                spread = await store.spread.spread(seeds)
                times.append((time.perf_counter() - began) * 1000)
                cpu.append((time.process_time() - began_cpu) * 1000)
            found[f"{name}_ms"] = round(statistics.median(times), 1)
            # on a machine that others use, too, the clock says how busy it is
            found[f"{name}_cpu_ms"] = round(statistics.median(cpu), 1)
            found[f"{name}_records"] = len(spread.items)
            counts = count_items(spread.items)
            found[f"{name}_memories"] = sum(counts[SpreadKind.MEMORY])
        return found
    finally:
        await store.close()


def main() -> None:
    # as in a running bot
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    with tempfile.TemporaryDirectory() as directory:
        sizes = [int(word) for word in sys.argv[1:]]
        apart = asyncio.run(measure(Path(directory) / "whole", *sizes, shortens=False))
        figures = asyncio.run(measure(Path(directory) / "data", *sizes))
        print(json.dumps({**{f"unshortened_{name}": value for name, value in apart.items()}, **figures}))


if __name__ == "__main__":
    main()
