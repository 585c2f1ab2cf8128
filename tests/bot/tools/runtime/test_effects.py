"""The write-back list."""

from __future__ import annotations

import asyncio

from bot.tools.runtime.effects import AddedReaction, SentMessage, SkippedTurn, TurnEffects


async def test_fifty_tools_at_once_lose_nothing_and_keep_the_models_order():
    effects = TurnEffects()

    async def one(order: int) -> None:
        mine = effects.at(order)
        for _ in range((50 - order) % 7):
            await asyncio.sleep(0)
        mine.add(SentMessage(f"{order}", ()))
        mine.add(AddedReaction(f"{order}"))

    async with asyncio.TaskGroup() as group:
        for order in range(50):
            group.create_task(one(order))
    assert [said.text for said in effects.of(SentMessage)] == [str(n) for n in range(50)]
    assert [reacted.emoji for reacted in effects.of(AddedReaction)] == [str(n) for n in range(50)]
    assert effects.of(SkippedTurn) == ()
