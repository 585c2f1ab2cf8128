"""Calls that are written as text are found in every form, and words about calls are words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.model_http.speech import AnswerOptions, SpeechReader
from adapters.model_http.written_calls import WrittenCalls
from bot.domain.llm import ToolDefinition
from bot.domain.repairs import AnswerRepair
from tests.fakes.lengths import whole_or

SCHEMA = (
    '{"type":"object","properties":{"query":{"type":"string"},"limit":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}'
)
TOOLS = (
    ToolDefinition(name="memory_recall", description="", parameters=SCHEMA),
    ToolDefinition(name="skip", description="", parameters='{"type":"object","properties":{}}'),
)
ONE = [("memory_recall", '{"query":"007","limit":3}')]
CALLS = {
    '<tool_call>{"name":"memory_recall","arguments":{"query":"007","limit":3}}</tool_call>': ONE,
    '<tool_call>{"name":"memory_recall","arguments":{"query":"007","limit":3}}': ONE,
    "So.\n<tool_call>"
    '\n{"name":"memory_recall","arguments":"{\\"query\\":\\"007\\",\\"limit\\":3}"}\n</tool_call>\nI wait.': ONE,
    "<tool_call><function=memory_recall><parameter=query>007</parameter><parameter=limit>"
    "3</parameter></function></tool_call>": ONE,
    "<tool_call>memory_recall<arg_key>query</arg_key><arg_value>007</arg_value><arg_key>"
    "limit</arg_key><arg_value>3</arg_value></tool_call>": ONE,
    '<function_calls><invoke name="memory_recall"><parameter name="query">007</parameter>'
    '<parameter name="limit">3</parameter></invoke></function_calls>': ONE,
    '[{"name":"memory_recall","parameters":{"query":"007","limit":3}}]': ONE,
    '{"type":"function","function":{"name":"memory_recall","arguments":{"query":"007","limit":3}}}': ONE,
    '<|python_tag|>memory_recall(query="007", limit=3)': ONE,
    "```tool_code\nmemory_recall(query='007', limit=3)\n```": ONE,
    '[TOOL_CALLS] [{"name":"functions.memory_recall","arguments":{"query":"007","limit":3}}]': ONE,
    'I look.\n{"name":"memory_recall","parameters":{"query":"007","limit":3}}': ONE,
    '<tool_call>{"name":"later_tool","arguments":{}}</tool_call>': [("later_tool", "{}")],
    '<tool_call>{"name":"skip","arguments":{"n":123456789012345678901234567890}}</tool_call>': [
        ("skip", '{"n":123456789012345678901234567890}')
    ],
}
WORDS = [
    '{"name":"Ann","age":3}',
    '{"name":"memory_recall"}',
    'A call is {"name":"memory_recall","arguments":{}} and no more.',
    '```json\n{"name":"ann","arguments":{}}\n```',
    'Like this:\n```json\n{"name":"memory_recall","arguments":{}}\n```',
    "Write `<tool_call>` first.",
    "The <tool_call> tag wraps it.",
    'It is <tool_call>{"name":"memory_recall","arguments":{}}</tool_call> in Hermes.',
    "use skip(reason) for that",
    "a < b and [c] and {d}",
    "[",
    "{",
    "{}",
]
UNREAD = [
    '<tool_call>{"name": "memory_recall", "argu',
    "<tool_call>\n{}",
    "I look.<|tool_calls_section_begin|><|tool_call_begin|>broken",
    "[TOOL_CALLS] [...]",
    "<|python_tag|>import os",
]


def spoken(pieces: list[str]):
    seen: list[str] = []
    speech = SpeechReader(seen.append, AnswerOptions("here", TOOLS))
    for piece in pieces:
        speech.say(piece)
    return speech.end(), "".join(seen)


@pytest.mark.parametrize("text", CALLS)
def test_a_call_is_found_wherever_it_is_cut(text: str):
    for pieces in [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]:
        said, seen = spoken(pieces)
        assert [(call.name, call.arguments) for call in said.calls.calls] == CALLS[text]
        assert said.repairs == (AnswerRepair.CALL_WRITTEN,)
        assert not set("<{[|`") & set(seen)


@pytest.mark.parametrize("text", WORDS)
def test_words_stay_words_wherever_they_are_cut(text: str):
    for pieces in [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]:
        said, seen = spoken(pieces)
        assert (said.words, seen, said.calls.calls, said.repairs) == (text, text, (), ())


@pytest.mark.parametrize("text", UNREAD)
def test_what_cannot_be_read_is_not_seen(text: str):
    for pieces in [[text], list(text)]:
        said, seen = spoken(pieces)
        assert said.repairs == (AnswerRepair.CALL_UNREADABLE,) and said.words == text and not said.calls.calls
        assert not set("<{[|`") & set(seen)


@settings(max_examples=whole_or(200, 50), deadline=None)
@given(
    st.lists(
        st.text(max_size=8)
        | st.sampled_from(
            ["<tool_call>", "</tool_call>", "[TOOL_CALLS]", "{", '"name"', ":", '"skip"', "}", "\n", "```", "\\ud83d"]
        )
    )
)
def test_any_words_come_out_whole_or_as_calls(pieces: list[str]):
    reader = WrittenCalls(TOOLS)
    seen = "".join(map(reader.feed, pieces))
    last, found = reader.end()
    assert found.raw or seen + last == "".join(pieces)
    spoken(pieces)
