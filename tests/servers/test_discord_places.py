"""Where a bot may read and write, and threads, forums and direct messages, through the real library."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest

from tests.servers.discord import START
from tests.servers.discord.permissions import in_channel
from tests.servers.discord_client import Stage, a_stage, refused


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


def of(stage, channel):
    return stage.client.get_channel(channel.id) or stage.client.get_partial_messageable(channel.id)


async def test_a_channel_that_is_hidden_or_gone(stage):
    stage.support.deny(stage.me, "view_channel")
    assert await refused(stage.channel.send("x"), discord.Forbidden) == (403, 50001)
    assert await refused(stage.client.fetch_channel(stage.support.id), discord.Forbidden) == (403, 50001)
    stage.support.allow(stage.me, "view_channel")
    await stage.channel.send("x")
    stage.support.delete()
    assert await refused(stage.client.get_partial_messageable(stage.support.id).send("x")) == (404, 10003)
    assert await refused(stage.client.fetch_channel(1)) == (404, 10003)


async def test_permissions_are_asked_one_by_one(stage):
    sent = await stage.channel.send("x")
    stage.support.deny(stage.guild.everyone, "read_message_history")
    assert await refused(stage.channel.fetch_message(sent.id)) == (403, 50001)
    assert [one async for one in stage.channel.history()] == []
    stage.support.deny(stage.guild.everyone, "send_messages")
    assert await refused(stage.channel.send("x")) == (403, 50013)
    role = stage.guild.role("speakers", members=(stage.me,))
    stage.support.allow(role, "send_messages", "read_message_history")
    await stage.channel.send("x")
    stage.support.deny(stage.guild.everyone, "add_reactions")
    assert await refused(sent.add_reaction("👍")) == (403, 50013)


async def test_a_bot_in_time_out_only_reads(stage):
    stage.guild.time_out(stage.me, 60)
    await stage.client.hears("member_update")
    assert stage.channel.guild.me.timed_out_until.timestamp() == START + 60
    assert await refused(stage.channel.send("x")) == (403, 50013)
    assert [one async for one in stage.channel.history()] == []
    stage.world.wait(61)
    await stage.channel.send("x")


async def test_the_library_counts_permissions_as_the_server_does(stage):
    mods = stage.guild.role("mods", "manage_guild", members=(stage.ben,))
    stage.support.deny(stage.guild.everyone, "view_channel", "read_message_history")
    stage.support.allow(mods, "view_channel")
    stage.support.allow(stage.me, "view_channel")
    stage.support.deny(stage.ben, "send_messages")
    await stage.client.hears("guild_channel_update", 4)
    ben = stage.channel.permissions_for(stage.channel.guild.get_member(stage.ben.id))
    assert (ben.view_channel, ben.send_messages, ben.manage_guild, ben.read_message_history) == (
        True,
        False,
        True,
        False,
    )
    for user in (stage.ann, stage.ben, stage.me):
        member = stage.channel.guild.get_member(user.id)
        ours = in_channel(stage.support, user)
        assert ours & stage.channel.permissions_for(member).value == ours, user


async def test_guilds_members_and_roles_can_be_asked_for(stage):
    mods = stage.guild.role("mods", "manage_guild", members=(stage.ben,))
    guild = await stage.client.fetch_guild(stage.guild.id)
    assert guild.name == "Kitchen"
    member = await guild.fetch_member(stage.ben.id)
    assert (member.name, member._roles[0]) == ("ben", mods.id)
    assert [role.name for role in await guild.fetch_roles()] == ["@everyone", "mods"]
    assert [channel.name for channel in await guild.fetch_channels()] == ["support"]
    assert await refused(guild.fetch_member(1)) == (404, 10013)
    stranger = stage.world.person("Cem")
    assert await refused(guild.fetch_member(stranger.id)) == (404, 10007)
    assert await refused(stage.client.fetch_guild(1)) == (404, 10004)
    assert (await stage.client.fetch_user(stranger.id)).name == "cem"
    assert {member.id async for member in guild.fetch_members()} == set(stage.guild.members)


async def test_direct_messages(stage):
    user = await stage.client.fetch_user(stage.ann.id)
    sent = await user.send("psst")
    assert (sent.channel.recipient.id, sent.guild) == (stage.ann.id, None)
    await stage.ann.says(stage.me, "yes?")
    heard = await stage.client.hears("message", 2)
    assert (heard.channel.id, heard.author.id) == (sent.channel.id, stage.ann.id)
    assert stage.ann.dm().transcript() == "glassmind< psst\nAnn> yes?"
    assert [message.content async for message in heard.channel.history()] == ["yes?", "psst"]
    nobody = stage.client.http.start_private_message(1)
    assert await refused(nobody) == (400, 50033)
    calls = [call.json for call in stage.server.calls("create_dm")][:1]
    assert calls == [{"recipient_id": stage.ann.id}]


async def test_direct_messages_that_are_closed(stage):
    stage.ann.takes_dms = False
    user = await stage.client.fetch_user(stage.ann.id)
    assert await refused(user.send("psst"), discord.Forbidden) == (403, 50007)
    stage.ann.takes_dms = True
    await user.send("psst")
    stage.guild.leave(stage.ben)
    user = await stage.client.fetch_user(stage.ben.id)
    assert await refused(user.send("come back"), discord.Forbidden) == (403, 50278)


async def test_a_thread_from_a_message(stage):
    asked = await stage.ann.says(stage.support, "why?")
    heard = await stage.client.hears("message")
    thread = await heard.create_thread(name="why")
    assert (thread.id, thread.parent_id, thread.owner_id) == (asked.id, stage.support.id, stage.me.id)
    assert (await stage.client.hears("thread_create")).name == "why"
    starter = await stage.client.hears("message", 2)
    assert (starter.type, starter.channel.id) == (discord.MessageType.thread_starter_message, thread.id)
    await thread.send("because")
    assert asked.thread.transcript() == "glassmind< (thread starter)\nglassmind< because"
    assert (await stage.channel.fetch_message(asked.id)).flags.has_thread
    assert await refused(heard.create_thread(name="again")) == (400, 160004)
    assert await refused(heard.create_thread(name="x" * 101)) == (400, 50035)


async def test_a_person_opens_a_thread_and_the_bot_follows(stage):
    thread = await stage.ann.starts_thread(stage.support, "soup")
    assert (await stage.client.hears("thread_create")).name == "soup"
    said = await stage.ann.says(thread, "hot?")
    heard = await stage.client.hears("message", 2)
    assert (heard.channel.id, heard.content, heard.channel.parent_id) == (thread.id, "hot?", stage.support.id)
    await heard.reply("yes")
    assert said.channel.last.text == "yes"
    assert stage.support.transcript() == "Ann> (started a thread) soup"
    thread.change(name="cold soup")
    await stage.client.hears("thread_update")
    assert stage.client.get_channel(thread.id).name == "cold soup"


async def test_private_threads_are_for_those_who_were_let_in(stage):
    thread = await stage.ann.starts_thread(stage.support, "secret", private=True)
    await stage.ann.says(thread, "shh")
    await stage.ann.says(stage.support, "nothing here")
    await stage.client.hears("message")
    assert [message.content for message in stage.client.told("message")] == ["nothing here"]
    assert await refused(stage.client.fetch_channel(thread.id)) == (403, 50001)
    with pytest.raises(ValueError, match="Ben lacks"):
        await stage.ben.says(thread, "hello?")


async def test_a_bot_is_drawn_into_a_private_thread_by_a_mention(stage):
    thread = await stage.ann.starts_thread(stage.support, "secret", private=True)
    await stage.ann.says(thread, "shh")
    await stage.ann.says(thread, "what do you say?", mentions=stage.me)
    heard = await stage.client.hears("message")
    assert (heard.content, heard.channel.id) == (f"{stage.me.mention} what do you say?", thread.id)
    assert stage.client.get_channel(thread.id).parent_id == stage.support.id
    await heard.reply("nothing")
    assert [message.content async for message in heard.channel.history()][-1] == "shh"
    thread.admit(stage.ben)
    await stage.ben.says(thread, "me neither")
    await stage.client.hears("message", 3)


async def test_who_is_in_a_thread(stage):
    thread = await stage.ann.starts_thread(stage.support, "soup")
    real = await stage.client.hears("thread_create")
    assert [member.id for member in await real.fetch_members()] == [stage.ann.id]
    assert await refused(real.fetch_member(stage.ben.id)) == (404, 10007)
    await real.join()
    await real.add_user(stage.channel.guild.get_member(stage.ben.id))
    assert (await real.fetch_member(stage.ben.id)).thread_id == thread.id
    assert set(thread.joined) == {stage.ann.id, stage.ben.id, stage.me.id}
    await real.leave()
    assert stage.me.id not in thread.joined


async def test_threads_are_told_of_when_their_channel_is_opened_to_the_bot(stage):
    hidden = stage.guild.channel("hidden")
    hidden.deny(stage.me, "view_channel")
    thread = await stage.ann.starts_thread(hidden, "soup")
    hidden.allow(stage.me, "view_channel")
    await stage.client.hears("thread_join")
    assert stage.client.get_channel(thread.id).name == "soup"


async def test_an_archived_thread_opens_by_writing_but_not_by_editing(stage):
    thread = await stage.ann.starts_thread(stage.support, "soup")
    await stage.client.hears("thread_create")
    sent = await of(stage, thread).send("one")
    thread.archive()
    await stage.client.hears("thread_update")
    assert await refused(sent.edit(content="two")) == (400, 50083)
    assert await refused(sent.add_reaction("👍")) == (400, 50083)
    await of(stage, thread).send("three")
    assert not thread.is_archived
    await sent.edit(content="two")


async def test_a_locked_thread_is_for_moderators(stage):
    thread = await stage.ann.starts_thread(stage.support, "soup")
    await stage.client.hears("thread_create")
    thread.lock()
    assert await refused(of(stage, thread).send("x")) == (403, 160005)
    thread.archive(locked=True)
    assert await refused(of(stage, thread).send("x")) == (400, 50083)
    stage.guild.role("mods", "manage_threads", members=(stage.me,))
    await of(stage, thread).send("x")
    assert thread.last.text == "x"


async def test_the_bot_archives_and_locks(stage):
    heard = await stage.channel.send("x")
    thread = await heard.create_thread(name="mine")
    await thread.edit(archived=True)
    assert stage.support.last.thread.is_archived
    assert await refused(thread.edit(name="x")) == (400, 50083)
    await thread.edit(archived=False)
    assert await refused(thread.edit(locked=True)) == (403, 50013)
    threads = [one async for one in stage.channel.archived_threads()]
    assert threads == []
    active = await stage.channel.guild.active_threads()
    assert [one.name for one in active] == ["mine"]


async def test_forum_posts(stage):
    forum = stage.guild.forum("help")
    await stage.client.hears("guild_channel_create")
    post = await stage.ann.posts(forum, "No heat", "My oven is cold.")
    heard = await stage.client.hears("message")
    assert (heard.id, heard.channel.id, heard.channel.parent_id) == (post.id, post.id, forum.id)
    await heard.reply("plug it in")
    assert post.transcript() == "Ann> My oven is cold.\nglassmind< plug it in"
    made = await of(stage, forum).create_thread(name="Rules", content="be kind")
    assert made.message.id == made.thread.id
    assert await refused(stage.client.get_partial_messageable(forum.id).send("x")) == (400, 50008)


async def test_a_category_hands_down_what_it_denies(stage):
    staff = stage.guild.category("staff")
    staff.deny(stage.guild.everyone, "view_channel")
    room = stage.guild.channel("room", under=staff)
    assert await refused(of(stage, room).send("x")) == (403, 50001)


async def test_a_guild_that_is_left(stage):
    await stage.client.get_guild(stage.guild.id).leave()
    await stage.client.hears("guild_remove")
    assert await refused(stage.client.get_partial_messageable(stage.support.id).send("x")) == (403, 50001)
    assert await refused(stage.client.fetch_guild(stage.guild.id)) == (404, 10004)
