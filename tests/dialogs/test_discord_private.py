"""Direct messages that are closed, at whichever message: nobody else reads a word, and the asker still gets it."""

from __future__ import annotations

import pytest

from bot.sentences import say
from tests.dialogs.discord import DiscordBot, a_discord_bot, labels_of
from tests.dialogs.test_discord_admin import POISON, WHY, answered_in_private, is_silenced, keeps_private, remembered
from tests.servers.discord import Interaction, Message, Refuses

CLOSED = Refuses(403, 50007, "Cannot send messages to this user")
NOT_YOURS = "I did not make this link for you. Nothing was done."


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.app.publish("discord")
        yield bot


def closes(bot: DiscordBot, nth: int) -> None:
    """Let the moderator's direct messages be closed from the nth message on that the bot sends them."""
    dm = str(bot.dm(bot.mod).id)
    bot.server.fault("create_message", CLOSED, nth=nth, times=99, when=lambda call: call["path"]["channel"] == dm)


def shown(bot: DiscordBot) -> str:
    return "\n".join(message.text for message in bot.aside(bot.mod))


def offer(bot: DiscordBot) -> Message:
    """The newest message that the moderator alone sees and that offers to forget."""
    return [message for message in bot.aside(bot.mod) if labels_of(message, "Forget m")][-1]


def public(bot: DiscordBot) -> list[Message]:
    return bot.written(bot.kitchen)[3:]


@pytest.mark.parametrize("nth", [1, 2, 3])
async def test_closed_at_the_nth_message(bot, nth):
    """The title, the rules' report, the branch's report: whichever does not get through, a button brings it."""
    await is_silenced(bot)
    closes(bot, nth)
    await bot.hears(bot.mod, f"{bot.at} {WHY}")
    (line,) = public(bot)
    assert line.text == say("sessions.dm-closed-button") and labels_of(line, "") == [say("sessions.show-me")]
    await is_for_its_asker(bot, line)
    keeps_private(bot, bot.mod)


async def is_for_its_asker(bot: DiscordBot, line: Message) -> None:
    for other in (bot.james, bot.root):
        assert told(await bot.presses(other, say("sessions.show-me"), line), other) == NOT_YOURS
    await bot.presses(bot.mod, say("sessions.show-me"), line)
    assert "rules only, no model used" in shown(bot) and POISON in shown(bot)
    assert all(message.is_for is bot.mod for message in bot.aside(bot.mod))
    again = told(await bot.presses(bot.mod, say("sessions.show-me"), line), bot.mod)
    assert again.startswith("This link was used at")


def told(press: Interaction, who: object) -> str:
    (message,) = press.shown
    assert message.is_for is who
    return message.text


async def test_the_buttons_work_where_one_person_sees_them(bot):
    await is_silenced(bot)
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, f"{bot.at} {WHY}")
    await bot.presses(bot.mod, say("sessions.show-me"))
    for label in ("All checks", "Show m", "Evidence"):
        found = [message for message in bot.aside(bot.mod) if labels_of(message, label)]
        if found:
            before = len(bot.aside(bot.mod))
            await bot.presses(bot.mod, label, found[0])
            assert len(bot.aside(bot.mod)) > before, label
    await bot.presses(bot.mod, "Forget m", offer(bot))
    preview = offer(bot)
    assert preview.text.startswith("Forget m2krxn?") and await remembered(bot)
    await bot.presses(bot.mod, "Forget m", preview)
    assert not await remembered(bot) and "is forgotten" in shown(bot)
    done = next(message for message in bot.aside(bot.mod) if labels_of(message, "Undo"))
    await bot.presses(bot.mod, "Undo", done)
    assert await remembered(bot)
    assert len(public(bot)) == 1 and answered_in_private(bot, bot.mod) == []
    keeps_private(bot, bot.mod)


@pytest.mark.parametrize("how", [("why", {}), ("cortex", {"question": "why isn't this responding"})])
async def test_a_native_command_is_answered_where_it_was_given(bot, how):
    name, options = how
    await is_silenced(bot)
    bot.mod.takes_dms = False
    typed = await bot.slash(bot.mod, name, **options)
    assert any("rules only, no model used" in message.text for message in typed.shown)
    assert all(message.is_for is bot.mod for message in typed.shown)
    assert public(bot) == [] and answered_in_private(bot, bot.mod) == []
    keeps_private(bot, bot.mod)


async def test_the_button_ends_after_ten_minutes_and_outlives_a_kill(bot):
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.mod.takes_dms = False
    (line,) = await bot.hears(bot.mod, "!cortex why")
    await bot.dies()
    await bot.lives_again()
    await bot.settled()
    await bot.presses(bot.mod, say("sessions.show-me"), line)
    assert "✓ #kitchen: all is well" in shown(bot)
    line = (await bot.hears(bot.mod, "!cortex why"))[-1]
    bot.clock.advance(601)
    expired = told(await bot.presses(bot.mod, say("sessions.show-me"), line), bot.mod)
    assert expired == "This link has expired. Nothing was done; ask again where you asked."


async def test_what_one_person_sees_ends_with_the_token_and_says_so(bot):
    """Fifteen minutes after the press nothing more can be shown there, and nobody is left to guess why."""
    await is_silenced(bot)
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, f"{bot.at} {WHY}")
    await bot.presses(bot.mod, say("sessions.show-me"))
    found = offer(bot)
    bot.clock.advance(16 * 60)
    press = await bot.presses(bot.mod, "Forget m", found)
    assert told(press, bot.mod).startswith("What only you can see ends after 15 minutes")
    assert await remembered(bot)


async def test_what_one_person_sees_ends_with_the_process_and_says_so(bot):
    await is_silenced(bot)
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, f"{bot.at} {WHY}")
    await bot.presses(bot.mod, say("sessions.show-me"))
    await bot.presses(bot.mod, "Forget m", offer(bot))
    found = offer(bot)
    await bot.restart()
    await bot.settled()
    assert told(await bot.presses(bot.mod, "Forget m", found), bot.mod).startswith("What only you can see ends")
    assert await remembered(bot)


async def test_who_may_not_any_more_is_told_so_at_the_button(bot):
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.mod.takes_dms = False
    (line,) = await bot.hears(bot.mod, "!cortex why")
    (keepers,) = (role for role in bot.house.roles.values() if role.name == "keepers")
    bot.house.take(bot.mod, keepers)
    assert "✓" not in told(await bot.presses(bot.mod, say("sessions.show-me"), line), bot.mod)
    assert bot.aside(bot.ann) == [] and "✓" not in bot.transcript()


async def test_open_again_means_private_again(bot):
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, "!cortex why")
    bot.mod.takes_dms = True
    report = await bot.hears(bot.mod, "!cortex why")
    assert {message.channel for message in report} == {bot.dm(bot.mod)}
