"""No conversation that was ever stored makes a request that a model service refuses, and nothing in it is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult
from bot.domain.tool_pairing import NO_CALL, NO_RESULT, UNKNOWN, pair_tool_calls
from tests.fakes.contexts import says
from tests.fakes.lengths import whole_or
from tests.fakes.values import call, result, said

IDS = st.sampled_from(["a", "b", "c"])
CALLS = st.lists(IDS, max_size=3).map(
    lambda ids: Message(
        role=Role.ASSISTANT,
        parts=(TextPart(text="so"), *(ToolCall(call_id=one, name="pay", arguments="{}") for one in ids)),
    )
)
RESULTS = st.lists(IDS, max_size=3).map(
    lambda ids: Message(
        role=Role.TOOL, parts=tuple(ToolResult(call_id=one, text=f"{one}{n}") for n, one in enumerate(ids))
    )
)
HISTORIES = st.lists(st.one_of(CALLS, RESULTS, st.just(says("hm", 1)), st.just(said("well"))), max_size=7)


def is_taken(messages: tuple[Message, ...]) -> bool:
    """What model services ask: behind each message with calls one with exactly their results, and no name twice."""
    names = [len({one.call_id for one in message.calls}) == len(message.calls) for message in messages]
    answered = [
        {one.call_id for one in before.calls} == {one.call_id for one in after.results}
        and len(before.calls) == len(after.results)
        for before, after in zip((said("x"), *messages), (*messages, said("x")), strict=True)
    ]
    return all(answered) and all(names)


@settings(max_examples=whole_or(150, 40), deadline=None)
@given(HISTORIES)
def test_whatever_is_stored_is_taken_and_keeps_its_words(messages):
    mended = pair_tool_calls(messages)
    assert is_taken(mended)
    assert pair_tool_calls(mended) == mended
    texts = sorted(one.text for message in messages for one in message.results)
    kept = sorted(one.text for message in mended for one in message.results if one.text != NO_RESULT)
    assert kept == texts
    assert [m.text for m in mended if m.text] == [m.text for m in messages if m.text]


def test_what_is_whole_stays_as_it_is():
    whole = (says("pay", 1), call(), result(), said("done"))
    assert pair_tool_calls(whole) == whole
    assert all(one is other for one, other in zip(pair_tool_calls(whole), whole, strict=True))


def test_a_call_without_its_result_is_said_to_have_none():
    asked, answer, words = pair_tool_calls((call("pay"), said("done")))
    assert asked == call("pay") and words == said("done")
    assert [(one.call_id, one.text, one.ok) for one in answer.results] == [("c1", NO_RESULT, False)]


def test_a_result_without_its_call_keeps_its_words():
    (_, asked, answer) = pair_tool_calls((says("pay", 1), result("receipt 7")))
    assert (asked.calls[0].name, asked.calls[0].arguments) == (UNKNOWN, NO_CALL)
    assert answer.results[0].text == "receipt 7"
