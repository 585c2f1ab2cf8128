"""What came of a memory: counted, listed, and taken back with all of it."""

from __future__ import annotations

import re

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryProvenance, MemoryScope
from tests.bot.cortex.chat import ADMIN, OWNER, STRANGER, chat
from tests.fakes.provider import calls, says

SECOND = ChannelId("console:#second")
SAVES = [calls(("memory_save", {"content": "hello means tea", "type": "fact"})), says("noted")]


def name(row: int) -> str:
    return handle(HandleKind.MEMORY, row)


async def test_a_memory_is_followed_from_the_requests_to_what_was_saved_there(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), *SAVES, says("yes")) as bot:
        await bot.hears("hi there")
        first = await bot.remembers("Ann likes tea.")
        await bot.hears("remember that hello means tea")
        await bot.hears("hello?")
        await bot.hears(f"!cortex memory spread {name(first)}", OWNER)
        assert bot.last == snapshot(name="counts")
        assert all(len(line) <= 40 for line in bot.last.split("```")[1].splitlines())
        await bot.presses("Requests")
        assert re.sub(r"\d\d:\d\d", "HH:MM", bot.last) == snapshot(name="requests")
        await bot.presses("Counts")
        assert "memories" in bot.last
        await bot.presses("Memories")
        assert name(first + 1) in bot.last and name(first) not in bot.last.splitlines()[2]


async def test_what_nobody_was_told_came_to_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        row = await bot.remembers("Ann likes tea.")
        await bot.hears(f"!cortex memory spread {name(row)}", OWNER)
        assert "no record" in bot.last


async def test_of_a_person_and_of_a_time(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        james = MemoryProvenance(author=UserId("200"), author_name="James")
        await bot.remembers("The door is green.", provenance=james)
        await bot.remembers("The door is red.", provenance=james)
        await bot.remembers("Ann likes tea.")
        await bot.hears("which colour?")
        for asked in ("by james", "by 200", "by <@200> 2h", "by @James since 1d"):
            await bot.hears(f"!cortex memory spread {asked}", OWNER)
            assert "2 memories by James" in bot.last, asked
        await bot.presses("Requests")
        assert "1 to 1 of 1" in bot.last
        await bot.hears("!cortex memory spread since 2h", OWNER)
        assert "3 memories saved since" in bot.last
        await bot.hears("!cortex memory spread by 300", OWNER)
        assert "Nothing of theirs" in bot.last


async def test_what_happened_where_an_admin_may_not_look_is_counted_and_withheld(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        row = await bot.remembers("Ann likes tea.", scope=MemoryScope.GUILD, scope_id="1")
        await bot.hears("hello again")
        await bot.hears("hello again", channel=SECOND)
        await bot.hears(f"!cortex memory spread {name(row)}", ADMIN)
        assert "2 more are not shown to you" in bot.last
        await bot.presses("Requests", ADMIN)
        assert "1 to 1 of 1" in bot.last and "second" not in bot.last
        await bot.hears(f"!cortex memory spread {name(row)}", OWNER)
        assert "not shown" not in bot.last


async def test_a_memory_of_a_channel_that_one_may_not_see_does_not_exist(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        row = await bot.remembers("CANARY", channel=SECOND, scope_id=SECOND)
        await bot.hears(f"!cortex memory spread {name(row)}", ADMIN)
        assert "no such record" in bot.last.lower()
        before = len(bot.private)
        await bot.hears(f"!cortex memory spread {name(row)}", STRANGER)
        assert len(bot.private) == before


async def test_all_that_came_of_it_is_forgotten_and_comes_back(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), *SAVES, says("yes")) as bot:
        await bot.hears("hi there")
        first = await bot.remembers("Ann likes tea.")
        await bot.hears("remember that hello means tea")
        await bot.hears(f"!cortex memory spread {name(first)}", OWNER)
        await bot.presses("Forget all")
        assert bot.last == snapshot(name="offer")
        kept = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert not any(memory.forgotten_at for memory in kept)
        await bot.presses("Take back")
        assert bot.last == snapshot(name="done")
        gone = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert all(memory.forgotten_at for memory in gone)
        await bot.presses("Undo")
        back = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert not any(memory.forgotten_at for memory in back)
        assert "undone" in bot.last
