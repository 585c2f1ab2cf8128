"""Measure durable inbound through the front door, order kept: `python -m tests.bench.inbound` prints JSON."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path

from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
from bot.domain.messages import Author, Inbound, Place
from tests.bench._bot import Bench, Setup, a_bot

CHANNELS = 100
EACH = 60
BATCH = 100
"""As many updates as one Telegram poll brings."""
START = 1_760_000_000_000


def inbound(channel: int, number: int) -> Inbound:
    """Make a message of a group that is not addressed to the bot."""
    return Inbound(
        adapter="console",
        channel=ChannelId(f"console:#c{channel}"),
        channel_name=f"#c{channel}",
        place=Place(guild_id="terminal"),
        message_id=f"{channel}-{number}",
        author=Author(user_id=UserId(str(1000 + number % 7)), name="ann"),
        text=f"message {number}: what about the plan for tomorrow, does it still stand?",
        sent_at=START + number,
    )


def batches() -> list[list[Inbound]]:
    """Interleave the channels, as a poll does."""
    everything = [inbound(channel, number) for number in range(EACH) for channel in range(CHANNELS)]
    return [everything[at : at + BATCH] for at in range(0, len(everything), BATCH)]


async def one_poller(bot: Bench) -> None:
    for batch in batches():
        await bot.app.manager.heard(batch, None)


async def many_callers(bot: Bench) -> None:
    """Hand in one message at a time for each channel, as a gateway does."""

    async def caller(channel: int) -> None:
        for number in range(EACH):
            await bot.app.manager.heard([inbound(channel, number)], None)

    async with asyncio.TaskGroup() as group:
        for channel in range(CHANNELS):
            group.create_task(caller(channel))


async def check(bot: Bench, keep: int) -> None:
    """See that everything is stored, and in order."""
    for channel in range(CHANNELS):
        key = ChannelKey(MAIN, ChannelId(f"console:#c{channel}"))
        rows = await bot.app.edges.store.ledger.recent(key, EACH)
        assert [row.inbound.message_id for row in reversed(rows)] == [f"{channel}-{n}" for n in range(EACH)]
        if keep:
            state = await bot.app.edges.store.channels.load(key)
            assert state is not None
            assert [m.message_id for m in state.ambient] == [f"{channel}-{n}" for n in range(EACH - keep, EACH)]


async def measure(directory: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    cases = {
        "polled": ("mention_only", one_poller, 50),
        "single": ("mention_only", many_callers, 50),
        "polled_observed": ("observe", one_poller, 50),
    }
    for name, (mode, talk, keep) in cases.items():
        async with a_bot(Setup(directory / name, mode=mode)) as bot:
            began, cpu = time.perf_counter(), time.process_time()
            await talk(bot)
            stored = time.perf_counter() - began
            await bot.app.settled()
            ended, spent = time.perf_counter() - began, time.process_time() - cpu
            await check(bot, keep)
        messages = CHANNELS * EACH
        figures[f"{name}_stored_per_s"] = messages / stored
        figures[f"{name}_in_history_per_s"] = messages / ended
        figures[f"{name}_cpu_us_per_message"] = spent / messages * 1e6
    return {name: round(value, 1) for name, value in figures.items()}


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(Path(directory)))))


if __name__ == "__main__":
    main()
