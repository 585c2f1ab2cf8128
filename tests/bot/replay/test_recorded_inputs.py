"""A request on record becomes inputs again, and those the same request, byte for byte."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import encode_chat
from bot.context.assemble import assemble
from bot.context.sections import ORDER
from bot.context.tokens import by_bytes
from bot.domain.channel import ProcessKind
from bot.domain.dialect import Dialect
from bot.domain.llm import ToolChoice
from bot.domain.turn import RequestRecord
from bot.replay.recorded_inputs import recorded_inputs
from bot.replay.request_parts import DividedRequest, PartChange
from tests.bot.context.talk import MEMORIES, rounds, states, triggers
from tests.bot.context.test_assemble import gathered
from tests.fakes.values import tool_definition

many = settings(max_examples=30, deadline=None)
DIALECTS = st.sampled_from(["", "text_tools", "no_tools", "alternate no_null", "no_tool_choice"])
TOOLS = (tool_definition("skip"), tool_definition("reply", 'Say it. "parameters": none'))


def record_of(snapshot, wire="") -> RequestRecord:
    state, dialect = snapshot.inputs.state, snapshot.inputs.limits.dialect
    return RequestRecord(
        agent=state.agent,
        channel=state.id,
        turn=1,
        kind=ProcessKind.CHANNEL,
        round=0,
        at=snapshot.inputs.trigger.at,
        request=snapshot.request,
        digest=snapshot.digest,
        wire_sha256=wire,
        wire_bytes=0,
        encoder=dialect.signed("openai/1"),
        sections=snapshot.sections,
        stats=snapshot.stats,
    )


def sent(state, at, after=(), memories=(), *, dialect="", window=128_000, choice=ToolChoice.AUTO, tools=TOOLS):
    inputs = gathered(state, at, window, memories=memories)
    limits = inputs.limits.replace(dialect=Dialect.of(dialect.split()))
    inputs = inputs.model_copy(update={"rounds": tuple(after), "limits": limits, "tools": tools, "tool_choice": choice})
    return assemble(inputs, ORDER[ProcessKind.CHANNEL], by_bytes)


def wire(request, dialect) -> bytes:
    return encode_chat(request, fragments=JsonFragments(), dialect=dialect).body


def replayed(snapshot) -> DividedRequest:
    return DividedRequest(recorded_inputs(record_of(snapshot), snapshot.inputs.limits), frozenset({"skip"}))


@many
@given(states(), triggers(), rounds(), MEMORIES, DIALECTS, st.integers(300, 30_000), st.sampled_from(ToolChoice))
def test_as_it_was_is_the_same_request_and_the_same_bytes(state, at, after, memories, dialect, window, choice):
    before = sent(state, at, after, memories, dialect=dialect, window=window, choice=choice)
    again = replayed(before).with_change(PartChange())
    assert again.digest == before.digest
    limits = before.inputs.limits.dialect
    assert wire(again.request, limits) == wire(before.request, limits)


@many
@given(states(), triggers(), rounds(), MEMORIES, DIALECTS, st.data())
def test_whatever_is_left_out_is_gone_and_the_rest_stands_as_it_did(state, at, after, memories, dialect, data):
    before = sent(state, at, after, memories, dialect=dialect)
    parts = replayed(before)
    optional = [part.id for part in parts.every]
    left_out = tuple(data.draw(st.lists(st.sampled_from(optional), unique=True)))
    after_change = parts.with_change(PartChange(left_out)).request
    rest, kept = iter(before.request.messages), [m for m in after_change.messages if m in before.request.messages]
    # in their order; two messages may be the same
    assert all(any(one == m for one in rest) for m in kept)
    assert len(after_change.messages) <= len(before.request.messages)
    whole = {one.name for one in before.request.system}
    for name in (one.removeprefix("section:") for one in left_out if one.count(":") == 1):
        assert name not in {block.name for block in after_change.system}, name
    assert {block.name for block in after_change.system} <= whole
    if not dialect:
        assert "skip" in {tool.name for tool in after_change.tools}


@many
@given(states(), triggers(), MEMORIES)
def test_each_part_left_out_alone_changes_the_request(state, at, memories):
    before = sent(state, at, memories=memories)
    parts = replayed(before)
    newest = f"message:{parts.recorded.carrier + 1}"
    for part in parts.every:
        changed = parts.with_change(PartChange((part.id,))).digest != before.digest
        stays = part.id in {newest, "tool:skip"} or not part.text.strip()
        assert changed or stays, part
