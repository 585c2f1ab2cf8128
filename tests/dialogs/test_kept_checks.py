"""Below what is told of an answer stands the button that keeps it as a check, and below one asked for again too."""

from __future__ import annotations

import re

import pytest

from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_facts_of_answers import DENIES, denied_on
from tests.dialogs.test_sources import ANSWER, MADE_OF, asked_about_its_answer, scripted
from tests.dialogs.test_this import SCRIPTED, said_in
from tests.fakes.provider import ScriptedProvider, says

KEEP = "Keep as a check"
OPENED = pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])


def joined(lines: list[str]) -> str:
    """Return what is shown as one line of words."""
    return " ".join("\n".join(lines).split())


async def kept(bot, command: str) -> None:
    """Press the button and what is right; the list has it then."""
    await bot.presses(bot.root, KEEP)
    assert "What is right?" in bot.written(bot.dm(bot.root))[-1].text
    await bot.presses(bot.root, "As it did: answer")
    assert "✓ Kept: of r" in bot.written(bot.dm(bot.root))[-1].text
    await bot.hears(bot.root, command)
    assert re.search(r"\br\w{4,5} should answer", bot.written(bot.dm(bot.root))[-1].text)


def at_and_slash(bot, opened) -> tuple[str, str]:
    return (AT, "/cortex") if opened is a_telegram_bot else (bot.at, "!cortex")


@OPENED
async def test_what_an_answer_was_made_of_can_be_kept_as_a_check(tmp_path, opened):
    async with opened(tmp_path / "data", model=scripted()) as bot:
        at, slash = at_and_slash(bot, opened)
        assert MADE_OF in await asked_about_its_answer(bot, at, f"{slash} why")
        await kept(bot, f"{slash} checks")


@OPENED
async def test_a_finding_about_an_answer_can_be_kept_as_a_check(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says("Noted."), says(DENIES))) as bot:
        at, slash = at_and_slash(bot, opened)
        await denied_on(bot, at)
        newest = bot.written(bot.dm(bot.root))[-1]
        assert labels_of(newest, KEEP) and labels_of(newest, "Show")
        await kept(bot, f"{slash} checks")


@OPENED
async def test_an_answer_that_was_asked_for_again_can_be_kept_as_a_check(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says(ANSWER))) as bot:
        at, slash = at_and_slash(bot, opened)
        await bot.hears(bot.ann, f"{at} when do we raid?")
        await bot.hears(bot.root, f"{slash} replay")
        await bot.presses(bot.root, "Ask it again")
        report = bot.written(bot.dm(bot.root))[-1]
        assert "Now: it answers as well." in report.text and labels_of(report, KEEP)
        await kept(bot, f"{slash} checks")


async def test_in_a_terminal_an_answer_of_no_source_can_be_kept_too(tmp_path):
    provider = ScriptedProvider(says("Grapes."))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("root", "hm")
        shown = joined(await bot.types(f"/reply {said_in(bot, 'Grapes.')} !cortex why"))
        assert "Nothing that the model was sent shares" in shown and f"{KEEP}…]" in shown
        await bot.types(f"/press {KEEP}")
        assert "✓ Kept: of r" in joined(await bot.types("/press As it did"))


async def test_in_a_terminal_a_check_that_was_asked_again_is_no_new_check(tmp_path):
    provider = ScriptedProvider(says("Grapes."))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("root", "!cortex sources")
        await bot.types(f"/press {KEEP}", "/press As it did")
        request = re.search(r"\br(?=\w*\d)\w{4,5}\b", joined(await bot.types("!cortex checks")))[0]
        await bot.types(f"!cortex checks run {request}")
        shown = joined(await bot.types("/press Ask it again"))
        assert "should answer" in shown and KEEP not in shown.rpartition("should answer")[2]
