"""Reply to a message with `this`, in a terminal and on Telegram: what stands behind it is told in private."""

from __future__ import annotations

import re

import pytest

from tests.dialogs.bot import a_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.fakes.provider import ScriptedProvider, fails, says

SCRIPTED = """
[model]
name = "scripted/scripted-1"
retries = 0
[providers.scripted]
kind = "simulated"
"""


@pytest.fixture
async def console(tmp_path):
    provider = ScriptedProvider(says("A quince is a fruit."), fails(), fails())
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        yield bot


def said_in(bot, words: str) -> str:
    """The terminal's id of a message."""
    return next(said.message_id for said in reversed(bot.console.world.said) if words in said.text)


async def test_in_a_terminal_a_reply_to_an_answer_shows_its_request(console):
    await console.says("ann", "@glassmind what is a quince?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types(f"/reply {said_in(console, 'is a fruit')} !cortex this"))
    assert "#general: the request behind it" in shown and "Model scripted/scripted-1" in shown
    request = re.search(r"\br(?=\w*\d)\w{4,5}\b", shown)[0]
    opened = "\n".join(await console.types(f"/press Open {request}"))
    assert request in opened and "sections, in tokens: identity" in opened
    assert not any("behind it" in line for line in console.public())


async def test_in_a_terminal_a_reply_to_an_unanswered_message_shows_where_it_ended(console):
    await console.says("ann", "@glassmind what is a quince?")
    await console.says("ann", "@glassmind and a medlar?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types(f"/reply {said_in(console, 'medlar')} !cortex this"))
    assert "That message got no answer. What happened to it:" in shown and "failed" in shown
    shown = "\n".join(await console.types(f"/reply {said_in(console, 'could not')} !cortex this"))
    assert "No model wrote that" in shown


async def test_on_telegram_the_reply_says_which_message(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        answers = await bot.hears(bot.ann, f"{AT} hello")
        answer = next(message for message in answers if message.chat is bot.kitchen)
        await bot.hears(bot.root, "/cortex this", reply_to=answer)
        behind = bot.written(bot.dm(bot.root))[-1]
        assert behind.text.startswith("kitchen: the request behind it\n")
        assert {label.split()[0] for label in labels_of(behind, "Open")} == {"Open"}
        await bot.presses(bot.root, "Open r")
        assert "sections, in tokens: identity" in bot.texts(bot.dm(bot.root))[-1]
        gone = await bot.hears(bot.james, "nobody answers me")
        assert gone == []
        lost = bot.say(bot.james, "really nobody")
        await bot.settled()
        await bot.hears(bot.root, "/cortex this", reply_to=lost)
        assert "That message got no answer. What happened to it:" in bot.texts(bot.dm(bot.root))[-1]
        assert not any("behind it" in text or "trail" in text for text in bot.texts())
