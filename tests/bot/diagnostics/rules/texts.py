"""Findings by the name of their scenario."""

from __future__ import annotations

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.rules import ALL
from bot.domain.finding import Finding
from tests.bot.diagnostics.scenarios import SCENARIOS


def finding(about: str | Evidence) -> Finding:
    evidence = SCENARIOS[about][1] if isinstance(about, str) else about
    (found,) = [finding for rule in ALL for finding in rule(evidence)]
    return found
