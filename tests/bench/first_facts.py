"""Measure how long an admin waits for the first facts of a `why`: `python -m tests.bench.first_facts` prints JSON.

The store holds 10,000 channels. In some of them somebody has just been answered, in others the model's service refused;
an admin asks about each in turn, and the time runs from the typed line until the report stands in the admin's DM.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.rules import RULES
from bot.domain.channel import ChannelSettings, ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, Message, Role, TextPart
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from bot.ports.store import Store
from tests.bench._bot import Bench, Setup, a_bot
from tests.bench._model import a_model, prose

CHANNELS, ASKED, TALK, MESSAGES = 10_000, 200, 3, 200
MAX_P50_MS, MAX_P99_MS = 300, 1000


class Screen(StringIO):
    """Notes when the first line of a report is written."""

    def __init__(self) -> None:
        super().__init__()
        self.since = 0.0
        self.waited: float | None = None

    def write(self, text: str) -> int:
        if self.waited is None and "rules only" in text:
            self.waited = (time.perf_counter() - self.since) * 1000
        return super().write(text)


async def populate(store: Store) -> None:
    """Let every channel have talked once."""
    place, settings = ChannelPlace(guild_id="1"), ChannelSettings()
    for channel in range(CHANNELS):
        key = ChannelKey(MAIN, ChannelId(f"console:#room-{channel}"))
        await store.channels.meet(key, f"#room-{channel}", place, settings)
        row = await store.journal.begin_turn(
            TurnStart(agent=MAIN, channel=key.channel, kind=ProcessKind.CHANNEL, at=1), ()
        )
        said = tuple(
            Message(role=role, parts=(TextPart(text=prose(20, channel)),), at=1) for role in (Role.USER, Role.ASSISTANT)
        )
        await store.journal.end_turn(
            TurnEnd(turn=row, agent=MAIN, channel=key.channel, at=1, status=TurnStatus.REPLIED, messages=said)
        )


async def ask(bot: Bench, room: int) -> float:
    """Let people talk in a room, then an admin ask; return for how long the admin waited, in ms."""
    with redirect_stdout(StringIO()):
        for number in range(TALK):
            await bot.console.type(f"[#room-{room}] ann> @glassmind {prose(12, room + number)}", bot.app.manager)
            await bot.app.settled()
    screen = Screen()
    with redirect_stdout(screen):
        screen.since = time.perf_counter()
        await bot.console.type(f"[#room-{room}] root> !cortex why", bot.app.manager)
        await bot.app.settled()
    if screen.waited is None:
        raise RuntimeError(f"no report came: {screen.getvalue()[-500:]!r}")
    return screen.waited


async def rules_ms(bot: Bench) -> float:
    """Return how long all rules take over a channel of 200 messages, evidence at hand."""
    key = ChannelKey(MAIN, ChannelId("console:#busy"))
    with redirect_stdout(StringIO()):
        for number in range(MESSAGES):
            await bot.console.type(f"[#busy] ann> @glassmind {prose(12, number)}", bot.app.manager)
            await bot.app.settled()
    app = bot.app
    evidence = await EvidenceCollector(app.edges.store, app.edges.clock, app.config).collect(
        key, "#busy", EvidenceQuery()
    )
    took = []
    for _ in range(20):
        began = time.perf_counter()
        diagnose(evidence)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


async def measure(url: str, data: Path) -> dict[str, float]:
    async with a_bot(Setup(data, url, more="[cortex]\nper_minute = 10000\n")) as bot:
        await populate(bot.app.edges.store)
        chance = random.Random(7)
        rooms = chance.sample(range(CHANNELS), ASKED)
        took = [await ask(bot, room) for room in rooms]
        return {
            "channels": CHANNELS,
            "asked": ASKED,
            "rules": len(RULES),
            "rules_over_200_messages_ms": await rules_ms(bot),
            "first_facts_p50_ms": statistics.median(took),
            "first_facts_p99_ms": statistics.quantiles(took, n=100)[98],
        }


def main() -> None:
    with a_model(words=25) as url, tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(url, Path(directory)))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
    if figures["first_facts_p50_ms"] > MAX_P50_MS or figures["first_facts_p99_ms"] > MAX_P99_MS:
        raise SystemExit(f"slower than {MAX_P50_MS} ms at the median or {MAX_P99_MS} ms at p99")


if __name__ == "__main__":
    main()
