"""A fork from the chat: both answers stand side by side in the admin's thread, and nothing reaches the channel."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from tests.bot.cortex.chat import OWNER, chat
from tests.bot.cortex.proving.test_proof_runner import KEY, repeats, told


async def test_both_answers_stand_side_by_side(tmp_path):
    async with chat(tmp_path, repeats) as bot:
        name = handle(HandleKind.MEMORY, await bot.remembers("The raid is on friday."))
        await bot.hears("when do we raid?")
        public, history = list(bot.public), await bot.store.channels.load(KEY)
        asked = len(bot.provider.requests)
        await bot.hears(f"!cortex fork without {name}", OWNER)
        assert f"without memory {name}" in bot.last and len(bot.provider.requests) == asked
        await bot.presses("Ask it again")
        side = told(bot, "Recorded: it answers.")
        assert side.index("We raid on Friday.") < side.index("Now: it answers") < side.index("I do not know.")
        assert len(bot.provider.requests) == asked + 1
        assert bot.public == public and await bot.store.channels.load(KEY) == history
