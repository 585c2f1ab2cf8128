"""What is played: every scenario of the table, on each platform where it can be brought about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.diagnose.causes import CAUSE_OF, CONSOLE, DISCORD, PLATFORMS, TELEGRAM
from tests.scenarios.online_play import OnDiscord, Online, OnTelegram
from tests.scenarios.ported import ported
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.table import FAMILIES

PORTS = {TELEGRAM: OnTelegram, DISCORD: OnDiscord}


@dataclass(frozen=True)
class DiagnosisRow:
    """A scenario on a platform. `behind` is a second cause, which is brought about after the first."""

    scenario: Scenario
    platform: str
    behind: str = ""

    @property
    def name(self) -> str:
        return f"{self.scenario.name} + {self.behind}" if self.behind else self.scenario.name

    @property
    def is_ported(self) -> bool:
        """Whether it was written for the terminal and is played elsewhere: not all of it can be."""
        return isinstance(self.scenario, Online) and self.scenario not in _WRITTEN


def platform_of(scenario: Scenario) -> str:
    """Return the platform that a scenario was written for."""
    if isinstance(scenario, Online):
        return TELEGRAM if isinstance(scenario, OnTelegram) else DISCORD
    return CONSOLE


def rows() -> Iterator[DiagnosisRow]:
    """Return every scenario where it was written for, and what was written for the terminal elsewhere, too."""
    names = {scenario.name for scenario in _WRITTEN}
    for scenario in _WRITTEN:
        yield DiagnosisRow(scenario, platform_of(scenario))
    for scenario in _WRITTEN:
        cause = CAUSE_OF.get(scenario.rule)
        if platform_of(scenario) == CONSOLE and not (cause and cause.elsewhere):
            again = ((platform, ported(scenario, PORTS[platform])) for platform in PLATFORMS if platform in PORTS)
            yield from (DiagnosisRow(one, platform) for platform, one in again if one.name not in names)


def is_healthy(row: DiagnosisRow) -> bool:
    """Say whether nothing is wrong in it."""
    return row.scenario.rule == HEALTHY


_WRITTEN = tuple(scenario for family in FAMILIES.values() for scenario in family)
