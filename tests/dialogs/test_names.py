"""By which names the bot is called: roles, nicknames, and names that change while it runs."""

from __future__ import annotations

import re

import orjson
import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says


@pytest.fixture
async def discord(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(says("yes?"))) as bot:
        yield bot


@pytest.fixture
async def telegram(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(says("yes?"))) as bot:
        yield bot


async def compared(bot, gate: str = "addressing") -> dict[str, str]:
    trail = await bot.store.ledger.trail((await bot.newest()).id)
    told = next(value for row in trail.stages for name, value in row.detail if name == "verdicts")
    return next(dict(one["compared"]) for one in orjson.loads(told) if one["gate"] == gate)


async def why(bot) -> str:
    before = bot.private(bot.root)
    await bot.hears(bot.root, "!cortex why")
    return bot.private(bot.root)[len(before) :]


async def calls_role(bot: DiscordBot, role) -> list:
    return await bot.hears(bot.ann, f"{role.mention} are you there?")


async def test_the_role_that_came_with_the_bot_is_the_bot(discord):
    role = discord.house.role("glassmind", bot=discord.me)
    assert len(await calls_role(discord, role)) == 1


@pytest.mark.parametrize("name", ["Glassmind", "glass-mind", "GLASSMIND"])
async def test_a_role_by_hand_that_bears_the_bots_name_and_was_given_to_it_is_the_bot(discord, name):
    role = discord.house.role(name, members=(discord.me, discord.james))
    assert len(await calls_role(discord, role)) == 1
    assert (await compared(discord))["own_role"] == name
    discord.house.take(discord.me, role)
    assert await calls_role(discord, role) == [], "whoever has lost it is not called by it"
    assert "the role " + name in await why(discord)


async def test_a_role_of_its_nickname_is_the_bot_too(discord):
    discord.house.rename(discord.me, "Mindy")
    role = discord.house.role("mindy", members=(discord.me,))
    assert len(await calls_role(discord, role)) == 1


@pytest.mark.parametrize("held", [True, False])
async def test_of_any_other_role_the_report_says_which_was_mentioned(discord, held):
    role = discord.house.role("Cooks", members=(discord.james, *([discord.me] if held else [])))
    assert await calls_role(discord, role) == []
    assert (await discord.newest()).outcome is Outcome.STORED_ONLY
    told = await why(discord)
    assert "The message mentions the role Cooks" in told and "somebody else" not in told
    assert ("which the bot has too" in told) is held


async def test_a_person_and_everyone_are_named(discord):
    assert await discord.hears(discord.ann, f"<@{discord.james.id}> are you there?") == []
    assert "The message mentions James, not the bot." in await why(discord)
    assert await discord.hears(discord.root, "@everyone dinner") == []
    assert "The message mentions everyone, not the bot." in await why(discord)


async def test_on_telegram_it_says_which_name_was_called(telegram):
    assert await telegram.hears(telegram.ann, "@james are you there?") == []
    assert re.search(r"The message mentions \W*james, not the bot", await why(telegram))


async def test_renamed_at_botfather_it_hears_its_new_name_at_once(telegram):
    assert len(await telegram.hears(telegram.ann, f"{AT} are you there?")) == 1
    telegram.world.rename("mindy_bot", "Mindy")
    assert len(await telegram.hears(telegram.ann, "@mindy_bot are you there?")) == 1
    assert len(await telegram.hears(telegram.ann, "/status@mindy_bot")) == 1
    assert len(await telegram.hears(telegram.ann, "Mindy, are you there?")) == 1
    assert (await compared(telegram))["account_names"] == "mindy_bot, Mindy"
    assert await telegram.hears(telegram.ann, "I met Mindy yesterday") == []
    assert await telegram.hears(telegram.ann, f"{AT} are you there?") == []
    assert re.search(r"The message mentions \W*glassmind_bot, not the bot", await why(telegram))


async def test_a_new_display_name_is_known_after_a_while(telegram):
    telegram.world.rename(telegram.me.username, "Mindy")
    telegram.clock.advance(1000)
    assert len(await telegram.hears(telegram.ann, "Mindy, are you there?")) == 1


async def test_somebody_whose_name_is_the_bots_display_name_is_somebody_else(telegram):
    telegram.world.rename(telegram.me.username, "James")
    telegram.clock.advance(1000)
    assert len(await telegram.hears(telegram.ann, "James, are you there?")) == 1
    assert await telegram.hears(telegram.ann, "and @james, are you there?") == []


async def test_names_of_other_bots_are_asked_about_once(telegram):
    def asked() -> int:
        return sum(call.method == "getMe" for call in telegram.server.calls())

    await telegram.hears(telegram.ann, "hello")
    before = asked()
    for _ in range(5):
        assert await telegram.hears(telegram.ann, "@other_bot are you there?") == []
    assert asked() == before + 1


async def test_renamed_on_discord_it_hears_every_name_that_it_has(discord):
    assert await discord.hears(discord.ann, "Mindy, are you there?") == []
    discord.world.rename(discord.me, "mindy", "Mindy the Mind")
    assert len(await discord.hears(discord.ann, "Mindy, are you there?")) == 1
    assert len(await discord.hears(discord.ann, "hello @Mindy the Mind")) == 1
    discord.house.rename(discord.me, "Cook")
    assert len(await discord.hears(discord.ann, "cook: are you there?")) == 1
    assert (await compared(discord))["account_names"] == "mindy, Mindy the Mind, Cook"
    assert len(await discord.hears(discord.ann, f"{discord.at} are you there?")) == 1
    assert len(await discord.hears(discord.ann, "glassmind, are you there?")) == 1
    discord.house.rename(discord.me, None)
    assert await discord.hears(discord.ann, "cook: are you there?") == []


async def test_commands_may_begin_with_the_new_name(discord):
    discord.house.rename(discord.me, "Mindy")
    (answer,) = await discord.hears(discord.ann, "Mindy, status")
    assert "answers when addressed" in answer.text


@pytest.mark.parametrize("is_managed", [True, False])
async def test_a_command_behind_its_role_is_a_command(discord, is_managed):
    members = () if is_managed else (discord.me,)
    role = discord.house.role("Glassmind", bot=discord.me if is_managed else None, members=members)
    (answer,) = await discord.hears(discord.ann, f"{role.mention} status")
    assert "answers when addressed" in answer.text
