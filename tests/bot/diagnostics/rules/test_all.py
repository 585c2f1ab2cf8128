"""Every rule fires on its scenarios, and no other rule does; nothing fires on a healthy channel."""

from __future__ import annotations

import pytest

from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.rules import RULES
from bot.domain.finding import Confidence, Finding
from bot.domain.handles import parse_handle
from tests.bot.diagnostics.scenarios import HEALTHY, SCENARIOS
from tests.fakes.times import written_out

WANTED = {
    "GATE-MENTION",
    "GATE-USER",
    "LLM-AUTH",
    "GATE-CHANNEL",
    "GATE-PLUGIN",
    "CTX-OVERFLOW",
    "CTX-ORPHAN",
    "Q-STUCK",
    "DEC-SILENT",
    "DEC-EMPTY",
    "OUT-SWALLOW",
    "MEM-DIRECTIVE",
    "AUTH-KIND",
    "PAUSED",
    "BOT-AUTHOR",
    "NOT-RUNNING",
    "TG-409",
    "TG-WEBHOOK",
    "TG-STALL",
    "TG-PRIVACY",
    "TOKEN",
    "NET",
    "BOOT-DROP",
    "OUT-LENGTH",
    "OUT-PARSE",
    "RATE-OUT",
    "DM-CLOSED",
    "SUPERGROUP",
    "REMOVED",
    "DC-INTENT",
    "DC-PERMS",
    "TG-PERMS",
    "DC-OUTAGE",
    "OUT-REFUSED",
    "DC-ZOMBIE",
    "SLASH",
    "OUT-SUPPRESS",
    "ROUTE-WRONG",
    "SESS-KEY",
    "CFG-STALE",
    "MODEL-TOOLS",
    "CTX-WINDOW",
    "IMG-POISON",
    "FLAGGED",
    "TOOL-MISSING",
    "FALSE-SUCCESS",
    "DENIED-CONTEXT",
    "LOST-FACT",
    "CONTRADICTION",
    "OWN-REFUSAL",
    "SKIP-REFUSED",
    "PROMPT-CONFLICT",
    "ATTACH",
    "COST-CAP",
    "LOOP-BLOCK",
    "TYPING",
    "APPROVAL",
    "DUP",
    "OUT-GONE",
    "UNREADABLE",
    "OTHER-PROCESS",
    "DC-VIEW",
    "DC-CONNECT",
    "DC-ENDPOINT",
    "SLOW-MODE",
    "ANON-ADMIN",
    "FRESH-CHAT",
    "BREAKER",
    "FLAG-OVERHEARD",
    "THOUGHT-ONLY",
    "SERVICE-LIMIT",
}


def found(evidence: Evidence) -> list[Finding]:
    return [finding for rule in RULES for finding in rule(evidence)]


@pytest.mark.parametrize("name", SCENARIOS)
def test_its_rule_fires_and_only_it(name: str) -> None:
    rule, evidence = SCENARIOS[name]
    fired = [finding.rule for finding in found(evidence)]
    assert fired == [rule]
    assert [finding.rule for finding in diagnose(evidence).findings] == [rule]


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_fires_on_a_healthy_channel(name: str) -> None:
    assert found(HEALTHY[name]) == []
    assert diagnose(HEALTHY[name]).summary


def test_every_rule_of_the_list_has_a_scenario() -> None:
    assert {rule for rule, _ in SCENARIOS.values()} == WANTED


@pytest.mark.parametrize("name", SCENARIOS)
def test_findings_keep_the_shape_of_the_report(name: str) -> None:
    finding = written_out(*found(SCENARIOS[name][1]))
    assert len(finding.verdict) <= 40
    assert "\n" not in finding.verdict
    assert "ann" not in finding.verdict.casefold().split()
    assert 1 <= len(finding.why) <= 5
    assert all(0 < len(line) <= 64 and "\n" not in line for line in finding.why)
    assert len(finding.evidence) <= 3
    assert all(parse_handle(ref.handle) for ref in finding.evidence)
    assert finding.advice
    assert finding.settle or finding.confidence is Confidence.CONFIRMED
