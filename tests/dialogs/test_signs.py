"""Nothing has to be typed: an admin picks Why? on a message, or reacts to it, and reads why in private."""

from __future__ import annotations

import pytest

from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_sources import ANSWER, MADE_OF, scripted
from tests.fakes.provider import ScriptedProvider, fails

FAILING = "the service is failing"
SIGN, THINKING = "❓", "🤔"


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        await bot.app.publish("discord")
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        bot.world.promote(bot.kitchen, bot.me)
        yield bot


async def reacts(bot, who, message, *signs: str) -> None:
    """Let somebody put signs on a message, or take all of theirs back, and wait until all is done."""
    if bot.name == "discord":
        for sign in signs:
            await who.reacts(message, sign)
        if not signs:
            await who.reacts(message, SIGN, back=True)
    else:
        bot.world.react(message, who, *signs)
    await bot.settled()
    bot.clock.advance(1)


async def test_on_discord_the_menu_of_a_message_asks_why(discord):
    bot = discord
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    before = bot.texts()
    await bot.picks(bot.root, "Why?", said)
    assert FAILING in bot.private(bot.root)
    assert bot.texts() == before and said.reactions == {}
    with pytest.raises(ValueError, match="needs permissions"):
        await bot.picks(bot.ann, "Why?", said)


async def test_on_discord_the_menu_of_an_answer_asks_what_it_was_made_of(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.app.publish("discord")
        await bot.hears(bot.ann, f"{bot.at} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{bot.at} when do we raid?")
        await bot.picks(bot.root, "Why?", next(one for one in answers if ANSWER in one.text))
        assert MADE_OF in bot.private(bot.root) and "A message by Ann" in bot.private(bot.root)


async def test_on_discord_whose_direct_messages_are_closed_reads_it_where_nobody_else_does(discord):
    bot = discord
    bot.root.takes_dms = False
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    picked = await bot.picks(bot.root, "Why?", said)
    assert any(FAILING in message.text for message in picked.shown)
    assert not any(FAILING in text for text in bot.texts())


async def test_on_discord_a_question_mark_of_an_admin_asks_why_and_nothing_shows_in_the_channel(discord):
    bot = discord
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    before = bot.texts()
    await reacts(bot, bot.mod, said, SIGN)
    assert FAILING in bot.private(bot.mod)
    assert bot.texts() == before and list(said.reactions) == [SIGN]


async def test_on_discord_a_question_mark_on_an_answer_asks_what_it_was_made_of(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.hears(bot.ann, f"{bot.at} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{bot.at} when do we raid?")
        await reacts(bot, bot.root, next(one for one in answers if ANSWER in one.text), SIGN)
        assert MADE_OF in bot.private(bot.root)
        assert labels_of(bot.written(bot.dm(bot.root))[-1], "Show")


async def test_on_telegram_the_thinking_face_of_an_admin_asks_why(telegram):
    bot = telegram
    said = bot.say(bot.ann, f"{AT} are you there?")
    await bot.settled()
    before = bot.texts()
    await reacts(bot, bot.root, said, THINKING)
    assert FAILING in bot.private(bot.root)
    assert bot.texts() == before
    assert set(said.reactions) == {bot.root.id}, "the bot shows nothing"


async def test_on_telegram_a_message_of_a_topic_is_found_after_a_restart(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        forum = bot.world.supergroup("forum", bot.root, bot.ann, bot.me, forum=True)
        bot.world.promote(forum, bot.me)
        topic = bot.world.topic(forum, "raids", bot.root)
        said = bot.say(bot.ann, f"{AT} are you there?", forum, topic=topic)
        await bot.settled()
        await bot.restart()
        await reacts(bot, bot.root, said, THINKING)
        assert FAILING in bot.private(bot.root)


async def test_a_sign_on_what_never_reached_the_bot_is_not_taken_for_another_message(tmp_path):
    model, unread = ScriptedProvider(fails()), "backfill_hours = 0\n"
    async with a_discord_bot(tmp_path / "data", model=model, begins=False, platform=unread) as bot:
        missed = await bot.says(bot.ann, "is it up yet?")
        await bot.open()
        await bot.settled()
        await bot.hears(bot.ann, f"{bot.at} are you there?")
        await reacts(bot, bot.root, missed, SIGN)
        assert "never reached me" in bot.private(bot.root)


async def test_doctor_says_that_no_sign_is_heard_where_the_bot_is_no_admin(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        await bot.hears(bot.root, "/cortex doctor")
        assert "so it can't see reactions" in bot.private(bot.root)
        bot.world.promote(bot.kitchen, bot.me)
        await bot.hears(bot.root, "/cortex doctor")
        assert bot.private(bot.root).count("so it can't see reactions") == 1


async def test_on_discord_a_sign_of_anybody_else_says_nothing_anywhere(discord):
    bot = discord
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    before = bot.written()
    await reacts(bot, bot.ann, said, SIGN)
    assert bot.written() == before


async def test_on_telegram_a_sign_of_anybody_else_says_nothing_anywhere(telegram):
    bot = telegram
    said = bot.say(bot.ann, f"{AT} are you there?")
    await bot.settled()
    before = bot.written()
    await reacts(bot, bot.ann, said, THINKING)
    assert bot.written() == before


async def test_signs_on_and_off_are_one_question(discord):
    bot = discord
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    for _ in range(3):
        await reacts(bot, bot.root, said, SIGN)
        await reacts(bot, bot.root, said)
    assert bot.private(bot.root).count("rules only") == 1
    bot.clock.advance(60)
    await reacts(bot, bot.root, said, SIGN)
    assert bot.private(bot.root).count("rules only") == 2


async def test_signs_are_counted_like_typed_questions(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(fails()), asks=2) as bot:
        said = [await bot.says(bot.ann, f"{bot.at} one {number}") for number in range(4)]
        await bot.settled()
        before = bot.texts()
        for message in said:
            await reacts(bot, bot.root, message, SIGN)
        assert bot.private(bot.root).count("rules only") == 2
        assert bot.private(bot.root).count("ask it again in a minute") == 1
        assert bot.texts() == before


async def test_with_direct_messages_closed_a_sign_leaves_no_word_in_the_channel(discord):
    bot = discord
    bot.root.takes_dms = False
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    before = bot.texts()
    await reacts(bot, bot.root, said, SIGN)
    assert bot.texts() == before and list(said.reactions) == [SIGN]


async def test_a_sign_on_a_report_is_no_new_question(discord):
    bot = discord
    said = await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    await reacts(bot, bot.root, said, SIGN)
    before = bot.private(bot.root)
    await reacts(bot, bot.root, bot.written(bot.dm(bot.root))[-1], SIGN)
    assert bot.private(bot.root) == before


async def test_asking_by_a_sign_can_be_switched_off(tmp_path):
    async with a_discord_bot(
        tmp_path / "data", model=ScriptedProvider(fails()), more="why_by_reaction = false\n"
    ) as bot:
        said = await bot.says(bot.ann, f"{bot.at} are you there?")
        await bot.settled()
        await reacts(bot, bot.root, said, SIGN)
        assert bot.private(bot.root) == ""
