"""Where the bot is spoken to on Discord, and when it answers: channels, threads, posts, replies, roles, edits."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.fakes.provider import ScriptedProvider, says


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


async def outcomes(bot: DiscordBot, where=None) -> list[Outcome | None]:
    """How what people wrote ended, the newest first."""
    rows = await bot.store.ledger.recent(bot.key(where), 50)
    return [row.outcome for row in rows if row.inbound.author.kind != "self"]


async def ended(bot: DiscordBot, where=None) -> tuple[Outcome | None, str]:
    """How the newest question ended, and why."""
    rows = await bot.store.ledger.recent(bot.key(where), 50)
    return next((row.outcome, row.outcome_reason) for row in rows if row.inbound.text.endswith("tea?"))


async def test_mentions_replies_and_names_are_answered_and_talk_is_not(bot):
    assert await bot.hears(bot.ann, "lovely weather") == []
    (answer,) = await bot.hears(bot.ann, f"{bot.at} say yes")
    assert answer.text == "yes" and answer.referenced.text.endswith("say yes")
    (again,) = await bot.hears(bot.ann, "say again", reply_to=answer)
    assert again.text == "again"
    (named,) = await bot.hears(bot.ann, "glassmind, are you there?")
    assert "I am here" in named.text
    assert await bot.hears(bot.ann, "not you", reply_to=bot.kitchen.standing[0]) == []
    assert await outcomes(bot) == [Outcome.STORED_ONLY, *[Outcome.REPLIED] * 3, Outcome.STORED_ONLY]


async def test_a_role_of_the_bot_calls_it_and_another_does_not(bot):
    cooks = bot.house.role("cooks", members=(bot.ann,))
    own = bot.house.role("glassmind", members=(bot.me,))
    managed = own.json() | {"managed": True, "tags": {"bot_id": str(bot.me.id)}}
    bot.server.gateway.push("GUILD_ROLE_UPDATE", {"guild_id": str(bot.house.id), "role": managed})
    await bot.settled()
    assert await bot.hears(bot.ann, "say no", mentions=cooks) == []
    (answer,) = await bot.hears(bot.ann, "are you there?", mentions=own)
    assert "are you there?" in answer.text or "I am here" in answer.text


async def test_everyone_and_somebody_else_are_not_the_bot(bot):
    assert await bot.hears(bot.ann, "@everyone are you there?") == []
    assert await bot.hears(bot.ann, "are you there?", mentions=bot.james) == []
    assert len(await bot.hears(bot.ann, "are you there?", mentions=[bot.james, bot.me])) == 1


async def test_an_answer_notifies_nobody(bot):
    (answer,) = await bot.hears(bot.ann, f"{bot.at} say @everyone and <@{bot.james.id}> and @here")
    assert answer.pings == [] and not answer.mention_everyone
    assert bot.sends()[-1].json["allowed_mentions"] == {"parse": [], "replied_user": False}


async def test_a_post_in_a_forum_is_a_channel_of_its_own(bot):
    forum = bot.house.forum("recipes")
    post = await bot.ann.posts(forum, "tea", f"{bot.at} say earl grey")
    await bot.settled()
    (answer,) = bot.written(post)
    assert answer.text == "earl grey"
    assert (await bot.newest(post)).inbound.channel_name == "#recipes › tea"
    (more,) = await bot.hears(bot.james, f"{bot.at} say milk", post)
    assert more.channel is post and bot.texts() == []


async def test_a_private_thread_hears_only_who_is_in_it(bot):
    thread = await bot.ann.starts_thread(bot.kitchen, "secret", private=True)
    await bot.says(bot.ann, f"{bot.at} say before", thread)
    await bot.settled()
    thread.admit(bot.me)
    (answer,) = await bot.hears(bot.ann, f"{bot.at} say after", thread)
    assert answer.channel is thread and answer.text == "after"


async def test_an_archived_thread_wakes_for_an_answer(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("still here")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(thinks)) as bot:
        thread = await bot.ann.starts_thread(await bot.says(bot.ann, "tea"), "tea")
        await bot.says(bot.ann, f"{bot.at} tea?", thread)
        await thinking.wait()
        thread.archive()
        wakes.set()
        await bot.settled()
        assert bot.texts(thread) == ["still here"] and not thread.is_archived


async def test_a_locked_thread_ends_in_a_named_failure_and_admins_hear_of_it(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("too late")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(thinks)) as bot:
        thread = await bot.ann.starts_thread(await bot.says(bot.ann, "tea"), "tea")
        await bot.says(bot.ann, f"{bot.at} tea?", thread)
        await thinking.wait()
        thread.archive(locked=True)
        wakes.set()
        await bot.settled()
        assert await ended(bot, thread) == (Outcome.FAILED, "send:locked")
        assert "could not be delivered: locked" in bot.private(bot.root) and "#kitchen › tea" in bot.private(bot.root)


async def test_an_edit_is_stored_and_not_answered_again(bot):
    asked = await bot.says(bot.ann, f"{bot.at} say one")
    await bot.settled()
    await bot.ann.edits(asked, f"{bot.at} say two")
    await bot.settled()
    assert bot.texts() == ["one"] and (await bot.newest()).outcome is Outcome.STORED_ONLY


async def test_an_edit_of_what_waits_takes_its_place_and_what_was_deleted_is_left(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("first")

    def repeats(request):
        return says(request.messages[-1].text.rsplit("\n", 1)[-1])

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(thinks, repeats)) as bot:
        await bot.says(bot.ann, f"{bot.at} one")
        await thinking.wait()
        waiting = await bot.says(bot.james, f"{bot.at} two")
        gone = await bot.says(bot.root, f"{bot.at} four")
        await bot.james.edits(waiting, f"{bot.at} three")
        await bot.root.deletes(gone)
        await bot.caught_up()
        wakes.set()
        await bot.settled()
        first, second = bot.texts()
        assert first == "first" and second.endswith("three")


async def test_an_answer_to_what_was_deleted_meanwhile_stands_alone(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("tea is ready")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(thinks)) as bot:
        asked = await bot.says(bot.ann, f"{bot.at} tea?")
        await thinking.wait()
        await bot.ann.deletes(asked)
        wakes.set()
        await bot.settled()
        assert (await outcomes(bot))[-1] in {Outcome.REPLIED, Outcome.CANCELLED}
        assert all(message.referenced is None for message in bot.written(bot.kitchen))


async def test_while_it_thinks_the_bot_is_seen_to_type(tmp_path):
    thinking, wakes = asyncio.Event(), asyncio.Event()

    async def thinks(_):
        thinking.set()
        await wakes.wait()
        return says("fine")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(thinks)) as bot:
        await bot.says(bot.ann, f"{bot.at} tea?")
        await thinking.wait()
        await bot.kitchen.sees_typing()
        bot.clock.advance(25)
        await bot.kitchen.sees_typing(2)
        wakes.set()
        await bot.settled()
        assert bot.texts() == ["fine"]


async def test_a_command_is_acknowledged_where_it_was_given_and_a_stranger_is_not(bot):
    asked = await bot.says(bot.root, "!cortex why")
    refused = await bot.says(bot.ann, "!cortex why")
    await bot.settled()
    assert list(asked.reactions) == ["👀"] and refused.reactions == {}


async def test_a_channel_that_is_deleted_ends_in_a_named_failure(tmp_path):
    async def deletes(_):
        bot.kitchen.delete()
        return says("fine")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(deletes)) as bot:
        await bot.hears(bot.ann, f"{bot.at} tea?")
        assert await ended(bot) == (Outcome.FAILED, "send:chat_not_found")
        assert "could not be delivered: chat_not_found" in bot.private(bot.root)


async def test_a_right_that_is_taken_away_is_named_and_given_back_is_enough(bot):
    bot.kitchen.deny(bot.me, "send_messages")
    assert await bot.hears(bot.ann, f"{bot.at} say one", bot.kitchen) != []
    told = bot.private(bot.root)
    assert "A reply to #kitchen could not be delivered: rights" in told and "send messages there" in told
    await bot.hears(bot.mod, "!cortex why")
    assert "Send Messages" in bot.private(bot.mod)
    bot.kitchen.allow(bot.me, "send_messages")
    (answer,) = await bot.hears(bot.ann, f"{bot.at} say two")
    assert answer.text == "two"


async def test_a_channel_that_is_hidden_is_named(tmp_path):
    async def hides(_):
        bot.kitchen.deny(bot.me, "view_channel")
        return says("fine")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(hides)) as bot:
        await bot.hears(bot.ann, f"{bot.at} tea?")
        assert await ended(bot) == (Outcome.FAILED, "send:no_access")
        await bot.hears(bot.mod, "why #kitchen", bot.me)
        assert "View Channel" in bot.private(bot.mod) and "not in it" not in bot.private(bot.mod)
