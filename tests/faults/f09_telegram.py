"""F9: whatever goes wrong between Telegram and the bot: answered once, or somebody is told; never lost, never twice."""

from __future__ import annotations

from pathlib import Path

from tests.faults.family import Family, Verdict, seed_of, seeds
from tests.faults.telegram import play


async def _play(key: str, directory: Path) -> Verdict:
    story = await play(seed_of(key), directory)
    return Verdict(counts={"questions": len(story.asked)})


FAMILY = Family("F9", "schedules of troubles on Telegram", seeds(60, 300, 2000), _play, seconds=90)
