"""A fact that compaction lost, on both platforms: it is named, put back or remembered with a button, and undone."""

from __future__ import annotations

import re

import pytest

from tests.dialogs.discord import a_discord_bot
from tests.dialogs.stores import tables_with
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_compaction import is_for_summary
from tests.dialogs.test_facts_of_answers import is_for_a_phone
from tests.fakes.provider import ScriptedProvider, says

SMALL = """
[model]
name = "scripted/scripted-1"
context_window = 6600
retries = 0
[providers.scripted]
kind = "simulated"
"""
OPENED = pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])
FORGETS = "You never told me when the meeting is."
FACT = "the meeting is on thursday at 18:30"
LONG = " ".join(f"word{n}" for n in range(60))


def model() -> ScriptedProvider:
    """Write a summary that loses the fact, and an answer that shows it."""

    def answers(request):
        if is_for_summary(request):
            return says("They talked.")
        return says(FORGETS if "when is the meeting" in request.messages[-1].text else "ok")

    return ScriptedProvider(answers)


def a_small_window(opened, tmp_path):
    return opened(tmp_path / "data", model=model(), more=SMALL)


async def lost(bot, opened) -> tuple[str, str]:
    """Let a fact be said and summed up, an answer lack it, and an admin ask why; return how both are addressed."""
    at, slash = (AT, "/cortex") if opened is a_telegram_bot else (bot.at, "!cortex")
    await bot.hears(bot.ann, f"{at} {FACT}")
    number = 0
    while not any(one.state.stands for one in await bot.store.compactions.recent(bot.key(), 9)):
        await bot.hears(bot.james, f"{at} number {number} {LONG}")
        number += 1
    answers = await bot.hears(bot.ann, f"{at} when is the meeting?")
    answer = next(message for message in answers if FORGETS in message.text)
    await bot.hears(bot.root, f"{slash} why", reply_to=answer)
    return at, slash


def newest(bot):
    return bot.written(bot.dm(bot.root))[-1]


async def memories(bot):
    channel = bot.key().channel
    found = await bot.store.memories.listed("main", channel, bot.key().channel)
    return [one for one in found if not one.forgotten_at]


@OPENED
async def test_the_fact_is_named_with_what_lost_it_and_put_back_and_that_is_undone(tmp_path, opened):
    async with a_small_window(opened, tmp_path) as bot:
        await lost(bot, opened)
        told = " ".join(bot.private(bot.root).split())
        assert "it sees less than before" in told and "18:30" in told.partition("Its summary lacks")[2][:20]
        page = newest(bot)
        words = " ".join(page.text.split())
        assert "what it is no longer told" in page.text and FACT in words and is_for_a_phone(page.text)
        assert labels_of(page, "Put it back") and labels_of(page, "Remember it") and labels_of(page, "Show i")
        await bot.presses(bot.root, "Put it back…")
        name = re.search(r"\bk(?=\w*\d)\w{4,5}", newest(bot).text)[0]
        await bot.presses(bot.root, f"Undo {name}")
        assert f"✓ {name} is undone" in newest(bot).text
        state = await bot.store.channels.load(bot.key())
        assert FACT in "\n".join(message.text for message in state.history)
        await bot.presses(bot.root, "Undo")
        assert "is undone" in newest(bot).text
        state = await bot.store.channels.load(bot.key())
        assert FACT not in "\n".join(message.text for message in state.history)
        assert not any(FACT in text for text in bot.texts())


@OPENED
async def test_the_fact_is_remembered_and_that_is_undone(tmp_path, opened):
    async with a_small_window(opened, tmp_path) as bot:
        at, _ = await lost(bot, opened)
        await bot.presses(bot.root, "Remember it…")
        preview = newest(bot)
        assert FACT in preview.text and "as it was said" in preview.text and await memories(bot) == []
        await bot.presses(bot.root, "Remember it in")
        assert "✓ Remembered in" in newest(bot).text
        (memory,) = await memories(bot)
        # whoever presses, the words stay those of who said them
        assert not memory.body.provenance.by_admin and memory.body.subjects == (str(bot.ann.id),)
        await bot.hears(bot.ann, f"{at} hello again")
        assert FACT in bot.providers["scripted"].requests[-1].system_text
        undo = next(one for one in reversed(bot.written(bot.dm(bot.root))) if labels_of(one, "Undo"))
        await bot.presses(bot.root, "Undo", undo)
        assert await memories(bot) == []
        assert not any(FACT in text for text in bot.texts())


@OPENED
async def test_whoever_is_forgotten_stands_in_no_offer_to_remember_them(tmp_path, opened):
    async with a_small_window(opened, tmp_path) as bot:
        await lost(bot, opened)
        await bot.presses(bot.root, "Remember it…")
        await bot.presses(bot.root, "Remember it in")
        assert stands_in(bot, "is on thursday at")
        private = ("/forgetme now", bot.dm(bot.ann)) if opened is a_telegram_bot else ("!forgetme now", bot.me)
        await bot.hears(bot.ann, *private)
        assert await bot.store.erasures.unfinished() == [] and stands_in(bot, "is on thursday at") == []
        press = await bot.presses(bot.root, "Undo")
        assert "Nothing was changed" in str([press.answer, *(one.text for one in getattr(press, "shown", ()))])


def stands_in(bot, words: str) -> list[str]:
    """Name the tables that say something."""
    return tables_with(bot.data, words)


@OPENED
async def test_nobody_else_presses_what_puts_it_back(tmp_path, opened):
    async with a_small_window(opened, tmp_path) as bot:
        await lost(bot, opened)
        page = newest(bot)
        before = len(bot.written(bot.dm(bot.root)))
        for label in ("Put it back…", "Remember it…"):
            await bot.presses(bot.ann, label, page)
        assert len(bot.written(bot.dm(bot.root))) == before and await memories(bot) == []
