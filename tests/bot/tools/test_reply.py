"""Saying something at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.context.links_of_others import LinkRules
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, ToolError
from bot.tools.reply import MAX_REPLIES, ReplyArgs, reply
from bot.tools.runtime.effects import SentMessage
from tests.bot.tools.kit import context
from tests.fakes.delivery import FakeDelivery


async def test_it_returns_only_with_the_platforms_message_id():
    delivery, ctx = FakeDelivery(), await context()
    told = await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    assert "p0" in told and "not sent" in told
    (body,) = delivery.sent
    assert (body.kind, body.inbound, body.turn, body.replies_to) == ("reply", 99, 7, "x1")
    assert ctx.effects.of(SentMessage) == (SentMessage("hi", ("p0",)),)


async def test_a_refused_message_is_not_said():
    delivery, ctx = FakeDelivery(), await context()
    delivery.errors = [DeliveryError("closed", code="50013")]
    with pytest.raises(ToolError, match="50013"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    assert ctx.effects.of(SentMessage) == ()


async def test_an_uncertain_message_counts_as_said():
    delivery, ctx = FakeDelivery(), await context()
    delivery.errors = [DeliveryError("timeout", uncertain=True)]
    with pytest.raises(ToolError, match="Do not send it again"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    with pytest.raises(ToolError, match="exactly this"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    assert [said.certain for said in ctx.effects.of(SentMessage)] == [False]


async def test_a_message_that_waits_for_its_platform_counts_as_said():
    delivery, ctx = FakeDelivery(), await context()
    delivery.errors = [DeliveryError("no connection", code="unreachable", waits=True)]
    assert "goes out by itself" in await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    with pytest.raises(ToolError, match="exactly this"):
        await reply.run(ReplyArgs(text="hi"), ctx, delivery, LinkRules())
    assert ctx.effects.of(SentMessage) == (SentMessage("hi", (), waits=True),)


class Slow(FakeDelivery):
    """A platform that takes its time, so that others come in between."""

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        await asyncio.sleep(0)
        return await super().say(body)


async def test_the_end_holds_for_calls_side_by_side():
    delivery, ctx = Slow(), await context()
    delivery.errors = [DeliveryError("closed", code="50013")]
    texts = ["refused", *(f"{n}" for n in range(MAX_REPLIES)), "0"]
    calls = (reply.run(ReplyArgs(text=text), ctx, delivery, LinkRules()) for text in texts)
    first = await asyncio.gather(*calls, return_exceptions=True)
    assert ["Sent" in str(told) for told in first] == [False, True, True, True, True, False, False]
    assert "the most" in str(first[5]) and "exactly this" in str(first[6])
    # the refused one was on its way then, and does not count any more
    assert "Sent" in await reply.run(ReplyArgs(text="refused"), ctx, delivery, LinkRules())
    with pytest.raises(ToolError, match="the most"):
        await reply.run(ReplyArgs(text="more"), ctx, delivery, LinkRules())
    assert len(delivery.sent) == MAX_REPLIES


async def test_there_is_an_end_to_it():
    delivery, ctx = FakeDelivery(), await context()
    for n in range(MAX_REPLIES):
        await reply.run(ReplyArgs(text=f"{n}"), ctx, delivery, LinkRules())
    with pytest.raises(ToolError, match="the most"):
        await reply.run(ReplyArgs(text="more"), ctx, delivery, LinkRules())
    with pytest.raises(ToolError, match="empty"):
        await reply.run(ReplyArgs(text=" "), await context(), delivery, LinkRules())
