"""Whatever a rule finds there are words for anybody, and they say nothing that is not theirs to hear."""

from __future__ import annotations

import re

import pytest

from bot.cortex.service.own_messages import own_why_text
from tests.bot.diagnostics.rule_ids import written_rules
from tests.bot.diagnostics.scenarios import SCENARIOS

UNSAID = re.compile(
    r"memor|config|setting|list|token|prompt|intent|privacy mode|webhook|\bkey\b|\bowner|skip|section|`|http|\d\d", re.I
)
"""Words for what members are not told of: other people's data, and how the bot is set up."""
MAX_CHARS = 120


RULES = sorted({rule for rule, _ in SCENARIOS.values()} | written_rules())


def said(cause: str) -> str:
    return own_why_text(cause, "10:54").partition("\n")[2]


def test_the_rules_are_found() -> None:
    assert len(RULES) >= 55 and {"PAUSED", "DC-ZOMBIE", "OUT-LENGTH"} <= set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_words_for_anybody(rule: str) -> None:
    text = said(rule)
    assert text != said("unknown"), f"prompts/en/cortex/own_why.md.j2 lacks {rule}"
    assert not UNSAID.search(text), text
    assert len(text) <= MAX_CHARS and "\n" not in text


def test_each_has_its_own() -> None:
    assert len({said(rule) for rule in RULES}) == len(RULES)


def test_what_nobody_has_words_for_is_sent_to_an_admin() -> None:
    assert said("branch") == "I cannot tell you why. An admin can look into it."
