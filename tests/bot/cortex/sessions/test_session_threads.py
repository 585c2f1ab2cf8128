"""A topic that was made for the cortex is its own for ever; the direct messages beside it stay the persona's."""

from __future__ import annotations

import pytest

from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey
from bot.domain.ledger import Outcome
from bot.domain.messages import ChannelPlace, OutboundAddress
from tests.bot.cortex.chat import GENERAL, OWNER, Chat, chat, config, dm_of
from tests.fakes.platform import FakePlatform

TOPIC = ChannelId(f"console:{OWNER}:7")
PRIVATE = ChannelPlace(is_dm=True)


class Topics(FakePlatform):
    """Makes a topic of its own for every thread, as private chats with topics do."""

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        return OutboundAddress(platform=self.name, channel=TOPIC, private_to=person.user_id)


async def types(bot: Chat, text: str, channel: ChannelId = TOPIC, **changes):
    return await bot.hears(text, OWNER, channel, place=PRIVATE, **changes)


@pytest.mark.parametrize("later", [0, 3600, 400 * 86_400])
async def test_whatever_is_typed_in_the_topic_goes_to_the_cortex(tmp_path, later):
    async with chat(tmp_path, platform=Topics(idempotent=True, max_units=4096)) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        bot.clock.advance(later)
        await bot.app.maintenance.sweep()
        models = len(bot.provider.requests)
        for text, changes in (("help", {}), ("memory list", {"replies_to": "999"}), ("ledger", {"replies_to": "p2"})):
            asked = await types(bot, text, **changes)
            assert await bot.outcome(asked) is Outcome.COMMAND
            assert bot.private[-1].to == OutboundAddress(platform="console", channel=TOPIC, private_to=OWNER)
        assert len(bot.provider.requests) == models, "the persona heard nothing"
        assert await bot.store.channels.load(ChannelKey(MAIN, TOPIC)) is None, "and has no history of it"


async def test_it_goes_on_about_the_channel_it_was_opened_for_and_turns_to_another(tmp_path):
    async with chat(tmp_path, platform=Topics(idempotent=True, max_units=4096)) as bot:
        await bot.hears("hello")
        await bot.hears("hi", channel=ChannelId("console:#second"))
        await bot.hears("!cortex why", OWNER)
        await types(bot, "ledger console:#second")
        assert "#second" in bot.last
        await types(bot, "!cortex ledger")
        assert "#second" in bot.last
        assert {sent.to.channel for sent in bot.private} == {TOPIC}


async def test_the_direct_messages_and_other_topics_are_the_personas(tmp_path):
    async with chat(tmp_path, platform=Topics(idempotent=True, max_units=4096)) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        for channel in (dm_of(OWNER), ChannelId(f"console:{OWNER}:8"), ChannelId(f"console:{OWNER}")):
            said = await types(bot, "how are you?", channel)
            assert await bot.outcome(said) is Outcome.REPLIED


async def test_who_is_no_admin_any_more_is_not_answered_by_the_persona_there(tmp_path):
    async with chat(tmp_path, platform=Topics(idempotent=True, max_units=4096)) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
    nobody = config(tmp_path / "data", platforms={"console": {"owner_ids": ["77"], "default_mode": "active"}})
    async with chat(tmp_path, settings=nobody, platform=Topics(idempotent=True, max_units=4096)) as bot:
        said = await types(bot, "and why is that?")
        assert await bot.outcome(said) is Outcome.COMMAND
        assert (bot.platform.sent, bot.provider.requests) == ([], [])
        assert await bot.outcome(await types(bot, "hello", dm_of(OWNER))) is Outcome.REPLIED


async def test_a_session_follows_the_channel_that_it_is_about(tmp_path):
    hall = ChannelId("console:#hall")
    async with chat(tmp_path, platform=Topics(idempotent=True, max_units=4096)) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        await bot.store.channels.move(GENERAL, hall, 1)
        await types(bot, "ledger")
        assert "answered" in bot.last
        await types(bot, f"why {GENERAL}")
        session = await bot.store.sessions.of_thread(PersonKey("console", OWNER), TOPIC, "")
        assert session is not None and session.body.target == hall
