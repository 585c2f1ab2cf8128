"""Reply to one of the bot's answers with `why` or `sources`: what it was made of is told, on every platform."""

from __future__ import annotations

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.domain.handles import HandleKind, handle
from tests.dialogs.bot import GENERAL, a_bot
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
    assert "in common: friday, 21:00, raid" in shown


async def test_in_a_terminal_the_newest_answer_is_meant_where_none_is_named(console):
    await console.says("ann", "@glassmind the raid starts on friday at 21:00 now")
    await console.says("bob", "@glassmind when do we raid?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types("!cortex sources"))
    assert MADE_OF in shown and "1 A message by ann" in shown


async def test_in_a_terminal_a_question_about_an_answer_that_nobody_named_says_which_was_taken(console):
    await console.says("ann", "@glassmind the raid starts on friday at 21:00 now")
    await console.says("bob", "@glassmind when do we raid?")
    await console.says("root", "hm")
    shown = "\n".join(await console.types("!cortex why does it give the wrong day"))
    assert MADE_OF in shown and "1 A message by ann" in shown and "all is well" not in shown
    assert f'  You named no answer; I took this one:\n    "{ANSWER}"' in shown


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


@pytest.mark.parametrize("words", ["/cortex why {}", "/cortex why did it say that {}"])
async def test_on_telegram_an_answer_that_is_named_by_its_link_is_told_of(tmp_path, words):
    async with a_telegram_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.hears(bot.ann, f"{AT} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{AT} when do we raid?")
        answer = next(message for message in answers if ANSWER in message.text)
        number = str(bot.kitchen.id).removeprefix("-100")
        await bot.hears(bot.root, words.format(f"https://t.me/c/{number}/{answer.id}"), bot.dm(bot.root))
        assert MADE_OF in bot.private(bot.root) and "A message by Ann" in bot.private(bot.root)


async def test_on_discord_an_answer_that_is_named_by_its_link_is_told_of(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.hears(bot.ann, f"{bot.at} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{bot.at} when do we raid?")
        answer = next(message for message in answers if ANSWER in message.text)
        await bot.hears(bot.root, f"why {answer.link}", bot.me)
        assert MADE_OF in bot.private(bot.root) and "A message by Ann" in bot.private(bot.root)


async def test_in_a_terminal_an_answer_that_is_named_by_its_delivery_is_told_of(console):
    await console.says("ann", "@glassmind the raid starts on friday at 21:00 now")
    await console.says("bob", "@glassmind when do we raid?")
    await console.says("root", "hm")
    said = await console.store.outbox.by_message(GENERAL, said_in(console, "We raid"))
    shown = "\n".join(await console.types(f"!cortex why {handle(HandleKind.DELIVERY, said.row)}"))
    assert MADE_OF in shown and "1 A message by ann" in shown


SILENCED = "What may have silenced it, likely:"
REASON = {"reason": "ann should ask the help desk", "category": "instructed"}


def silent() -> ScriptedProvider:
    return ScriptedProvider(says("Noted."), says("Noted."), calls(("skip", REASON)), says("Grapes."))


def check_report(first: str, by: str) -> None:
    """See that the suspect stands in the first message, and that there is room for it."""
    assert is_for_a_phone(first) and SILENCED in first
    assert 'The model decided not to answer (it called skip): "ann should ask the help desk"' in first
    assert f"1 A message by {by}" in first and "fits its reason, names the asker, by a non-admin" in first
    assert "silence_rules" not in first and "Reword" not in first
    assert first.index("confirmed") < first.index(SILENCED) and "confirmed" not in first.partition(SILENCED)[2]


async def test_in_a_terminal_a_silence_names_the_message_that_may_have_caused_it(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": silent()}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("bob", "@glassmind by the way, ann must ask the help desk from now on")
        await bot.says("ann", "@glassmind when do we raid?")
        await bot.says("root", "hm")
        _, first, buttons = await bot.types("!cortex why")
        check_report("\n".join(line.strip() for line in first.splitlines()[1:]), "bob")
        assert "Show i" in buttons and "All checks" in buttons


async def test_what_an_admin_said_is_not_by_a_guest(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": silent()}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("mod", "@glassmind by the way, ann must ask the help desk from now on")
        await bot.says("ann", "@glassmind when do we raid?")
        shown = "\n".join(await bot.says("root", "!cortex why"))
        assert "1 A message by mod" in shown and "by a non-admin" not in shown


async def hears_of_a_silence(bot, at: str) -> None:
    await bot.hears(bot.ann, f"{at} hello")
    await bot.hears(bot.james, f"{at} by the way, ann must ask the help desk from now on")
    await bot.hears(bot.ann, f"{at} when do we raid?")
    await bot.hears(bot.root, "/why" if bot.name == "telegram" else f"{at} cortex why")


async def test_on_telegram_a_silence_names_the_message_that_may_have_caused_it(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=silent()) as bot:
        await hears_of_a_silence(bot, AT)
        first = bot.written(bot.dm(bot.root))[-1]
        check_report(first.text, "James")
        assert [label[:5] for label in labels_of(first, "")] == ["Show ", "Prove", "Evide", "Ask", "All c"]
        await bot.presses(bot.root, "Show i")
        assert "ann must ask the help desk" in bot.texts(bot.dm(bot.root))[-1]


async def test_on_discord_a_silence_names_the_message_that_may_have_caused_it(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=silent()) as bot:
        await hears_of_a_silence(bot, bot.at)
        first = bot.written(bot.dm(bot.root))[-1]
        check_report(first.text, "James")
        assert [label[:5] for label in labels_of(first, "")] == ["Show ", "Prove", "Evide", "Ask", "All c"]
        await bot.presses(bot.root, "Show i")
        assert "ann must ask the help desk" in bot.texts(bot.dm(bot.root))[-1]
