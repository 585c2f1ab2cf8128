"""The bot may not view or write any more where it used to answer: its owner gets one message, until it may again."""

from __future__ import annotations

import pytest

from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, says
from tests.servers.discord.place import VOICE


def cards(bot) -> list:
    """The messages about lost rights that stand in the owner's private chat."""
    return [one for one in bot.written(bot.dm(bot.root)) if one.text.startswith(("✗ I can no longer", "✓ Over: I can"))]


async def looks_again(bot) -> None:
    """Let the minute go by after which what stands is looked at again."""
    bot.clock.advance(60)
    bot.app.rights.look()
    await bot.settled()


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(says("yes"))) as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(says("yes"))) as bot:
        yield bot


async def test_on_discord_a_view_right_that_is_taken_is_told_with_who_took_it(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "view_channel")
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer view #kitchen.\n")
    assert "I used to answer there" in card.text and "Missing: View Channel." in card.text
    assert "I hear nothing from there" in card.text and "→ " in card.text
    assert labels_of(card, "Why?") and not labels_of(card, "Answer")
    bot.kitchen.allow(bot.house.everyone, "view_channel")
    await bot.settled()
    await looks_again(bot)
    (card,) = cards(bot)
    assert card.text.startswith("✓ Over: I can view #kitchen again.\nFrom ")


async def test_on_discord_who_took_the_right_is_named_where_discord_tells_it(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "view_channel")
    await bot.settled()
    (card,) = cards(bot)
    assert "＠everyone in the channel" in card.text and "Edit Channel, Permissions" in card.text


async def test_on_discord_a_channel_that_is_hidden_from_the_bot_keeps_its_name(discord):
    """What the bot may not view comes without its name, and without the overwrites that say whose doing it is."""
    bot = discord
    bot.world.switches.obfuscates = True
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "view_channel")
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer view #kitchen.\n")
    assert "Why: denied in the channel or its category; Discord does not say by whom." in card.text
    assert "hidden" not in bot.private(bot.root)
    bot.kitchen.allow(bot.house.everyone, "view_channel")
    await bot.settled()
    await looks_again(bot)
    assert cards(bot)[0].text.startswith("✓ Over: I can view #kitchen again.")


async def test_on_discord_a_write_right_that_is_taken_keeps_people_waiting_until_it_is_back(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "send_messages")
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer write in #kitchen.")
    assert "Missing: Send Messages" in card.text and "＠everyone in the channel" in card.text
    bot.kitchen.allow(bot.ann, "send_messages")
    await bot.hears(bot.ann, f"{bot.at} are you there?")
    await bot.settled()
    assert "1 person is waiting there for 1 answer." in cards(bot)[0].text
    assert "could not be delivered" not in bot.private(bot.root)
    bot.kitchen.allow(bot.house.everyone, "send_messages")
    await bot.settled()
    await looks_again(bot)
    (card,) = cards(bot)
    assert card.text.startswith("✓ Over: I can write in #kitchen again.") and labels_of(card, "Answer the 1…")
    await bot.presses(bot.root, "Answer the 1…")
    await bot.presses(bot.root, "Answer 1 message")
    assert bot.texts(bot.kitchen).count("yes") == 2


async def test_on_discord_a_role_that_loses_a_right_is_one_message_about_all_its_channels(discord):
    bot = discord
    yard = bot.house.channel("yard")
    await bot.hears(bot.ann, f"{bot.at} hello")
    await bot.hears(bot.ann, f"{bot.at} hello", yard)
    everyone = bot.house.everyone
    had = everyone.permissions
    bot.house.permit(everyone, "view_channel", "read_message_history")
    await bot.settled()
    await looks_again(bot)
    (card,) = cards(bot)
    first = card.text.partition("\n")[0]
    ways = [f"{one} and {other}" for one, other in (("#kitchen", "#yard"), ("#yard", "#kitchen"))]
    assert first in [f"✗ I can no longer write in {way}." for way in ways]
    assert "Missing: Send Messages" in card.text
    everyone.permissions = had
    await looks_again(bot)
    await looks_again(bot)
    (card,) = cards(bot)
    assert card.text.startswith("✓ Over: I can write in #") and "and 1 more again" in card.text


async def test_on_discord_a_timeout_is_told_with_its_end(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.house.time_out(bot.me, 3600)
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer write in #kitchen.")
    assert "Somebody timed me out on that server, until" in card.text


async def test_on_discord_nobody_is_told_where_it_never_answered_and_nothing_is_told_twice(discord):
    bot = discord
    yard = bot.house.channel("yard")
    await bot.hears(bot.ann, "hello everybody", yard)
    yard.deny(bot.house.everyone, "view_channel")
    await bot.settled()
    assert cards(bot) == []
    await bot.hears(bot.ann, f"{bot.at} hello")
    for _ in range(3):
        bot.kitchen.deny(bot.house.everyone, "view_channel")
        await bot.settled()
        bot.kitchen.allow(bot.house.everyone, "view_channel")
        await bot.settled()
    assert len(cards(bot)) == 1


async def test_on_discord_an_attachment_right_is_none_of_these(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "attach_files", "add_reactions")
    await bot.settled()
    assert cards(bot) == []


async def test_on_discord_the_message_goes_on_after_a_restart(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "send_messages")
    await bot.settled()
    await bot.restart()
    await bot.settled()
    await looks_again(bot)
    assert len(cards(bot)) == 1 and cards(bot)[0].text.startswith("✗")
    bot.kitchen.allow(bot.house.everyone, "send_messages")
    await bot.settled()
    await looks_again(bot)
    assert len(cards(bot)) == 1 and cards(bot)[0].text.startswith("✓ Over")


async def test_on_discord_a_right_that_went_while_the_bot_was_down_is_found(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    await bot.close()
    bot.kitchen.deny(bot.house.everyone, "view_channel")
    await bot.open()
    await bot.settled()
    await looks_again(bot)
    assert cards(bot)[0].text.startswith("✗ I can no longer view #kitchen.")


async def test_on_discord_why_is_answered_from_the_message(discord):
    bot = discord
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.kitchen.deny(bot.house.everyone, "view_channel")
    await bot.settled()
    await bot.presses(bot.root, "Why?")
    assert "#kitchen: the bot can't view it" in bot.private(bot.root)


async def test_on_telegram_a_restriction_of_the_bot_is_told_until_it_is_lifted(telegram):
    bot = telegram
    await bot.hears(bot.ann, f"{AT} hello")
    bot.world.restrict(bot.kitchen, bot.me, bot.root, can_send_messages=False)
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer write in kitchen.\n")
    assert "Why: an admin restricted the bot" in card.text and "lift the bot's restriction" in card.text
    bot.world.restrict(bot.kitchen, bot.me, bot.root)
    await bot.settled()
    await looks_again(bot)
    (card,) = cards(bot)
    assert card.text.startswith("✓ Over: I can write in kitchen again.")


async def test_on_telegram_a_group_that_is_closed_to_all_is_found_by_what_it_refuses(telegram):
    """Of the permissions of all members Telegram tells a bot nothing: only the next answer shows it."""
    bot = telegram
    await bot.hears(bot.ann, f"{AT} hello")
    bot.kitchen.permissions["can_send_messages"] = False
    bot.world.promote(bot.kitchen, bot.ann)
    await bot.hears(bot.ann, f"{AT} are you there?")
    await bot.settled()
    (card,) = cards(bot)
    assert "Why: members can't send messages" in card.text and "1 person is waiting there for 1 answer." in card.text
    assert "could not be delivered" not in bot.private(bot.root)
    bot.kitchen.permissions["can_send_messages"] = True
    await looks_again(bot)
    (card,) = cards(bot)
    assert card.text.startswith("✓ Over") and labels_of(card, "Answer the 1…")


async def test_in_a_terminal_there_are_no_rights_to_lose(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(says("yes"))}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        bot.app.rights.look()
        await bot.app.settled()
        assert not any("may not" in line for line in bot.lines)


async def test_on_discord_the_right_to_connect_opens_the_chat_of_a_voice_channel(discord):
    bot = discord
    lounge = bot.house.channel("lounge", kind=VOICE)
    await bot.hears(bot.ann, f"{bot.at} hello", lounge)
    lounge.deny(bot.house.everyone, "connect")
    await bot.settled()
    (card,) = cards(bot)
    assert card.text.startswith("✗ I can no longer connect to #lounge.") and "Missing: Connect." in card.text
    lounge.allow(bot.house.everyone, "connect")
    await bot.settled()
    await looks_again(bot)
    assert cards(bot)[0].text.startswith("✓ Over: I can connect to #lounge again.")


async def test_on_telegram_an_admin_that_becomes_a_member_may_write_as_before(telegram):
    bot = telegram
    await bot.hears(bot.ann, f"{AT} hello")
    bot.world.promote(bot.kitchen, bot.me)
    await bot.settled()
    bot.world.demote(bot.kitchen, bot.me)
    await bot.settled()
    assert cards(bot) == []
