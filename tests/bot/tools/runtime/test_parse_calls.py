"""Reading what models write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from bot.domain.base import JsonText
from bot.domain.llm import ToolDefinition
from bot.errors import ToolError
from bot.tools.runtime.parse_calls import for_transcript, is_object, named_apart, read_args
from bot.tools.runtime.tool import Args, Tool, ToolSpec, schema_of
from tests.bot.tools.kit import call


class Look(Args):
    words: str = Field("", max_length=5)
    limit: int = Field(3, ge=1, le=9)


async def look(args: Look) -> str:
    return args.words


TOOL = Tool(
    ToolSpec("look", look, frozenset()),
    ToolDefinition(name="look", description="", parameters=JsonText(schema_of(Look))),
    Look,
    "args",
    None,
    {},
)

BROKEN = [
    "{", "}", "[]", "null", "42", '"text"', "words=tea", "{words: 'tea'}", '{"words": "tea"', '{"words": "tea",}',
    '```json\n{"words": "tea"}\n```', '{"words": "tea"} trailing', "{'words': 'tea'}", '{"limit": NaN}',
    '{"limit": Infinity}', '{"words": "\\ud800"}', "\x00", '{"a":' * 500, '{"words": "te\nta"}', "﻿{}",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_object_is_quoted_back_and_repaired_in_the_transcript(text):
    with pytest.raises(ToolError, match="was not run"):
        read_args(TOOL, call("look", text))
    repaired = for_transcript(call("look", text))
    assert repaired.arguments == "{}"
    assert repaired.call_id == "c1"


@pytest.mark.parametrize("text", ["", "  ", "{}", '{"ctx": {"caller": "root"}}'])
def test_no_arguments_and_a_context_of_the_models_own_are_nothing(text):
    assert read_args(TOOL, call("look", text)) == Look()


def test_every_mistake_is_named():
    with pytest.raises(ToolError) as error:
        read_args(TOOL, call("look", {"words": "too long", "limit": "many", "memories": 1}))
    text = str(error.value)
    assert "`words`: " in text and "`limit`: " in text and "`memories` is not an argument" in text
    assert '"properties"' in text


def test_an_object_with_wrong_values_stays_as_it_was_written():
    wrong = call("look", {"limit": "many"})
    assert for_transcript(wrong) is wrong


def test_a_name_that_no_provider_takes_is_replaced():
    assert for_transcript(call("rm -rf /")).name == "unknown_tool"
    assert for_transcript(call("")).name == "unknown_tool"


def test_ids_are_made_unique_and_stay_so():
    calls = [call("a", call_id=i) for i in ("x", "x", "", "bad id", "call_2_1", "y" * 99)]
    named = named_apart(calls, 2)
    assert [c.call_id for c in named] == ["x", "call_2_1", "call_2_2", "call_2_3", "call_2_4", "call_2_5"]
    assert named_apart(calls, 2) == named


@given(st.lists(st.sampled_from(["a", "b", "", "call_0_1", "call_0_1_x", "!"]), max_size=12))
def test_any_ids_end_up_unique(ids):
    named = named_apart([call("a", call_id=i) for i in ids], 0)
    assert len({c.call_id for c in named}) == len(ids)


@given(st.text(max_size=60))
def test_any_text_is_an_object_or_not(text):
    assert is_object(text) in {True, False}
