"""A data directory is one account's: with the token of another bot nothing is heard, said, or swallowed."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.health import AdapterHealth, AdapterState
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.servers.telegram import Refuses


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


async def becomes_another(bot: TelegramBot) -> None:
    """Start with the token of another bot, which people have opened, too."""
    bot.me = bot.world.bot("other_bot")
    bot.world.dm(bot.root, bot.me).is_started = True
    await bot.restart()
    await shows_it(bot)


async def shows_it(bot: TelegramBot | DiscordBot) -> AdapterHealth:
    async with asyncio.timeout(10):
        while bot.adapter.health().code != "account":  # noqa: ASYNC110 - a health is asked, it calls nobody
            await asyncio.sleep(0.001)
    return bot.adapter.health()


async def test_what_is_written_to_another_bot_is_not_taken_for_what_was_heard_before(bot):
    first = bot.say(bot.root, "say one", bot.dm(bot.root))
    await bot.settled()
    home = bot.me
    await becomes_another(bot)
    # private messages are counted by each bot: this one has the number of the one that was answered
    counted, bot.world.counters["messages"] = bot.world.counters["messages"], first.id
    again = bot.say(bot.root, "say two", bot.dm(bot.root))
    bot.world.counters["messages"] = counted
    bot.clock.advance(1000)
    await bot.server.called("getMe", 4)
    assert again.id == first.id and len(bot.me.inlet.pending) == 1 and not bot.me.inlet.given
    assert bot.private(bot.root) == ""
    bot.me = home
    await bot.restart()
    bot.say(bot.root, "say three", bot.dm(bot.root))
    await bot.settled()
    assert bot.texts(bot.dm(bot.root)) == ["one", "three"]


async def test_it_says_whose_the_data_is_and_whose_the_token(bot):
    await bot.settled()
    mine = bot.me
    await becomes_another(bot)
    health = bot.telegram.health()
    assert health.state is AdapterState.DOWN
    assert f"@glassmind_bot ({mine.id})" in health.detail and f"@other_bot ({bot.me.id})" in health.detail
    assert "another data directory" in health.fix


async def test_a_new_name_or_a_new_token_of_the_same_bot_is_no_other_bot(bot):
    await bot.settled()
    bot.me.username = "renamed_bot"
    bot.world.revoke()
    await bot.restart()
    bot.say(bot.root, "say one", bot.dm(bot.root))
    await bot.settled()
    assert bot.texts(bot.dm(bot.root)) == ["one"]


async def test_a_webhook_of_another_bot_is_left_alone(tmp_path):
    async with a_telegram_bot(tmp_path / "data", platform="take_over = true") as bot:
        await bot.settled()
        bot.me = bot.world.bot("other_bot")
        bot.world.set_webhook("https://elsewhere.example/hook", bot.me)
        await bot.restart()
        await shows_it(bot)
        assert bot.me.webhook.url


async def test_another_bot_on_discord_does_not_connect(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.settled()
        home = bot.me
        bot.me = bot.world.bot("other")
        bot.house.admit(bot.me)
        await bot.restart()
        health = await shows_it(bot)
        assert health.state is AdapterState.DOWN and not bot.me.sessions
        assert f"glassmind ({home.id})" in health.detail and f"other ({bot.me.id})" in health.detail
        await bot.says(bot.ann, f"<@{home.id}> say one")
        bot.me = home
        await bot.restart()
        await bot.settled()
        assert bot.texts() == ["one"]


async def test_what_waits_to_be_sent_waits_for_the_right_bot(bot):
    await bot.settled()
    home, closed = bot.me, [True]
    bot.server.fault("sendMessage", Refuses(401, "Unauthorized"), times=1_000, when=lambda _: bool(closed))
    bot.say(bot.ann, f"{AT} say one")
    await bot.server.called("sendMessage")
    other = bot.world.bot("other_bot")
    bot.world.admit(bot.kitchen, other)
    bot.me = other
    await bot.restart()
    closed.clear()
    await shows_it(bot)
    bot.clock.advance(100)
    await bot.server.called("getMe", 4)
    assert [call.method for call in bot.server.calls() if call.bot is other] == ["getMe"] * 3
    bot.me = home
    await bot.restart()
    bot.clock.advance(600)
    await bot.settled()
    assert bot.texts() == ["one"]
