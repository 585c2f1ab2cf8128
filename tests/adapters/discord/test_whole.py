"""The whole bot speaks on Discord: commands that are typed natively, and answers that a crash left in doubt."""

from __future__ import annotations

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.discord import a_discord_bot
from tests.servers.discord import Drops, Hangs, Refuses


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.app.publish("discord")
        yield bot


async def slash(bot, who, command, where=None, **options):
    typed = await who.slash(where or bot.kitchen, command, **options)
    await bot.settled()
    bot.clock.advance(1)
    return typed


async def test_what_is_asked_by_a_slash_command_is_seen_by_who_asked(bot):
    typed = await slash(bot, bot.ann, "help")
    (answer,) = typed.shown
    assert "/whoami" in answer.text and answer.is_for is bot.ann and bot.transcript() == ""
    assert typed.answer == {"type": 5, "data": {"flags": 64}}
    assert (await bot.newest()).outcome is Outcome.COMMAND


async def test_the_menu_offers_what_steers_only_to_who_manages(bot):
    with pytest.raises(ValueError, match="needs permissions 32"):
        await slash(bot, bot.ann, "pause")
    await slash(bot, bot.mod, "pause")
    await bot.hears(bot.ann, f"{bot.at} are you there?")
    assert bot.transcript().count("glassmind<") <= 1


async def test_whose_direct_messages_are_closed_is_shown_the_report_alone(bot):
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, "!cortex why")
    line = bot.kitchen.last
    assert "Show me (only you)" in bot.transcript() and "✓" not in bot.transcript()
    other = await bot.presses(bot.ann, "Show me", line)
    assert [one.is_for for one in other.shown] == [bot.ann] and "✓" not in other.shown[0].text
    shown = await bot.presses(bot.mod, "Show me", line)
    report = await shown.shows("✓")
    assert report.is_for is bot.mod and "#kitchen" in report.text
    again = await bot.presses(bot.mod, "Show me", line)
    assert not any("✓" in one.text for one in again.shown), "once"
    assert "✓" not in bot.transcript() and bot.private(bot.mod) == ""


async def test_the_doctor_names_a_right_that_is_missing(bot):
    bot.kitchen.deny(bot.me, "attach_files")
    await bot.hears(bot.mod, "!cortex doctor here")
    assert "the bot lacks: Attach Files" in bot.private(bot.mod)


async def test_registering_again_changes_nothing(bot):
    await bot.restart()
    await bot.app.publish("discord")
    assert len(bot.server.calls("put_commands")) == 1
    assert ("commands", "synced") in bot.discord.health().facts


async def test_a_refused_menu_shows_in_the_health(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        bot.server.fault("put_commands", Refuses(400, 30034, "Max number of daily application command creates"))
        await bot.app.publish("discord")
        assert ("commands", "failed:commands_quota") in bot.discord.health().facts
        await bot.hears(bot.ann, f"{bot.at} are you there?")
        assert bot.texts() == ["Yes, Ann, I am here. (simulated)"]


@pytest.mark.parametrize("later", [10, 60, 600, 86_400 // 2])
@pytest.mark.parametrize("applied", [True, False])
async def test_an_answer_in_doubt_is_there_once_however_late_the_bot_comes_back(bot, applied, later):
    bot.server.fault("create_message", Hangs(applied=applied))
    await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.server.hung()
    await bot.dies()
    bot.server.release()
    bot.clock.advance(later)
    await bot.lives_again()
    await bot.settled()
    assert bot.texts().count("Yes, Ann, I am here. (simulated)") == 1
    assert (await bot.newest()).outcome is Outcome.REPLIED


async def test_an_answer_that_was_lost_is_sent_again_at_once(bot):
    bot.server.fault("create_message", Drops(applied=True))
    await bot.hears(bot.ann, f"{bot.at} are you there?")
    assert bot.texts() == ["Yes, Ann, I am here. (simulated)"]
    assert (await bot.newest()).outcome is Outcome.REPLIED


async def test_no_secret_is_in_any_log(bot, capfd, caplog):
    caplog.set_level("DEBUG")
    bot.server.fault("create_message", Refuses(503, 0, "?"))
    typed = await slash(bot, bot.ann, "help")
    await bot.hears(bot.ann, f"{bot.at} are you there?")
    told = caplog.text + "".join(capfd.readouterr())
    assert bot.me.token not in told and typed.token not in told and "are you there" not in caplog.text
