"""A platform that goes away while an answer is made for it: the answer is waiting, says so, and arrives once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.chat_bot import ChatBot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.inside.sending import waits_for_a_platform


@pytest.fixture
def model():
    return ScriptedProvider(says("fine"))


@pytest.fixture
async def bot(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        yield bot


async def until(bot: ChatBot, question: Callable[[], bool]) -> None:
    """Wait until something is so that no server hears of."""
    async with asyncio.timeout(20):
        while not question():  # noqa: ASYNC110 - nobody is called
            await asyncio.sleep(bot.clock.soon)


async def goes_away(bot: ChatBot, model: ScriptedProvider, text: str = "fine") -> None:
    """Let the network go away before the next answer is ready."""

    async def answers(_):
        await bot.server.refuse()
        return says(text)

    model.script = [answers]


async def waits(bot: ChatBot) -> None:
    """Wait until an answer waits for its platform, and nothing else is under way."""
    await until(bot, lambda: waits_for_a_platform(bot.app.sender))
    await bot.app.settled()


async def test_an_answer_waits_until_the_network_is_back(bot, model):
    await goes_away(bot, model)
    bot.say(bot.ann, f"{AT} tea?")
    await waits(bot)
    assert bot.texts() == [] and (await bot.newest()).outcome is None
    bot.clock.advance(1800)
    await bot.server.accept()
    await until(bot, lambda: bool(bot.texts()))
    await bot.settled()
    assert bot.texts() == ["fine"] and bot.private(bot.root) == ""
    assert (await bot.newest()).outcome is Outcome.REPLIED


async def test_an_answer_waits_for_a_new_token(bot, model):
    async def revokes(_):
        bot.world.revoke()
        return says("fine")

    model.script = [revokes]
    bot.say(bot.ann, f"{AT} tea?")
    await waits(bot)
    assert (await bot.newest()).outcome is None
    await bot.restart()  # with the new token
    await bot.settled()
    assert bot.texts() == ["fine"] and (await bot.newest()).outcome is Outcome.REPLIED


async def test_an_answer_waits_over_a_kill(bot: TelegramBot, model: ScriptedProvider):
    await goes_away(bot, model)
    bot.say(bot.ann, f"{AT} tea?")
    await waits(bot)
    await bot.dies()
    await bot.server.accept()
    await bot.lives_again()
    await bot.settled()
    assert bot.texts() == ["fine"] and (await bot.newest()).outcome is Outcome.REPLIED


async def test_an_answer_waits_for_discord_too(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model) as bot:
        await goes_away(bot, model)
        await bot.says(bot.ann, f"{bot.at} tea?")
        await waits(bot)
        bot.clock.advance(1800)
        await bot.server.accept()
        await until(bot, lambda: bool(bot.texts()))
        await bot.settled()
        assert bot.texts() == ["fine"] and (await bot.newest()).outcome is Outcome.REPLIED
