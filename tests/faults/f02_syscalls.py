"""F2: kill -9 right before every system call of a recorded run; what was asked is answered once, or somebody is told.

A case is one call of the run: `telegram/fdatasync/17` kills the process before its 17th fdatasync, counted over all of
its threads. A real bot runs in a process of its own against loopback servers; it is started again, comes to rest, and
everything has to add up. `telegram/window/3` kills nobody, and measures how long a send is uncertain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.faults.family import Family, Size, Verdict
from tests.faults.processes import a_house
from tests.faults.processes.calls import measured, missing
from tests.faults.processes.house import House
from tests.faults.processes.recorded import Run, killing
from tests.faults.processes.windows import window

SWEPT = {"telegram": 0, "telegram-streaming": 1000, "discord": 560, "discord-streaming": 200, "console": 560}
"""How many places of each recorded run are tried at release size, evenly spread; 0 stands for every one of them.

A run is one of a platform, where people see an answer while it is written, or not.
"""
AT_NIGHT = {"telegram": 300, "discord": 100, "console": 100}
WINDOWS = {Size.NIGHTLY: 5, Size.RELEASE: 20}
SLICE = ("telegram/fdatasync/20", "telegram/recvfrom/90", "discord/sendto/80", "console/fcntl/150")
"""Places that every run comes to: on a busy machine commits share more, and a run has fewer calls."""


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield from SLICE
        return
    wanted = SWEPT if size is Size.RELEASE else AT_NIGHT
    for run, most in wanted.items():
        places = list(_places(run, measured(run, _open)))
        yield from spread(places, most or len(places))
    yield from (f"telegram/window/{number}" for number in range(1, WINDOWS[size] + 1))


def _places(run: str, counts: Counter[str]) -> Iterable[str]:
    for kind, count in sorted(counts.items()):
        yield from (f"{run}/{kind}/{number}" for number in range(1, count + 1))


def spread(places: Sequence[str], most: int, phase: float = 0.0) -> Sequence[str]:
    """Choose so many of them, evenly; with phases of 0, 1/4, 1/2 and 3/4 four choices miss as little as they can."""
    step = max(1.0, len(places) / most)
    return [places[int((at + phase) * step)] for at in range(min(most, len(places)))]


def _open(run: str, directory: Path):
    platform, _, how = run.partition("-")
    return a_house(platform, directory, streaming=how == "streaming")


async def _play(key: str, directory: Path) -> Verdict:
    run, kind, number = key.split("/")
    async with _open(run, directory) as house:
        if kind == "window":
            return await _window(house)
        played = Run(house, [killing(kind, int(number))])
        await played.play()
        counts = await house.adds_up()
    # a thread more or less, and a run has some calls less than the one that was measured: then nobody was killed
    return Verdict(n=played.kills, counts={**counts, "unreached": 1 - played.kills})


async def _window(house: House) -> Verdict:
    milliseconds = await window(house)
    return Verdict(n=0, counts=await house.adds_up(), figures={"window_ms": milliseconds})


FAMILY = Family("F2", "kill -9 at every system call", _cases, _play, seconds=180, missing=missing)
