"""Decide from what a platform says of itself whether the admins have to hear of it; no I/O here."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import CONFLICT
from bot.domain.health import AdapterHealth, AdapterState

_STEADY_SECONDS = 30.0
"""It is not told that a platform hears again before it has done so for this long."""
_WORSE_AGAIN_SECONDS = 600.0
"""After the admins were told that a platform got worse, they are not told that again for this long."""


class HearingLevel(IntEnum):
    """How badly a platform hears."""

    WELL = 0
    PARTLY = 1
    DEAF = 2


class ClockReading(NamedTuple):
    """Now, by both clocks: UTC ms for what is shown, seconds for what is measured."""

    wall: int
    mono: float


class AdapterHearing(NamedTuple):
    """How a platform hears, since when (UTC ms; `began` is the same in seconds), and what the admins know of it.

    `seen` is when it was last looked at, `told_since` when what the admins know of began, `rose_at` when they were last
    told of something worse.
    """

    health: AdapterHealth
    level: HearingLevel
    since: int
    began: float
    seen: int
    told: HearingLevel = HearingLevel.WELL
    told_since: int = 0
    rose_at: float = float("-inf")


class HearingChange(NamedTuple):
    """What the admins do not know yet. `before` began at `before_since`."""

    before: HearingLevel
    before_since: int
    ear: AdapterHearing


def level_of(state: AdapterState) -> HearingLevel:
    """Say how badly a platform in this state hears; nobody expects a disabled one to hear."""
    if state in {AdapterState.UP, AdapterState.DISABLED}:
        return HearingLevel.WELL
    return HearingLevel.PARTLY if state is AdapterState.DEGRADED else HearingLevel.DEAF


def observe(ear: AdapterHearing | None, health: AdapterHealth, now: ClockReading) -> AdapterHearing:
    """Take down what a platform says of itself now."""
    level = level_of(health.state)
    if ear is None:
        return AdapterHearing(health, level, min(health.since, now.wall), now.mono, now.wall)
    if level == ear.level:
        return ear._replace(health=health, seen=now.wall)
    # whatever it says, it cannot have changed before the last look
    since = min(max(health.since, ear.seen), now.wall)
    return ear._replace(health=health, level=level, since=since, began=now.mono, seen=now.wall)


def news_of(ear: AdapterHearing, deaf_after: float, now: ClockReading) -> tuple[AdapterHearing, HearingChange | None]:
    """Return what the admins have to hear, and the ear as it is once they have been told."""
    lasted = now.mono - ear.began
    if ear.level > ear.told:
        # a second program answers people meanwhile, and that may be over again before anybody hears of it
        due = (lasted >= deaf_after or ear.health.code == CONFLICT) and now.mono - ear.rose_at >= _WORSE_AGAIN_SECONDS
        rose_at = now.mono
    else:
        due = ear.level < ear.told and lasted >= _STEADY_SECONDS
        rose_at = ear.rose_at
    if not due:
        return ear, None
    news = HearingChange(ear.told, ear.told_since, ear)
    return ear._replace(told=ear.level, told_since=ear.since, rose_at=rose_at), news
