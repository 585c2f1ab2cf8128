"""What is not sent any more is told of: exactly that, only when there is any, and a store that fails stops nothing."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.assemble import assemble
from bot.context.envelope import section_texts
from bot.context.recap import MAX_EVENTS
from bot.context.sections import ORDER
from bot.context.tokens import count_function
from bot.domain.channel import ChannelState, LastTurn, ProcessKind, Turn
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import ContextInputs, ContextSnapshot, CountMethod, SectionFate, SectionTrace, Tokenizer
from bot.domain.turn import ToolCallRecord
from bot.errors import StoreError
from bot.text.redaction import Redactor
from tests.fakes.clock import START
from tests.fakes.contexts import Stack, ask, limits, says
from tests.fakes.counter import WordCounter
from tests.fakes.values import KEY, call, channel, result, said, turn_start

EXACT = Tokenizer(name="words", method=CountMethod.EXACT)
FULL = LastTurn(outcome="replied", is_full=True)


def record(turn: int, order: int, text: str = "") -> ToolCallRecord:
    return ToolCallRecord(
        tool_name="pay",
        raw_arguments_json="{}",
        result_output=text or f"receipt {turn}.{order}",
        success=True,
        execution_start=START,
        execution_end=START + 5,
        duration_ms=5.0,
        order_index=order,
        round_number=order,
    )


async def lived(calls: list[int], **changes: object) -> tuple[ChannelState, Stack]:
    """A channel with a turn for each number, in which so many tools were called, all of them on record."""
    stack, turns = Stack(**changes), []
    for count in calls:
        number = await stack.journal.begin_turn(turn_start(KEY), ())
        await stack.journal.record_calls(KEY, number, [record(number, order) for order in range(count)])
        stack.journal.turns[-1] = stack.journal.turns[-1].model_copy(update={"status": "replied"})
        rounds = [m for n in range(count) for m in (call(call_id=f"c{n}"), result("a receipt", call_id=f"c{n}"))]
        turns.append(Turn(id=number, messages=(says("pay it", number), *rounds, said("done"))))
    return channel(turns=tuple(turns), last=FULL), stack


async def gathered(state: ChannelState, stack: Stack, window: int = 128_000) -> ContextInputs:
    return await stack.contexts.gatherer.gather(ask(state, limit=limits(window, 100)), EXACT)


def assembled(inputs: ContextInputs) -> ContextSnapshot:
    return assemble(inputs, ORDER[ProcessKind.CHANNEL], count_function(EXACT, WordCounter()))


def recap_of(snapshot: ContextSnapshot) -> tuple[SectionTrace, str]:
    trace = next(trace for trace in snapshot.sections if trace.name == "tool_recap")
    return trace, section_texts(snapshot.request, snapshot.sections).get("tool_recap", "")


def told_of(text: str) -> set[tuple[int, int]]:
    return {(int(a), int(b) - 1) for a, b in re.findall(r"^turn=(\d+) #(\d+) ", text, re.MULTILINE)}


async def test_a_turn_with_nothing_missing_reads_nothing():
    state, stack = await lived([1, 2, 0])
    for last in (None, LastTurn(outcome="replied", context_tokens=9000)):
        snapshot = assembled(await gathered(state.replace(last=last), stack))
        trace, text = recap_of(snapshot)
        assert (trace.fate, trace.reason) == (SectionFate.ABSENT, "earlier tool calls and results stand in the history")
        assert text == "" and stack.journal.asked == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(250, 700))
def test_every_call_is_sent_or_told_of_or_counted(calls, window):
    state, stack = asyncio.run(lived(calls))
    inputs = asyncio.run(gathered(state, stack, window))
    snapshot = assembled(inputs)
    trace, text = recap_of(snapshot)
    left_out = {turn.id for turn in state.turns[: len(snapshot.dropped_turns)]}
    assert left_out == set(snapshot.dropped_turns)
    missing = [(turn, order) for turn, count in enumerate(calls, 1) for order in range(count) if turn in left_out]
    if trace.fate is SectionFate.KEPT:
        assert told_of(text) == set(missing[-MAX_EVENTS:])
        counted = re.search(r"\((\d+) earlier", text)
        assert (int(counted[1]) if counted else 0) == max(0, len(missing) - MAX_EVENTS)
    else:
        assert trace.reason and (not missing or trace.fate is SectionFate.DROPPED or "leave no room" in trace.reason)
    assert snapshot.overflow == 0 or len(snapshot.dropped_turns) == len(calls)
    again = ContextInputs.model_validate_json(inputs.model_dump_json())
    assert assembled(again).digest == snapshot.digest


async def test_a_recap_takes_the_place_of_no_turn_that_alone_could_be_sent():
    state, stack = await lived([3] * 6)
    whole = assembled(await gathered(state, stack))
    narrow = [assembled(await gathered(state, stack, window)) for window in range(200, whole.stats.total + 100, 10)]
    fates = {recap_of(snapshot)[0].reason for snapshot in narrow if len(snapshot.dropped_turns) < len(state.turns)}
    assert "the turns that can be sent leave no room for it" in fates


async def test_compacted_calls_are_told_of_and_the_kept_ones_are_not():
    state, stack = await lived([2, 1, 1])
    kind = {"type": SummaryType.TOOL_CALLS, "compaction": 1, "count": 4, "method": "rules"}
    summary = CompactionSummary(**kind, created_at=START, sources=(), turns=(1, 2))
    block = Message(role=Role.USER, parts=(TextPart(text="[SUMMARIZED] it was paid"),), summary=summary)
    compacted = state.replace(turns=(Turn(id=1, messages=(block,)), state.turns[2]), last=None)
    trace, text = recap_of(assembled(await gathered(compacted, stack)))
    assert trace.fate is SectionFate.KEPT and told_of(text) == {(1, 0), (1, 1), (2, 0)}
    assert "receipt 2.0" in text and "receipt 3.0" not in text
    assert trace.sources == ("store:tool_call",)


async def test_what_died_with_its_process_is_told_of():
    state, stack = await lived([1, 0])
    died = state.replace(turns=state.turns[1:], last=LastTurn(outcome="interrupted", lost_calls=(1,)))
    assert told_of(recap_of(assembled(await gathered(died, stack)))[1]) == {(1, 0)}
    after_reset = state.replace(turns=state.turns[1:], last=FULL)
    assert recap_of(assembled(await gathered(after_reset, stack)))[1] == ""


async def test_the_envelope_carries_it_last_and_the_system_prompt_stays():
    state, stack = await lived([1, 1])
    died = state.replace(turns=(), last=LastTurn(outcome="interrupted", lost_calls=(1, 2)))
    snapshot = assembled(await gathered(died, stack))
    newest = snapshot.request.messages[-1]
    heads = [part.text.splitlines()[0] for part in newest.parts if isinstance(part, TextPart)]
    assert heads[-2] == "## Tool calls that are no longer shown above"
    quiet = assembled(await gathered(died.replace(last=None), stack))
    assert snapshot.request.system == quiet.request.system


@pytest.mark.parametrize("error", [StoreError("the disk is gone")])
async def test_a_store_that_fails_is_said_and_the_turn_goes_on(error):
    state, stack = await lived([1])
    stack.journal.fails = error
    trace, text = recap_of(assembled(await gathered(state, stack)))
    assert text == "[tool recap unavailable]"
    assert (trace.fate, trace.reason) == (SectionFate.KEPT, "could not be read: the disk is gone")


async def test_no_secret_of_the_process_is_told():
    secret = "the-key-of-the-shop-4711"
    state, stack = await lived([0], redactor=Redactor.of({"shop": secret}))
    await stack.journal.record_calls(KEY, 1, [record(1, 0, f"paid with {secret} for 123456789012345678")])
    died = state.replace(turns=(), last=LastTurn(outcome="failed", lost_calls=(1,)))
    inputs = await gathered(died, stack)
    text = recap_of(assembled(inputs))[1]
    assert "[redacted:shop:24]" in text and "123456789012345678" in text
    assert secret not in inputs.model_dump_json()


async def test_a_turn_that_is_left_out_before_anything_showed_it_is_said_to_be():
    state, stack = await lived([1, 1, 1])
    quiet = state.replace(last=LastTurn(outcome="replied"))
    whole = assembled(await gathered(quiet, stack))
    tight = assembled(await gathered(quiet, stack, whole.stats.total + 90))
    assert tight.dropped_turns and stack.journal.asked == []
    trace, text = recap_of(tight)
    assert (trace.fate, text) == (SectionFate.ABSENT, "") and trace.reason.startswith(
        "turns with tool calls are left out"
    )


async def test_what_is_left_out_for_the_first_time_is_told_of_in_the_same_request():
    state, stack = await lived([2] * 12)
    fresh = state.replace(last=LastTurn(outcome="replied"))
    whole = await stack.contexts.snapshot(ask(fresh, limit=limits(100_000, 100)), exact=True)
    asked = ask(fresh, limit=limits(whole.stats.total, 100))
    snapshot = await stack.contexts.snapshot(asked)
    assert snapshot.dropped_turns, "nothing showed before that it would not fit"
    _, text = recap_of(snapshot)
    gone = set(snapshot.dropped_turns)
    assert told_of(text) and {turn for turn, _ in told_of(text)} <= gone
    assert (await stack.contexts.snapshot(asked)).digest == snapshot.digest
    assert stack.contexts.assembled(snapshot.inputs).digest == snapshot.digest, "a replay needs nothing but its inputs"
