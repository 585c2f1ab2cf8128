"""Measure looking at a thousand channels in turn, twice: `python -m tests.bench.inspect_many` prints JSON.

Nothing but counts and what a store keeps is remembered between two looks at one channel: 999 others come in between.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.domain.channel import ChannelSettings, ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, Message, Role, TextPart
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.ports.store import Store
from tests.bench._bot import Setup, a_bot
from tests.bench._model import prose

CHANNELS, TURNS, WORDS = 1000, 10, 40
PERSONA = prose(2_000, 3)


def key(number: int) -> ChannelKey:
    return ChannelKey(MAIN, ChannelId(f"console:#room-{number}"))


def turn(number: int) -> Iterator[Message]:
    for role in (Role.USER, Role.ASSISTANT):
        yield Message(role=role, parts=(TextPart(text=f"{role}: {prose(WORDS, number)}"),), at=1)


async def populate(store: Store) -> None:
    """Let every channel have talked for some turns."""
    place, settings = ChannelPlace(guild_id="1"), ChannelSettings()
    for channel in range(CHANNELS):
        agent, name = key(channel)
        await store.channels.meet(key(channel), f"#room-{channel}", place, settings)
        for number in range(TURNS):
            row = await store.journal.begin_turn(
                TurnStart(agent=agent, channel=name, kind=ProcessKind.CHANNEL, at=1), ()
            )
            said = tuple(turn(channel * TURNS + number))
            end = TurnEnd(turn=row, agent=agent, channel=name, at=1, status=TurnStatus.REPLIED, messages=said)
            await store.journal.end_turn(end)


async def once(inspector: ChannelContextInspector) -> list[float]:
    """Look at every channel; return the milliseconds that each look took."""
    took = []
    for number in range(CHANNELS):
        began = time.perf_counter()
        inspection = await inspector.inspect(key(number))
        took.append((time.perf_counter() - began) * 1000)
        assert len(inspection.request.messages) == 2 * TURNS + 1
    return took


async def measure(data: Path) -> dict[str, float]:
    async with a_bot(Setup(data, persona=PERSONA)) as bot:
        await populate(bot.app.edges.store)
        await bot.app.edges.counter.warm(["load the table"])
        first = await once(bot.app.inspector)
        spent = time.process_time()
        again = await once(bot.app.inspector)
        return {
            "channels": CHANNELS,
            "first_p50_ms": statistics.median(first),
            "again_p50_ms": statistics.median(again),
            "again_p99_ms": statistics.quantiles(again, n=100)[98],
            "again_cpu_ms": (time.process_time() - spent) * 1000 / CHANNELS,
        }


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(Path(directory)))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
