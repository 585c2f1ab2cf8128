"""Measure the search in memories: `python -m tests.bench.recall` prints JSON.

How long a search takes among 100,000 memories, half of them in one channel, with and without words, beside the floor:
a read of one row by the same store, in turn with the searches. How late timers of the event loop are meanwhile. What a
bulletin costs in a channel with 50,000 memories, and what a whole turn does, where something was read since the one
before, beside a turn where nothing is remembered. And for how many questions of a corpus a fact that answers them is
among the first five, by words alone, by everything together and, where a service of vectors is named
(`python -m tests.servers.embeddings FOLDER PORT` is one), by what is meant as well.

A corpus is a file of JSON Lines, with facts and questions as `Fact` and `Question` say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from adapters.openai import create_embedder
from adapters.sqlite import SqliteStore, StoreSettings, create
from adapters.system import SystemClock
from bot.agent.turn.embedding_client import EmbeddingClient, EmbeddingLimits
from bot.agent.turn.memory_meaning import MemoryMeaning
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
from bot.memory.search import RecallQuery, Searched, recall
from bot.ports.embeddings import BY_WORDS_ALONE
from bot.text.redaction import Redactor
from tests.bench._bot import Setup, a_bot
from tests.bench._model import a_model
from tests.bench._stalls import stalls
from tests.fakes.clock import START, FakeClock, FakeEntropy

MANY, IN_ONE = 100_000, 50_000
SEARCHES = 400
WARM, TURNS = 5, 40
FIRST = 5
OWN_CORPUS = Path(__file__).with_name("recall_corpus.jsonl")
"""Written beside the search, which was tuned with it: what it finds elsewhere is told by others' corpora. So is
`recall_paraphrases.jsonl`, whose English questions share hardly a word with what answers them.
"""
DAY_MS = 86_400_000
HERE = MemoryReach(agent=AgentId("main"), channel=ChannelId("console:#general"))


class Fact(FrozenModel):
    """A fact as somebody wrote it, named by `fact`."""

    fact: str
    lang: str
    days_ago: int
    type: MemoryType
    by: str
    text: str


class Question(FrozenModel):
    """A question, and the facts that answer it."""

    ask: str
    lang: str
    wants: tuple[str, ...]
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


class Timed(NamedTuple):
    """How long something took, and how much of that the process worked."""

    wall: float
    cpu: float


async def timed(work: Callable[[], Awaitable[object]]) -> Timed:
    began, worked = time.perf_counter(), time.process_time()
    await work()
    return Timed(time.perf_counter() - began, time.process_time() - worked)


def vocabulary(seeded: random.Random) -> list[str]:
    """Make up words of letters as they are frequent in English, three forms of each, in any order."""
    letters = dict(
        zip("eanirstdhulcgmobwfkzpvjyxq", [17, 10, 8, 8, 7, 7, 6, 5, 5, 4, 3, 3, 3, 3, *[2] * 12], strict=True)
    )
    stems = ["".join(seeded.choices([*letters], [*letters.values()], k=seeded.randint(2, 8))) for _ in range(7_000)]
    words = list(dict.fromkeys(stem + end for stem in stems for end in seeded.sample(["", "s", "en", "er", "ing"], 3)))
    seeded.shuffle(words)
    return words


async def among_many(directory: Path) -> dict[str, float]:
    """Search among many memories: words of Zipf's kind, so that a usual question finds thousands."""
    store, seeded = await opened(directory), random.Random(1)
    words = vocabulary(seeded)
    often = list(accumulate(1 / (n + 1) for n in range(len(words))))
    channels = [HERE.channel, *(ChannelId(f"console:#{n}") for n in range(99))]

    def text(many: int) -> str:
        return " ".join(seeded.choices(words, cum_weights=often, k=many))

    for first in range(0, MANY, 1_000):
        await store.memories.add(
            # half of them in one channel
            [
                memory(text(14), START - n * 1_000, channels[0] if n % 2 else channels[n // 2 % 100])
                for n in range(first, first + 1_000)
            ]
        )
    found: dict[str, float] = {}
    by_words = Searched(store.memories, BY_WORDS_ALONE, HERE)
    async with stalls() as watched:
        for name, asked in (("words", lambda: text(6)), ("nothing", lambda: "")):
            took, floor = list[Timed](), list[Timed]()
            for _ in range(SEARCHES):
                ask = RecallQuery(words=asked())
                took.append(await timed(lambda: recall(by_words, ask, START)))  # noqa: B023
                floor.append(await timed(lambda: store.memories.get(seeded.randint(1, MANY))))
            found |= {f"search_{name}_{key}": value for key, value in spread([one.wall for one in took]).items()}
            found |= {f"search_{name}_cpu_{key}": value for key, value in spread([one.cpu for one in took]).items()}
            found |= {f"floor_{name}_{key}": value for key, value in spread([one.wall for one in floor]).items()}
    found |= {"loop_late_p99_ms": watched.p99, "loop_own_p99_ms": watched.own_p99, "loop_late_floor_ms": watched.floor}
    nowhere = HERE.model_copy(update={"channel": ChannelId("console:#empty")})
    for name, reach in (("with_50000", HERE), ("without", nowhere)):
        took = [await timed(lambda: store.memories.weightiest(reach, 220)) for _ in range(20)]  # noqa: B023
        found[f"bulletin_{name}_first_ms"] = took[0].wall * 1e3
        found[f"bulletin_{name}_ms"] = statistics.median(one.wall for one in took) * 1e3
    await store.close()
    return found


async def turns(directory: Path, url: str) -> dict[str, float]:
    """Let one bot that remembers much and one that remembers nothing answer in turn; each turn reads memory anew."""
    taken: dict[str, list[Timed]] = {"with_50000": [], "without": []}
    # how much one channel may remember is not what is measured
    more = "[memory]\nper_channel = 0\n"
    setups = [Setup(directory / name, url, more=more) for name in ("much", "none")]
    async with a_bot(setups[0]) as much, a_bot(setups[1]) as none:
        store = much.app.edges.store
        for first in range(0, IN_ONE, 1_000):
            some = [
                memory(f"Member {n} likes {n}.", START - n * 1_000, HERE.channel) for n in range(first, first + 1_000)
            ]
            await store.memories.add(some)
        for number in range(WARM + TURNS):
            for name, bot in (("with_50000", much), ("without", none)):
                await bot.app.edges.store.memories.touched([number + 1], START)
                took = await timed(lambda: bot.says("glassmind, what is it?"))  # noqa: B023
                if number >= WARM:
                    taken[name].append(took)
    found = {f"turn_{name}_ms": statistics.median(one.wall for one in took) * 1e3 for name, took in taken.items()}
    cpu = {f"turn_{name}_cpu_ms": statistics.median(one.cpu for one in took) * 1e3 for name, took in taken.items()}
    more_ms = found["turn_with_50000_ms"] - found["turn_without_ms"]
    return (
        found
        | cpu
        | {"turn_more_ms": more_ms, "turn_more_cpu_ms": cpu["turn_with_50000_cpu_ms"] - cpu["turn_without_cpu_ms"]}
    )


async def meaning_by(url: str, store: SqliteStore) -> MemoryMeaning:
    """Return a search by meaning, with a vector for each memory, by the service at an address."""
    client = EmbeddingClient(
        embedder=create_embedder("service", {"base_url": url}, "model"),
        journal=store.journal,
        meter=store.meter,
        clock=SystemClock(),
        redact=Redactor.of({}).redact,
        limits=EmbeddingLimits(seconds=30.0, rest=0.0, price=None, daily_cost=lambda: 0.0),
    )
    meaning = MemoryMeaning(client, store.vectors, client.clock, 32, lambda _: False)
    await meaning.fill()
    return meaning


async def answered(directory: Path, lines: Sequence[str], url: str, misses: bool) -> dict[str, float]:
    """Count for how many questions a fact that answers them is among the first five."""
    facts = [Fact.model_validate_json(line) for line in lines if '"fact"' in line]
    asked = [Question.model_validate_json(line) for line in lines if '"fact"' not in line and line.strip()]
    store = await opened(directory)
    oldest = sorted(facts, key=lambda fact: -fact.days_ago)
    rows = await store.memories.add(
        [memory(one.text, START - one.days_ago * DAY_MS, HERE.channel, one.type, one.by) for one in oldest]
    )
    ids = dict(zip(rows, (one.fact for one in oldest), strict=True))
    ways = {"together": Searched(store.memories, BY_WORDS_ALONE, HERE)}
    if url:
        meaning = await meaning_by(url, store)
        ways["with_meaning"] = ways["together"]._replace(meaning=meaning)
    hits: dict[str, list[bool]] = {}
    for one in asked:
        answers = {"words": [memory for memory, _ in await store.memories.search(HERE, one.ask, FIRST)]}
        for way, searched in ways.items():
            answers[way] = [*await recall(searched, RecallQuery(words=one.ask, limit=FIRST), START)]
        for way, found in answers.items():
            is_hit = any(ids[row.id] in one.wants for row in found)
            if misses and not is_hit:
                print(way, one.kind, one.ask, [ids[row.id] for row in found], "wanted", one.wants, file=sys.stderr)
            for group in (way, f"{way}_{one.kind}", f"{way}_{one.lang}"):
                hits.setdefault(group, []).append(is_hit)
    if url:
        await meaning.client.embedder.close()
    await store.close()
    return {"facts": len(facts), "questions": len(asked)} | {
        f"recall_at_5_{group}": statistics.mean(found) for group, found in sorted(hits.items())
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.recall")
    alone = "a file of facts and questions, and nothing else is measured; several are one"
    parser.add_argument("--corpus", type=Path, action="append", help=alone)
    parser.add_argument("--embeddings", default="", help="the address of a service of vectors, to search by these, too")
    parser.add_argument("--misses", action="store_true", help="name the questions that were not answered")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        corpora = options.corpus or [OWN_CORPUS]
        lines = [line for corpus in corpora for line in corpus.read_text("utf-8").splitlines()]
        figures = asyncio.run(answered(Path(directory, "asked"), lines, options.embeddings, options.misses))
        if options.corpus is None:
            figures |= asyncio.run(among_many(Path(directory, "many")))
            with a_model(words=25) as url:
                figures |= asyncio.run(turns(Path(directory), url))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
