"""Messages of many channels, as fast as they are taken or at a steady pace: durable, in order, and how soon."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bot.domain.messages import Inbound
from tests.bench._bot import Bench, Setup, a_bot
from tests.bench.inbound import CASES, CHANNELS, disorder, inbound
from tests.faults.family import Verdict
from tests.faults.load.machine import beside
from tests.faults.load.pace import keep_pace

POLL = 0.025
"""Seconds from poll to poll where messages come by polling: how long one took in the loads of tests/bench."""
FIT = 2.5
"""Milliseconds within which 99 of 100 pages must be durable for a process that does nothing else.

Such a page takes 0.3 to 0.9 ms at p99 on a quiet disk, and up to 7.8 on one with noisy neighbours; each of our commits
takes longer by that, and what comes meanwhile waits for it and for the next one.
"""
STILL = 5.0
"""Percent of the messages that may fall into moments in which the machine stood still."""
TRIES = 4


class Taken(NamedTuple):
    """Messages that were handed in together: when they were due and when they were durable, by the loop's clock."""

    due: float
    done: float
    many: int

    @property
    def ms(self) -> float:
        return (self.done - self.due) * 1000


async def throughput(way: str, messages: int, directory: Path) -> Verdict:
    """Hand in as many messages as are taken, one after the other or in batches."""
    mode, talk = CASES[way]
    each = messages // CHANNELS
    async with a_bot(Setup(directory, mode=mode)) as bot:
        began = time.perf_counter()
        await talk(bot, each)
        took = time.perf_counter() - began
        await bot.app.settled()
        return Verdict(
            n=messages,
            counts=await _wrong(bot, each),
            figures={"durable_per_s": messages / took},
        )


async def acknowledged(way: str, a_second: int, seconds: int, directory: Path) -> Verdict:
    """Let messages come at a steady pace; measure until each is durable, from when it came.

    A `single` message is handed in when it comes, as a gateway does; those that are `polled` wait for the next poll to
    be handed in together, and are measured from there. Where the machine stood still meanwhile, nothing is measured.
    Where that is too much to tell, or the disk by itself is too slow for it, everything is done once more; the time in
    which the machine was fittest is the one that counts.
    """
    found: list[Verdict] = []
    while not found or (not _tells(found[-1]) and len(found) < TRIES):
        home = directory / f"try{len(found) + 1}"
        home.mkdir()
        found.append(await _acknowledged(way, a_second, seconds, home))
    best = found[-1] if _tells(found[-1]) else min(found, key=_unfit)
    wrong = {name: sum(one.counts[name] for one in found) for name in best.counts}
    return replace(best, counts=wrong, figures={**best.figures, "tries": len(found)})


def _tells(found: Verdict) -> bool:
    return _unfit(found) <= 1


def _unfit(found: Verdict) -> float:
    """Say how far the machine was from fit, by what was worse of it; up to 1 it was."""
    return max(found.figures["disk_p99_ms"] / FIT, found.figures["standstill_pct"] / STILL)


async def _acknowledged(way: str, a_second: int, seconds: int, directory: Path) -> Verdict:
    each = max(1, a_second * seconds // CHANNELS)
    at_once = 1 if way == "single" else max(1, round(a_second * POLL))
    polls = _polls(each, at_once)
    # what was written before is not written now
    await asyncio.to_thread(os.sync)
    async with a_bot(Setup(directory)) as bot:
        taken: list[Taken] = []
        async with beside(directory) as machine, asyncio.TaskGroup() as group:
            await keep_pace(
                -(-CHANNELS * each // at_once),
                at_once / a_second,
                lambda moment: group.create_task(_hand_in(bot, next(polls), moment, taken)),
            )
        await bot.app.settled()
        counts = await _wrong(bot, each)
    all_of_them = CHANNELS * each
    told = [one for one in taken if not machine.stood_still(one.due, one.done)]
    took = [one.ms for one in told for _ in range(one.many)]
    if len(took) < all_of_them / 2:
        took, told = [one.ms for one in taken for _ in range(one.many)], []
    figures = {
        "ack_p99_ms": statistics.quantiles(took, n=100)[98],
        "ack_p50_ms": statistics.median(took),
        "disk_p99_ms": machine.page_p99_ms,
        "standstill_pct": 100 * (1 - sum(one.many for one in told) / all_of_them),
    }
    return Verdict(n=all_of_them, counts=counts, figures=figures)


def _polls(each: int, at_once: int) -> Iterator[list[Inbound]]:
    messages = (inbound(channel, number) for number in range(each) for channel in range(CHANNELS))
    while batch := list(islice(messages, at_once)):
        yield batch


async def _hand_in(bot: Bench, batch: list[Inbound], due: float, taken: list[Taken]) -> None:
    await bot.app.manager.receive(batch, None)
    taken.append(Taken(due, asyncio.get_running_loop().time(), len(batch)))


async def _wrong(bot: Bench, each: int) -> dict[str, int]:
    """Count what is not there, and the channels in which the order is another one."""
    async with asyncio.timeout(60):
        there = sum(row.count for row in await bot.app.edges.store.ledger.counts(None, 0))
    return {"lost": CHANNELS * each - there, "disorder": len(await disorder(bot, each=each))}
