"""F9: whatever goes wrong between Telegram and the bot: answered once, or somebody is told; never lost, never twice."""

from __future__ import annotations

from functools import partial

from tests.faults.family import Family, seeds
from tests.faults.story import verdict
from tests.faults.telegram import play

FAMILY = Family("F9", "schedules of troubles on Telegram", seeds(4, 300, 2000), partial(verdict, play), seconds=90)
