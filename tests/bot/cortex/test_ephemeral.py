"""Native commands are answered to their author alone; a closed DM leads to a button that only its asker can use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.domain.ids import ChannelId, ephemeral_id, is_ephemeral
from bot.domain.ledger import Outcome
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, Chat, chat, dm_of
from tests.fakes.platform import FakePlatform

ASIDE = ephemeral_id("console", 77)


@asynccontextmanager
async def a_chat(path: Path) -> AsyncIterator[Chat]:
    async with chat(path, platform=FakePlatform(ephemeral=True)) as bot:
        await bot.hears("hello")
        bot.platform.sent.clear()
        yield bot


async def types(bot: Chat, text: str, by: str = OWNER) -> list[tuple[ChannelId, str]]:
    """Use a native command in #general; return what was said, and where."""
    await bot.hears(text, by, ephemeral=ASIDE, mentions_bot=True)
    return [(sent.to.channel, sent.text) for sent in bot.platform.sent]


def test_an_ephemeral_place_is_told_from_a_channel():
    assert is_ephemeral(ASIDE) and not any(map(is_ephemeral, (GENERAL, dm_of(OWNER), ChannelId("console:ephemeral"))))


async def test_a_command_is_answered_to_its_author_alone(tmp_path):
    async with a_chat(tmp_path) as bot:
        ((where, text),) = await types(bot, "/whoami", ANN)
        assert where == ASIDE and "100" in text
        assert bot.platform.sent[0].to.private_to == ANN and not bot.platform.sent[0].replies_to
        assert bot.platform.reactions == []


async def test_why_says_there_that_the_answer_comes_in_private(tmp_path):
    async with a_chat(tmp_path) as bot:
        said = await types(bot, "/why")
        assert said[0] == (ASIDE, say("sessions.looking"))
        assert {where for where, _ in said[1:]} == {dm_of(OWNER)}
        assert bot.public == []


async def test_a_stranger_is_told_so_because_nobody_else_sees_it(tmp_path):
    async with a_chat(tmp_path) as bot:
        ((where, text),) = await types(bot, "/cortex why", STRANGER)
        assert where == ASIDE and "for moderators and above" in text
        assert bot.public == []


async def test_an_admin_of_another_place_is_told_so_too(tmp_path):
    async with a_chat(tmp_path) as bot:
        bot.platform.admins.clear()
        said = await types(bot, "/why", ADMIN)
        assert said == [(ASIDE, say("cortex.no-right"))]


async def test_with_a_closed_dm_the_native_command_is_answered_where_it_was_given(tmp_path):
    async with a_chat(tmp_path) as bot:
        bot.platform.closed_dms.add(OWNER)
        said = await types(bot, "/why")
        assert {where for where, _ in said} == {ASIDE} and len(said) > 1
        assert bot.public == []
        answer = await bot.presses("All checks", channel=ASIDE)
        assert answer != say("cortex.unreachable") and bot.platform.sent[-1].to.channel == ASIDE


async def test_a_typed_question_leads_to_a_button_for_its_asker(tmp_path):
    async with a_chat(tmp_path) as bot:
        bot.platform.closed_dms.add(OWNER)
        await bot.hears("!cortex why", OWNER)
        (line,) = bot.platform.sent
        assert line.text == say("sessions.dm-closed-button") and line.to.channel == GENERAL
        (button,) = line.buttons
        assert button.label == say("sessions.show-me") and len(button.data) <= 64
        for other in (ADMIN, STRANGER):
            answer = await bot.press_data(button.data, other, GENERAL, ephemeral_id("console", 78))
            assert "I did not make this link for you" in answer
        assert await bot.press_data(button.data, OWNER, GENERAL, ASIDE) == ""
        assert {sent.to.channel for sent in bot.platform.sent[1:]} == {ASIDE}
        assert {sent.to.private_to for sent in bot.platform.sent[1:]} == {OWNER}
        assert "was used at" in await bot.press_data(button.data, OWNER, GENERAL, ephemeral_id("console", 79))
        (entry,) = [e.body for e in await bot.store.audit.newest(None, 9) if e.body.action == "invitation accepted"]
        assert (entry.actor, entry.target) == (OWNER, GENERAL)


async def test_the_button_is_asked_for_its_right_anew_and_ends(tmp_path):
    async with a_chat(tmp_path) as bot:
        bot.platform.closed_dms.add(ADMIN)
        await bot.hears("!cortex why", ADMIN)
        button = bot.platform.sent[-1].buttons[0]
        bot.platform.admins.clear()
        assert await bot.press_data(button.data, ADMIN, GENERAL, ASIDE) == say("cortex.no-right")
        await bot.hears("!cortex why", ADMIN)
        assert bot.platform.sent[-1].to.channel == GENERAL, "no right: silent in the channel"
        bot.platform.admins.add((ADMIN, GENERAL))
        await bot.hears("!cortex why", ADMIN)
        bot.clock.advance(601)
        expired = bot.platform.sent[-1].buttons[0]
        assert "has expired" in await bot.press_data(expired.data, ADMIN, GENERAL, ASIDE)
        assert not any(is_ephemeral(sent.to.channel) for sent in bot.platform.sent)


async def test_a_button_pressed_where_nothing_can_be_shown_does_nothing(tmp_path):
    async with a_chat(tmp_path) as bot:
        bot.platform.closed_dms.add(OWNER)
        asked = await bot.hears("!cortex why", OWNER)
        assert await bot.press_data(bot.platform.sent[-1].buttons[0].data, OWNER, GENERAL) == say("cortex.not-ours")
        assert len(bot.platform.sent) == 1
        assert (await bot.inbound(asked)).outcome is Outcome.COMMAND
