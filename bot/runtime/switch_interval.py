"""How long one thread may keep the interpreter while another asks for it.

Short, and the loop is soon back where the store's thread has work; but each change costs both of them what they had at
hand. With 200 answered at once both go on all the time: longer turns, and a pause behind each large commit (see
`adapters/sqlite/engine/writer.py`), take a message from 2.60 to 2.22 ms of CPU (medians of four interleaved runs).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from bot.ports.clock import Clock

CALM_INTERVAL_SECONDS = 0.002
"""While the loop has time to spare. At 0.5 ms a sixth of all work is changing; at the usual 5 ms messages wait."""
BUSY_INTERVAL_SECONDS = 0.02
"""While the loop is busy: what waits then waits for the loop, and less of it is better."""
BUSY_SHARE = 0.5
"""The share of its time for which a busy loop is at work."""
LOOK_SECONDS = 0.25


class SwitchIntervalTuner:
    """Looks now and then at how busy its own thread was. `worked` tells for how long it was at work in all."""

    def __init__(
        self,
        choose: Callable[[float], None] = sys.setswitchinterval,
        worked: Callable[[], float] = time.thread_time,
    ) -> None:
        self._choose = choose
        self._worked = worked

    async def run(self, clock: Clock) -> None:
        """Choose until cancelled, then leave everything as it was found."""
        usually = sys.getswitchinterval()
        self._choose(CALM_INTERVAL_SECONDS)
        try:
            while True:
                began, before = clock.monotonic(), self._worked()
                await clock.sleep(LOOK_SECONDS)
                is_busy = self._worked() - before > BUSY_SHARE * (clock.monotonic() - began)
                self._choose(BUSY_INTERVAL_SECONDS if is_busy else CALM_INTERVAL_SECONDS)
        finally:
            self._choose(usually)
