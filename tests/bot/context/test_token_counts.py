"""Totals are sums of what is shown."""

from __future__ import annotations

from bot.context.tokens import TokenScale, count_request
from bot.domain.snapshot import CountMethod, Tokenizer
from tests.fakes.values import llm_request, message, said, section

WORDS = TokenScale(1000, Tokenizer(name="words", method=CountMethod.EXACT), lambda text: len(text.split()))


def test_parts_add_up_to_totals():
    request = llm_request([message("one two"), said("three")])
    numbers = count_request(request, (section(),), {"persona": "You are Glass."}, WORDS)
    assert numbers.message_tokens == (2, 1)
    assert numbers.stats.history == 3 and numbers.stats.tools == sum(numbers.tool_tokens)
    assert numbers.stats.system_prompt == len(request.system_text.split())
    assert numbers.stats.overhead == 4 * 3 + 3
    assert numbers.sections[0].tokens == 3


def test_a_section_without_its_text_keeps_its_number():
    assert count_request(llm_request(), (section(),), {}, WORDS).sections[0].tokens == 4


def test_without_a_system_prompt_nothing_is_counted_for_it():
    assert count_request(llm_request(system=()), (), {}, WORDS).stats.system_prompt == 0
