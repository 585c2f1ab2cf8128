"""A moderator proposes, the admins of the channel decide: once, in time, each for themselves."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach, MemoryScope
from bot.sentences import say
from bot.text.times import plain_times
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, SILENCING, chat, config, dm_of
from tests.bot.cortex.moderators import BOB, ELSEWHERE, MODERATOR, PEOPLE, SECOND, asks, moderates, told

NAME = handle(HandleKind.MEMORY, 1)
WHY = "It silences ann, and *nobody* asked."
PROPOSE = f'memory propose forget {NAME} "{WHY}"'
DAY = 86_400
ALREADY = [f"Done at 08:{minute} UTC already." for minute in (53, 54)]
REACH = MemoryReach(agent=MAIN, channel=GENERAL, guild_id="1")


@pytest.fixture
async def bot(tmp_path):
    settings = config(tmp_path / "data", platforms={"console": PEOPLE})
    async with chat(tmp_path, settings=settings) as bot:
        moderates(bot, MODERATOR, GENERAL)
        moderates(bot, ELSEWHERE, SECOND)
        await bot.hears("hello")
        await bot.remembers(SILENCING, provenance=BOB)
        yield bot


async def forgotten(bot, row: int = 1) -> bool:
    memory = await bot.store.memories.get(row)
    return bool(memory.forgotten_at)


def card(bot, who: str):
    mine = (sent for sent in bot.private if sent.to.private_to == who)
    return [sent for sent in mine if "Approve" in {one.label for one in sent.buttons}][-1]


async def decides(bot, who: str, label: str) -> str:
    (button,) = (one for one in card(bot, who).buttons if one.label == label)
    return plain_times(await bot.press_data(button.data, who))


async def test_an_admin_approves_and_everybody_hears_of_it(bot):
    assert await asks(bot, MODERATOR, PROPOSE) == (
        f"Proposed to 3 admins: {NAME}. Their decision comes here within 7 days, or not at all."
    )
    for who in (OWNER, ADMIN, ADMIN_TOO):
        text = card(bot, who).text
        assert text.startswith("user5 (id 5), a moderator, proposes to forget what I remember in #general:")
        assert SILENCING in text and WHY in text and "This can be undone for 24 h." in text
    assert not await forgotten(bot)
    assert await decides(bot, ADMIN, "Approve") == "Done."
    assert await forgotten(bot)
    assert told(bot, MODERATOR)[-1] == f"✓ user2 approved: {NAME} is forgotten."
    for who, label in ((ADMIN_TOO, "Approve"), (OWNER, "Decline"), (ADMIN, "Approve")):
        assert await decides(bot, who, label) in ALREADY
    assert await bot.presses("Undo", ADMIN) == "Undone."
    assert not await forgotten(bot)
    assert told(bot, MODERATOR)[-1] == f"user2 took that back: {NAME} is as it was."
    assert await decides(bot, ADMIN, "Approve") in ALREADY
    row = next(one for one in await bot.store.audit.newest(None, 20) if one.body.action == "forget memory")
    assert (row.body.actor, row.body.suggested) == (ADMIN, 1)


async def test_an_admin_declines(bot):
    await asks(bot, MODERATOR, PROPOSE)
    assert await decides(bot, ADMIN, "Decline") == "Kept. Nothing was changed."
    assert told(bot, MODERATOR)[-1] == f"user2 declined. {NAME} stays as it is."
    assert await decides(bot, OWNER, "Approve") in [
        f"Declined at 08:{minute} UTC. Nothing was changed." for minute in (53, 54)
    ]
    assert not await forgotten(bot)


async def test_who_presses_what_is_not_theirs_is_refused(bot):
    await asks(bot, MODERATOR, PROPOSE)
    (approve, _) = card(bot, ADMIN).buttons
    for who in (MODERATOR, ELSEWHERE, ANN, OWNER):
        for where in (dm_of(ADMIN), dm_of(who)):
            said = await bot.press_data(approve.data, who, where)
            assert said == "Only the person this was made for can press it."
    bot.platform.admins.discard((ADMIN, GENERAL))
    assert await decides(bot, ADMIN, "Approve") == "You may not inspect that channel now. Nothing was changed."
    assert await decides(bot, ADMIN, "Decline") == "You may not inspect that channel now. Nothing was changed."
    assert not await forgotten(bot)


async def test_late_is_too_late(bot):
    await asks(bot, MODERATOR, PROPOSE)
    bot.clock.advance(7 * DAY + 1)
    assert "expired" in await decides(bot, ADMIN, "Approve")
    assert not await forgotten(bot)
    assert told(bot, MODERATOR)[-1] == f"Nobody decided in time about {NAME}. Nothing was done."
    assert "expired" in await decides(bot, OWNER, "Decline")


async def test_what_has_changed_since_is_not_done(bot):
    await asks(bot, MODERATOR, PROPOSE)
    await bot.hears(f"!cortex memory forget {NAME}", OWNER)
    await bot.presses("Forget")
    await bot.presses("Undo")
    assert "has changed since" in await decides(bot, ADMIN, "Approve")
    assert told(bot, MODERATOR)[-1].startswith(f"{NAME} has changed since you proposed that.")


async def test_a_card_stands_over_a_restart_and_is_pressed_once(tmp_path):
    settings, seen = config(tmp_path / "data", platforms={"console": PEOPLE}), []
    async with chat(tmp_path, settings=settings) as bot:
        moderates(bot, MODERATOR, GENERAL)
        await bot.hears("hello")
        await bot.remembers(SILENCING, provenance=BOB)
        await asks(bot, MODERATOR, PROPOSE)
        seen = [one.data for who in (ADMIN, OWNER) for one in card(bot, who).buttons]
        clock = bot.clock
    async with chat(tmp_path, settings=settings, clock=clock) as bot:
        moderates(bot, MODERATOR, GENERAL)
        assert await bot.press_data(seen[0], ADMIN) == "Done."
        assert told(bot, MODERATOR) == [f"✓ user2 approved: {NAME} is forgotten."]
    async with chat(tmp_path, settings=settings, clock=clock) as bot:
        for data, who in zip(seen, (ADMIN, ADMIN, OWNER, OWNER), strict=True):
            assert (await bot.press_data(data, who)).endswith("already.")


async def test_what_cannot_be_proposed_says_why(bot):
    await bot.remembers("CANARY", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
    hidden = handle(HandleKind.MEMORY, 2)
    assert await asks(bot, MODERATOR, f'memory propose forget {hidden} "x"') == say("cortex.no-such-record")
    assert "Say why, for the admins" in await asks(bot, MODERATOR, f"memory propose forget {NAME}")
    assert "decide that yourself" in await asks(bot, ADMIN, PROPOSE)
    await asks(bot, MODERATOR, PROPOSE)
    assert "waits for an admin already" in await asks(bot, MODERATOR, PROPOSE)
    for number in range(4):
        name = handle(HandleKind.MEMORY, await bot.remembers(f"Fact {number}"))
        assert "Proposed to 3" in await asks(bot, MODERATOR, f"memory propose forget {name} x")
    last = handle(HandleKind.MEMORY, await bot.remembers("One too many"))
    assert "5 of your proposals wait" in await asks(bot, MODERATOR, f"memory propose forget {last} because")
    await decides(bot, ADMIN, "Decline")
    assert "Proposed to 3" in await asks(bot, MODERATOR, f"memory propose forget {last} because")


async def test_where_no_admin_can_be_reached_nothing_waits(bot):
    bot.platform.closed_dms |= {OWNER, ADMIN, ADMIN_TOO}
    assert "No admin of that channel can be reached" in await asks(bot, MODERATOR, PROPOSE)
    bot.platform.closed_dms.clear()
    assert "Proposed to 3" in await asks(bot, MODERATOR, PROPOSE)


async def test_an_admin_who_may_not_look_there_gets_no_card(bot):
    bot.platform.admins.discard((ADMIN_TOO, GENERAL))
    bot.platform.readers.discard((ADMIN, GENERAL))
    assert "Proposed to 2" in await asks(bot, MODERATOR, PROPOSE)
    assert told(bot, ADMIN_TOO) == []
    assert SILENCING not in card(bot, ADMIN).text and "[withheld" in card(bot, ADMIN).text


async def test_other_words_take_the_place_of_a_memory_and_can_be_taken_back(bot):
    said = await asks(bot, MODERATOR, f'memory propose words {NAME} "Ann may be answered." "that was a joke"')
    assert "Proposed to 3" in said
    text = card(bot, ADMIN).text
    assert "proposes other words for what I remember" in text and "It would say instead:" in text
    assert "Ann may be answered." in text and "that was a joke" in text
    assert await decides(bot, ADMIN, "Approve") == "Done."
    assert told(bot, MODERATOR)[-1] == f"✓ user2 approved: {NAME} says it in your words now."
    new = await bot.store.memories.get(2)
    assert (new.body.content, new.body.provenance.author, new.body.provenance.by_admin) == (
        "Ann may be answered.",
        MODERATOR,
        False,
    )
    assert [one.id for one in (await bot.store.memories.weightiest(REACH, 10))[0]] == [2]
    await bot.presses("Undo", ADMIN)
    assert [one.id for one in (await bot.store.memories.weightiest(REACH, 10))[0]] == [1]


async def test_several_become_one(bot):
    other = handle(HandleKind.MEMORY, await bot.remembers("Do not answer her."))
    await asks(bot, MODERATOR, f'memory propose merge {NAME} {other} "Ann is answered." "twice the same"')
    await decides(bot, OWNER, "Approve")
    assert [one.id for one in (await bot.store.memories.weightiest(REACH, 10))[0]] == [3]
    elsewhere = handle(HandleKind.MEMORY, await bot.remembers("x", scope=MemoryScope.GUILD, scope_id="1"))
    said = await asks(bot, MODERATOR, f'memory propose merge {NAME} {elsewhere} "Ann" "why not"')
    assert "not known in the same place" in said


async def test_new_words_for_what_is_forgotten_meanwhile_are_not_remembered(bot):
    await asks(bot, MODERATOR, f'memory propose words {NAME} "Ann may be answered." "a joke"')
    await bot.hears(f"!cortex memory forget {NAME}", OWNER)
    await bot.presses("Forget")
    assert "has changed since" in await decides(bot, ADMIN, "Approve")
    assert await bot.store.memories.get(2) is None
