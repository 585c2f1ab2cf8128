"""What was done is not done again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.agent.processes.replay import CUT_OFF, whole_rounds
from bot.agent.turn.turn import TurnJob, TurnLimits, TurnProgress
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey, UserId
from bot.domain.llm import ToolChoice
from bot.domain.messages import Message, Role, ToolResult
from bot.domain.snapshot import Trigger
from bot.tools.runtime.tool import CallOrigin
from tests.bot.agent.room import Room
from tests.fakes.contexts import says
from tests.fakes.provider import calls
from tests.fakes.provider import says as answers
from tests.fakes.values import KEY, call, result, said

MESSAGES = st.lists(
    st.sampled_from(
        [call(call_id="c1"), call(call_id="c2"), result("one", "c1"), result("two", "c2"), said("words"), says("hi", 1)]
    ),
    max_size=12,
)


def test_rounds_that_are_whole_stay_as_they_are():
    rounds = (call(call_id="c1"), result("one", "c1"), call(call_id="c2"), result("two", "c2", ok=False))
    assert whole_rounds((says("?", 1), *rounds)) == rounds


def test_a_call_that_was_cut_off_is_not_run_again_and_says_so():
    asked = call("send", call_id="c1")
    both = Message(role=Role.ASSISTANT, parts=(*asked.parts, *call("look", call_id="c2").parts), at=asked.at)
    again = whole_rounds((both, result("seen", "c2")))
    assert again[1].results == (
        ToolResult(call_id="c1", text=CUT_OFF, ok=False),
        ToolResult(call_id="c2", text="seen"),
    )
    assert whole_rounds((asked,))[1].results == (ToolResult(call_id="c1", text=CUT_OFF, ok=False),)


@given(MESSAGES)
def test_whatever_was_kept_every_call_has_one_result_behind_it(messages):
    rounds = whole_rounds(messages)
    assert len(rounds) == 2 * sum(bool(message.calls) for message in messages)
    for asked, answered in zip(rounds[::2], rounds[1::2], strict=True):
        assert [one.call_id for one in asked.calls] == [one.call_id for one in answered.results]
    assert whole_rounds(rounds) == rounds


def job(room: Room, **changes: Any) -> TurnJob:
    question = says("tell them", 1)
    return TurnJob(
        kind=ProcessKind.CHANNEL,
        state=room.state,
        trigger=Trigger(messages=(question,), at=room.clock.now()),
        tools=room.toolbox.offered(ProcessKind.CHANNEL, Authority.EVERYONE),
        origin=CallOrigin(KEY, "console"),
        caller=Caller(PersonKey("console", UserId("100")), "ann", Authority.EVERYONE),
        channels=room.directory,
        limits=TurnLimits(rounds=4, seconds=5),
        chain=room.models.chain(),
        **changes,
    )


async def test_what_has_an_effect_is_kept_before_it_runs_and_never_run_by_going_on():
    room, kept = Room(calls(("reply", {"text": "told"})), answers("done")), list[TurnProgress]()

    async def keep(progress: TurnProgress) -> None:
        kept.append(progress)
        if len(kept) == 2:
            assert not room.delivery.sent, "its intent is on record before it happens"

    await (await room.turns.begin(job(room, keep=keep))).run()
    begun = kept[1].rounds
    assert [len(progress.rounds) for progress in kept] == [0, 1, 2] and kept[2].uncached > 0
    assert len(room.delivery.sent) == 1

    again = Room(answers("done"))
    behind = TurnProgress(0, whole_rounds(begun), kept[1].uncached)
    await (await again.turns.begin(job(again, behind=behind))).run()
    (request,) = again.provider.requests
    assert [part.text for part in request.messages[-1].results] == [CUT_OFF]
    assert again.delivery.sent == []


async def test_rounds_and_tokens_of_before_count():
    look = ("memory_recall", {"query": "tea"})
    room, kept = Room(calls(look), calls(look), answers("no tea")), list[TurnProgress]()

    async def keep(progress: TurnProgress) -> None:
        kept.append(progress)

    await (await room.turns.begin(job(room, keep=keep))).run()
    assert [len(progress.rounds) for progress in kept] == [0, 2, 4], "what only reads is kept when it is done"
    for limits in (TurnLimits(rounds=3, seconds=5), TurnLimits(rounds=9, seconds=5, tokens=kept[-1].uncached)):
        again = Room(answers("no tea"))
        last = replace(job(again, behind=kept[-1]), limits=limits)
        await (await again.turns.begin(last)).run()
        (request,) = again.provider.requests
        assert request.tool_choice is ToolChoice.NONE, "nothing is left for another round"
