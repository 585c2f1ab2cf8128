"""What others do with an answer after it was delivered is in its trail, and in what `why` says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.domain.ledger import LedgerStage
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.reading import report
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.servers.discord import Alters, Message, posting


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


async def answered(bot: DiscordBot, text: str = "say yes") -> Message:
    (answer,) = await bot.hears(bot.ann, f"{bot.at} {text}")
    return answer


async def afterwards(bot: DiscordBot | TelegramBot) -> list[tuple[str, str]]:
    """What the trail of the newest message that was answered says of the time after the answer."""
    found = await bot.store.ledger.recent(bot.key(), 50)
    asked = next(one for one in found if one.outcome == "replied")
    trail = await bot.store.ledger.trail(asked.id)
    rows = [row for row in trail.stages if row.stage is LedgerStage.AFTERWARDS]
    return [(row.reason, dict(row.detail).get("by") or dict(row.detail).get("what", "")) for row in rows]


async def test_an_answer_that_a_moderation_bot_deletes_at_once_is_no_silence_of_the_bot(discord):
    await discord.says(discord.ann, f"{discord.at} say yes")
    await discord.settled()
    (answer,) = discord.written(discord.kitchen)
    discord.clock.advance(0.4)
    await discord.world.sweeps(discord.world.bot("sweeper"), answer)
    await discord.settled()
    assert await afterwards(discord) == [("deleted", "")]
    text = await report(discord)
    assert "✗ #kitchen: answered, then deleted" in text and "all is well" not in text
    # the chat's own time flows on while the machine is busy
    assert re.search(r"0\.[4-9] s later", text) and "that fast, it was a program" in text


async def test_who_deleted_it_is_told_where_the_bot_may_read_the_audit_log(discord):
    discord.house.role("readers", "view_audit_log", members=(discord.me,))
    answer = await answered(discord)
    discord.clock.advance(90)
    await discord.mod.deletes(answer)
    await discord.settled()
    assert await afterwards(discord) == [("deleted", ""), ("deleted by", "a person")]
    text = await report(discord)
    assert "deleted 1 min later" in text and "audit log names" in text and "Mod" not in text


async def test_a_log_that_names_nobody_says_that_a_program_did_it(discord):
    discord.house.role("readers", "view_audit_log", members=(discord.me,))
    await discord.world.sweeps(discord.world.bot("sweeper"), await answered(discord))
    await discord.settled()
    assert "names no person: a bot did it" in await report(discord)


async def test_many_that_are_swept_at_once_are_told_of_with_the_bot_that_did_it(discord):
    discord.house.role("readers", "view_audit_log", members=(discord.me,))
    asked = await discord.says(discord.ann, f"{discord.at} say yes")
    await discord.settled()
    (answer,) = discord.written(discord.kitchen)
    sweeper = discord.world.bot("sweeper")
    discord.world.bots.pop(sweeper.token)
    await discord.world.sweeps(sweeper, asked, answer)
    await discord.settled()
    assert ("deleted by", "the bot sweeper") in await afterwards(discord)
    assert "the bot sweeper" in await report(discord)


async def test_nobody_is_asked_who_did_it_without_the_right(discord):
    await discord.mod.deletes(await answered(discord))
    await discord.settled()
    assert not discord.server.calls("get_audit_log")
    assert "Discord does not say who did it" in await report(discord)


async def test_a_deletion_that_is_told_before_the_answer_is_on_record_is_not_lost(discord):
    def sweep(said: dict[str, Any]) -> dict[str, Any]:
        posting.remove(discord.kitchen.messages[int(said["id"])])
        return said

    discord.server.fault("create_message", Alters(sweep))
    await discord.says(discord.ann, f"{discord.at} say yes")
    await discord.settled()
    assert await afterwards(discord) == [("deleted", "")]


async def test_one_of_several_parts(tmp_path):
    words = " ".join(f"word{number}" for number in range(500))
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(says(words))) as bot:
        parts = await bot.hears(bot.ann, f"{bot.at} much")
        assert len(parts) > 1
        await bot.mod.deletes(parts[-1])
        await bot.settled()
        assert f"1 of {len(parts)} parts of the answer" in await report(bot)


async def test_what_the_bot_takes_back_itself_is_no_deletion_by_others(discord):
    answer = await answered(discord)
    await discord.discord.retract(discord.key().channel, str(answer.id))
    await discord.settled()
    assert await afterwards(discord) == []


async def test_what_people_think_of_an_answer_is_in_its_trail(discord):
    await discord.james.reacts(await discord.says(discord.ann, "nothing for a bot"), "🔥")
    answer = await answered(discord)
    await discord.ann.reacts(answer, "👍")
    await discord.james.reacts(answer, "👍")
    await discord.james.reacts(answer, "👎")
    await discord.james.reacts(answer, "👎", back=True)
    await discord.settled()
    told = [what for reason, what in await afterwards(discord) if reason == "reaction"]
    assert told == ["+👍", "+👍", "+👎", "-👎"]
    text = await report(discord)
    assert "👍 × 2" in text and "👎" not in text and "🔥" not in text and "all is well" in text


async def test_reactions_on_telegram_too_and_in_a_topic(telegram):
    telegram.world.promote(telegram.kitchen, telegram.me)
    (answer,) = await telegram.hears(telegram.ann, f"{AT} say yes")
    telegram.world.react(answer, telegram.ann, "👍")
    await telegram.settled()
    telegram.world.react(answer, telegram.ann, "🔥")
    await telegram.settled()
    assert await afterwards(telegram) == [("reaction", "+👍"), ("reaction", "+🔥 -👍")]
    assert "🔥" in await report(telegram)
    forum = telegram.world.supergroup("forum", telegram.root, telegram.ann, telegram.me, forum=True)
    telegram.world.promote(forum, telegram.me)
    topic = telegram.world.topic(forum, "tea")
    (answer,) = await telegram.hears(telegram.ann, f"{AT} say yes", forum, topic=topic)
    telegram.world.react(answer, telegram.ann, "👍")
    await telegram.settled()
    recent = await telegram.store.ledger.recent(telegram.key(forum, topic.id), 9)
    asked = next(one for one in recent if one.outcome == "replied")
    assert (await telegram.store.ledger.trail(asked.id)).stages[-1].stage is LedgerStage.AFTERWARDS


async def test_telegram_tells_nobody_of_deletions_and_the_report_says_so(telegram):
    (answer,) = await telegram.hears(telegram.ann, f"{AT} say yes")
    telegram.world.delete(answer)
    text = await report(telegram)
    assert "✓ kitchen: all is well" in text and "not checkable: whether people see it" in text


async def test_discord_tells_of_them_so_that_nothing_is_left_open(discord):
    await answered(discord)
    text = await report(discord)
    assert "all is well" in text and "everything checkable was checked" in text
