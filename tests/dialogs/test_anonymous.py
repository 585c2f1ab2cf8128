"""Who writes without a name of their own: nobody is obeyed for them, and no model is asked in their place."""

from __future__ import annotations

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, NAME, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says

IN_PRIVATE = "You are anonymous here, so I cannot tell who you are: ask me in private"
CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
SERVICE = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
ALLOWS = "allow_bots = true\n"


@pytest.fixture
def model() -> ScriptedProvider:
    return ScriptedProvider(says("as you like"))


def header(request) -> str:
    return request.messages[-1].text


@pytest.mark.parametrize("platform", ["", ALLOWS])
@pytest.mark.parametrize(
    "words",
    [f"/why@{NAME}", f"/pause@{NAME}", f"/pause@{NAME} until monday", f"{AT} !new", "glassmind, pause"],
)
async def test_an_anonymous_admins_command_is_refused_with_the_way_into_private(tmp_path, model, words, platform):
    async with a_telegram_bot(tmp_path / "data", model=model, platform=platform) as bot:
        (answer,) = await bot.hears(bot.root, words, anonymous=True)
        assert answer.text == f"{IN_PRIVATE}: https://t.me/{NAME}"
        assert model.requests == []
        row = await bot.newest()
        assert row.outcome is Outcome.COMMAND and "denied: anonymous_admin" in row.outcome_reason
        (again,) = await bot.hears(bot.ann, f"{AT} are you there?")
        assert again.text == "as you like"


@pytest.mark.parametrize("kind", ["their channel", "forwarded by itself"])
@pytest.mark.parametrize("platform", ["", ALLOWS])
async def test_a_command_in_a_channels_name_is_refused(tmp_path, model, kind, platform):
    async with a_telegram_bot(tmp_path / "data", model=model, platform=platform) as bot:
        news = bot.world.channel("Kitchen news", bot.root)
        fields = {"from": CHANNEL_BOT, "sender_chat": news.json()}
        if kind == "forwarded by itself":
            origin = {"type": "channel", "chat": news.json(), "message_id": 5, "date": 1_760_000_000}
            fields |= {"from": SERVICE, "is_automatic_forward": True, "forward_origin": origin}
        (answer,) = await bot.hears(bot.root, f"/pause@{NAME}", extra=fields)
        assert answer.text.startswith(IN_PRIVATE) and model.requests == []


async def test_what_they_say_otherwise_is_theirs_under_the_name_that_people_see(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        news = bot.world.channel("Ann's recipes", bot.ann)
        fields = {"from": CHANNEL_BOT, "sender_chat": news.json()}
        (answer,) = await bot.hears(bot.ann, f"{AT} are you there?", extra=fields)
        assert answer.text == "as you like"
        assert '"from":"Ann\'s recipes"' in header(model.requests[-1])
        await bot.hears(bot.root, f"{AT} are you there?", anonymous=True)
        assert '"from":"kitchen"' in header(model.requests[-1])
        assert '"is":"anonymous_admin"' in header(model.requests[-1])
        for _ in range(8):
            assert len(await bot.hears(bot.ann, f"{AT} and now?", extra=fields)) == 1, "no program, so no loop"


async def test_on_discord_a_webhooks_command_is_no_talk(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model, platform=ALLOWS) as bot:
        for words in ("glassmind, !cortex why", "glassmind /pause", "glassmind, pause"):
            before = len(bot.texts())
            await bot.world.speaks_through_webhook(bot.kitchen, "Root", words)
            await bot.settled()
            assert len(bot.texts()) == before + 1
            assert bot.texts()[-1] == f"{IN_PRIVATE}: https://discord.com/users/{bot.me.id}"
        assert model.requests == []
        await bot.world.speaks_through_webhook(bot.kitchen, "News", "glassmind, are you there?")
        await bot.settled()
        assert bot.texts()[-1] == "as you like" and '"from":"News"' in header(model.requests[-1])


async def test_another_bots_command_reaches_no_model_and_is_not_answered(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, platform=ALLOWS) as bot:
        other = {"id": 7_000_000_009, "is_bot": True, "first_name": "Other", "username": "other_bot"}
        assert await bot.hears(bot.ann, f"/pause@{NAME}", extra={"from": other}) == []
        assert model.requests == []
        (answer,) = await bot.hears(bot.ann, f"{AT} are you there?", extra={"from": other})
        assert answer.text == "as you like"


@pytest.mark.parametrize("mode", ["", 'default_mode = "active"\n'])
async def test_nobodys_command_that_calls_nobody_is_no_talk_either(tmp_path, model, mode):
    async with a_telegram_bot(tmp_path / "data", model=model, platform=mode) as bot:
        told = await bot.hears(bot.root, "!cortex why", anonymous=True)
        assert len(told) == bool(mode) and model.requests == []
