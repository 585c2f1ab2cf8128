"""Asking for more rounds."""

from __future__ import annotations

import pytest

from bot.agent.turn.turn import TurnLimits
from bot.domain.llm import ToolChoice
from bot.tools.runtime.tool import MAX_ROUNDS, RoundLimit
from tests.bot.agent.room import Room
from tests.fakes.provider import calls, says


def look(n: int):
    return calls(("memory_recall", {"query": f"tea {n}"}))


def choices(room: Room) -> list[ToolChoice]:
    return [request.tool_choice for request in room.provider.requests]


def results(room: Room) -> list[str]:
    return [result.text for message in room.provider.requests[-1].messages for result in message.results]


async def test_more_rounds_come_after_those_that_were_left():
    room = Room(calls(("extend_tool_loop", {"rounds": 2})), look(1), look(2), says("tea"), limits=TurnLimits(2, 5))
    await room.hears()
    assert choices(room) == [ToolChoice.AUTO] * 3 + [ToolChoice.NONE]
    # the last round keeps the tools, for the cache, and must answer
    assert room.provider.requests[3].tools == room.provider.requests[1].tools
    assert room.said == ["tea"]


async def test_the_next_turn_begins_with_its_own_rounds():
    room = Room(calls(("extend_tool_loop", {})), says("a"), look(1), says("b"), limits=TurnLimits(2, 5))
    await room.hears()
    await room.hears()
    assert choices(room) == [ToolChoice.AUTO, ToolChoice.AUTO, ToolChoice.AUTO, ToolChoice.NONE]


async def test_two_in_one_round_add_up_and_there_is_an_end():
    most = calls(("extend_tool_loop", {"rounds": 10}), ("extend_tool_loop", {"rounds": 20}), ("extend_tool_loop", {}))
    room = Room(most, says("a"), limits=TurnLimits(10, 5))
    await room.hears()
    one, two, three = results(room)
    assert one.startswith("10 more rounds: this turn may have 20 in all.")
    assert two.startswith("5 more rounds: this turn may have 25 in all, which is all it can have, not 20 more")
    assert three == "This turn gets no more rounds. It may have 25 rounds, which it has. Answer with what you have."


@pytest.mark.parametrize("rounds", [0, 21, -1, "many", 1.5])
async def test_a_wish_that_makes_no_sense_is_refused(rounds):
    room = Room(calls(("extend_tool_loop", {"rounds": rounds})), says("a"))
    await room.hears()
    assert "was not run" in results(room)[0] and "`rounds`" in results(room)[0]


def test_a_box_that_has_more_from_the_start_keeps_it():
    box = RoundLimit(50)
    assert (box.extend(5), box.limit, box.most) == (0, 50, 50)
    assert MAX_ROUNDS == 25


async def test_a_turn_that_wants_tools_in_its_last_round_says_that_it_has_no_answer():
    room = Room(look(1), look(2), limits=TurnLimits(2, 5))
    await room.hears()
    assert room.end.reason.startswith("rounds: no answer after 2 rounds")
