"""Saying something at once."""

from __future__ import annotations

import pytest

from bot.errors import DeliveryError, ToolError
from bot.tools.effects import Said
from bot.tools.reply import MOST_REPLIES, ReplyArgs, reply
from tests.bot.tools.kit import context
from tests.fakes.delivery import FakeDelivery


async def test_it_returns_only_with_the_platforms_message_id():
    delivery, ctx = FakeDelivery(), await context()
    told = await reply.run(ReplyArgs(text="hi"), ctx, delivery)
    assert "p0" in told and "not sent" in told
    (body,) = delivery.sent
    assert (body.kind, body.inbound, body.turn, body.replies_to) == ("reply", 99, 7, "x1")
    assert ctx.effects.of(Said) == (Said("hi", ("p0",)),)


async def test_a_refused_message_is_not_said():
    delivery, ctx = FakeDelivery(), await context()
    delivery.errors = [DeliveryError("closed", code="50013")]
    with pytest.raises(ToolError, match="50013"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery)
    assert ctx.effects.of(Said) == ()


async def test_an_uncertain_message_counts_as_said():
    delivery, ctx = FakeDelivery(), await context()
    delivery.errors = [DeliveryError("timeout", uncertain=True)]
    with pytest.raises(ToolError, match="Do not send it again"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery)
    with pytest.raises(ToolError, match="exactly this"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery)
    assert [said.certain for said in ctx.effects.of(Said)] == [False]


async def test_there_is_an_end_to_it():
    delivery, ctx = FakeDelivery(), await context()
    for n in range(MOST_REPLIES):
        await reply.run(ReplyArgs(text=f"{n}"), ctx, delivery)
    with pytest.raises(ToolError, match="the most"):
        await reply.run(ReplyArgs(text="more"), ctx, delivery)
    with pytest.raises(ToolError, match="empty"):
        await reply.run(ReplyArgs(text=" "), await context(), delivery)
