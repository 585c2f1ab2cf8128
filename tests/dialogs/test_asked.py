"""What an admin asks is read before anything is looked up, leads where it was meant to, and costs nothing unasked."""

from __future__ import annotations

import pytest

from tests.bench.questions.written_idioms import IDIOMS, IDIOMS_LAST
from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.dialogs.test_this import SCRIPTED, said_in
from tests.fakes.provider import ScriptedProvider, fails, says
from tests.servers.discord import posting

FOUND = says('{"findings":[],"summary":"All is well."}')
QUICK = f"{SCRIPTED}\n[cortex]\nper_minute = 6\n"
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


async def told(bot, *lines: str) -> str:
    return "\n".join(await bot.types(*lines))


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("what model are you using", "scripted-1"),
        ("show me the system prompt", "identity"),
        ("zeig mir den prompt", "identity"),
        ("qual modelo ele usa", "scripted-1"),
        ("who planted that memory", "emor"),
        ("сколько мы уже потратили", "#general"),
        ("where is the report i asked for", "#general"),
    ],
)
async def test_a_question_about_the_bot_leads_to_its_page_and_to_no_model(bot, model, words, page):
    await bot.says("ann", "@glassmind hello")
    asked = len(model.requests)
    answer = await told(bot, f"[#general] root> !cortex {words}")
    assert page in answer and "rules only" not in answer
    assert len(model.requests) == asked


async def test_a_typing_error_is_asked_about_and_a_press_leads_on(bot, model):
    answer = await told(bot, "[#general] root> !cortex doctr")
    assert "Did you mean one of these?" in answer and "rules only" not in answer
    assert "store" in await told(bot, "/press doctor")
    assert model.requests == []


async def test_what_was_no_typing_error_is_answered_as_the_question_it_was(bot):
    await told(bot, "[#general] root> !cortex doctr")
    assert "rules only" in await told(bot, "/press No, it")


async def test_a_memory_is_forgotten_by_the_short_name_of_the_command(bot, model):
    answer = await told(bot, "[#general] root> !cortex forget m2krxn")
    assert "There is no such record that you may open." in answer
    assert model.requests == []


async def test_where_the_rules_have_the_cause_a_model_is_offered_with_its_price(bot, model):
    model.script = [fails(), FOUND]
    await bot.says("ann", "@glassmind hello")
    asked = len(model.requests)
    bot.clock.advance(60)
    answer = await told(bot, "[#general] root> !cortex why does it not answer ann?")
    assert "Ask the model: up to 60K tokens]" in answer
    assert len(model.requests) == asked
    assert "Reading the prompt" in await told(bot, "/press Ask the model")
    assert "why does it not answer ann?" in model.requests[-1].messages[0].text


async def test_where_the_rules_find_nothing_a_model_looks_by_itself(bot, model):
    await bot.says("ann", "@glassmind hello")
    model.script = [FOUND]
    assert "All is well" in await told(bot, "[#general] root> !cortex what is wrong here?")


async def test_a_channel_is_found_by_what_a_question_calls_it(bot):
    await bot.says("ann", "anybody?", "#raid-friday")
    await bot.says("ann", "hm", "#general")
    answer = await told(bot, "[#general] root> !cortex why no answer in the raid channel")
    assert "#raid-friday" in answer


async def test_of_several_channels_one_is_pressed(bot):
    await bot.says("ann", "anybody?", "#raid-friday")
    await bot.says("ann", "anybody?", "#raid-sunday")
    await bot.says("ann", "hm", "#general")
    answer = await told(bot, "[#general] root> !cortex why no answer in the raid channel")
    assert "Which one?" in answer and "rules only" not in answer
    answer = await told(bot, "/press #raid-sunday")
    assert "#raid-sunday" in answer and "rules only" in answer


@pytest.mark.parametrize("change", ["/edit {} @glassmind hello there", "/delete {}"])
async def test_in_a_terminal_a_message_is_known_in_any_of_its_versions(bot, model, change):
    model.script = [fails()]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(1_000)
    name = said_in(bot, "@glassmind hello")
    await told(bot, "/as ann", change.format(name), "/as root")
    answer = await told(bot, f"/reply {name} !cortex why")
    assert "gate unknown" not in answer and "✗" in answer


@pytest.mark.parametrize("change", ["edited", "left"])
async def test_on_telegram_a_message_is_asked_about_as_it_was_judged(tmp_path, change):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        said = bot.say(bot.ann, f"{AT} are you there?")
        await bot.settled()
        bot.clock.advance(1_000)
        if change == "edited":
            bot.world.edit(said, f"{AT} are you there??")
            await bot.settled()
        await bot.hears(bot.root, "/why", reply_to=said)
        assert "gate unknown" not in bot.private(bot.root)
        assert "the service is failing" in bot.private(bot.root)


@pytest.mark.parametrize("change", ["edited", "deleted"])
async def test_on_discord_a_message_is_asked_about_as_it_was_judged(tmp_path, change):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(fails())) as bot:
        said = await bot.says(bot.ann, f"{bot.at} are you there?")
        await bot.settled()
        bot.clock.advance(1_000)
        if change == "edited":
            posting.revise(said, content=f"{bot.at} are you there??")
        else:
            posting.remove(said)
        await bot.settled()
        await bot.hears(bot.root, f"{bot.at} cortex why {said.link}")
        assert "gate unknown" not in bot.private(bot.root)
        assert "the service is failing" in bot.private(bot.root)


async def test_what_is_over_is_told_as_over(bot, model):
    model.script = [fails(), says("Hello!"), says("Hello again!")]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(420)
    await bot.says("james", "@glassmind hello")
    await bot.says("bo", "@glassmind hello")
    answer = await told(bot, "[#general] root> !why")
    assert "over now" in answer and "since then 2 messages were answered" in answer


async def test_the_seventh_question_in_a_minute_is_not_lost_in_silence(tmp_path, model):
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=QUICK) as bot:
        await bot.says("ann", "@glassmind hello")
        for _ in range(6):
            await bot.says("root", "!cortex why")
        answer = await bot.says("root", "!cortex why")
        assert any("ask it again in a minute" in line for line in answer if line.startswith("[dm"))
        assert not any("ask it again" in line for line in await bot.says("root", "!cortex why"))


@pytest.mark.parametrize("words", OF_SILENCE[::5])
async def test_after_a_message_that_got_no_answer_it_is_about_the_silence(bot, model, words):
    model.script = [says("Hello!"), fails()]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("ann", "@glassmind are you there?")
    answer = await told(bot, f"[#general] root> !cortex {words}")
    assert TOLD_SILENCE in answer, answer


@pytest.mark.parametrize("words", OF_ANSWERS[::3])
async def test_after_an_answer_it_is_about_the_answer(bot, model, words):
    model.script = [fails(), says("It costs 40 euros.")]
    await bot.says("ann", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("bob", "@glassmind what does it cost?")
    answer = await told(bot, f"[#general] root> !cortex {words}")
    assert TOLD_SILENCE not in answer and "40 euros" in answer, answer


async def test_talk_of_others_after_an_answer_is_no_silence(bot, model):
    model.script = [says("It costs 40 euros.")]
    await bot.says("bob", "@glassmind what does it cost?")
    bot.clock.advance(60)
    await bot.says("ann", "lunch?")
    answer = await told(bot, "[#general] root> !cortex why is the number so high")
    assert "40 euros" in answer, answer


async def test_what_the_asker_said_to_nobody_after_an_answer_is_meant(bot, model):
    await bot.says("bob", "@glassmind hello")
    bot.clock.advance(60)
    await bot.says("root", "anybody home?")
    answer = await told(bot, "[#general] root> !cortex pourquoi il me snobe")
    assert "not addressed to the bot" in answer and "your newest unanswered message" in answer, answer
