"""Notice when the event loop stands still, and look from beside it at what it stands at."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from types import FrameType

import structlog

from bot.domain.health import LoopLag

log = structlog.get_logger(__name__)

LATE_SECONDS = 1.0
"""From when on a beat that does not come is a stall."""
_MAX_STALLS = 64
_MAX_FRAMES = 4
_MAX_BEATS = 30
"""Beats of which the latest is known: those of a quarter of a minute."""


class StallDetector:
    """Beats on the loop, and a thread that watches the beats; `found` are the newest stalls, oldest first.

    It runs with the bot and not with its parts: a thread sees what no task can, because no task runs meanwhile.
    """

    def __init__(self, now: Callable[[], int], late: float = LATE_SECONDS) -> None:
        self.found: deque[LoopLag] = deque(maxlen=_MAX_STALLS)
        self._now = now
        self._late = late
        self._stack: tuple[str, ...] = ()
        self._beats: deque[float] = deque(maxlen=_MAX_BEATS)
        self._expected = 0
        self._expected_until = 0.0

    @property
    def latest(self) -> float:
        """By how many seconds the latest of the newest beats came too late."""
        return max(self._beats, default=0.0)

    @property
    def is_expected(self) -> bool:
        """Whether it would be no wonder now if the loop stood still."""
        return self._expected > 0

    @contextmanager
    def expected(self) -> Iterator[None]:
        """Keep a stall that begins meanwhile out of `found`: what holds up the loop is known, and will be over."""
        time = asyncio.get_running_loop().time
        self._expected += 1
        try:
            yield
        finally:
            self._expected -= 1
            self._expected_until = time()

    async def run(self) -> None:
        """Watch until cancelled."""
        beat, over, here = threading.Event(), threading.Event(), threading.get_ident()
        threading.Thread(target=self._watch, args=(beat, over, here), name="stalls", daemon=True).start()
        time = asyncio.get_running_loop().time
        try:
            while True:
                due = time() + self._late / 2
                await asyncio.sleep(self._late / 2)
                beat.set()
                late = time() - due
                self._beats.append(max(0.0, late))
                if late > self._late:
                    self._note(late, expected=self.is_expected or due < self._expected_until)
        finally:
            over.set()
            beat.set()

    def _watch(self, beat: threading.Event, over: threading.Event, thread: int) -> None:
        while not over.is_set():
            if not beat.wait(self._late * 1.25) and not over.is_set():
                self._stack = self._stack or stack_names(sys._current_frames().get(thread))
            beat.clear()

    def _note(self, seconds: float, *, expected: bool) -> None:
        stack, self._stack = self._stack, ()
        lag = LoopLag(at=self._now(), ms=round(seconds * 1000, 1), stack=stack)
        if expected:
            log.info("event_loop_blocked_by_start", ms=lag.ms)
            return
        self.found.append(lag)
        log.warning("event_loop_blocked", ms=lag.ms, stack=" < ".join(stack))


def stack_names(frame: FrameType | None) -> tuple[str, ...]:
    """Name the innermost functions of a stack, each as `function (file:line)`; no values and no whole paths."""
    found: list[str] = []
    while frame is not None and len(found) < _MAX_FRAMES:
        code = frame.f_code
        found.append(f"{code.co_name} ({PurePath(code.co_filename).name}:{frame.f_lineno})")
        frame = frame.f_back
    return tuple(found)


def join_lags(measured: tuple[LoopLag, ...], seen: tuple[LoopLag, ...]) -> tuple[LoopLag, ...]:
    """Put together what tools were measured at and what was seen beside them; one stall is told of once.

    What was measured names the tool, and takes the stack of the stall that it was.
    """
    alone, named = [], list(measured)
    for stall in seen:
        same = [n for n, lag in enumerate(named) if abs(lag.at - stall.at) <= max(lag.ms, stall.ms)]
        if not same:
            alone.append(stall)
        else:
            longest = max(same, key=lambda n: named[n].ms)
            named[longest] = named[longest].replace(stack=stall.stack)
    return tuple(sorted((*named, *alone), key=lambda lag: lag.at))
