"""What came of a scenario, and which records it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.rules import RULES
from bot.domain.finding import Diagnosis, Finding
from bot.domain.handles import has_digit, parse_handle
from tests.scenarios.scenario import Scenario

_WORD = re.compile(r"(?<![\w#-])[mridgtasx](?:2[a-z]{4}|[0-9a-hjkmnp-tv-z]{4})(?![\w-])")


@dataclass(frozen=True, repr=False)  # of what a loop was run for asyncio makes a text, twice, whoever reads it
class Played:
    """What came of a scenario: the evidence, what two admins read, and what they got for what they typed and pressed.

    `public` are the lines that everybody could read after the question was asked. `machine` is what was read on the
    machine beside that, from the evidence `outside`.
    """

    scenario: Scenario
    evidence: Evidence
    owner: str
    admin: str = ""
    buttons: tuple[str, ...] = ()
    opened: Mapping[str, str] = field(default_factory=dict)
    pressed: Mapping[str, str] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    machine: str = ""
    outside: Evidence | None = None

    @property
    def diagnosis(self) -> Diagnosis:
        return diagnose(self.evidence)

    @property
    def claims(self) -> list[Finding]:
        """What every rule says, the silenced ones too."""
        return [finding for rule in RULES for finding in rule(self.evidence)]

    @property
    def reports(self) -> list[str]:
        return [text for text in (self.owner, self.admin, self.machine) if text]


def handles(text: str) -> list[str]:
    """Every handle that a report names."""
    return [name for name in dict.fromkeys(_WORD.findall(text)) if has_digit(name) and parse_handle(name)]
