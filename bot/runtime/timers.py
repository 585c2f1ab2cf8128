"""Ring after a while, unless called off before: one task waits for everybody, and only while somebody waits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from bot.ports.clock import Clock
from bot.runtime.tasks import TaskSupervisor

OnTimer = Callable[[], None]

_BUSY_SECONDS = 0.005
"""Seconds; when everybody else in line for the loop takes so long, it has more to do than it can."""


class TimerLength(NamedTuple):
    """How long alarms wait, and how far from each other they ring; in seconds."""

    seconds: float
    spacing: float = 0.0


class PendingTimer:
    """Something that is due at a time of the monotonic clock; without `ring` it is over."""

    __slots__ = ("due", "ring")

    def __init__(self, due: float, ring: OnTimer) -> None:
        self.due = due
        self.ring: OnTimer | None = ring


class TimerQueue:
    """Alarms of one length, so that they are due in the order in which they were set. Most never ring.

    What `gives_way` can be left out: while the loop has more to do than it can, it is put off by the same length.
    """

    def __init__(
        self, name: str, length: TimerLength, clock: Clock, tasks: TaskSupervisor, *, gives_way: bool = False
    ) -> None:
        self._name = name
        self._seconds, self._spacing = length
        self._gives_way = gives_way
        self._clock = clock
        self._tasks = tasks
        self._set: deque[PendingTimer] = deque()
        self._wanted = 0
        self._waiter: asyncio.Task[None] | None = None

    def set(self, ring: OnTimer) -> PendingTimer:
        """Ring in a while; never when the bot is stopping."""
        alarm = PendingTimer(self._clock.monotonic() + self._seconds, ring)
        self._set.append(alarm)
        self._wanted += 1
        if self._waiter is None:
            self._waiter = spawn_unless_closed(self._tasks, self._name, self._wait())
        return alarm

    def off(self, alarm: PendingTimer) -> None:
        """Let it never ring; one that rang is left alone."""
        if alarm.ring is None:
            return
        alarm.ring = None
        self._wanted -= 1
        if not self._wanted:
            self._set.clear()
            waiter, self._waiter = self._waiter, None
            if waiter is not None:
                waiter.cancel()

    async def _wait(self) -> None:
        is_busy = False
        while self._wanted:
            alarm, now = self._set[0], self._clock.monotonic()
            if alarm.ring is not None and alarm.due > now:
                await self._clock.sleep(alarm.due - now)
                is_busy = self._gives_way and await self._is_busy()
                continue
            self._set.popleft()
            if alarm.ring is None:
                continue
            if is_busy:
                alarm.due = now + self._seconds
                self._set.append(alarm)
                continue
            ring, alarm.ring = alarm.ring, None
            self._wanted -= 1
            ring()
            if self._spacing and self._wanted:
                await self._clock.sleep(self._spacing)
        self._set.clear()
        self._waiter = None

    async def _is_busy(self) -> bool:
        begun = self._clock.monotonic()
        await asyncio.sleep(0)
        return self._clock.monotonic() - begun > _BUSY_SECONDS


def spawn_unless_closed(tasks: TaskSupervisor, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Start work, or return None when the bot is stopping: nothing new is shown then."""
    try:
        return tasks.spawn(name, work)
    except RuntimeError:
        return None


async def end_task(task: asyncio.Task[None] | None, seconds: float | None = None) -> None:
    """Cancel a task and return when it is over, or after these seconds."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=seconds)
