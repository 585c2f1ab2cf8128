"""An alarm rings once, in its turn, unless it was called off; nobody waits for one that nobody wants."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.tasks import TaskSupervisor
from bot.runtime.timers import TimerLength, TimerQueue
from tests.fakes.clock import FakeClock


async def settles() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def passes(clock: FakeClock, seconds: float) -> None:
    await settles()
    clock.advance(seconds)
    await settles()


@given(st.lists(st.tuples(st.integers(0, 15), st.booleans(), st.integers(0, 12)), max_size=12))
def test_each_rings_when_it_is_due(plan: list[tuple[int, bool, int]]):
    """Each entry: set after so many tenths, and called off after some more, or not."""

    async def play() -> None:
        clock, tasks, rung = FakeClock(auto=False), TaskSupervisor(), list[tuple[int, int]]()
        alarms, step = TimerQueue("test", TimerLength(1.0), clock, tasks), [0]
        due = {n: at + 10 for n, (at, off, after) in enumerate(plan) if not off or after >= 10}
        known = {}
        for now in range(40):
            step[0] = now
            for n, (at, off, after) in enumerate(plan):
                if at == now:
                    known[n] = alarms.set(lambda n=n: rung.append((n, step[0])))
                if off and now == at + after and n in known:
                    alarms.off(known[n])
            await passes(clock, 0.125 if now % 2 else 0.075)
        assert sorted(n for n, _ in rung) == sorted(due)
        assert all(abs(at - due[n]) <= 2 for n, at in rung)
        assert not tasks.busy

    asyncio.run(play())


async def test_nobody_waits_for_what_was_called_off():
    clock, tasks = FakeClock(auto=False), TaskSupervisor()
    alarms = TimerQueue("test", TimerLength(1.0), clock, tasks)
    first, second = alarms.set(lambda: None), alarms.set(lambda: None)
    alarms.off(first)
    alarms.off(first)
    assert tasks.busy
    alarms.off(second)
    await settles()
    assert not tasks.busy


async def test_it_never_rings_when_the_bot_is_stopping():
    clock, tasks, rung = FakeClock(auto=False), TaskSupervisor(), list[int]()
    await tasks.close()
    alarms = TimerQueue("test", TimerLength(1.0), clock, tasks)
    alarm = alarms.set(lambda: rung.append(1))
    await passes(clock, 5)
    alarms.off(alarm)
    assert rung == []


async def test_what_gives_way_waits_while_others_wait_for_the_loop():
    clock, tasks, rung = FakeClock(auto=False), TaskSupervisor(), list[float]()
    alarms = TimerQueue("test", TimerLength(1.0), clock, tasks, gives_way=True)

    async def works() -> None:
        for _ in range(500):
            clock.advance(0.01)
            await asyncio.sleep(0)

    alarms.set(lambda: rung.append(clock.monotonic()))
    async with asyncio.TaskGroup() as group:
        group.create_task(works())
    assert not rung
    for _ in range(2):
        await passes(clock, 1.0)
    assert len(rung) == 1
    await tasks.close()
