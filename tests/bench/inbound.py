"""Measure durable inbound through the front door, order kept: `python -m tests.bench.inbound` prints JSON."""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
from bot.domain.messages import Author, ChannelPlace, Inbound
from tests.bench._bot import Bench, Setup, a_bot

CHANNELS = 100
EACH = 60
BATCH = 100
"""As many updates as one Telegram poll brings."""
KEPT = 50
"""How many overheard messages a conversation keeps."""
START = 1_760_000_000_000


def inbound(channel: int, number: int) -> Inbound:
    """Make a message of a group that is not addressed to the bot."""
    return Inbound(
        adapter="console",
        channel=ChannelId(f"console:#c{channel}"),
        channel_name=f"#c{channel}",
        place=ChannelPlace(guild_id="terminal"),
        message_id=f"{channel}-{number}",
        author=Author(user_id=UserId(str(1000 + number % 7)), name="ann"),
        text=f"message {number}: what about the plan for tomorrow, does it still stand?",
        sent_at=START + number,
    )


def batches(each: int = EACH) -> Iterator[list[Inbound]]:
    """Interleave the channels, as a poll does."""
    everything = (inbound(channel, number) for number in range(each) for channel in range(CHANNELS))
    while batch := list(itertools.islice(everything, BATCH)):
        yield batch


async def one_poller(bot: Bench, each: int = EACH) -> None:
    for batch in batches(each):
        await bot.app.manager.receive(batch, None)


async def many_callers(bot: Bench, each: int = EACH) -> None:
    """Hand in one message at a time for each channel, as a gateway does."""

    async def caller(channel: int) -> None:
        for number in range(each):
            await bot.app.manager.receive([inbound(channel, number)], None)

    async with asyncio.TaskGroup() as group:
        for channel in range(CHANNELS):
            group.create_task(caller(channel))


async def disorder(bot: Bench, keep: int = KEPT, each: int = EACH) -> list[int]:
    """Return the channels in which not everything is stored, once and in order."""
    return [channel for channel in range(CHANNELS) if not await _is_whole(bot, channel, keep, each)]


async def _is_whole(bot: Bench, channel: int, keep: int, each: int) -> bool:
    key = ChannelKey(MAIN, ChannelId(f"console:#c{channel}"))
    rows = await bot.app.edges.store.ledger.recent(key, each + 1)
    state = await bot.app.edges.store.channels.load(key)
    said = [f"{channel}-{number}" for number in range(each)]
    heard = [message.message_id for message in state.ambient] if state else []
    return [row.inbound.message_id for row in reversed(rows)] == said and heard == said[-keep:]


CASES = {
    "polled": ("mention_only", one_poller),
    "single": ("mention_only", many_callers),
    "polled_observed": ("observe", one_poller),
}


async def measure(directory: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, (mode, talk) in CASES.items():
        async with a_bot(Setup(directory / name, mode=mode)) as bot:
            began, cpu = time.perf_counter(), time.process_time()
            await talk(bot)
            stored = time.perf_counter() - began
            await bot.app.settled()
            ended, spent = time.perf_counter() - began, time.process_time() - cpu
            assert not await disorder(bot)
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
