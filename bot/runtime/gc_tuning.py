"""Collect garbage by the clock, in looks that are never long, however much the process holds.

Python looks when more was made than let go. Where chats come and go that is hardly ever so, and then it walks through
all that came meanwhile (up to 96 ms, measured); where 200 are answered at once it is so all the time, and it walks
through everything under way (an eighth of all work, measured). Nothing on the usual ways of a message makes garbage
that only a collection finds, so that a look now and then is enough, as long as the looks find nothing.

A look at everything cannot be interrupted, and it takes a tenth of a microsecond for each object: 110 to 160 ms for
what a bot has loaded before anybody says anything, more than a second for one that has talked for long on a busy
machine. So there is none. What the first minute brings, and what is in use when about `MAX_LOOK_OBJECTS` objects have
come together, is frozen, and no look walks through it again. The price: rings of objects that were frozen while in
use, and are let go later, stay until the process ends. What is let go piece by piece, as conversations and whatever
else comes with a message are, goes at once, frozen or not.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bot.ports.clock import Clock

LOOK_SECONDS = 0.25
"""What a moment brings is looked at, or waits, at its end; longer moments are longer stalls."""
CALM_MOMENTS_A_LOOK = 4
"""How many moments are looked at together while there is no garbage."""
MIN_GARBAGE_OBJECTS = 100
"""From so many objects on there is garbage: then every moment is looked at."""
MAX_WAITING_OBJECTS = 20_000
"""So many new objects wait for no later moment: a look at them takes 2 ms."""
MAX_LOOK_SECONDS = 0.005
"""Seconds that one look may take, as far as the looks before it tell; a bad moment makes it several times as long."""
MAX_LOOK_OBJECTS, MIN_LOOK_OBJECTS = 50_000, 5_000
"""So many objects are looked at together, where the machine is fast, and where it is slow."""
FIRST_LOOK_OBJECTS = 20_000
"""So many are before any look has told how fast it is."""
MIN_TIMED_OBJECTS = 1_000
"""A look at fewer objects tells nothing about that."""
SLOWEST_LOOK_DECAY = 0.95
"""How much of the slowest look counts after the next one."""
MIN_GROWTH_BYTES = 32 * 2**20
"""By how many bytes, and a quarter, the process has grown before they are looked at, as much may be garbage."""
CALM_SECONDS = 0.01
"""How much the loop works in a moment in which nobody waits."""
GIVE_BACK_MOMENTS = 240
"""Moments, one minute, after which what is free is given back to the system: in the next calm one, or four later."""
START_MOMENTS = 240
"""Moments, one minute: what a process grows by in them is what it works with."""
COLLECTOR_THRESHOLDS = (FIRST_LOOK_OBJECTS, 1_000_000_000, 1_000_000_000)
"""When Python looks by itself within a moment: only where very much comes at once, and never at what was there."""


def give_back() -> None:
    """Let the C library give the system what is free between what is used; 1 to 3 ms for a heap of 60 MiB.

    By itself it gives back only what is free at the end, and that is hardly ever anything.
    """
    if sys.platform == "linux":
        import ctypes  # costs milliseconds that only a running bot should spend

        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def process_bytes() -> int:
    """Return how many bytes of memory of its own the process takes; 0 where the system does not say."""
    try:
        words = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    # without what is shared with files: that comes and goes
    return (int(words[1]) - int(words[2])) * os.sysconf("SC_PAGE_SIZE")


class GarbageTuner:
    """Looks at what is new now and then, and at what has outlived that when it has become worth it."""

    def __init__(
        self,
        size: Callable[[], int] = process_bytes,
        worked: Callable[[], float] = time.thread_time,
        free: Callable[[], None] = give_back,
    ) -> None:
        self._size = size
        self._free = free
        self._kept_free = 0
        self._worked = worked
        self._least = size()
        self._until_now = worked()
        self._moments = 0
        self._is_some = False
        self._came = 0
        self._each = MAX_LOOK_SECONDS / FIRST_LOOK_OBJECTS

    @property
    def most(self) -> int:
        """How many objects are looked at together."""
        return min(MAX_LOOK_OBJECTS, max(MIN_LOOK_OBJECTS, int(MAX_LOOK_SECONDS / self._each)))

    async def run(self, clock: Clock) -> None:
        """Look for calm moments until cancelled."""
        usually = gc.get_threshold()
        gc.set_threshold(*COLLECTOR_THRESHOLDS)
        try:
            while True:
                await clock.sleep(LOOK_SECONDS)
                self.look()
        finally:
            gc.set_threshold(*usually)

    def look(self) -> None:
        """End a stretch of time, and collect where it was calm."""
        self._moments += 1
        before, self._until_now = self._until_now, self._worked()
        is_calm = self._until_now - before < CALM_SECONDS
        if self._is_some or self._moments % CALM_MOMENTS_A_LOOK == 0 or _grown() >= min(MAX_WAITING_OBJECTS, self.most):
            self._look_at_new()
        if self._moments <= START_MOMENTS:
            self._settle()
        elif self._came >= self.most // 2 or (is_calm and self._has_grown()):
            self._look_at_the_rest()
        self._kept_free += 1
        if self._kept_free >= GIVE_BACK_MOMENTS * (1 if is_calm else 4):
            self._kept_free = 0
            self._free()

    def _look_at_new(self) -> None:
        newest, new = objects_held(0), objects_held(0, 1)
        if new > self.most:
            # of what came just now more is let go within a moment than of all the rest
            if newest <= self.most:
                self._timed(0, newest)
            self._settle()
            return
        found = self._timed(1, new)
        self._is_some = found >= MIN_GARBAGE_OBJECTS
        self._came += new - found

    def _has_grown(self) -> bool:
        size = self._size()
        self._least = min(self._least, size)
        return size >= self._least * 5 // 4 + MIN_GROWTH_BYTES

    def _look_at_the_rest(self) -> None:
        """Look at what came since the last time that there was too much of it."""
        most, held = self.most, objects_held(0, 1, 2)
        if held <= most:
            held -= self._timed(2, held)
        if held > most // 2:
            gc.freeze()
        self._least, self._until_now, self._came = self._size(), self._worked(), 0

    def _timed(self, generation: int, held: int) -> int:
        """Look, and learn from it how long an object takes; return how much garbage there was."""
        began = self._worked()
        found = gc.collect(generation)
        if held >= MIN_TIMED_OBJECTS:
            self._each = max((self._worked() - began) / held, self._each * SLOWEST_LOOK_DECAY)
        return found

    def _settle(self) -> None:
        gc.freeze()
        self._least, self._came = self._size(), 0


def objects_held(*generations: int) -> int:
    """Return how many objects the collector knows in some of its generations."""
    # in one call, in which no other thread gets its turn: the list holds whatever they are making, and a tuple that is
    # held by somebody else cannot be finished ("bad argument to internal function")
    return sum(map(len, map(gc.get_objects, generations)))


def _grown() -> int:
    """Return by how many objects there are more than at the last look at new ones, without counting them."""
    count, times, _ = gc.get_count()
    return count + times * gc.get_threshold()[0]
