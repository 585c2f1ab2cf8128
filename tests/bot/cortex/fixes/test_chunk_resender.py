"""What may not have arrived is sent once more when the one who asked, or an admin, presses for it."""

from __future__ import annotations

from bot.domain.ids import MAIN as AGENT
from bot.domain.ids import ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.messages import Button
from bot.domain.turn import OutboxState
from bot.text.times import minute
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, Chat, chat, config, dm_of
from tests.fakes.clock import START
from tests.fakes.platform import FakePlatform, lost, refused


def unsure() -> FakePlatform:
    return FakePlatform(max_units=4096)


async def loses(bot: Chat, text: str = "are you there?") -> tuple[Button, Button]:
    """Have an answer lost; return the button in the chat and the owner's."""
    bot.platform.fails([lost()])
    said = await bot.hears(text)
    assert await bot.outcome(said) is Outcome.UNCERTAIN
    notice = next(sent for sent in reversed(bot.platform.sent) if "may not have arrived" in sent.text)
    alert = next(sent for sent in reversed(bot.platform.sent) if "may not have been delivered" in sent.text)
    assert (notice.to.channel, alert.to.channel) == (GENERAL, dm_of(OWNER))
    ((own,), (admins,)) = notice.buttons, alert.buttons
    assert own.label == admins.label == "Send it"
    return own, admins


async def state(bot: Chat) -> OutboxState:
    return (await bot.store.outbox.get(1)).state  # type: ignore[union-attr]


async def test_who_asked_gets_the_answer_after_all_and_once(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        own, _ = await loses(bot)
        assert await bot.press_data(own.data, ANN, GENERAL) == "Sending it again."
        assert bot.public[-1] == "yes"
        assert await bot.press_data(own.data, ANN, GENERAL) == f"I sent it at {minute(START)} UTC already."
        assert bot.public.count("yes") == 1
        assert await state(bot) is OutboxState.SENT
        assert [row.body.action for row in await bot.store.audit.newest(None, 9)] == []
        trail = await bot.store.ledger.trail(1)
        (note,) = [row for row in trail.stages if row.reason == "sent again"]  # type: ignore[union-attr]
        assert dict(note.detail)["asked_by"] == "who asked"


async def test_the_owner_sends_it_and_that_is_on_record(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        _, admins = await loses(bot)
        assert await bot.press_data(admins.data, OWNER) == "Sending it again."
        assert bot.public[-1] == "yes"
        (entry,) = await bot.store.audit.newest(PersonKey("console", UserId(OWNER)), 9)
        assert (entry.body.action, entry.body.target) == ("send again", GENERAL)


async def test_nobody_else_can_and_not_from_elsewhere(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        own, admins = await loses(bot)
        for by in (STRANGER, OWNER, ADMIN):
            assert "Only the person" in await bot.press_data(own.data, by, GENERAL)
        assert "isn't mine" in await bot.press_data(own.data, ANN, dm_of(ANN))
        assert "isn't mine" in await bot.press_data(admins.data, ADMIN)
        assert "isn't mine" in await bot.press_data(admins.data, OWNER, GENERAL)
        assert await state(bot) is OutboxState.UNCERTAIN
        assert "yes" not in bot.public


async def test_an_admin_who_is_none_any_more_cannot(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        _, admins = await loses(bot)
    settings = config(tmp_path / "data", platforms={"console": {"owner_ids": ["77"], "default_mode": "active"}})
    async with chat(tmp_path, settings=settings, platform=unsure()) as bot:
        assert "may not" in await bot.press_data(admins.data, OWNER)
        assert await state(bot) is OutboxState.UNCERTAIN


async def test_it_ends_after_a_day(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        own, _ = await loses(bot)
        bot.clock.advance(24 * 3600 + 1)
        assert "expired" in await bot.press_data(own.data, ANN, GENERAL)
        assert await state(bot) is OutboxState.UNCERTAIN


async def test_what_is_lost_again_has_a_new_button_and_the_old_one_does_nothing(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        own, _ = await loses(bot)
        bot.platform.fails([lost()])
        await bot.press_data(own.data, ANN, GENERAL)
        newer = next(sent for sent in reversed(bot.platform.sent) if sent.buttons and sent.to.channel == GENERAL)
        assert newer.buttons[0].data != own.data
        assert "newer button" in await bot.press_data(own.data, ANN, GENERAL)
        assert await bot.press_data(newer.buttons[0].data, ANN, GENERAL) == "Sending it again."
        assert bot.public.count("yes") == 1


async def test_what_is_refused_has_no_button(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        bot.platform.fails([refused()])
        await bot.hears("hello")
        assert all(not sent.buttons for sent in bot.platform.sent)


async def test_a_press_after_a_restart_and_a_move_goes_to_where_the_channel_is(tmp_path):
    async with chat(tmp_path, platform=unsure()) as bot:
        _, admins = await loses(bot)
        await bot.store.channels.move(GENERAL, ChannelKey(AGENT, "console:#hall").channel, 1)  # type: ignore[arg-type]
    async with chat(tmp_path, platform=unsure()) as bot:
        assert await bot.press_data(admins.data, OWNER) == "Sending it again."
        assert [sent.to.channel for sent in bot.platform.sent] == ["console:#hall"]
