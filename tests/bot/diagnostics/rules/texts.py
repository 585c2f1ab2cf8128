"""Findings by the name of their scenario, with times as they are read."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.rules import RULES
from bot.domain.finding import Finding
from tests.bot.diagnostics.scenarios import SCENARIOS
from tests.fakes.times import written_out


def finding(about: str | Evidence) -> Finding:
    evidence = SCENARIOS[about][1] if isinstance(about, str) else about
    (found,) = [finding for rule in RULES for finding in rule(evidence)]
    return written_out(found)
