"""A diff is empty exactly when the same is sent, says everything that differs, and shows no more than a reader sees."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cortex.pages.diff_page import details, explain_diff, first_text
from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.domain.channel import LastTurn, TurnFinished, apply
from bot.domain.memory import MemoryType
from bot.domain.snapshot import CaptureKind
from bot.inspect.diff.change_events import NO_RECORDS
from bot.inspect.diff.context_diff import ChangeKind, RequestPart, SequenceGap, compare, line_changes, sequence_gaps
from bot.inspect.diff.export_reader import read_export
from tests.bot.context.laid import BLIND, NOTHING, applied, coming, cut, exported, names, sent, side
from tests.bot.context.talk import MEMORIES, rounds, states, triggers
from tests.fakes.contexts import limits, says, talked, trigger
from tests.fakes.values import channel, memory, said, tool_definition

many = settings(max_examples=25, deadline=None)
TOOLS = st.lists(
    st.sampled_from([tool_definition(name, words) for name in ("skip", "reply", "react") for words in ("a", "b")]),
    unique_by=lambda tool: tool.name,
    max_size=3,
).map(tuple)


@pytest.fixture
def two_turns():
    return talked(channel(), ("hi", "hello"), ("how?", "so"))


@many
@given(states(), triggers(), MEMORIES)
def test_what_is_the_same_has_no_differences(state, trigger, memories):
    async def check():
        first = await sent(state, trigger, memories=memories)
        again = await sent(state, trigger, memories=memories)
        assert compare(side(first), side(again)).same
        assert compare(side(first), side(cut(again[0], BLIND))).same
        assert compare(side(first, by_content=True), read_export(exported(again), "again")).same

    asyncio.run(check())


@settings(max_examples=40, deadline=None)
@given(states(), states(), triggers(), triggers(), MEMORIES, MEMORIES, rounds(), TOOLS, TOOLS)
def test_the_changes_done_to_one_side_give_the_other(a, b, t1, t2, m1, m2, more, tools1, tools2):
    async def check():
        before = side(await sent(a, t1, memories=m1, tools=tools1))
        after = side(await sent(b, t2, more, memories=m2, tools=tools2))
        for diff in (compare(before, after), compare(after, before)):
            done, second = applied(diff), diff.after
            for part in ("parameters", "tools", "messages"):
                assert names(getattr(done, part)) == names(getattr(second, part))
            assert names(done.sections) == names(second.kept)
            # no difference of digests without a change that explains it, and none without a difference
            assert diff.same == (before.digest == after.digest)

    asyncio.run(check())


@many
@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_gaps_are_all_that_differs(before, after):
    found, made, at = sequence_gaps(before, after), [], 0
    for gap in found:
        made += before[at : gap.first] + after[gap.second : gap.second_end]
        at = gap.first_end
    assert made + before[at:] == after
    assert (found == []) == (before == after)


@many
@given(st.lists(st.integers(), unique=True, max_size=30), st.data())
def test_what_was_only_put_in_or_taken_out_is_found_as_that(numbers, data):
    whole = [str(number) for number in numbers]
    part = [name for name in whole if data.draw(st.booleans())]
    assert sum(gap.first_end - gap.first for gap in sequence_gaps(whole, part)) == len(whole) - len(part)
    assert all(gap.second == gap.second_end for gap in sequence_gaps(whole, part))


def test_repeated_names_cost_no_more_than_others():
    assert sequence_gaps(["a"] * 3000, ["a"] * 2999 + ["b"]) == [SequenceGap(2999, 3000, 2999, 3000)]
    before, after = ["a", "b"] * 2000, ["b", "a"] * 2000
    assert sum(gap.first_end - gap.first for gap in sequence_gaps(before, after)) <= len(before) // 2


async def test_the_next_request_differs_from_the_last_by_what_was_said(two_turns):
    asked = trigger(says("are you there?", 99))
    last = await sent(two_turns, asked)
    messages = (says("are you there?", 99), said("yes"))
    state = apply(two_turns, TurnFinished(turn_id=3, messages=messages, last=LastTurn(outcome="replied", at=1)))
    diff = compare(side(last), side(await coming(state)))
    spans = [change for change in diff.changes if change.part is RequestPart.MESSAGES]
    # the question stands in the history as it was asked, without what stood before it while it was the newest
    assert [(change.kind, change.second, len(change.after)) for change in spans] == [(ChangeKind.ADDED, 5, 2)]
    assert {change.label for change in diff.changes if change.moving} <= {
        "participants",
        "conversation_context",
        "status",
        "tool_recap",
    }
    assert [c for c in diff.changes if c.part is not RequestPart.MESSAGES and not c.moving] == []


async def test_a_memory_changes_one_section_by_one_line(two_turns):
    bodies = [memory("Tea."), memory("Be silent.", type=MemoryType.DECISION)]
    before, after = side(await coming(two_turns, bodies[0])), side(await coming(two_turns, *bodies))
    (change,) = (change for change in compare(before, after).changes if not change.moving)
    assert (change.part, change.kind, change.label) == (RequestPart.SECTION, ChangeKind.CHANGED, "memory_bulletin")
    lines = line_changes(change.before[0].text, change.after[0].text)
    assert "Be silent." in lines[0].after[0] and not lines[0].before
    assert change.tokens > 0
    (new,) = compare(side(await coming(two_turns)), before).changes
    assert new.kind is ChangeKind.ADDED and new.label == "memory_bulletin"


async def test_parameters_tools_and_their_order_are_told_apart(two_turns):
    tools = tuple(tool_definition(name) for name in ("a", "b", "c"))
    before = side(await sent(two_turns, trigger(), tools=tools))
    after = side(await sent(two_turns, trigger(), tools=(tools[2], tools[0], tool_definition("d"))))
    found = {(change.kind, change.label) for change in compare(before, after).changes}
    assert found == {(ChangeKind.REMOVED, "b"), (ChangeKind.ADDED, "d"), (ChangeKind.MOVED, "a")}
    model = limits(128_000, 99, "other/one").model
    other = after.parameters[0]._replace(name=str(model), text=str(model))
    changed = type(after)(**{**vars(before), "parameters": (other, *before.parameters[1:]), "digest": "x"})
    (change,) = compare(before, changed).changes
    assert (change.part, change.label, change.after[0].text) == (RequestPart.PARAMETER, "model", "other/one")


async def test_a_reader_without_the_right_sees_that_it_differs_and_not_how(two_turns):
    before = await sent(two_turns, trigger(says("the secret plan", 99)))
    after = await sent(two_turns, trigger(says("another secret", 99)))
    diff = compare(side(cut(before[0], BLIND)), side(cut(after[0], BLIND)))
    (change,) = (change for change in diff.changes if change.part is RequestPart.MESSAGES)
    assert change.before[0].name != change.after[0].name
    assert "secret" not in repr(diff)


async def test_sides_that_are_named_differently_are_not_compared(two_turns):
    captured = await coming(two_turns)
    with pytest.raises(ValueError, match="by content"):
        compare(side(captured), side(captured, by_content=True))


async def test_an_export_and_its_request_are_the_same_and_differ_from_the_next(two_turns):
    captured = await sent(two_turns, trigger())
    filed = read_export(exported(captured), "file.json")
    assert compare(filed, side(captured, by_content=True)).same
    forgotten = type(filed)(**{**vars(filed), "digest": ""})
    # without the name of the whole, part by part
    assert compare(forgotten, side(captured, by_content=True)).changes == ()
    more = side(await coming(talked(two_turns, ("more?", "more"))), by_content=True)
    assert [len(c.after) for c in compare(filed, more).changes if c.part is RequestPart.MESSAGES] == [3]
    assert filed.which is CaptureKind.IN_FLIGHT


async def test_the_first_message_is_for_a_phone_however_much_differs(two_turns):
    offered = [tuple(tool_definition(f"{'long' * 15}_{n}", words) for n in range(60)) for words in ("a", "b")]
    first, second = [side(await sent(two_turns, trigger(), tools=tools)) for tools in offered]
    compared = explain_diff(compare(first, second), NO_RECORDS)
    text = first_text(compared, "#" + "n" * 40, "no model used · s0000")
    assert len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES
    assert "≠" in text and re.search(r"… and \d+ more below", text)
    assert details(compared, NOTHING).endswith("and 20 more differences")
