"""F8: whatever goes wrong between Discord and the bot: answered once, in order; never lost, never twice."""

from __future__ import annotations

from pathlib import Path

from tests.faults.discord import play
from tests.faults.family import Family, Verdict, seed_of, seeds


async def _play(key: str, directory: Path) -> Verdict:
    story = await play(seed_of(key), directory)
    return Verdict(counts={"questions": len(story.asked)})


FAMILY = Family("F8", "schedules of troubles at Discord's gateway", seeds(60, 300, 2000), _play, seconds=90)
