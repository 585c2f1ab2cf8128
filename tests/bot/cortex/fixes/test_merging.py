"""One fact that is remembered twice: found at save, shown to those who look through it, made one by an admin."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach, MemoryScope, RelationKind
from bot.tools.memory_save import RelationArg
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, chat, config
from tests.bot.cortex.fixes.test_moderator_proposals import card, decides
from tests.bot.cortex.moderators import BOB, MODERATOR, PEOPLE, asks, moderates, told
from tests.fakes.provider import calls, says

REACH = MemoryReach(agent=MAIN, channel=GENERAL, guild_id="1")
FIRST, SECOND, THIRD = (handle(HandleKind.MEMORY, row) for row in (1, 2, 3))


def saves(content: str):
    return calls(("memory_save", {"content": content, "type": "fact"})), says("noted")


SAID = (
    "Ann drinks tea at work",
    "ann drinks TEA at work!",
    "Ann always drinks tea at work",
    "Tea is at 16:00",
    "Tea is at 17:00",
)


@pytest.fixture
async def bot(tmp_path):
    script = [step for content in (*SAID, SAID[0]) for step in saves(content)]
    settings = config(tmp_path / "data", platforms={"console": PEOPLE})
    async with chat(tmp_path, *script, settings=settings) as bot:
        moderates(bot, MODERATOR, GENERAL)
        for content in SAID:
            await bot.hears(f"remember: {content}")
        yield bot


async def counting(bot) -> list[tuple[int, int]]:
    found, _ = await bot.store.memories.weightiest(REACH, 10)
    return sorted((one.id, one.body.confirmed) for one in found)


async def test_what_is_said_again_is_counted_and_what_is_nearly_said_again_is_shown(bot):
    assert await counting(bot) == [(1, 2), (2, 1), (3, 1), (4, 1)]
    await bot.hears("!cortex memory list", OWNER)
    assert "  said 2 times, last " in bot.last
    assert f"  resembles {FIRST}" in bot.last
    assert f"  contradicts {THIRD}" in bot.last
    assert f"`memory merge {FIRST} {SECOND}` makes one of two." in bot.last
    await bot.hears("!cortex memory list alike", OWNER)
    assert bot.last.startswith("#general: 2 memories\nOnly: nearly the same, not forgotten")
    await bot.hears("!cortex memory list disputed", OWNER)
    assert bot.last.startswith("#general: 2 memories\nOnly: contradicting each other") and "17:00" in bot.last
    await bot.hears(f"!cortex memory show {FIRST}", OWNER)
    assert "said 2 times, last" in bot.last and f"It resembles {SECOND}" in bot.last
    assert f"`memory merge {FIRST} {SECOND}` makes one of two" in bot.last


async def test_an_admin_merges_what_was_shown_and_takes_it_back(bot):
    before = await counting(bot)
    await bot.hears(f"!cortex memory merge {FIRST} {SECOND}", ADMIN)
    assert bot.last.startswith(
        f"Merge 2 memories?\n{FIRST} stays as it is, and counts as said 3 times. The others are forgotten."
    )
    assert "Ann drinks tea at work" in bot.last and "Ann always drinks tea at work" in bot.last
    assert await counting(bot) == before
    await bot.presses("Merge", ADMIN)
    assert f"✓ {FIRST} now also stands for {SECOND}" in bot.last and "can be undone" in bot.last
    assert await counting(bot) == [(1, 3), (3, 1), (4, 1)]
    for name in (FIRST, SECOND):
        await bot.hears(f"!cortex memory history {name}", ADMIN)
        assert "merged with another" in bot.last
    await bot.hears("!cortex memory list", ADMIN)
    assert "resembles" not in bot.last
    await bot.presses("Undo", ADMIN)
    assert await counting(bot) == before
    for name in (FIRST, SECOND):
        await bot.hears(f"!cortex memory history {name}", ADMIN)
        assert "merge undone" in bot.last


async def test_two_that_may_be_one_are_merged_by_the_buttons_of_their_list(bot):
    await bot.hears("!cortex memory list alike", ADMIN)
    await bot.presses(f"Merge {FIRST} + {SECOND}…", ADMIN)
    assert bot.last.startswith(f"Merge 2 memories?\n{FIRST} stays as it is, and counts as said 3 times.")
    await bot.presses("Merge", ADMIN)
    assert await counting(bot) == [(1, 3), (3, 1), (4, 1)]
    assert "no longer two memories" in await bot.presses(f"Merge {FIRST} + {SECOND}…", ADMIN)
    await bot.hears("!cortex memory list", ADMIN)
    assert not any(button.label.startswith("Merge") for button in bot.platform.sent[-1].buttons)


async def test_a_moderator_proposes_it_by_the_button_and_nobody_else_may_press_it(bot):
    await asks(bot, MODERATOR, "memory list alike")
    label = f"Propose merging {FIRST} + {SECOND}"
    assert await bot.presses(label, ADMIN), "it is the moderator's button"
    assert await counting(bot) == [(1, 2), (2, 1), (3, 1), (4, 1)]
    assert not (await bot.presses(label, MODERATOR))
    assert told(bot, MODERATOR)[-1].startswith("Proposed to 3")
    assert await decides(bot, ADMIN, "Approve") == "Done."
    assert await counting(bot) == [(1, 3), (3, 1), (4, 1)]


async def test_what_was_said_once_more_meanwhile_stays_counted(bot):
    await bot.hears(f"!cortex memory merge {FIRST} {SECOND}", ADMIN)
    await bot.presses("Merge", ADMIN)
    await bot.hears(f"remember: {SAID[0]}")
    assert (1, 4) in await counting(bot)
    await bot.presses("Undo", ADMIN)
    assert await counting(bot) == [(1, 3), (2, 1), (3, 1), (4, 1)]


async def test_a_moderator_proposes_it_and_an_admin_approves(bot):
    assert "Proposed to 3" in await asks(bot, MODERATOR, f'memory propose merge {FIRST} {SECOND} "twice the same"')
    text = card(bot, ADMIN).text
    assert "proposes to make one of what I remember in #general" in text and "twice the same" in text
    assert f"{FIRST} would stand for all of them, in its own words; the others would be forgotten." in text
    assert await decides(bot, ADMIN, "Approve") == "Done."
    assert told(bot, MODERATOR)[-1] == f"✓ user2 approved: {FIRST}, {SECOND} are one now."
    assert await counting(bot) == [(1, 3), (3, 1), (4, 1)]


async def test_what_has_changed_since_is_not_merged(bot):
    await bot.hears(f"!cortex memory merge {FIRST} {SECOND}", ADMIN)
    await bot.hears(f"!cortex memory forget {SECOND}", OWNER)
    await bot.presses("Forget", OWNER)
    assert "changed since" in await bot.presses("Merge", ADMIN)
    assert (1, 2) in await counting(bot)


async def test_what_cannot_be_merged_says_why(bot):
    elsewhere = handle(
        HandleKind.MEMORY, await bot.remembers("x", scope=MemoryScope.GUILD, scope_id="1", provenance=BOB)
    )
    await bot.hears(f"!cortex memory merge {FIRST} {elsewhere}", OWNER)
    assert "not known in the same place" in bot.last
    await bot.hears(f"!cortex memory forget {SECOND}", OWNER)
    await bot.presses("Forget")
    await bot.hears(f"!cortex memory merge {FIRST} {SECOND}", OWNER)
    assert "One of them is forgotten already." in bot.last
    assert "memory propose merge" in await asks(bot, MODERATOR, f"memory propose merge {FIRST} {THIRD}")


async def test_a_rollback_takes_a_merging_back_too(bot):
    before = await counting(bot)
    bot.clock.advance(600)
    await bot.hears(f"!cortex memory merge {FIRST} {SECOND}", ADMIN)
    await bot.presses("Merge", ADMIN)
    assert await counting(bot) != before
    await bot.hears("!cortex memory rollback 5min", OWNER)
    await bot.presses("Undo 2 changes", OWNER)
    assert await counting(bot) == before


def test_code_alone_links_what_resembles():
    assert RelationKind.RESEMBLES.value not in str(RelationArg.model_json_schema())
