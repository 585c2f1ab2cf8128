"""F13: a model that is assumed lost, and presses by everybody: nothing changes without a yes, nothing foreign gets out.

`tools/`: 2,500 programs a case through the real tools, executor, store, verification, replays and buttons, about 3 ms
each. `whole/`: twenty-five a case through whole turns, inspections, talks, branches and workers, with delivery; those
cost fifty times as much, so that there are five thousand of them in a million. `doors/`: twenty-five a case through
proofs, replays, forks, checks, bundles and fixes, with a restart or a kill; they cost a hundred times as much.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.hostile.doors import FEW_DOORS, play_doors
from tests.faults.hostile.doors import PROGRAMS as DOORS
from tests.faults.hostile.programs import FEW, PROGRAMS, play_programs
from tests.faults.hostile.wholes import play_wholes


async def _play(key: str, directory: Path) -> Verdict:
    if "doors/" in key:
        return await play_doors(seed_of(key), directory, FEW_DOORS if key.startswith("few") else DOORS)
    if key.startswith("whole/"):
        return await play_wholes(seed_of(key), directory)
    return await play_programs(seed_of(key), directory, FEW if key.startswith("few/") else PROGRAMS)


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        yield from ("few doors/seed0", "few/seed1")
        return
    doors, wholes, tools = {Size.NIGHTLY: (20, 100, 39), Size.RELEASE: (100, 200, 397)}[size]
    # in turn, so that a run that is cut short has played of each
    for number in range(tools):
        yield f"tools/seed{number}"
        yield from (f"doors/seed{at}" for at in _share(doors, number, tools))
        yield from (f"whole/seed{at}" for at in _share(wholes, number, tools))


def _share(many: int, number: int, of: int) -> range:
    """Return the next ones of many, which are shared out evenly."""
    return range(many * number // of, many * (number + 1) // of)


FAMILY = Family("F13", "programs of a hostile model", _cases, _play, seconds=300)
