"""Where it is allowed, anybody may ask why their own message got no answer: in private, and the cause alone."""

from __future__ import annotations

import pytest

from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.dialogs.test_this import SCRIPTED, said_in
from tests.fakes.provider import ScriptedProvider, calls, fails

ALLOWED = "[cortex]\nwhy_for_members = true\n"
CHAT_ALLOWED = "why_for_members = true\n"
"""In the table that the chats of a platform have already."""
SILENT = calls(("skip", {"reason": "james said that ann is not to be answered", "category": "instructed"}))
DECIDED = "I read it and decided that it needed"


@pytest.fixture
async def console(tmp_path):
    model = ScriptedProvider(SILENT)
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=SCRIPTED + ALLOWED) as bot:
        yield bot


async def test_in_a_terminal_the_cause_is_told_in_private_and_nothing_of_others(console):
    await console.says("ann", "@glassmind are you there?")
    told = await console.says("ann", "!why")
    assert DECIDED in "\n".join(told)
    assert not any(DECIDED in line for line in told if line.startswith("[#"))
    assert not any("james" in line for line in told)


async def test_in_a_terminal_the_message_that_is_replied_to_is_meant_where_it_is_the_askers(console):
    await console.says("ann", "nobody is asked")
    await console.says("james", "@glassmind hello")
    mine, his = said_in(console, "nobody is asked"), said_in(console, "@glassmind hello")
    told = "\n".join(await console.types("/as ann", f"/reply {mine} !why"))
    assert "It was not addressed to me" in told
    told = "\n".join(await console.types(f"/reply {his} !why"))
    assert "I can only tell you about your own" in told and DECIDED not in told


async def test_in_a_terminal_somebody_who_wrote_nothing_hears_that(console):
    await console.says("james", "@glassmind hello")
    assert "I have no message of yours" in "\n".join(await console.says("ann", "!why"))


async def test_in_a_terminal_no_other_question_to_the_cortex_is_answered(console):
    await console.says("ann", "@glassmind hello")
    for words in ("!cortex ledger", "!cortex what is wrong", "!cortex"):
        assert await console.says("ann", words) == []


async def test_in_a_terminal_who_asks_too_often_hears_it_once(console):
    await console.says("ann", "@glassmind hello")
    told = [await console.types("[#general] ann> !why") for _ in range(8)]
    assert ["too often" in "\n".join(one) for one in told] == [False] * 5 + [True] + [False] * 2
    assert "About your message" in "\n".join(told[4]) and "About your message" not in "\n".join(told[7])


async def test_in_a_terminal_it_is_listed_only_where_it_is_allowed(console, tmp_path):
    assert "why  why your message got no answer" in "\n".join(await console.says("ann", "/help"))
    async with a_bot(tmp_path / "other") as bot:
        await bot.says("ann", "@glassmind hello")
        assert "why your message" not in "\n".join(await bot.says("ann", "/help"))
        assert len(await bot.says("ann", "!why")) <= 1


async def test_on_telegram_it_comes_into_the_private_chat_and_never_into_the_group(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails()), more=CHAT_ALLOWED) as bot:
        bot.world.start(bot.ann)
        await bot.hears(bot.ann, f"{AT} are you there?")
        before = bot.texts()
        await bot.hears(bot.ann, "/why")
        told = bot.private(bot.ann)
        assert "About your message of" in told and "My model service" in told
        assert bot.texts() == before


async def test_on_telegram_whose_private_chat_is_closed_is_told_how_to_open_it(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(fails()), more=CHAT_ALLOWED) as bot:
        await bot.hears(bot.james, f"{AT} are you there?")
        await bot.hears(bot.james, "/why")
        assert "I answer that only in private" in bot.texts()[-1]
        assert "service" not in bot.texts()[-1]


async def test_on_discord_it_is_shown_to_the_asker_alone(tmp_path):
    model = ScriptedProvider(SILENT)
    async with a_discord_bot(tmp_path / "data", model=model, more=CHAT_ALLOWED) as bot:
        await bot.app.publish("discord")
        said = await bot.says(bot.ann, f"{bot.at} are you there?")
        await bot.settled()
        before = bot.texts()
        asked = await bot.slash(bot.ann, "why")
        assert DECIDED in asked.shown[-1].text
        picked = await bot.picks(bot.ann, "Why?", said)
        assert DECIDED in picked.shown[-1].text
        assert bot.texts() == before and bot.texts(bot.dm(bot.ann)) == []
