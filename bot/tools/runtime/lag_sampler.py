"""Notice a tool that holds up everybody: one process answers every channel, and a step that does not wait stops it."""

from __future__ import annotations

import asyncio
import resource
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import structlog

T = TypeVar("T")
log = structlog.get_logger(__name__)

BLOCKED_SECONDS = 0.05
"""From when on a step is noted."""
_TICK_SECONDS = 0.02
_MAX_SAMPLES = 64

_THREAD = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)


class SlowStep(NamedTuple):
    """A step that took too long. `busy_seconds` are of the processor; `waits`: how often it waited for something."""

    seconds: float
    busy_seconds: float
    waits: int

    @property
    def is_its_own(self) -> bool:
        """Whether it worked for too long or waited; where it did neither, the machine gave its turn to others."""
        return self.waits > 0 or self.busy_seconds > BLOCKED_SECONDS


Took = Callable[[SlowStep], None]
"""Hears of a step that took too long."""


class LagSample(NamedTuple):
    """The event loop stood still. `at` is UTC ms; `certain`: it was this tool, else one of these that ran meanwhile."""

    at: int
    ms: float
    tools: tuple[str, ...]
    certain: bool


class LagSampler:
    """Measures while tools run, and costs nothing while none does. `samples` are the newest lags, oldest first."""

    def __init__(self, now: Callable[[], int] = lambda: 0) -> None:
        self.samples: deque[LagSample] = deque(maxlen=_MAX_SAMPLES)
        self._now = now
        self._running: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._told = 0.0

    @contextmanager
    def watching(self, tool: str) -> Iterator[None]:
        """Measure while a tool runs."""
        self._running[tool] = self._running.get(tool, 0) + 1
        if self._timer is None:
            self._tick()
        try:
            yield
        finally:
            self._running[tool] -= 1
            if not self._running[tool]:
                del self._running[tool]
            if not self._running and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def blocked(self, tool: str, step: SlowStep) -> None:
        """Note a step of a tool during which the event loop stood still."""
        self._told = asyncio.get_running_loop().time()
        self._note(step.seconds, (tool,), certain=step.is_its_own)

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(_TICK_SECONDS, self._late, loop.time() + _TICK_SECONDS)

    def _late(self, due: float) -> None:
        late = asyncio.get_running_loop().time() - due
        # what a step took was told by whoever took it; this is for what tools start beside themselves
        if late > BLOCKED_SECONDS and self._told < due:
            self._note(late, tuple(self._running), certain=False)
        self._tick()

    def _note(self, seconds: float, tools: tuple[str, ...], *, certain: bool) -> None:
        lag = LagSample(self._now(), round(seconds * 1000, 1), tools, certain)
        self.samples.append(lag)
        # what nobody can be blamed for may be the machine
        tell = log.warning if certain else log.info
        tell("event_loop_blocked", tools=", ".join(tools), ms=lag.ms, certain=certain)


class TimedCoroutine(Generic[T]):
    """A coroutine whose steps are timed: between two steps others run, during one nobody does."""

    def __init__(self, work: Coroutine[Any, Any, T], too_long: Took) -> None:
        self._work = work
        self._too_long = too_long

    def __await__(self) -> Generator[Any, Any, T]:
        now, work = asyncio.get_running_loop().time, self._work
        step: Callable[[], Any] = partial(work.send, None)
        while True:
            began, before = now(), thread_usage()
            try:
                waits_for = step()
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                if (took := now() - began) > BLOCKED_SECONDS:
                    self._too_long(slow_step(took, before, thread_usage()))
            try:
                sent = yield waits_for
            except BaseException as error:  # noqa: BLE001 - a cancellation, for instance, is the work's to hear of
                step = partial(work.throw, error)
            else:
                step = partial(work.send, sent)


def thread_usage() -> resource.struct_rusage:
    """Return what this thread has used so far."""
    return resource.getrusage(_THREAD)


def slow_step(seconds: float, before: resource.struct_rusage, after: resource.struct_rusage) -> SlowStep:
    """Say what took so long."""
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return SlowStep(seconds, busy, after.ru_nvcsw - before.ru_nvcsw)
