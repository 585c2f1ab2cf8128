"""Measure what a save costs beyond its commit: `python -m tests.bench.one_fact [MANY]` prints JSON.

In a channel that remembers much already, a fact is handed to `memory_save`, which searches for what is known, compares,
links and looks how it would have others treated; in turn with that left out. Time is that of the CPU, of all threads.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adapters.sqlite import StoreSettings, create
from bot.context.origin_tracer import WordOriginTracer
from bot.domain.channel import ProcessKind
from bot.domain.memory import NewMemory
from bot.memory.write import MemoryRules, find_near
from bot.ports.memories import MemoryStore
from bot.tools import memory_save as tool
from bot.tools.runtime.tool import ToolContext, TurnView
from tests.bench.recall import HERE, memory
from tests.bot.tools.kit import context
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.fakes.contexts import Stack, ask, says, trigger
from tests.fakes.values import channel

MANY = 2_000
SAVES = 200
_WHO = ("Ann", "Bo", "Carla", "Dmitri", "Eve", "Farid", "Greta", "Hugo", "Inês", "Jörg")
_SAID = (
    "{who} starts the raid on {day} at {hour} pm",
    "{who} is allergic to {thing}",
    "{who} wohnt seit dem {day} in {place} und mag {thing}",
    "La contraseña de {place} la tiene {who} desde el {day}",
    "{who} gosta de {thing} com {place}",
    "{who} préfère {thing} le {day}",
    "{who} любит {thing}, но не в {place}",
    "The meeting of {who} about {thing} is at {hour}:30 in {place}",
    "{who} does not want {thing} in {place} before {hour} pm",
    "{who} pays {hour} euros for {thing} every {day}",
)
_DAYS = ("Monday", "Dienstag", "miércoles", "quinta", "vendredi", "субботу")
_THINGS = ("nuts", "Tee", "pescado", "futebol", "fromage", "музыку", "pull requests", "the old server", "photos")
_PLACES = ("Berlin", "Quito", "the kitchen", "Lyon", "Москве", "the archive", "room 12")


def said(chance: random.Random) -> str:
    return chance.choice(_SAID).format(
        who=chance.choice(_WHO),
        day=chance.choice(_DAYS),
        hour=chance.randint(1, 11),
        thing=chance.choice(_THINGS),
        place=chance.choice(_PLACES),
    )


async def asked(text: str) -> ToolContext:
    """Return the context of a turn in which somebody asks for a fact to be remembered."""
    snapshot = await Stack().contexts.snapshot(ask(channel(), trigger(says(f"remember: {text}", 99, "42", "ann"))))
    made = await context()
    return replace(made, turn=TurnView(7, ProcessKind.CHANNEL, snapshot))


async def looked(memories: MemoryStore, texts: Sequence[str]) -> list[float]:
    """Hand facts to the tool; return the milliseconds of CPU that each took."""
    tracer, rules = WordOriginTracer(), MemoryRules(0.75, 0)
    taken = list[float]()
    for text in texts:
        ctx = await asked(text)
        args = tool.SaveArgs(content=text, type="fact")
        begun = time.process_time()
        await tool.memory_save.run(args, ctx, memories, rules, tracer, FakeClock())
        taken.append((time.process_time() - begun) * 1000)
    return taken


async def searched(memories: MemoryStore, new: Sequence[NewMemory]) -> list[float]:
    """Only search for what is known, as any save does."""
    taken = list[float]()
    for one in new:
        begun = time.process_time()
        await find_near(memories, HERE, one)
        taken.append((time.process_time() - begun) * 1000)
    return taken


async def measure(directory: Path, many: int) -> dict[str, float]:
    chance = random.Random(1)
    store = await create(StoreSettings(directory, FakeClock(), FakeEntropy(), low_water=0, ballast=0))
    every = dict.fromkeys(said(chance) for _ in range(many * 3))
    kept = [f"{text} ({number})" for number, text in enumerate(list(every)[:many])]
    kept += [f"{said(chance)}, note {number}" for number in range(many - len(kept))]
    for first in range(0, many, 500):
        await store.memories.add([memory(text, START, HERE.channel) for text in kept[first : first + 500]])
    texts = [said(chance) for _ in range(SAVES)]
    links, judges = tool.fact_links, tool.treatments
    figures = dict[str, list[float]]()
    for at in range(0, SAVES, 10):
        part = texts[at : at + 10]
        figures.setdefault("save", []).extend(await looked(store.memories, part))
        tool.fact_links, tool.treatments = (lambda *_: ()), (lambda *_: ())
        figures.setdefault("save_without", []).extend(await looked(store.memories, part))
        tool.fact_links, tool.treatments = links, judges
        new = [memory(text, START, HERE.channel) for text in part]
        figures.setdefault("search", []).extend(await searched(store.memories, new))
    await store.close()
    found = {f"{name}_cpu_ms": statistics.median(values) for name, values in figures.items()}
    found["p99_of_a_save_ms"] = statistics.quantiles(figures["save"], n=100)[98]
    pairs = [after - before for after, before in zip(figures["save"], figures["save_without"], strict=True)]
    return {
        **found,
        "linking_cpu_ms": statistics.median(pairs),
        "linking_p99_ms": statistics.quantiles(pairs, n=100)[98],
    }


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps({name: round(value, 3) for name, value in asyncio.run(measure(Path(made), many)).items()}))


if __name__ == "__main__":
    main()
