"""F13: a model that is assumed lost, and presses by everybody: nothing changes without a yes, nothing foreign gets out.

`tools/`: 2,500 programs a case through the real tools, executor, store, verification and buttons, about 3 ms each.
`whole/`: twenty-five a case through whole turns, inspections, talks, branches and workers, with delivery; those cost
fifty times as much, so that there are five thousand of them in a million.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.hostile.programs import FEW, PROGRAMS, play_programs
from tests.faults.hostile.wholes import play_wholes


async def _play(key: str, directory: Path) -> Verdict:
    if key.startswith("whole/"):
        return await play_wholes(seed_of(key), directory)
    return await play_programs(seed_of(key), directory, FEW if key.startswith("few/") else PROGRAMS)


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield from ("whole/seed0", "few/seed0")
        return
    tools, wholes = {Size.NIGHTLY: (39, 100), Size.RELEASE: (398, 200)}[size]
    yield from (f"whole/seed{number}" for number in range(wholes))
    yield from (f"tools/seed{number}" for number in range(tools))


FAMILY = Family("F13", "programs of a hostile model", _cases, _play, seconds=180)
