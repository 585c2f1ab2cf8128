"""Who reads what of a context in a chat: rights are asked for at each command and each press."""

from __future__ import annotations

from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, chat
from tests.fakes.provider import says


async def test_whoever_cannot_read_the_channel_sees_what_was_withheld_and_not_a_word(tmp_path):
    async with chat(tmp_path, says("CANARY-ANSWER")) as bot:
        await bot.hears("CANARY-QUESTION")
        await bot.hears("!cortex read history last", ADMIN)
        assert "CANARY-QUESTION" in bot.last
        await bot.hears("!cortex read answer last", ADMIN)
        assert "CANARY-ANSWER" in bot.last
        bot.platform.readers.discard((ADMIN, GENERAL))
        before = len(bot.private)
        for words in ("read history last", "read answer last", "last", "read section participants last"):
            await bot.hears(f"!cortex {words}", ADMIN)
        later = "\n".join(sent.text for sent in bot.private[before:])
        assert "CANARY" not in later and "[withheld: answer" in later and "[withheld:" in later.replace("answer", "")
        await bot.hears("!cortex read history last", OWNER)
        assert "CANARY-QUESTION" in bot.last


async def test_reading_asks_no_model_and_changes_nothing(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        asked = len(bot.provider.requests)
        for words in ("read", "read history", "read tools last", "read memory", "read identity next", "read status"):
            await bot.hears(f"!cortex {words}", OWNER)
        assert len(bot.provider.requests) == asked
