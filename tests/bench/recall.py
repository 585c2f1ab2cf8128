"""Measure the search in memories: `python -m tests.bench.recall [DIR]` prints JSON.

How long it takes among 100,000 memories, and what a turn costs in a channel that has 50,000 of them. With a directory
that holds `facts.jsonl` and `questions.jsonl`, how many questions have a fact that answers them among the first five:
by words alone, and by everything together.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.domain.base import FrozenModel
from bot.domain.ids import AgentId, ChannelId, UserId
from bot.domain.memory import (
    DEFAULT_IMPORTANCE,
    MemoryProvenance,
    MemoryReach,
    MemoryScope,
    MemoryType,
    NewMemory,
)
from bot.memory.search import RecallMode, RecallQuery, recall
from tests.fakes.clock import START, FakeClock, FakeEntropy

MANY, IN_ONE = 100_000, 50_000
SEARCHES = 400
FIRST = 5
DAY_MS = 86_400_000
HERE = MemoryReach(agent=AgentId("main"), channel=ChannelId("console:#general"))


class Fact(FrozenModel):
    """A fact as somebody wrote it."""

    id: str
    lang: str
    days_ago: int
    type: MemoryType
    author: str
    text: str


class Question(FrozenModel):
    """A question, and the facts that answer it."""

    lang: str
    question: str
    answers: tuple[str, ...]
    kind: str


def memory(
    text: str, at: int, channel: ChannelId, kind: MemoryType = MemoryType.FACT, author: str = "ann"
) -> NewMemory:
    return NewMemory(
        agent=HERE.agent,
        content=text,
        type=kind,
        importance=DEFAULT_IMPORTANCE[kind],
        scope=MemoryScope.CHANNEL,
        scope_id=channel,
        channel=channel,
        provenance=MemoryProvenance(author=UserId("2"), author_name=author),
        created_at=at,
    )


async def opened(directory: Path) -> SqliteStore:
    return await create(StoreSettings(directory, FakeClock(), FakeEntropy(), ballast=0))


def spread(values: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=100)
    return {"p50_ms": statistics.median(values) * 1e3, "p99_ms": cuts[98] * 1e3}


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def among_many(directory: Path) -> dict[str, float]:
    """Search among many memories: words of Zipf's kind, so that a usual question finds thousands."""
    store, seeded = await opened(directory), random.Random(1)
    words = [f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}word{n}" for n in range(20_000)]
    weights = [1 / (n + 1) for n in range(len(words))]
    channels = [HERE.channel, *(ChannelId(f"console:#{n}") for n in range(99))]

    def text() -> str:
        return " ".join(seeded.choices(words, weights, k=14))

    for first in range(0, MANY, 1_000):
        await store.memories.add(
            # half of them in one channel
            [
                memory(text(), START - n * 1_000, channels[0] if n % 2 else channels[n // 2 % 100])
                for n in range(first, first + 1_000)
            ]
        )
    found: dict[str, float] = {}
    for name, mode, asked in (
        ("words", RecallMode.HYBRID, lambda: " ".join(seeded.choices(words, weights, k=6))),
        ("nothing", RecallMode.HYBRID, lambda: ""),
    ):
        took = [
            await timed(lambda: recall(store.memories, HERE, RecallQuery(words=asked(), mode=mode), START))  # noqa: B023
            for _ in range(SEARCHES if name == "words" else 40)
        ]
        found |= {f"search_{name}_{key}": value for key, value in spread(took).items()}
    nowhere = HERE.model_copy(update={"channel": ChannelId("console:#empty")})
    for name, reach in (("with_50000", HERE), ("without", nowhere)):
        took = [await timed(lambda: store.memories.weightiest(reach, 220)) for _ in range(20)]  # noqa: B023
        found[f"bulletin_{name}_first_ms"], found[f"bulletin_{name}_ms"] = took[0] * 1e3, statistics.median(took) * 1e3
    await store.close()
    return found


async def answered(directory: Path, corpus: Path) -> dict[str, float]:
    """Count for how many questions a fact that answers them is among the first five."""
    facts = [Fact.model_validate_json(line) for line in (corpus / "facts.jsonl").read_text("utf-8").splitlines()]
    asked = [
        Question.model_validate_json(line) for line in (corpus / "questions.jsonl").read_text("utf-8").splitlines()
    ]
    store = await opened(directory)
    oldest = sorted(facts, key=lambda fact: -fact.days_ago)
    rows = await store.memories.add(
        [memory(one.text, START - one.days_ago * DAY_MS, HERE.channel, one.type, one.author) for one in oldest]
    )
    ids = dict(zip(rows, (one.id for one in oldest), strict=True))
    hits: dict[str, list[bool]] = {}
    for one in asked:
        by_words = await store.memories.search(HERE, one.question, FIRST)
        fused = await recall(store.memories, HERE, RecallQuery(words=one.question, limit=FIRST), START)
        for way, found in (("words", [memory for memory, _ in by_words]), ("together", fused)):
            is_hit = any(ids[row.id] in one.answers for row in found)
            for group in (way, f"{way}_{one.kind}", f"{way}_{one.lang}"):
                hits.setdefault(group, []).append(is_hit)
    await store.close()
    return {f"recall_at_5_{group}": statistics.mean(found) for group, found in sorted(hits.items())}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.recall")
    parser.add_argument("corpus", type=Path, nargs="?", help="a directory with facts.jsonl and questions.jsonl")
    corpus = parser.parse_args().corpus
    with tempfile.TemporaryDirectory() as directory:
        if corpus is not None:
            figures = asyncio.run(answered(Path(directory, "asked"), corpus))
        else:
            figures = asyncio.run(among_many(Path(directory, "many")))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
