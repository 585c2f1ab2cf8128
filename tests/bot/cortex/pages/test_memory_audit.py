from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import UserId
from bot.domain.memory import MemoryProvenance, MemoryScope, MemoryType, RelationKind
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns
from bot.text.times import plain_times
from tests.bot.cortex.chat import ADMIN, OWNER, chat, config
from tests.bot.cortex.moderators import MODERATOR, PEOPLE, SECOND, asks, moderates, told
from tests.fakes import values as v
from tests.fakes.provider import calls, says


async def test_list_search_and_by(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.remembers("Ann likes tea.")
        bob = MemoryProvenance(author=UserId("200"), author_name="Bob")
        await bot.remembers("The server moves on Monday.", provenance=bob)
        await bot.hears("!cortex memory list", OWNER)
        assert bot.last.startswith("#general: 2 memories")
        await bot.hears("!cortex memory search monday", OWNER)
        assert "Monday" in bot.last
        assert "tea" not in bot.last
        for who in ("200", "<@200>", "@bob"):
            await bot.hears(f"!cortex memory by {who}", OWNER)
            assert "Monday" in bot.last
            assert "tea" not in bot.last
        await bot.hears("!cortex memory by 300", OWNER)
        assert bot.last.startswith("#general: nothing remembered\nOnly: by 300")


async def test_what_was_learnt_elsewhere_is_counted_and_withheld(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.remembers("CANARY", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
        await bot.hears("!cortex memory list", ADMIN)
        assert bot.last.startswith("#general: nothing remembered")
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
        assert bot.last.startswith("#general: 25 memories, page 1 of 4")
        seen = bot.last
        while "Older" in (labels := [one.label for one in bot.private[-1].buttons])[-1]:
            await bot.presses("Older")
            seen += bot.last
        assert all(f"Fact number {number}" in seen for number in range(25)) and labels == ["‹ Newer"]
        await bot.presses("‹ Newer")
        assert bot.last.startswith("#general: 25 memories, page 3 of 4")
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


LONG = "James told the bot never to answer Ann in the kitchen again, because her question was about the old cellar."
WIDE = "会議は毎週月曜日の午前十時に三階の大会議室で行われます。遅れないでください。"


async def test_pages_are_read_on_a_phone(tmp_path, snapshot):
    settings = config(tmp_path / "data", platforms={"console": PEOPLE})
    async with chat(tmp_path, says("yes"), settings=settings) as bot:
        moderates(bot, MODERATOR, v.GENERAL)
        await bot.hears("hello")
        now, day = bot.clock.now(), 86_400_000
        long_named = MemoryProvenance(
            author=UserId("300"), author_name="Maximilian von und zu Hohenstein", message_id="41", inbound=1
        )
        await bot.remembers("Tea is at four.", created_at=now - 3 * day, type=MemoryType.FACT)
        await bot.remembers(
            "Tea is at five.", provenance=long_named, relations=(v.relation(1, RelationKind.CONTRADICTS, 1),)
        )
        await bot.remembers(WIDE, type=MemoryType.OBSERVATION, provenance=long_named, created_at=now - 400 * day)
        await bot.remembers("**bold** @everyone https://evil.example/x \u202e`code`", type=MemoryType.PREFERENCE)
        await bot.remembers(LONG, provenance=long_named, created_at=now - 7_200_000)
        await bot.remembers("said elsewhere", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
        gone = handle(HandleKind.MEMORY, 4)
        await bot.hears(f"!cortex memory forget {gone}", OWNER)
        await bot.presses("Forget")
        pages = []
        for line in (
            "memory list",
            "memory list type fact by ann older 1d",
            "memory search nothing",
            f"memory show {handle(HandleKind.MEMORY, 2)}",
            f"memory show {handle(HandleKind.MEMORY, 5)}",
            f'memory propose forget {handle(HandleKind.MEMORY, 5)} "It silences Ann."',
            f'memory propose words {handle(HandleKind.MEMORY, 1)} "Tea is at six." "It was moved."',
            "why",
        ):
            pages.append(f"> !cortex {line}\n{await asks(bot, MODERATOR, line)}")
        pages += [f"# the card of an admin\n{text}" for text in told(bot, OWNER)[-2:]]
        pages.append(f"> !cortex memory list server\n{await asks(bot, OWNER, 'memory list server')}")
        fenced = [row for page in pages for block in page.split("```")[1::2] for row in block.splitlines()]
        listed = [row for row in fenced if row.startswith("  ") or "…" in row]
        assert listed and all(columns(row) <= MAX_PHONE_COLUMNS for row in listed), listed
        assert plain_times("\n\n".join(pages)) == snapshot
