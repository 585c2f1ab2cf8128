"""The whole bot on Discord: the real library, real sockets, and everybody is answered once."""

from __future__ import annotations

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.discord import a_discord_bot


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


async def test_a_mention_is_answered_where_it_was_written(bot):
    await bot.says(bot.james, "no one in particular")
    (answer,) = await bot.hears(bot.ann, f"{bot.at} are you there?")
    assert answer.channel is bot.kitchen and answer.text == "Yes, Ann, I am here. (simulated)"
    assert (await bot.newest()).outcome is Outcome.REPLIED
    assert bot.transcript() == (
        f"James> no one in particular\nAnn> {bot.at} are you there?\nglassmind< Yes, Ann, I am here. (simulated)"
    )


async def test_a_private_message_is_answered_in_private(bot):
    (answer,) = await bot.hears(bot.ann, "are you there?", bot.me)
    assert answer.channel is bot.dm(bot.ann) and "I am here" in answer.text
    assert (await bot.newest(bot.dm(bot.ann))).inbound.channel == f"discord:dm:{bot.ann.id}"


async def test_threads_are_channels_of_their_own(bot):
    said = await bot.says(bot.ann, "let us talk")
    thread = await bot.ann.starts_thread(said, "talk")
    (answer,) = await bot.hears(bot.ann, f"{bot.at} are you there?", thread)
    assert answer.channel is thread


@pytest.mark.parametrize("ends", ["in order", "killed"])
async def test_what_was_asked_meanwhile_is_answered_once(bot, ends):
    await bot.hears(bot.ann, f"{bot.at} hello")
    await bot.hears(bot.ann, "hello", bot.me)
    await (bot.close() if ends == "in order" else bot.dies())
    await bot.says(bot.ann, f"{bot.at} are you there?")
    await bot.says(bot.ann, "are you there?", bot.me)
    await bot.lives_again()
    await bot.settled()
    assert bot.texts().count("Yes, Ann, I am here. (simulated)") == 1
    assert bot.texts(bot.dm(bot.ann)).count("Yes, Ann, I am here. (simulated)") == 1
    await bot.restart()
    await bot.settled()
    assert bot.texts().count("Yes, Ann, I am here. (simulated)") == 1


async def test_an_edit_starts_nothing_and_a_deleted_question_is_not_answered(bot):
    said = await bot.says(bot.ann, "never mind")
    await bot.settled()
    await bot.ann.edits(said, f"{bot.at} are you there?")
    await bot.settled()
    assert bot.texts() == []


async def test_coming_into_a_house_is_greeted_once(bot):
    den = bot.world.guild("Den", bot.ann)
    lobby = den.channel("lobby")
    den.join(bot.me)
    await bot.settled()
    assert len(bot.texts(lobby)) == 1 and "glassmind" in bot.texts(lobby)[0].lower()


async def test_without_the_intent_mentions_and_private_messages_are_answered(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.me.granted -= {"message_content"}
        await bot.open()
        await bot.settled()
        assert await bot.hears(bot.ann, "glassmind, are you there?") == []
        assert len(await bot.hears(bot.ann, f"{bot.at} are you there?")) == 1
        assert len(await bot.hears(bot.ann, "are you there?", bot.me)) == 1
        assert bot.discord.health().code == "content_intent"


async def test_an_order_counts_only_where_its_author_typed_it_themselves(bot):
    """Somebody else's words under the owner's name, and the owner's own words at second hand, start nothing."""
    await bot.world.speaks_through_webhook(bot.kitchen, "Root", "!cortex why")
    snapshot = {"type": 0, "content": "!cortex why", "embeds": [], "attachments": [], "flags": 0}
    snapshot |= {"timestamp": "2025-10-09T08:53:20+00:00", "edited_timestamp": None}
    await bot.hears(bot.root, "", message_snapshots=[{"message": snapshot}], flags=1 << 14)
    said = await bot.says(bot.root, "good morning")
    await bot.settled()
    await bot.root.edits(said, "!cortex why")
    await bot.settled()
    assert bot.private(bot.root) == "" and bot.texts() == []
    await bot.hears(bot.root, "!cortex why")
    assert bot.private(bot.root) != "" and bot.texts() == []


async def test_being_removed_from_a_house_is_on_record_in_each_of_its_channels(bot):
    await bot.hears(bot.ann, f"{bot.at} hello")
    bot.house.leave(bot.me)
    await bot.settled()
    events = await bot.store.ledger.events(bot.key(), 0)
    assert [one.inbound.event.name for one in events if one.inbound.event] == ["guild_remove"]
