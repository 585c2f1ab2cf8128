"""Saying nothing, for a reason."""

from __future__ import annotations

import pytest

from bot.errors import ToolError
from bot.tools.runtime.effects import SentMessage, SkippedTurn
from bot.tools.skip import SkipArgs, skip
from tests.bot.tools.kit import context


async def test_a_reason_is_kept():
    ctx = await context()
    await skip.run(SkipArgs(reason=" they talk to bob ", category="not_for_me"), ctx)
    assert ctx.effects.of(SkippedTurn) == (SkippedTurn("they talk to bob", "not_for_me"),)


@pytest.mark.parametrize("category", ["not_for_me", "nothing_to_add"])
@pytest.mark.parametrize("is_dm", [True, False])
async def test_whoever_speaks_to_the_bot_is_not_skipped_for_convenience(category, is_dm):
    with pytest.raises(ToolError, match="Write your answer to them now"):
        await skip.run(SkipArgs(reason="meh meh", category=category), await context(is_direct=True, is_dm=is_dm))


@pytest.mark.parametrize("category", ["instructed", "declined"])
async def test_there_is_cause_to_be_silent_even_then(category):
    ctx = await context(is_direct=True)
    await skip.run(SkipArgs(reason="memory m27d4", category=category), ctx)
    assert len(ctx.effects.of(SkippedTurn)) == 1


async def test_behind_an_answer_it_ends_the_turn():
    ctx = await context()
    ctx.effects.add(SentMessage("hi", ("p0",)))
    assert "is the answer" in str(await skip.run(SkipArgs(reason="no more to say", category="declined"), ctx))
    assert len(ctx.effects.of(SkippedTurn)) == 1
