from __future__ import annotations

from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryScope, Provenance
from tests.bot.cortex.chat import ADMIN, OWNER, chat

SECOND = ChannelId("console:#second")


async def test_list_search_and_by(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.remembers("Ann likes tea.")
        bob = Provenance(author=UserId("200"), author_name="Bob")
        await bot.remembers("The server moves on Monday.", provenance=bob)
        await bot.hears("!cortex memory list", OWNER)
        assert "(2)" in bot.last
        await bot.hears("!cortex memory search monday", OWNER)
        assert "Monday" in bot.last
        assert "tea" not in bot.last
        for who in ("200", "<@200>", "@bob"):
            await bot.hears(f"!cortex memory by {who}", OWNER)
            assert "Monday" in bot.last
            assert "tea" not in bot.last
        await bot.hears("!cortex memory by 300", OWNER)
        assert "none" in bot.last


async def test_what_was_learnt_elsewhere_is_counted_and_withheld(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.remembers("CANARY", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
        await bot.hears("!cortex memory list", ADMIN)
        assert "(1)" in bot.last
        assert "withheld" in bot.last
        assert "CANARY" not in bot.last
        await bot.hears("!cortex memory list", OWNER)
        assert "CANARY" in bot.last


async def test_a_long_list_says_what_it_leaves_out(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        for number in range(25):
            await bot.remembers(f"Fact number {number}")
        await bot.hears("!cortex memory", OWNER)
        assert "(25)" in "".join(sent.text for sent in bot.private)
        assert "5 more" in bot.last
