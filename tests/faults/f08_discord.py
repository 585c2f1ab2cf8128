"""F8: whatever goes wrong between Discord and the bot: answered once, in order; never lost, never twice.

Beside the schedules of troubles stand absences (`downtime/`): what was said meanwhile is taken up, all of it and once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from tests.faults import discord, downtime
from tests.faults.family import Family, Size, Verdict, seeds
from tests.faults.story import verdict

SCHEDULES = seeds(4, 300, 2000)
EACH_WAY = {Size.SLICE: 1, Size.NIGHTLY: 5, Size.RELEASE: 25}


def cases(size: Size) -> Iterable[str]:
    yield from SCHEDULES(size)
    for number in range(EACH_WAY[size]):
        yield from (f"downtime/{way}/{number}" for way in downtime.WAYS)


async def play(key: str, directory: Path) -> Verdict:
    chosen = downtime.play if key.startswith("downtime/") else partial(verdict, discord.play)
    return await chosen(key, directory)


FAMILY = Family("F8", "troubles at Discord's gateway, and absences", cases, play, seconds=180)
