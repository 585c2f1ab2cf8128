"""Collect garbage by the clock, so that hardly any collection walks through what is in use.

Python looks when more was made than let go. Where chats come and go that is hardly ever so, and then it walks through
all that came meanwhile (up to 96 ms, measured); where 200 are answered at once it is so all the time, and it walks
through everything under way (an eighth of all work, measured). Nothing on the usual ways of a message makes garbage
that only a collection finds, so that a look now and then is enough, as long as the looks find nothing.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from pathlib import Path

from bot.ports.clock import Clock

EVERY_SECONDS = 0.25
"""What a moment brings is looked at, or left alone, at its end; longer moments are longer stalls."""
ONE_OF = 16
"""How many moments one that is looked at stands for, while there is no garbage."""
SOME = 100
"""From so many objects on there is garbage: then every moment is looked at."""
MISSED = 50_000
"""How much garbage may have been missed before everything is looked at: what is left alone, and what dies later."""
GROWN = 32 * 2**20
"""By how many bytes, and a quarter, the process has grown before everything is looked at, as much may be garbage."""
MUCH = 4
"""How many times as much there has to be where messages wait: a look at everything takes a tenth of a second or two."""
CALM_SECONDS = 0.01
"""How much the loop works in a moment in which nobody waits."""
YOUNG = 2_400
"""Moments, ten minutes: what a process grows by in them is what it works with (a look: nothing, in 110 to 160 ms)."""
RARELY = (50_000, 20, 1_000)
"""When Python looks by itself within a moment: only where very much comes at once."""


def resident() -> int:
    """Return how many bytes of memory of its own the process takes; 0 where the system does not say."""
    try:
        words = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    # without what is shared with files: that comes and goes
    return (int(words[1]) - int(words[2])) * os.sysconf("SC_PAGE_SIZE")


class Garbage:
    """Looks at what is new now and then, and at everything when that has become worth it."""

    def __init__(self, size: Callable[[], int] = resident, worked: Callable[[], float] = time.thread_time) -> None:
        self._size = size
        self._worked = worked
        self._least = size()
        self._until_now = worked()
        self._moments = 0
        self._is_some = False
        self._missed = 0

    async def run(self, clock: Clock) -> None:
        """Look until cancelled."""
        usually = gc.get_threshold()
        gc.set_threshold(*RARELY)
        try:
            while True:
                await clock.sleep(EVERY_SECONDS)
                self.look()
        finally:
            gc.set_threshold(*usually)

    def look(self) -> None:
        """End a moment: what it has left is never walked through again, but with everything."""
        self._moments += 1
        if self._is_some or self._moments % ONE_OF == 0:
            found = gc.collect(1)
            self._missed += found if self._is_some else found * ONE_OF
            self._is_some = found >= SOME
        gc.freeze()
        before, self._until_now = self._until_now, self._worked()
        much = 1 if self._until_now - before < CALM_SECONDS else MUCH
        if self._missed >= MISSED * much or self._has_grown(much):
            self._look_at_everything()

    def _has_grown(self, much: int) -> bool:
        size = self._size()
        self._least = size if self._moments == YOUNG else min(self._least, size)
        much = much if self._moments > YOUNG else MUCH
        return size >= self._least * (4 + much) // 4 + GROWN * much

    def _look_at_everything(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._missed, self._least, self._until_now = 0, self._size(), self._worked()
