"""Threads take the interpreter from each other often where the loop has time, and rarely where it is busy."""

from __future__ import annotations

import asyncio
import sys

from bot.runtime.switch_interval import (
    BUSY_INTERVAL_SECONDS,
    BUSY_SHARE,
    CALM_INTERVAL_SECONDS,
    LOOK_SECONDS,
    SwitchIntervalTuner,
)
from bot.runtime.tasks import TaskSupervisor
from tests.fakes.clock import FakeClock


async def test_a_busy_loop_is_interrupted_less_often():
    clock, work, chosen = FakeClock(auto=False), [0.0], []
    tasks = TaskSupervisor()
    tasks.spawn("switching", SwitchIntervalTuner(chosen.append, lambda: work[0]).run(clock))
    await asyncio.sleep(0)
    for share in (BUSY_SHARE + 0.1, BUSY_SHARE - 0.1, BUSY_SHARE + 0.1):
        work[0] += share * LOOK_SECONDS
        clock.advance(LOOK_SECONDS)
        await asyncio.sleep(0)
    assert chosen == [CALM_INTERVAL_SECONDS, BUSY_INTERVAL_SECONDS, CALM_INTERVAL_SECONDS, BUSY_INTERVAL_SECONDS]
    await tasks.close()
    # what runs in this process afterwards finds it as it was
    assert chosen[-1] == sys.getswitchinterval()
