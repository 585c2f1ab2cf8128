"""Chats in which the bot is no member: of people who installed it for themselves, of business accounts, as a guest."""

from __future__ import annotations

import pytest

from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.reading import told
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.servers.discord import Refuses


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


# Discord


def used(bot: DiscordBot, number: int, **where: object) -> None:
    """Let Ann use a command where the bot is no member, as Discord tells of it."""
    user = bot.ann.json()
    body = {"id": str(bot.world.snowflake()), "application_id": str(bot.me.id), "type": 2, "token": f"tok{number}"}
    body |= {"version": 1, "locale": "en-US", "entitlements": [], "app_permissions": "0", "user": user}
    body |= {"authorizing_integration_owners": {"1": str(bot.ann.id)}, "attachment_size_limit": 1}
    data = {"id": "9", "name": "whoami", "type": 1}
    bot.server.gateway.push("INTERACTION_CREATE", body | {"data": data} | where)


async def test_a_command_in_a_chat_of_other_people_is_not_one_in_the_chat_with_the_bot(discord):
    chat = {"id": "777000000000000001", "type": 3, "recipients": [discord.james.json()], "last_message_id": None}
    used(discord, 1, context=2, channel_id=chat["id"], channel=chat)
    await discord.settled()
    calls = [call for call in discord.server.calls() if call.operation in {"callback", "edit_original"}]
    assert calls, "it was answered"
    assert await discord.store.ledger.recent(discord.key(discord.dm(discord.ann)), 5) == []


async def test_a_command_in_a_server_without_the_bot_is_answered_to_who_typed_it(discord):
    channel = {"id": "777000000000000003", "type": 0, "name": "far", "guild_id": "777000000000000002"}
    channel |= {"position": 0, "parent_id": None, "nsfw": False, "topic": None, "permissions": "0"}
    member = {"user": discord.ann.json(), "roles": [], "joined_at": "2024-01-01T00:00:00+00:00", "deaf": False}
    member |= {"mute": False, "permissions": "0", "flags": 0, "avatar": None}
    guild = {"id": channel["guild_id"], "locale": "en-US", "features": []}
    where = {"guild_id": guild["id"], "guild": guild, "channel_id": channel["id"], "channel": channel}
    used(discord, 2, context=0, member=member, **where)
    await discord.settled()
    assert [call for call in discord.server.calls() if call.operation == "callback"]


async def test_the_doctor_says_what_the_bot_never_hears_of_who_installed_it_for_themselves(discord):
    assert "discord installs" not in await told(discord, "!cortex doctor")
    discord.me.installs = ("0", "1")
    assert "people may install it for themselves" in await told(discord, "!cortex doctor")


async def test_somebody_without_a_common_server_is_named_as_such(discord):
    refusal, home = Refuses(403, 50278, "Cannot send messages to this user due to having no mutual guilds"), 0
    home = str(discord.dm(discord.mod).id)
    discord.server.fault("create_message", refusal, times=2, when=lambda body: body["path"].get("channel") == home)
    await discord.says(discord.mod, "hello?", discord.me)
    await discord.settled()
    discord.clock.advance(60)
    await discord.hears(discord.mod, "why", discord.me)
    text = discord.private(discord.mod)
    assert "closed to the bot" in text and "share no server" in text


# Telegram


def business(bot: TelegramBot, text: str, *, by_owner: bool = False, kind: str = "business_message") -> None:
    """Let James write to Ann's business account, which she has connected to the bot, or let her answer him."""
    author = bot.ann if by_owner else bot.james
    chat = {"id": bot.james.id, "type": "private", "first_name": "James", "username": "james"}
    said = {"message_id": 5, "date": bot.world.now, "chat": chat, "from": author.user(), "text": text}
    bot.world.push({kind: said | {"business_connection_id": "AbC-1_x"}})


async def test_a_message_to_a_business_account_is_named_and_never_a_word_of_the_bot_in_anybodys_name(telegram):
    business(telegram, "is the shop open?")
    business(telegram, "yes, till six", by_owner=True)
    await telegram.settled()
    assert telegram.sends() == []
    channel = f"telegram:business:AbC-1_x:{telegram.james.id}"
    text = await told(telegram, f"!cortex why {channel}")
    assert "not supported" in text and "in other people's names" in text and "shop" not in text
    doctor = await told(telegram, "!cortex doctor")
    assert "telegram business" in doctor and "Business Mode" in doctor


async def test_what_is_deleted_there_is_nothing_that_happened_in_a_chat_with_the_bot(telegram):
    gone = {"business_connection_id": "AbC-1_x", "chat": {"id": telegram.james.id, "type": "private"}}
    telegram.world.push({"deleted_business_messages": gone | {"message_ids": [5]}})
    await telegram.settled()
    assert await telegram.store.ledger.recent(telegram.key(telegram.dm(telegram.james)), 5) == []


async def test_a_call_as_a_guest_is_what_why_tells_of(telegram):
    chat = {"id": -1_002_000_000_777, "type": "supergroup", "title": "far away"}
    said = {"message_id": 7, "date": telegram.world.now, "chat": chat, "from": telegram.ann.user()}
    telegram.world.push({"guest_message": said | {"text": f"{AT} hello", "guest_query_id": "q1"}})
    await telegram.settled()
    text = await told(telegram, f"!cortex why telegram:{chat['id']}")
    assert "could not read it" in text and "guest_message" in text


async def test_a_topic_of_a_private_chat_is_answered_in_that_topic(telegram):
    telegram.me.topics = True
    chat = telegram.dm(telegram.ann)
    telegram.world.start(telegram.ann)
    await telegram.settled()
    tea, coffee = (telegram.world.topic(chat, name, telegram.ann) for name in ("tea", "coffee"))
    (answer,) = await telegram.hears(telegram.ann, "say yes", chat, topic=tea)
    assert (answer.text, answer.thread) == ("yes", tea.id)
    (answer,) = await telegram.hears(telegram.ann, "say no", chat, topic=coffee)
    assert (answer.text, answer.thread) == ("no", coffee.id)
    (answer,) = await telegram.hears(telegram.ann, "say maybe", chat)
    assert (answer.text, answer.thread) == ("maybe", None)
    assert (await telegram.newest(chat, tea.id)).key != (await telegram.newest(chat, coffee.id)).key
