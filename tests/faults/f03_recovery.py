"""F3: a process is killed, and then the one that recovers is killed too, right before each of its system calls.

`telegram/fdatasync-30/pwrite64/12`: the first process dies before its 30th fdatasync, the second before its 12th
pwrite64, the third recovers; then everything has to add up as after one death.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.faults.f02_syscalls import spread
from tests.faults.family import Family, Size, Verdict
from tests.faults.processes import a_house
from tests.faults.processes.calls import missing, recovering
from tests.faults.processes.recorded import Run, killing

FIRST = [f"fdatasync-{number}" for number in range(21, 48)]
"""Where the first process dies: around every commit of what people asked, each time at another stage of it."""
MEASURED = "fdatasync-34"
CASES = {
    Size.NIGHTLY: {"telegram": 65, "discord": 30, "console": 20},
    Size.RELEASE: {"telegram": 420, "discord": 160, "console": 130},
}
SLICE = ("telegram/fdatasync-30/sendto/12", "telegram/fdatasync-36/pwrite64/60")


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield from SLICE
        return
    for platform, many in CASES[size].items():
        counts = recovering(platform, lambda name, directory: a_house(name, directory), killing(*_place(MEASURED)))
        places = [f"{kind}/{number}" for kind, count in sorted(counts.items()) for number in range(1, count + 1)]
        for at, place in enumerate(spread(places, many)):
            yield f"{platform}/{FIRST[at % len(FIRST)]}/{place}"


def _place(name: str) -> tuple[str, int]:
    kind, _, number = name.partition("-")
    return kind, int(number)


async def _play(key: str, directory: Path) -> Verdict:
    platform, first, kind, number = key.split("/")
    async with a_house(platform, directory) as house:
        run = Run(house, [killing(*_place(first)), killing(kind, int(number))])
        await run.play()
        counts: Counter[str] = await house.adds_up()
    # a recovery that had less to do than the one that was measured did not come so far
    killed_twice = int(run.kills == 2)
    return Verdict(n=killed_twice, counts={**counts, "unreached": 1 - killed_twice})


FAMILY = Family("F3", "kill -9 during recovery", _cases, _play, seconds=180, missing=missing)
