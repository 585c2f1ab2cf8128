"""Messages that the platform's library cannot read: each has its row where it was said, and is the answer to `why`."""

from __future__ import annotations

import pytest

from bot.domain.messages import EventKind
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.reading import report
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.servers.discord import Rewritten


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


# Discord

BROKEN = {
    "its attachments": {"attachments": [{"id": "nonsense"}]},
    "its type": {"type": "party"},
    "its flags": {"flags": "many"},
    "what it shows": {"embeds": 5},
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_message_whose_form_is_new_is_what_why_tells_of(discord, broken):
    discord.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | BROKEN[broken]))
    await discord.hears(discord.ann, f"{discord.at} secret words", mentions=discord.me)
    heard = (await discord.newest()).inbound
    assert (heard.channel, heard.author.name, heard.text) == (discord.key().channel, "Ann", "")
    assert heard.event is not None and heard.event.kind is EventKind.UNREADABLE and heard.mentions_bot
    text = await report(discord)
    assert "#kitchen: the bot could not read it" in text and "✗ arrival" in text and "secret" not in text
    assert "Update the bot" in text


async def test_a_message_of_a_new_type_with_a_mention_is_what_why_tells_of(discord):
    discord.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"type": 913}))
    await discord.hears(discord.ann, "look at that", mentions=discord.me)
    assert "unknown_913" in await report(discord)


async def test_an_unreadable_message_in_private_belongs_to_that_chat(discord):
    await discord.hears(discord.mod, "hello", discord.me)
    discord.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"embeds": 5}))
    await discord.hears(discord.mod, "and now?", discord.me)
    heard = (await discord.newest(discord.dm(discord.mod))).inbound
    assert heard.event is not None and heard.event.kind is EventKind.UNREADABLE


async def test_what_is_not_meant_for_the_bot_is_not_what_why_tells_of_first(discord):
    await discord.hears(discord.ann, f"{discord.at} say yes")
    discord.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"embeds": 5}))
    await discord.hears(discord.james, "nothing for a bot")
    await discord.hears(discord.ann, f"{discord.at} say yes again")
    assert "all is well" in await report(discord)


async def test_a_reply_to_an_unreadable_message_asks_about_it(discord):
    discord.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"embeds": 5}))
    broken = await discord.says(discord.james, "nothing for a bot")
    await discord.settled()
    await discord.hears(discord.ann, f"{discord.at} say yes")
    before = discord.private(discord.root)
    await discord.hears(discord.root, "!cortex why", reply_to=broken)
    assert "the bot could not read it" in discord.private(discord.root).removeprefix(before)


# Telegram


def push(bot: TelegramBot, kind: str = "message", **changes: object) -> int:
    """Let Ann say something in the kitchen whose raw form is changed; return its number."""
    said = bot.say(bot.ann, f"{AT} secret words")
    bot.me.inlet.clear()
    bot.world.push({kind: said.json | changes})
    return said.id


UNREADABLE = {
    "its entities": {"entities": [{"type": "mention", "offset": "?"}], "forward_origin": {"type": "party"}},
    "its photo": {"photo": [{"file_id": 5}]},
    "its sticker": {"sticker": "nonsense"},
    "its date": {"date": "yesterday"},
}


@pytest.mark.parametrize("broken", UNREADABLE)
async def test_an_unreadable_message_belongs_to_its_group_and_is_what_why_tells_of(telegram, broken):
    number = push(telegram, **UNREADABLE[broken])
    await telegram.settled()
    heard = (await telegram.newest()).inbound
    assert (heard.channel, heard.author.name, heard.text) == (telegram.key().channel, "Ann", "")
    assert heard.event is not None and heard.event.kind is EventKind.UNREADABLE and heard.mentions_bot
    assert heard.message_id == str(number)
    text = await report(telegram)
    assert "kitchen: the bot could not read it" in text and "✗ arrival" in text and "secret" not in text


async def test_a_kind_of_content_that_nobody_knows_is_what_why_tells_of(telegram):
    said = telegram.say(telegram.ann, "x", reply_to=(await telegram.hears(telegram.ann, f"{AT} say yes"))[0])
    telegram.me.inlet.clear()
    raw = {name: value for name, value in said.json.items() if name not in {"text", "entities"}}
    telegram.world.push({"message": raw | {"hologram": {"file_id": "h1"}}})
    await telegram.settled()
    assert "hologram" in await report(telegram)


async def test_a_kind_of_update_that_nobody_knows_belongs_to_its_chat(telegram):
    push(telegram, "shouted_message")
    await telegram.settled()
    assert "shouted_message" in await report(telegram)


async def test_an_unreadable_message_in_private_and_in_a_topic(telegram):
    dm = telegram.dm(telegram.ann)
    telegram.world.start(telegram.ann)
    await telegram.settled()
    said = telegram.say(telegram.ann, "hello?", dm)
    telegram.me.inlet.clear()
    telegram.world.push({"message": said.json | {"sticker": 3}})
    await telegram.settled()
    heard = (await telegram.newest(dm)).inbound
    assert heard.event is not None and heard.event.kind is EventKind.UNREADABLE and heard.place.is_dm
    forum = telegram.world.supergroup("forum", telegram.root, telegram.ann, telegram.me, forum=True)
    topic = telegram.world.topic(forum, "tea")
    await telegram.settled()
    said = telegram.say(telegram.ann, f"{AT} tea?", forum, topic=topic)
    telegram.me.inlet.clear()
    telegram.world.push({"message": said.json | {"sticker": 3}})
    await telegram.settled()
    assert (await telegram.newest(forum, topic.id)).inbound.event is not None
