"""Calls that the history does not show are remembered as such: the next turns tell the model of them."""

from __future__ import annotations

import asyncio

from bot.agent.turn.turn import TurnLimits
from bot.config import ModelConfig
from bot.errors import ProviderFault
from tests.bot.agent.room import Room
from tests.fakes.provider import calls, fails, says


def recap(room: Room) -> str:
    return "\n".join(text for text in room.provider.requests[-1].messages[-1].texts if "tool=" in text)


async def test_a_round_that_was_cut_off_is_told_of_in_the_next_turn():
    room = Room(
        calls(("channel_recall", {"query": "tea"}), ("react", {"emoji": "👍"})),
        says("what was it?"),
        says("and again"),
        limits=TurnLimits(rounds=3, seconds=0.2),
    )

    async def never(*_):
        await asyncio.Event().wait()

    search, room.history.search = room.history.search, never
    await room.hears("look it up")
    room.history.search = search
    assert room.state.last.lost_calls == (1,)
    assert sum(len(message.calls) for message in room.state.turns[-1].messages) == 0
    for _ in range(2):
        await room.hears("what happened?")
        assert "turn=1 #1 tool=channel_recall state=failed" in recap(room)
        assert 'out="cancelled while it ran"' in recap(room)
        assert "turn=1 #2 tool=react state=ok" in recap(room)
    assert room.state.last.lost_calls == (1,)


async def test_the_calls_of_a_turn_that_must_not_become_history_are_told_of():
    room = Room(calls(("memory_recall", {"query": "tea"})), fails(ProviderFault.TOOL_PAIRING), says("well"))
    await room.hears("look it up")
    assert room.state.turns == () and room.state.last.lost_calls == (1,)
    await room.hears("and now?")
    assert "turn=1 #1 tool=memory_recall state=ok" in recap(room)


async def test_a_turn_whose_calls_stand_in_the_history_loses_nothing_and_asks_for_nothing():
    room = Room(calls(("memory_recall", {"query": "tea"})), says("well"))
    await room.hears("look it up")
    await room.hears("and now?")
    assert room.state.last.lost_calls == () and not room.state.last.is_full
    assert recap(room) == "" and room.journal.asked == []


async def test_a_window_that_is_nearly_full_is_noted_with_the_turn():
    config = ModelConfig(name="scripted/scripted-1", retries=0, context_window=4000, max_output_tokens=100)
    room = Room(says("word " * 2750), says("ok"), config=config)
    await room.hears("tell me everything")
    assert not room.state.last.is_full
    await room.hears("and?")
    assert room.state.last.is_full
