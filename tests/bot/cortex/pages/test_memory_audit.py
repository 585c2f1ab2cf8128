from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryProvenance, MemoryScope, MemoryType, RelationKind
from tests.bot.cortex.chat import ADMIN, OWNER, chat
from tests.fakes import values as v
from tests.fakes.provider import calls, says

SECOND = ChannelId("console:#second")


async def test_list_search_and_by(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.remembers("Ann likes tea.")
        bob = MemoryProvenance(author=UserId("200"), author_name="Bob")
        await bot.remembers("The server moves on Monday.", provenance=bob)
        await bot.hears("!cortex memory list", OWNER)
        assert bot.last.startswith("#general: 2 remembered")
        await bot.hears("!cortex memory search monday", OWNER)
        assert "Monday" in bot.last
        assert "tea" not in bot.last
        for who in ("200", "<@200>", "@bob"):
            await bot.hears(f"!cortex memory by {who}", OWNER)
            assert "Monday" in bot.last
            assert "tea" not in bot.last
        await bot.hears("!cortex memory by 300", OWNER)
        assert bot.last.startswith("#general: 0 remembered\nOnly: by 300")


async def test_what_was_learnt_elsewhere_is_counted_and_withheld(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.remembers("CANARY", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
        await bot.hears("!cortex memory list", ADMIN)
        assert bot.last.startswith("#general: 0 remembered")
        assert "1 more was learnt where you cannot read: withheld" in bot.last
        assert "CANARY" not in bot.last
        await bot.hears("!cortex memory list", OWNER)
        assert "CANARY" in bot.last


async def test_a_long_list_says_what_it_leaves_out(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        for number in range(25):
            await bot.remembers(f"Fact number {number}")
        await bot.hears("!cortex memory", OWNER)
        assert bot.last.startswith("#general: 25 remembered, page 1 of 4")
        seen = bot.last
        while "Older" in (labels := [one.label for one in bot.private[-1].buttons])[-1]:
            await bot.presses("Older")
            seen += bot.last
        assert all(f"Fact number {number}" in seen for number in range(25)) and labels == ["‹ Newer"]
        await bot.presses("‹ Newer")
        assert bot.last.startswith("#general: 25 remembered, page 3 of 4")
        await bot.hears("!cortex memory list page 9", OWNER)
        assert "There are 4 pages." in bot.last


async def test_what_contradicts_or_replaces_another_is_said_at_both(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        older = await bot.remembers("Tea is at four.")
        newer = await bot.remembers("Tea is at five.", relations=(v.relation(older, RelationKind.CONTRADICTS, 0.8),))
        await bot.remembers("Tea is at six.", relations=(v.relation(newer, RelationKind.UPDATES, 1),))
        first, second, third = (handle(HandleKind.MEMORY, row) for row in (older, newer, newer + 1))
        await bot.hears("!cortex memory list", OWNER)
        assert f"  contradicted by {second} (0.80)" in bot.last
        assert f"  contradicts {first} (0.80)\n  updated by {third}\n" in bot.last
        await bot.hears(f"!cortex memory show {second}", OWNER)
        assert f"It contradicts {first} (0.80)\nIt is updated by {third}\n" in bot.last
        await bot.hears(f"!cortex memory forget {third}", OWNER)
        await bot.presses("Forget")
        await bot.hears(f"!cortex memory show {second}", OWNER)
        assert f"It contradicts {first} (0.80)\n" in bot.last and "updated" not in bot.last


async def test_a_memory_that_is_alone_has_no_line_of_relations(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        row = await bot.remembers("Tea is at four.")
        await bot.hears(f"!cortex memory show {handle(HandleKind.MEMORY, row)}", OWNER)
        assert "It " not in bot.last


async def test_a_model_updates_what_it_remembered_and_the_next_request_shows_the_new_one_alone(tmp_path):
    old = handle(HandleKind.MEMORY, 1)
    wish = {"content": "Tea is at five.", "type": "fact", "relations": [{"kind": "updates", "memory": old}]}
    async with chat(tmp_path, says("hi"), calls(("memory_save", wish)), says("noted"), says("at five")) as bot:
        await bot.hears("hello")
        await bot.remembers("Tea is at four.", type=MemoryType.FACT)
        await bot.hears("tea is at five from now on")
        await bot.hears("when is tea?")
        before, after = (bot.provider.requests[n].system_text for n in (1, 3))
        assert "Tea is at four." in before and "Tea is at five." not in before
        assert "Tea is at five." in after and "Tea is at four." not in after
        await bot.hears(f"!cortex memory show {old}", OWNER)
        assert f"It is updated by {handle(HandleKind.MEMORY, 2)}" in bot.last
