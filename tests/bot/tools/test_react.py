"""Putting a reaction under a message."""

from __future__ import annotations

import pytest

from bot.errors import ToolError
from bot.tools.react import ReactArgs, react
from bot.tools.runtime.effects import AddedReaction
from tests.bot.tools.kit import context
from tests.fakes.delivery import FakeDelivery


async def test_the_newest_message_of_the_trigger_is_reacted_to():
    delivery, ctx = FakeDelivery(), await context()
    assert "👍" in await react.run(ReactArgs(emoji="👍"), ctx, delivery)
    assert delivery.reactions == [("console:#general", "x1", "👍")]
    assert ctx.effects.of(AddedReaction) == (AddedReaction("👍"),)


@pytest.mark.parametrize("origin", [{"message_id": ""}, {"platform": "mute"}])
async def test_where_there_is_nothing_to_react_to_the_model_hears_so(origin):
    with pytest.raises(ToolError):
        await react.run(ReactArgs(emoji="👍"), await context(**origin), FakeDelivery())


async def test_a_refused_reaction_is_not_claimed():
    delivery, ctx = FakeDelivery(), await context()
    delivery.takes_reactions = False
    with pytest.raises(ToolError, match="did not take"):
        await react.run(ReactArgs(emoji="🦄"), ctx, delivery)
    assert ctx.effects.of(AddedReaction) == ()
