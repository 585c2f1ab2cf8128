"""How many system calls of each kind a recorded run has."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from tests.faults.processes import trapped
from tests.faults.processes.house import House
from tests.faults.processes.lives import Trap, the_nursery
from tests.faults.processes.recorded import Run, counting

TIMES = 2
"""So often it is measured; what differs from run to run counts as often as it was seen at most."""
Open = Callable[[str, Path], AbstractAsyncContextManager[House]]


def measured(name: str, open_house: Open) -> Counter[str]:
    """Play a run undisturbed, and count its calls."""
    return _most([aside(lambda: _count(name, open_house)) for _ in range(TIMES)])


def recovering(name: str, open_house: Open, first: Trap) -> Counter[str]:
    """Play a run whose first process is killed; count the calls of the second until everything is at rest again."""
    return aside(lambda: _count_recovery(name, open_house, first))


async def _count(name: str, open_house: Open) -> Counter[str]:
    with tempfile.TemporaryDirectory(prefix="glassmind-fault-") as directory:
        async with open_house(name, Path(directory)) as house:
            await Run(house, [counting()]).play()
            await house.adds_up()
            assert house.life is not None
            return Counter(house.life.counts)


async def _count_recovery(name: str, open_house: Open, first: Trap) -> Counter[str]:
    with tempfile.TemporaryDirectory(prefix="glassmind-fault-") as directory:
        async with open_house(name, Path(directory)) as house:
            run = Run(house, [first, counting()])
            await run.play()
            return run.recovery


def _most(found: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in found:
        total |= one
    return total


def aside(counting: Callable[[], Coroutine[Any, Any, Counter[str]]]) -> Counter[str]:
    """Count in a loop of its own: whoever asks for cases may be in one already, and has nothing else to do."""
    the_nursery()  # it would end with the thread that made it
    found: list[Counter[str]] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(counting())))
    thread.start()
    thread.join()
    return found[0]


def missing() -> str:
    """Say what this machine lacks."""
    return trapped.missing()
