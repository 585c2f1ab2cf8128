"""F6: the disk is full or broken at one write, or from one write on; nothing is acknowledged that is not stored.

`telegram/ENOSPC/once/pwrite64/120`: the 120th pwrite64 into the data directory fails, and all is well again.
`telegram/EIO/lasting/fdatasync/9`: from there on every write fails, until the disk is mended. A process may end, and
says why; it is started again, and once the disk is well everything has to add up.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from tests.faults import f06_full_disk
from tests.faults.f02_syscalls import spread
from tests.faults.family import Family, Size, Verdict
from tests.faults.processes import a_house
from tests.faults.processes.calls import aside, missing
from tests.faults.processes.disk import WRITES, Disk, OnBadDisk, error
from tests.faults.processes.house import Restless

ERRORS, WAYS = ("ENOSPC", "EIO"), ("once", "lasting")
CASES = {Size.NIGHTLY: 90, Size.RELEASE: 400}
"""How many of each error and way; each is at other places, and four times 400 are all of them once or twice."""
SLICE = ("telegram/ENOSPC/once/pwrite64/600", "telegram/EIO/lasting/fdatasync/14")


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield from SLICE
        return
    counts = aside(_count)
    places = [f"{kind}/{number}" for kind in WRITES for number in range(1, counts[kind] + 1)]
    kinds = [(name, way) for name in ERRORS for way in WAYS]
    for at, (name, way) in enumerate(kinds):
        # each kind at other places than the one before: together they fail every write
        chosen = spread(places, CASES[size], at / len(kinds))
        yield from (f"telegram/{name}/{way}/{place}" for place in chosen)


async def _count() -> Counter[str]:
    with tempfile.TemporaryDirectory(prefix="glassmind-fault-") as directory:
        async with a_house("telegram", Path(directory)) as house:
            disk = Disk(house, "", 0, 0, lasting=False)
            await OnBadDisk(house, disk).play()
            return Counter(disk.counts)


async def _fails(key: str, directory: Path) -> Verdict:
    platform, name, way, kind, number = key.split("/")
    async with a_house(platform, directory) as house:
        disk = Disk(house, kind, int(number), error(name), lasting=way == "lasting")
        run = OnBadDisk(house, disk)
        try:
            await run.play()
        except Restless as restless:
            return Verdict(counts={"stuck": 1}, trouble=str(restless))
        counts = await house.adds_up()
    return Verdict(n=disk.failed, counts={**counts, "stuck": 0, "ends": run.ends_of_it, "unreached": 1 - disk.failed})


KINDS: Mapping[str, Callable[[str, Path], Awaitable[Verdict]]] = {"telegram": _fails, "tmpfs": f06_full_disk.play}
"""Who plays a key, by what it begins with; a disk that is really full has a module of its own, and a line here."""
MORE: tuple[Callable[[Size], Iterable[str]], ...] = (f06_full_disk.cases,)
"""Who else gives keys."""


def _all_cases(size: Size) -> Iterable[str]:
    yield from _cases(size)
    for more in MORE:
        yield from more(size)


async def _play(key: str, directory: Path) -> Verdict:
    return await KINDS[key.partition("/")[0]](key, directory)


FAMILY = Family("F6", "ENOSPC and EIO at every write; a full disk", _all_cases, _play, seconds=180, missing=missing)
