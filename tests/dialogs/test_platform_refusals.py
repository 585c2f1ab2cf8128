"""What platforms refuse, and what the bot makes of it for people: the place is named, and what to do about it."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import a_telegram_bot
from tests.servers.discord import Refuses
from tests.servers.telegram import Refuses as Refused

JWT = f"eyJhbGciOiJIUzI1NiJ9.{'eyJpZCI6IjEifQ' * 12}.{'x' * 342}"


# a token of another shape


async def test_a_token_of_a_server_of_ones_own_is_taken(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.world.name_token(JWT)
        await bot.open()
        await bot.settled()
        (answer,) = await bot.hears(bot.ann, f"{bot.at} say yes")
        assert answer.text == "yes"


async def test_the_server_says_no_to_a_token_of_any_shape(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.world.name_token(JWT)
        await bot.open()
        bot.world.revoke()
        bot.server.gateway.close(4004)
        await bot.server.until(lambda: bot.discord.health().code == "token")
        assert JWT not in str(bot.discord.health())


# a place from which nothing ever came


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


async def told(bot, who, text: str) -> str:
    """What somebody is told in private when they ask there."""
    before = len(bot.texts(bot.dm(who)))
    await bot.hears(who, text, bot.me)
    return "\n".join(bot.texts(bot.dm(who))[before:])


async def test_a_channel_that_nobody_ever_spoke_in_is_looked_at(bot):
    pantry = bot.house.channel("pantry")
    for written in (
        "#pantry",
        pantry.mention,
        str(pantry.id),
        f"https://discord.com/channels/{bot.house.id}/{pantry.id}",
    ):
        assert "the bot may read and write there" in await told(bot, bot.root, f"!cortex doctor {written}"), written


async def test_a_channel_that_the_bot_may_not_view_says_who_keeps_it_out(bot):
    staff = bot.house.category("Staff")
    staff.deny(bot.house.everyone, "view_channel")
    bot.house.channel("desk", under=staff)
    words = await told(bot, bot.mod, "!cortex doctor #desk")
    assert "the bot can't view the channel (denied to ＠everyone in the category Staff)" in words
    assert "Edit Category (Staff)" in words
    report = await told(bot, bot.mod, "!cortex why #desk")
    assert "✗ #desk: the bot can't view it" in report and "confirmed" in report


async def test_what_discord_hides_is_asked_about_by_its_link(bot):
    bot.world.switches.obfuscates = True
    desk = bot.house.channel("desk")
    desk.deny(bot.house.role("new members", members=(bot.me,)), "view_channel")
    words = await told(bot, bot.root, "!cortex doctor #desk")
    assert "The bot knows no channel" in words and "channels I may not view" in words
    words = await told(bot, bot.root, f"!cortex doctor https://discord.com/channels/{bot.house.id}/{desk.id}")
    assert "the bot can't view the channel" in words and "Discord does not say by whom" in words
    assert "desk" not in words


async def test_a_thread_of_the_talk_about_it_goes_on(bot):
    pantry = bot.house.channel("pantry")
    await told(bot, bot.mod, "!cortex doctor #pantry")
    pantry.deny(bot.house.everyone, "send_messages")
    report = bot.written(bot.dm(bot.mod))[-1]
    before = len(bot.texts(bot.dm(bot.mod)))
    await bot.hears(bot.mod, "doctor", bot.me, reply_to=report)
    assert "the bot lacks: Send Messages" in "\n".join(bot.texts(bot.dm(bot.mod))[before:])


@pytest.mark.parametrize("has_events", [True, False])
async def test_the_buttons_under_a_report_about_it_do_what_they_say(bot, has_events):
    # of what happens to a channel that is there already the bot is told
    place = bot.house if has_events else bot.world.guild("Den", bot.ann, bot.me)
    place.channel("desk").deny(place.everyone, "view_channel")
    await told(bot, bot.root, "!cortex why #desk")
    report = bot.written(bot.dm(bot.root))[-1]
    for one in report.buttons:
        before = len(bot.texts(bot.dm(bot.root)))
        await bot.presses(bot.root, one["label"], report)
        said = "\n".join(bot.texts(bot.dm(bot.root))[before:])
        assert said and "inspection failed" not in said, one["label"]
    assert "All checks for " in bot.private(bot.root)


async def test_who_does_not_run_the_place_learns_nothing_of_it(bot):
    den = bot.world.guild("Den", bot.ann, bot.me)
    secret = den.channel("secret")
    for written in ("#secret", str(secret.id), f"{den.id}:{secret.id}"):
        words = await told(bot, bot.mod, f"!cortex doctor {written}")
        assert "rights in" not in words and "The bot knows no channel" in words
    assert f"rights in discord:{den.id}:{secret.id}" in await told(bot, bot.root, "!cortex doctor #secret")


async def test_a_name_of_several_places_is_not_guessed(bot):
    places = [bot.world.guild(name, bot.ann, bot.me).channel("lobby") for name in ("Den", "Yard")]
    words = await told(bot, bot.root, "!cortex doctor #lobby")
    assert "2 channels are called" in words and all(str(place.id) in words for place in places)


async def test_a_place_is_not_made_up_and_a_platform_that_is_away_is_named(bot):
    assert "The bot knows no channel #nowhere" in await told(bot, bot.root, "!cortex doctor #nowhere")
    bot.server.fault("get_guilds", Refuses(503, 0, "?"), times=9)
    assert "could not ask the platform" in await told(bot, bot.root, "!cortex doctor #nowhere")


# what the portal and an outage do


async def test_commands_that_go_elsewhere_are_named_by_the_doctor_and_by_why(bot):
    bot.me.endpoint = "https://bots.example/hook?key=hush"
    await bot.hears(bot.ann, f"{bot.at} hello")
    words = await told(bot, bot.root, f"!cortex doctor {bot.kitchen.mention}")
    assert "sends slash commands and presses of buttons to bots" in words and "hush" not in words
    report = await told(bot, bot.root, f"!cortex why {bot.kitchen.mention}")
    assert "✗ #kitchen: slash commands go elsewhere" in report and "hush" not in report
    bot.me.endpoint = None
    assert "all is well" in await told(bot, bot.root, f"!cortex why {bot.kitchen.mention}")


async def test_an_outage_of_the_server_is_named_and_not_taken_for_a_farewell(bot):
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.house.go_down()
    await bot.says(bot.root, f"!cortex doctor {bot.kitchen.mention}", bot.me)
    outage = "Discord says that the server is unavailable, an outage of its own"
    await bot.server.until(lambda: outage in bot.private(bot.root))
    await bot.says(bot.root, f"!cortex why {bot.kitchen.mention}", bot.me)
    await bot.server.until(lambda: "✗ #kitchen: Discord has an outage there\nconfirmed" in bot.private(bot.root))
    bot.house.come_back()
    await bot.settled()
    assert "all is well" in await told(bot, bot.root, f"!cortex why {bot.kitchen.mention}")


# the same on Telegram


@pytest.fixture
async def phone(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


async def phoned(bot, who, text: str) -> str:
    before = len(bot.texts(bot.dm(who)))
    await bot.hears(who, text, bot.dm(who))
    return "\n".join(bot.texts(bot.dm(who))[before:])


async def test_a_group_that_nobody_ever_spoke_in_is_looked_at(phone):
    pantry = phone.world.supergroup("pantry", phone.root, phone.me, username="the_pantry")
    pantry.slow_mode = 30
    for written in (str(pantry.id), f"telegram:{pantry.id}", "@the_pantry"):
        words = await phoned(phone, phone.root, f"!cortex doctor {written}")
        assert "the bot is a member and may send" in words and "slow mode: one message in 30 s" in words, written


async def test_the_buttons_under_a_report_about_such_a_group_do_what_they_say(phone):
    pantry = phone.world.supergroup("pantry", phone.root, phone.me)
    await phoned(phone, phone.root, f"!cortex why {pantry.id}")
    report = phone.written(phone.dm(phone.root))[-1]
    for button in ("All", "Ask"):
        await phone.presses(phone.root, button, report)
    assert "All checks for pantry" in phone.private(phone.root)
    assert "inspection failed" not in phone.private(phone.root)
    opened = await phoned(phone, phone.root, f"open {handle(HandleKind.REQUEST, 1)}")
    assert "never heard" not in opened and "inspection" in opened


async def test_a_group_that_the_bot_is_not_in_is_named_by_telegrams_words(phone):
    attic = phone.world.supergroup("attic", phone.root)
    words = await phoned(phone, phone.root, f"!cortex doctor {attic.id}")
    assert "Chat not found" in words and "Add the bot to the chat" in words
    phone.world.add_bot(attic, phone.me, phone.root)
    phone.world.kick(attic, phone.me, phone.root)
    await phone.settled()
    words = await phoned(phone, phone.root, f"!cortex doctor {attic.id}")
    assert "bot was kicked from the supergroup chat" in words and "Add the bot to the chat" in words
    words = await phoned(phone, phone.root, "!cortex doctor -1009999999999")
    assert "hat not found" in words and "all is well" not in words


async def test_who_does_not_run_the_chat_learns_nothing_of_it(phone):
    den = phone.world.supergroup("den", phone.ann, phone.me, username="the_den")
    for written in (str(den.id), "@the_den"):
        words = await phoned(phone, phone.mod, f"!cortex doctor {written}")
        assert "The bot knows no channel" in words and "may send" not in words
    phone.world.admit(den, phone.mod, status="administrator")
    assert "may send" in await phoned(phone, phone.mod, "!cortex doctor @the_den")


async def test_other_peoples_private_chats_stay_theirs(phone):
    phone.world.start(phone.ann)
    await phone.settled()
    words = await phoned(phone, phone.root, f"!cortex doctor {phone.ann.id}")
    assert "private chat is open" not in words


async def test_a_restriction_is_named_by_the_doctor_with_who_may_lift_it(phone):
    phone.world.restrict(phone.kitchen, phone.me, phone.root, can_send_messages=False)
    words = await phoned(phone, phone.root, f"!cortex doctor {phone.kitchen.id}")
    assert "the bot can't send: an admin restricted the bot" in words and "Exceptions" in words


async def test_a_closed_topic_is_named(phone):
    forum = phone.world.supergroup("forum", phone.root, phone.me, forum=True)
    topic = phone.world.topic(forum, "tea", phone.root)
    phone.world.close_topic(forum, topic, phone.root)
    phone.server.fault("sendMessage", Refused(400, "Bad Request: TOPIC_CLOSED"), times=3)
    phone.world.say(forum, phone.root, "@glassmind_bot are you there?", topic=topic)
    await phone.settled()
    words = await phoned(phone, phone.root, f"!cortex why telegram:{forum.id}:{topic.id}")
    assert "TOPIC_CLOSED" in words and "Reopen the topic" in words
