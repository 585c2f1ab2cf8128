"""A prompt has six parts in one order; absent ones are left out, and no fence inside can end one of ours."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.task_prompt import (
    ChunkType,
    CompressedContext,
    TaskEnvelope,
    TaskType,
    TokenBudget,
    block,
    build_prompt,
    compress,
    frame_tokens,
    prioritise,
)
from bot.text.text import unfence
from tests.bot.task_prompt.given import JSON, NOW, PYTHON, TREE, chunk, chunks, odd, task, tokens
from tests.golden.golden import matches


def envelope(*given_, request="why does get_user fail?", kind=TaskType.DEBUG, budget=100_000) -> TaskEnvelope:
    context = compress(prioritise(given_, task(request, kind)), budget, tokens()) if given_ else CompressedContext()
    return TaskEnvelope(
        task_type=kind, user_request=request, original_input=request, context=context, session_id="s1", created_at=NOW
    )


def test_the_whole_prompt(pytestconfig):
    given_ = (
        chunk("3 tools\nmodel simulated/one", "dependencies", chunk_type=ChunkType.DEPENDENCY),
        chunk(PYTHON, "bot/users.py", language="python"),
        chunk(JSON, "data.json", language="json"),
        chunk("# Read me\n\n```\nmake\n```", "README.md", language="markdown"),
        chunk(TREE, "guild", chunk_type=ChunkType.STRUCTURE),
    )
    text = build_prompt(envelope(*given_, budget=400))
    assert matches(pytestconfig, "protocol/prompt", text)


@pytest.mark.parametrize("kind", TaskType)
def test_each_kind_of_task_has_its_instructions(kind):
    text = build_prompt(envelope(kind=kind, request=""))
    article = "an" if kind in {TaskType.IMPLEMENT, TaskType.ANALYZE} else "a"
    assert text.startswith(f"## Your task\n\nAs {article} {kind} task: ")


def test_absent_parts_are_left_out():
    assert "## Request" not in build_prompt(envelope(request=" "))
    assert "# Context" not in build_prompt(envelope())


def test_the_parts_come_in_order():
    kinds = [ChunkType.MEMORY, ChunkType.FILE, ChunkType.STRUCTURE, ChunkType.ATTACHMENT]
    text = build_prompt(envelope(*(chunk(f"{kind} here", f"the {kind}", chunk_type=kind) for kind in kinds)))
    order = ("# Context", "## the structure", "## the attachment", "## the file", "## the memory", "---\n\n## Request")
    places = [text.index(words) for words in (*order, "As a debug task")]
    assert places == sorted(places)


def test_a_request_is_a_value_and_never_a_template():
    assert "{{ 7 * 7 }}" in build_prompt(envelope(request="{{ 7 * 7 }}"))


@settings(max_examples=50, deadline=None)
@given(st.lists(chunks(), max_size=5), odd)
def test_what_is_inside_a_fence_stays_inside(given_, request):
    made = envelope(*given_, request=request)
    text = build_prompt(made)
    for one in made.context.chunks:
        assert block(one) in text
        body = block(one).split("\n", 1)[1]
        body = body.removesuffix(f"\n[{one.metadata.note}]") if one.metadata.note else body
        assert unfence(body) == one.content


@settings(max_examples=50, deadline=None)
@given(st.lists(chunks(), max_size=5), st.sampled_from([1, 400, 900, 3000, 8000]), st.sampled_from(TaskType))
def test_the_whole_prompt_keeps_to_the_input_of_its_budget(given_, total, kind):
    budget, bare = TokenBudget(total=total), envelope(kind=kind)
    for count in (by_bytes, tokens()):
        system, request = frame_tokens(bare, count)
        if system + request >= budget.input:
            continue
        room = budget.context_room(system, request)
        context = compress([one.model_copy(update={"tokens": 0}) for one in given_], room, count)
        full = bare.replace(context=context, token_budget=budget)
        assert count(build_prompt(full)) <= budget.input == budget.total - budget.response


def test_the_same_envelope_gives_the_same_prompt():
    made = envelope(chunk(PYTHON, "a.py", language="python"))
    assert build_prompt(made) == build_prompt(TaskEnvelope.model_validate_json(made.model_dump_json()))
