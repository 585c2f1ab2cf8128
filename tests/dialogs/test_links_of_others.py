"""Links that the model can only have from others are shown as text; those of who asks can be followed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.domain.ledger import LedgerStage
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.live import a_live_bot
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.discord import Drops, Upload
from tests.servers.telegram import Message

URL = "https://collect.example/x?y=1"
ANSWER = f"It says: read {URL} today."
LONGER = "It was written for everybody who reads, and for nobody else in this house."
AS_TEXT = f"It says: read `{URL}` today."
HERE = '[channels."console:#general"]\nlive_links = "all"\n'


@pytest.fixture
def model() -> ScriptedProvider:
    return ScriptedProvider(says(ANSWER))


@pytest.fixture
async def discord(tmp_path, model) -> AsyncIterator[DiscordBot]:
    async with a_discord_bot(tmp_path / "discord", model=model) as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path, model) -> AsyncIterator[TelegramBot]:
    async with a_telegram_bot(tmp_path / "telegram", model=model) as bot:
        yield bot


def code(message: Message) -> list[str]:
    """What Telegram shows as code, where it looks for no links."""
    raw = message.text.encode("utf-16-le")
    return [
        raw[2 * one["offset"] : 2 * (one["offset"] + one["length"])].decode("utf-16-le")
        for one in message.json.get("entities", [])
        if one["type"] == "code"
    ]


# on Discord


async def test_a_link_that_somebody_else_wrote_is_shown_as_text(discord):
    await discord.hears(discord.james, f"you must read {URL}")
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what does he say?")
    assert answer.text == AS_TEXT


async def test_a_link_of_who_asks_can_be_followed(discord):
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what is {URL} about?")
    assert answer.text == ANSWER
    (again,) = await discord.hears(discord.ann, f"{discord.at} and where was that?")
    assert again.text == ANSWER, "what they wrote before is theirs, too"
    (other,) = await discord.hears(discord.james, f"{discord.at} what did she ask?")
    assert other.text == AS_TEXT, "for somebody else it is not"


async def test_a_link_that_nobody_wrote_is_the_models_own_knowledge(discord):
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what should I read?")
    assert answer.text == ANSWER


async def test_a_link_from_a_file_or_a_pasted_text_is_shown_as_text(discord):
    notes = Upload("notes.txt", f"read {URL} today".encode(), "text/plain")
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what does it say?", files=[notes])
    assert answer.text == AS_TEXT
    (pasted,) = await discord.hears(discord.james, f"{discord.at} in one sentence, please:\n\nDear all, read {URL}")
    assert pasted.text == AS_TEXT


async def test_a_link_behind_other_words_stands_behind_them(discord, model):
    model.script = [says(f"See [your bank]({URL}) and [docs](https://docs.python.org).")]
    await discord.hears(discord.james, f"you must read {URL}")
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what does he say?")
    assert answer.text == f"See your bank (`{URL}`) and [docs](https://docs.python.org)."


async def test_what_is_said_in_the_middle_of_a_turn_is_looked_at_too(discord, model):
    model.script = [calls(("reply", {"text": ANSWER})), says("")]
    await discord.hears(discord.james, f"you must read {URL}")
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what does he say?")
    assert answer.text == AS_TEXT


async def test_a_file_of_a_long_answer_holds_no_such_link(discord, model):
    model.script = [says("\n\n".join(f"{n}. read {URL} today" for n in range(900)))]
    await discord.hears(discord.james, f"you must read {URL}")
    (answer,) = await discord.hears(discord.ann, f"{discord.at} what does he say?")
    file = next(one for call in discord.sends() for one in call.files.values())
    assert answer.text.startswith(f"0. read `{URL}` today") and URL not in answer.text.replace(f"`{URL}`", "")
    assert f"899. read `{URL}` today" in file.content.decode()


async def test_the_record_keeps_what_the_model_said_and_the_trail_what_was_shown(discord, model):
    await discord.hears(discord.james, f"you must read {URL}")
    await discord.hears(discord.ann, f"{discord.at} what does he say?")
    trail = await discord.store.ledger.trail((await discord.newest()).id)
    (delivered,) = [row for row in trail.stages if row.stage is LedgerStage.DELIVERED]
    assert ("as_text", "collect[.]example") in delivered.detail
    await discord.hears(discord.ann, f"{discord.at} thanks")
    assert any(message.text == ANSWER for message in model.requests[-1].messages)


async def test_links_are_live_where_the_operator_wants_them(tmp_path, model):
    async with a_discord_bot(tmp_path / "all", model=model, talk='live_links = "all"') as bot:
        await bot.hears(bot.james, f"you must read {URL}")
        (answer,) = await bot.hears(bot.ann, f"{bot.at} what does he say?")
        assert answer.text == ANSWER


async def test_hosts_are_live_that_the_operator_names(tmp_path, model):
    async with a_discord_bot(tmp_path / "some", model=model, talk='link_hosts = ["Collect.Example"]') as bot:
        await bot.hears(bot.james, f"you must read {URL}")
        (answer,) = await bot.hears(bot.ann, f"{bot.at} what does he say?")
        assert answer.text == ANSWER


# on Telegram


async def test_telegram_gets_it_as_code(telegram):
    await telegram.hears(telegram.james, f"you must read {URL}")
    (answer,) = await telegram.hears(telegram.ann, f"{AT} what does he say?")
    assert answer.text == ANSWER and code(answer) == [URL]


async def test_a_link_of_who_asks_can_be_followed_on_telegram(telegram):
    (answer,) = await telegram.hears(telegram.ann, f"{AT} what is {URL} about?")
    assert answer.text == ANSWER and code(answer) == []


# while it is written


async def test_no_link_can_be_followed_before_it_is_whole(tmp_path):
    async with a_live_bot(tmp_path / "data", lambda _: (f"{ANSWER} {LONGER}", None)) as bot:
        await bot.hears(f"what does this say:\n\nyou must read {URL}")
        assert bot.platform.screen == {"v1": f"{AS_TEXT} {LONGER}"}
        for shown in bot.platform.previews:
            assert "://" not in shown.text.replace(f"`{URL}`", "")
        assert any(f"`{URL}`" in shown.text for shown in bot.platform.previews)


async def test_one_channel_may_have_all_links_live(tmp_path):
    async with a_live_bot(tmp_path / "data", lambda _: (ANSWER, None), more=HERE) as bot:
        await bot.hears(f"what does this say:\n\nyou must read {URL}")
        assert bot.platform.screen == {"v1": ANSWER}


async def test_what_is_kept_to_be_sent_again_is_shown_as_text_already(tmp_path, model):
    async with a_discord_bot(tmp_path / "discord", model=model) as bot:
        await bot.hears(bot.james, f"you must read {URL}")
        bot.server.fault("create_message", Drops(), times=1)
        await bot.hears(bot.ann, f"{bot.at} what does he say?")
        rows = await bot.store.outbox.of_inbound((await bot.newest()).id)
        assert [row.body.text for row in rows if row.body.kind == "reply"] == [AS_TEXT]
