"""A loop that stands still is noticed, with the place where it stood."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress

from bot.domain.health import LoopLag
from bot.runtime.stall_detector import StallDetector, join_lags


def reads_everything() -> None:
    time.sleep(0.2)


async def watched(work) -> StallDetector:
    stalls = StallDetector(lambda: 7, late=0.05)
    running = asyncio.ensure_future(stalls.run())  # noqa: TID251 - cancelled below
    await asyncio.sleep(0.06)
    await work()
    async with asyncio.timeout(1):
        while not stalls.found and work is blocks:  # noqa: ASYNC110 - nothing tells of a note
            await asyncio.sleep(0.01)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    return stalls


async def blocks() -> None:
    reads_everything()


async def waits() -> None:
    await asyncio.sleep(0.2)


async def test_what_holds_up_the_loop_is_named():
    (lag,) = (await watched(blocks)).found
    assert lag.at == 7 and lag.ms > 100 and not lag.certain
    assert lag.stack[0].startswith("reads_everything (test_stall_detector.py:") and lag.stack[1].startswith("blocks (")


async def test_what_a_start_holds_up_by_itself_is_nobodys_fault():
    stalls = StallDetector(lambda: 7, late=0.05)
    running = asyncio.ensure_future(stalls.run())  # noqa: TID251 - cancelled below
    await asyncio.sleep(0)
    with stalls.expected():
        await blocks()
    # the beat that is late comes when it is over
    await asyncio.sleep(0.06)
    assert stalls.latest > 0.05 and not stalls.found and not stalls.is_expected
    await asyncio.sleep(0)
    await blocks()
    async with asyncio.timeout(1):
        while not stalls.found:  # noqa: ASYNC110 - nothing tells of a note
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.wait([running])


async def test_waiting_holds_up_nobody():
    assert not (await watched(waits)).found


async def test_the_thread_ends_with_it():
    await watched(waits)
    async with asyncio.timeout(2):
        while any(thread.name == "stalls" for thread in threading.enumerate()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def test_one_stall_is_told_of_once():
    tool = LoopLag(at=10_000, ms=3_000, what=("react",), certain=True)
    same = LoopLag(at=10_400, ms=2_900, stack=("sleep (a.py:1)",))
    other = LoopLag(at=1_000, ms=2_000, stack=("load (b.py:2)",))
    assert join_lags((tool,), (other, same)) == (other, tool.replace(stack=same.stack))
