"""What a channel would answer with."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.snapshot import Trigger
from bot.inspect.capture.inspector import placeholder
from tests.bot.agent.room import Room
from tests.fakes.clock import START
from tests.fakes.provider import says
from tests.fakes.values import channel, settings


async def test_what_is_shown_as_next_is_what_the_turn_sends():
    room = Room(says("yes"))
    stored = room.arrives("are you there?")
    before = room.state
    await room.channel.take([stored])
    sent = room.provider.requests[0]
    (user, _) = room.state.turns[0].messages
    ask = room.answering.ask_for(before, Trigger(messages=(user,), at=START))
    assert (await room.stack.contexts.snapshot(ask)).digest == sent.digest


async def test_a_placeholder_changes_only_the_newest_message():
    room = Room(says("yes"))
    shown = await room.stack.contexts.snapshot(room.answering.ask_for(room.state, placeholder(START)))
    await room.hears()
    sent = room.provider.requests[0]
    assert (shown.request.system, shown.request.tools) == (sent.system, sent.tools)
    assert shown.request.messages != sent.messages


async def test_a_channel_may_have_a_model_of_its_own():
    room = Room(says("yes"))
    chain = room.answering.chain(channel(settings=settings(model="scripted/other")))
    assert [str(model) for model in chain] == ["scripted/other"]
    assert room.answering.offer(channel(), Authority.EVERYONE).tools[0].name == "reply"
