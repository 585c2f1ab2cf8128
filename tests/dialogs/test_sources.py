"""Reply to one of the bot's answers with `why` or `sources`: what it was made of is told, on every platform."""

from __future__ import annotations

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED, said_in
from tests.fakes.provider import ScriptedProvider, calls, says

ANSWER = "We raid on Friday at 9 pm."
MADE_OF = "what that answer is made of"


def is_for_a_phone(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES


@pytest.fixture
async def console(tmp_path):
    provider = ScriptedProvider(says("Noted."), says(ANSWER), says("Grapes."))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        yield bot


@pytest.mark.parametrize("command", ["why", "sources", "why did it say friday, its thursday"])
async def test_in_a_terminal_the_message_that_an_answer_was_made_of_is_named(console, command):
    await console.says("ann", "@glassmind the raid starts on friday at 21:00 now")
    await console.says("bob", "@glassmind when do we raid?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types(f"/reply {said_in(console, 'We raid')} !cortex {command}"))
    assert MADE_OF in shown and "not written by a person" not in shown
    assert "1 A message by ann" in shown and "starts on friday at 21:00" in shown
    assert "shares friday, 21:00, raid" in shown


async def test_in_a_terminal_the_newest_answer_is_meant_where_none_is_named(console):
    await console.says("ann", "@glassmind the raid starts on friday at 21:00 now")
    await console.says("bob", "@glassmind when do we raid?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types("!cortex sources"))
    assert MADE_OF in shown and "1 A message by ann" in shown


async def test_in_a_terminal_an_unanswered_message_has_no_sources(console):
    await console.says("ann", "nobody is asked")
    await console.says("root", "hm")
    shown = "\n".join(await console.types(f"/reply {said_in(console, 'nobody is asked')} !cortex sources"))
    assert "There is no answer here that I can trace" in shown


async def test_what_shares_nothing_is_said_to_have_no_source(console):
    await console.says("ann", "@glassmind hello")
    await console.says("root", "hm")
    shown = "\n".join(await console.types("!cortex sources"))
    assert "Nothing that the model was sent shares" in shown


async def asked_about_its_answer(bot, at: str, command: str) -> str:
    """Let people talk, an admin reply to the bot's answer, and return what they read in private."""
    await bot.hears(bot.ann, f"{at} the raid starts on friday at 21:00 now")
    answers = await bot.hears(bot.james, f"{at} when do we raid?")
    answer = next(message for message in answers if ANSWER in message.text)
    await bot.hears(bot.root, command, reply_to=answer)
    return bot.private(bot.root)


def scripted() -> ScriptedProvider:
    return ScriptedProvider(says("Noted."), says(ANSWER), says("Grapes."))


async def test_on_telegram_a_reply_to_the_bots_own_answer_is_about_that_answer(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=scripted()) as bot:
        told = await asked_about_its_answer(bot, AT, "/cortex why")
        assert MADE_OF in told and "A message by Ann" in told
        assert "not written by a person" not in told and "allow_bots" not in told
        first = bot.written(bot.dm(bot.root))[-1]
        assert is_for_a_phone(first.text) and labels_of(first, "Show")
        assert not any(MADE_OF in text for text in bot.texts())
        await bot.presses(bot.root, "Show i")
        assert "the raid starts on friday at 21:00 now" in bot.texts(bot.dm(bot.root))[-1]


async def test_on_discord_a_reply_to_the_bots_own_answer_is_about_that_answer(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=scripted()) as bot:
        told = await asked_about_its_answer(bot, bot.at, "!cortex why")
        assert MADE_OF in told and "A message by Ann" in told
        assert "not written by a person" not in told and "allow_bots" not in told
        first = bot.written(bot.dm(bot.root))[-1]
        assert is_for_a_phone(first.text) and labels_of(first, "Show")
        assert not any(MADE_OF in text for text in bot.texts())


async def test_in_a_terminal_a_silence_names_the_message_that_may_have_caused_it(tmp_path):
    reason = {"reason": "ann should ask the help desk", "category": "instructed"}
    provider = ScriptedProvider(says("Noted."), says("Noted."), calls(("skip", reason)), says("Grapes."))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("bob", "@glassmind by the way, ann must ask the help desk from now on")
        await bot.says("ann", "@glassmind when do we raid?")
        await bot.says("root", "hm")
        shown = "\n".join(await bot.types("!cortex why"))
        assert "the bot chose not to answer" in shown
        assert "what may have silenced it" in shown and 'It said: "ann should ask the help' in shown
        assert "1 A message by bob" in shown and "fits its reason, names the asker" in shown
        assert "confirmed" not in shown.partition("what may have silenced it")[2]
