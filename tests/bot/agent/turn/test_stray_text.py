"""Text that was not meant for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.turn.decision import correction, is_call_alone, looks_like_tool_call
from bot.domain.messages import Role

TOOLS = ["reply", "skip", "memory_recall"]


@pytest.mark.parametrize(
    "text",
    [
        "NO_REPLY",
        "[NO_REPLY]",
        "*SILENT*",
        "SKIP",
        '<tool_call>{"name": "skip"}</tool_call>',
        "<function=skip>{}</function>",
        "[TOOL_CALLS] [...]",
        '{"name": "skip", "arguments": {}}',
        '```json\n{"tool": "functions.skip"}\n```',
        'skip(reason="nobody asked")',
        "Let me look.\n<tool_call>\n{}",
        "skip",
        "`skip`",
        "memory_recall()",
    ],
)
def test_calls_and_code_words_are_noticed(text):
    assert looks_like_tool_call(text, TOOLS)


@pytest.mark.parametrize(
    "text",
    [
        "Skip that one.",
        "ok",
        "No reply was needed.",
        "Nothing to add, really.",
        'The call looks like {"name": "skip"}.',
        '{"name": "ann", "age": 3}',
        "Use skip(reason) for that.",
        "I ignore that.",
        "",
    ],
)
def test_words_are_words(text):
    assert not looks_like_tool_call(text, TOOLS)


@pytest.mark.parametrize(
    ("text", "is_alone"),
    [
        ('```json\n{"name": "skip", "arguments": {"reason": "x"}}\n```', True),
        ('{"tool": "reply", "arguments": {"text": "hi"}}', True),
        ('memory_recall(query="ann")', True),
        ('```json\n{"name": "skip"}\n```\nThat is how a call looks.', False),
        ('{"name": "ann", "age": 3}', False),
        ("skip", False),
        ("words", False),
    ],
)
def test_a_call_that_is_all_there_is(text, is_alone):
    assert is_call_alone(text, TOOLS) is is_alone


def test_the_correction_quotes_the_answer_and_says_what_to_do(snapshot):
    wrong, note = correction("NO_REPLY", TOOLS, 5)
    assert (wrong.role, wrong.text, note.role, note.at) == (Role.ASSISTANT, "NO_REPLY", Role.USER, 5)
    assert note.text == snapshot


@given(st.text(max_size=80))
def test_any_text_can_be_judged(text):
    assert looks_like_tool_call(text, TOOLS) in {True, False}
