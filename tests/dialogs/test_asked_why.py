"""A why that names neither a silence nor an answer is about whichever the record shows to be the newer one."""

from __future__ import annotations

import pytest

from tests.bench.questions.written_idioms import IDIOMS, IDIOMS_LAST
from tests.dialogs.bot import a_bot
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, fails, says

OF_SILENCE = tuple(words for kind, _, words in (*IDIOMS, *IDIOMS_LAST) if kind == "why silent")
OF_ANSWERS = tuple(words for kind, _, words in (*IDIOMS, *IDIOMS_LAST) if kind == "why this answer")
TOLD_SILENCE, TOLD_SOURCES = "the service is failing", "in the prompt"


@pytest.fixture
def model():
    return ScriptedProvider(says("Hello!"))


@pytest.fixture
async def bot(tmp_path, model):
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=SCRIPTED) as bot:
        yield bot


async def asked(bot, words: str) -> str:
    return "\n".join(await bot.types(f"[#general] root> !cortex {words}"))


@pytest.mark.parametrize("words", OF_SILENCE[::5])
async def test_after_a_message_that_got_no_answer_it_is_about_the_silence(bot, model, words):
    model.script = [says("Hello!"), fails()]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("ann", "@glassmind are you there?")
    answer = await asked(bot, words)
    assert TOLD_SILENCE in answer, answer


@pytest.mark.parametrize("words", OF_ANSWERS[::3])
async def test_after_an_answer_it_is_about_the_answer(bot, model, words):
    model.script = [fails(), says("It costs 40 euros.")]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("bob", "@glassmind what does it cost?")
    answer = await asked(bot, words)
    assert TOLD_SILENCE not in answer and "40 euros" in answer, answer


async def test_talk_of_others_after_an_answer_is_no_silence(bot, model):
    model.script = [says("It costs 40 euros.")]
    await bot.says("bob", "@glassmind what does it cost?")
    bot.clock.advance(60)
    await bot.says("ann", "lunch?")
    answer = await asked(bot, "why is the number so high")
    assert "40 euros" in answer, answer


async def test_what_the_asker_said_to_nobody_after_an_answer_is_meant(bot, model):
    await bot.says("bob", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("root", "anybody home?")
    answer = await asked(bot, "pourquoi il me snobe")
    assert "not addressed to the bot" in answer and "your newest unanswered message" in answer, answer
