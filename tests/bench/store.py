"""Measure the store: `python -m tests.bench.store` prints JSON."""

from __future__ import annotations

import asyncio
import json
import platform
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.domain.base import canonical_json
from bot.domain.ids import ChannelId
from bot.domain.messages import Message
from bot.domain.turn import RequestRecord
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy

CALLERS = 256
INBOUNDS = 20_000
TURNS = 200
WORDS = "the bot remembers what was said and answers in the channel when somebody asks it to".split()  # noqa: SIM905


async def opened(directory: str, name: str) -> SqliteStore:
    return await create(StoreSettings(Path(directory) / name, FakeClock(), FakeEntropy(), ballast=0))


def prose(seed: int, words: int) -> str:
    return " ".join(WORDS[(seed * 7 + n * n) % len(WORDS)] for n in range(words)) + f" {seed}"


async def inbounds(store: SqliteStore) -> dict[str, float]:
    """Many channels hand in one message at a time, each waiting until its own is durable."""
    arrivals = [
        v.arrival(
            prose(n, 12), str(n), channel=ChannelId(f"console:{n % CALLERS}"), verdicts=(v.passed(), v.passed("rate"))
        )
        for n in range(INBOUNDS)
    ]
    waits: list[float] = []

    async def caller(first: int) -> None:
        for number in range(first, INBOUNDS, CALLERS):
            began = time.perf_counter()
            await store.ledger.arrive([arrivals[number]], None)
            waits.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(caller(n) for n in range(CALLERS)))
    took = time.perf_counter() - began
    rows = await store.ledger.unsettled()
    by_channel: dict[str, list[int]] = {}
    for row in rows:
        by_channel.setdefault(row.inbound.channel, []).append(int(row.inbound.message_id))
    assert len(rows) == INBOUNDS and all(ids == sorted(ids) for ids in by_channel.values())
    return {
        "durable_inbounds_per_s": round(INBOUNDS / took),
        "p50_ms": round(statistics.median(waits) * 1000, 2),
        "p99_ms": round(statistics.quantiles(waits, n=100)[98] * 1000, 2),
    }


async def alone(store: SqliteStore) -> float:
    """One caller, one message at a time: the price of one durable commit."""
    waits = []
    for number in range(300):
        arrival = v.arrival(prose(number, 12), f"alone{number}")
        began = time.perf_counter()
        await store.ledger.arrive([arrival], None)
        waits.append(time.perf_counter() - began)
    return round(statistics.median(waits) * 1000, 3)


def record(turn: int, history: list[Message]) -> RequestRecord:
    """Build a request as a channel sends it: 24 kB of system prompt, twenty tools, history, one enveloped trigger."""
    system = [(f"section{n}", prose(n, 300)) for n in range(12)]
    system[10] = ("bulletin", prose(turn // 10, 300))
    tools = [v.tool_definition(f"tool{n}", prose(n, 60)) for n in range(20)]
    trigger = v.message(f"<status {turn}> {prose(turn, 60)}", at=START + turn)
    request = v.llm_request([*history, trigger], system, tools)
    sections = tuple(v.section(name, (f"config:{name}",), text) for name, text in system)
    return v.request_record(turn, request, sections=sections)


def exchange(turn: int) -> list[Message]:
    return [v.message(prose(turn, 40), at=START + turn, inbound=turn), v.said(prose(turn + 1, 60), at=START + turn)]


def size(path: Path) -> int:
    raw = sqlite3.connect(path / "glassmind.db")
    pages, free, page = (
        raw.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    raw.close()
    return int((pages - free) * page)


async def room(directory: str) -> dict[str, float]:
    """Pages of the file that two hundred turns take, against the bytes of two hundred full copies of what was sent."""
    store = await opened(directory, "room")
    history: list[Message] = []
    copies = 0
    began = size(Path(directory) / "room")
    for turn in range(TURNS):
        taken = record(turn, history)
        await store.journal.record_request(taken, [])
        copies += len(canonical_json(taken.request).encode())
        history += exchange(turn)
    await store.close()
    used = size(Path(directory) / "room") - began
    return {"turns": TURNS, "full_copies_bytes": copies, "journal_bytes": used, "times_less": round(copies / used, 1)}


async def cost(directory: str) -> dict[str, float]:
    """The time of one `record_request` at a short and at a long history."""
    store = await opened(directory, "cost")
    history: list[Message] = []
    waits: dict[int, list[float]] = {25: [], 400: []}
    turn = 0
    while len(history) < 440:
        taken = record(turn, history)
        began = time.perf_counter()
        await store.journal.record_request(taken, [])
        took = time.perf_counter() - began
        for mark, found in waits.items():
            if abs(len(history) - mark) <= 20:
                found.append(took)
        history += exchange(turn)
        turn += 1
    began = time.perf_counter()
    await store.journal.recent_requests(v.KEY, 1)
    rebuilt = time.perf_counter() - began
    await store.close()
    figures = {f"record_p50_ms_at_{mark}": round(statistics.median(found) * 1000, 3) for mark, found in waits.items()}
    return {**figures, "rebuild_ms_at_440": round(rebuilt * 1000, 2)}


async def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        store = await opened(directory, "inbounds")
        figures = {**await inbounds(store), f"alone_p50_ms_behind_{INBOUNDS}": await alone(store)}
        await store.close()
        store = await opened(directory, "alone")
        figures["alone_p50_ms_fresh"] = await alone(store)
        await store.close()
        figures |= await room(directory)
        figures |= await cost(directory)
    print(json.dumps({"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, **figures}, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
