"""A skill is switched off in a channel, and a channel that a list keeps out is let in: pressed, confirmed, undone."""

from __future__ import annotations

import pytest

from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, says
from tests.fakes.skills import write_skill

OPENED = pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])
SKILLS = '[skills]\nenabled = ["tea"]\n'
OFFERED = "- tea: Make tea for guests."


def joined(lines: list[str]) -> str:
    """Return what is shown as one line of words."""
    return " ".join("\n".join(lines).split())


def newest(bot):
    return bot.written(bot.dm(bot.root))[-1]


# a skill


@OPENED
async def test_on_both_platforms_a_skill_is_switched_off_and_on_again(tmp_path, opened):
    write_skill(tmp_path / "data" / "skills", "tea", description="Make tea for guests.")
    model = ScriptedProvider(says("ok"))
    async with opened(tmp_path / "data", model=model, more=SKILLS) as bot:
        at, slash = (AT, "/cortex") if opened is a_telegram_bot else (bot.at, "!cortex")
        await bot.hears(bot.ann, f"{at} hello")
        assert OFFERED in model.requests[-1].system_text
        await bot.hears(bot.root, f"{slash} fix skill off tea")
        assert "No model there gets it from the next message on." in newest(bot).text
        assert "can be undone for 24 h" in newest(bot).text
        await bot.hears(bot.ann, f"{at} hello")
        assert OFFERED in model.requests[-1].system_text, "nothing is changed before it is confirmed"
        await bot.presses(bot.root, "Turn skill tea off in")
        assert "✓ Skill tea is off there." in newest(bot).text
        undo = newest(bot)
        await bot.hears(bot.ann, f"{at} hello")
        assert OFFERED not in model.requests[-1].system_text and "answered a member" in newest(bot).text
        await bot.presses(bot.root, "Undo", undo)
        await bot.hears(bot.ann, f"{at} hello")
        assert OFFERED in model.requests[-1].system_text
        assert not any("skill" in text.lower() for text in bot.texts())


async def test_in_a_terminal_a_skill_is_switched_on_for_one_channel_alone(tmp_path):
    write_skill(tmp_path / "data" / "skills", "tea", description="Make tea for guests.")
    model, none_on = ScriptedProvider(says("ok")), f"{SCRIPTED}\n[skills]\nenabled = []\n"
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=none_on) as bot:
        await bot.says("ann", "@glassmind hello")
        assert OFFERED not in model.requests[-1].system_text
        shown = joined(await bot.says("root", "!cortex fix skill on tea"))
        assert "Models there get it from the next message on." in shown
        assert "✓ Skill tea is on there." in joined(await bot.types("/press Turn skill tea on"))
        await bot.says("ann", "@glassmind hello")
        assert OFFERED in model.requests[-1].system_text
        await bot.says("ann", "@glassmind hello", "#second")
        assert OFFERED not in model.requests[-1].system_text
        assert "is undone" in joined(await bot.types("/as root", "/press Undo"))
        await bot.says("ann", "@glassmind hello")
        assert OFFERED not in model.requests[-1].system_text


async def test_in_a_terminal_a_skill_that_is_not_there_or_is_off_already_is_said_to_be(tmp_path):
    write_skill(tmp_path / "data" / "skills", "tea", description="Make tea for guests.")
    none_on = f"{SCRIPTED}\n[skills]\nenabled = []\n"
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(says("ok"))}, more=none_on) as bot:
        await bot.says("ann", "@glassmind hello")
        shown = joined(await bot.says("root", "!cortex fix skill off coffee"))
        assert "There is no skill coffee there. The skills: tea." in shown
        await bot.says("root", "!cortex fix skill on tea")
        await bot.types("/press Turn skill tea on")
        assert "tea is on there already." in joined(await bot.says("root", "!cortex fix skill on tea"))


# a channel


@OPENED
async def test_on_both_platforms_a_channel_that_a_list_keeps_out_is_let_in_and_left_to_it_again(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says("yes")), begins=False) as bot:
        where = bot.key().channel
        bot.platform = f'blocked_channels = ["{where}"]'
        await bot.open()
        await bot.settled()
        at, name = (AT, "kitchen") if opened is a_telegram_bot else (bot.at, "#kitchen")
        assert await bot.hears(bot.ann, f"{at} hello") == []
        await bot.hears(bot.root, f"why {where}", bot.dm(bot.root) if opened is a_telegram_bot else bot.me)
        report = newest(bot)
        assert labels_of(report, f"Let {name} in…"), report.text
        await bot.presses(bot.root, f"Let {name} in…")
        preview = newest(bot)
        assert "A list in the configuration keeps this channel out." in preview.text
        assert await bot.hears(bot.ann, f"{at} hello") == []
        await bot.presses(bot.root, f"Answer in {name}", preview)
        assert f"✓ {name} is let in, whatever the lists say." in newest(bot).text
        done = newest(bot)
        assert [one.text for one in await bot.hears(bot.ann, f"{at} hello") if one.text == "yes"] == ["yes"]
        await bot.presses(bot.root, "Undo", done)
        assert "is undone" in newest(bot).text
        assert await bot.hears(bot.ann, f"{at} hello") == []


@OPENED
async def test_only_an_owner_lets_a_channel_in(tmp_path, opened):
    async with opened(tmp_path / "data", model=ScriptedProvider(says("yes")), begins=False) as bot:
        bot.platform = f'blocked_channels = ["{bot.key().channel}"]'
        await bot.open()
        await bot.settled()
        at = AT if opened is a_telegram_bot else bot.at
        if opened is a_telegram_bot:
            bot.world.dm(bot.mod).is_started = True
        await bot.hears(bot.ann, f"{at} hello")
        await bot.hears(bot.mod, f"why {bot.key().channel}", bot.dm(bot.mod) if opened is a_telegram_bot else bot.me)
        report = bot.written(bot.dm(bot.mod))[-1]
        assert not labels_of(report, "Let")
        await bot.hears(
            bot.mod, f"fix allow {bot.key().channel}", bot.dm(bot.mod) if opened is a_telegram_bot else bot.me
        )
        assert "Only an owner can let in somebody" in bot.written(bot.dm(bot.mod))[-1].text
