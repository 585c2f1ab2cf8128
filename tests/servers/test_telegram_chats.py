"""Chats, members, topics and commands, as the real library asks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import BotCommand, BotCommandScopeChat, BotCommandScopeChatMember, ReplyParameters
from telegram.error import BadRequest, Forbidden

from tests.servers.telegram import scope_key
from tests.servers.telegram_client import Stage, a_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


@pytest.fixture
def kitchen(stage):
    return stage.world.supergroup("kitchen", stage.ann, stage.ben, stage.me, username="kitchen")


@pytest.fixture
def house(stage):
    house = stage.world.supergroup("house", stage.ann, stage.me, forum=True)
    stage.world.admit(house, stage.me, status="administrator")
    return house


async def test_a_chat_in_full(stage, kitchen):
    kitchen.permissions["can_send_polls"] = False
    chat = await stage.bot.get_chat("@kitchen")
    assert (chat.id, chat.type, chat.title, chat.username) == (kitchen.id, "supergroup", "kitchen", "kitchen")
    assert (chat.permissions.can_send_messages, chat.permissions.can_send_polls) == (True, False)
    private = await stage.bot.get_chat(stage.ann.id)
    assert (private.type, private.first_name, private.permissions) == ("private", "Ann", None)
    news = stage.world.channel("news", stage.ann)
    kitchen.linked = news
    assert (await stage.bot.get_chat(kitchen.id)).linked_chat_id == news.id


async def test_members(stage, kitchen):
    cy = stage.world.person("Cy")
    stage.world.promote(kitchen, stage.ben, can_delete_messages=False, is_anonymous=True)
    members = [await stage.bot.get_chat_member(kitchen.id, who.id) for who in (stage.ann, stage.ben, stage.me, cy)]
    assert [member.status for member in members] == ["creator", "administrator", "member", "left"]
    ben = members[1]
    assert (ben.can_delete_messages, ben.can_manage_chat, ben.is_anonymous, ben.can_promote_members) == (
        False,
        True,
        True,
        False,
    )
    stage.world.restrict(kitchen, stage.ben, can_send_messages=False)
    stage.world.kick(kitchen, cy, by=stage.ann)
    ben, cy_member = [await stage.bot.get_chat_member(kitchen.id, who.id) for who in (stage.ben, cy)]
    assert (ben.status, ben.can_send_messages, ben.can_send_photos) == ("restricted", False, True)
    assert (cy_member.status, cy_member.until_date.timestamp()) == ("kicked", 0)
    with pytest.raises(BadRequest, match="Participant_id_invalid"):
        await stage.bot.get_chat_member(kitchen.id, 12345)
    assert (await stage.bot.get_chat_member(stage.ann.id, stage.ann.id)).status == "member"


async def test_administrators(stage, kitchen):
    other = stage.world.bot("other_bot")
    stage.world.admit(kitchen, other, status="administrator")
    names = [admin.user.first_name for admin in await stage.bot.get_chat_administrators(kitchen.id)]
    assert names == ["Ann"]
    stage.world.promote(kitchen, stage.me)
    stage.world.promote(kitchen, stage.ben)
    names = [admin.user.first_name for admin in await stage.bot.get_chat_administrators(kitchen.id)]
    assert names == ["Ann", "Ben", "Glassmind"]
    assert await stage.bot.get_chat_member_count(kitchen.id) == 4
    with pytest.raises(BadRequest, match="There are no administrators in the private chat"):
        await stage.bot.get_chat_administrators(stage.ann.id)


async def test_leaving(stage, kitchen):
    assert await stage.bot.leave_chat(kitchen.id)
    for call in (stage.bot.leave_chat, stage.bot.get_chat, stage.bot.get_chat_administrators):
        with pytest.raises(Forbidden, match="bot is not a member of the supergroup chat"):
            await call(kitchen.id)
    stage.world.add_bot(kitchen)
    assert (await stage.bot.get_chat(kitchen.id)).title == "kitchen"


async def test_topics_of_a_forum(stage, house):
    topic = await stage.bot.create_forum_topic(house.id, "tea", icon_color=0xFFD67E)
    sent = await stage.bot.send_message(house.id, "hot", message_thread_id=topic.message_thread_id)
    assert (sent.message_thread_id, sent.is_topic_message) == (topic.message_thread_id, True)
    answer = await stage.bot.send_message(house.id, "so", reply_parameters=ReplyParameters(sent.message_id))
    assert answer.message_thread_id == topic.message_thread_id
    assert await stage.bot.edit_forum_topic(house.id, topic.message_thread_id, name="coffee")
    assert house.topics[topic.message_thread_id].name == "coffee"
    with pytest.raises(BadRequest, match="Topic_not_modified"):
        await stage.bot.edit_forum_topic(house.id, topic.message_thread_id, name="coffee")
    assert await stage.bot.close_forum_topic(house.id, topic.message_thread_id)
    assert (await stage.bot.send_message(house.id, "x", message_thread_id=topic.message_thread_id)).text == "x"
    stage.world.demote(house, stage.me)
    with pytest.raises(BadRequest, match="Topic_closed"):
        await stage.bot.send_message(house.id, "x", message_thread_id=topic.message_thread_id)
    with pytest.raises(BadRequest, match="Not enough rights to create a topic"):
        await stage.bot.create_forum_topic(house.id, "more")


async def test_topics_that_are_not_there(stage, house, kitchen):
    for thread in (999, 1):
        with pytest.raises(BadRequest, match="Message thread not found"):
            await stage.bot.send_message(house.id, "x", message_thread_id=thread)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await stage.bot.send_message(stage.ann.id, "x", message_thread_id=7)
    with pytest.raises(BadRequest, match="Topic_id_invalid"):
        await stage.bot.close_forum_topic(house.id, 999)
    with pytest.raises(BadRequest, match="The chat is not a forum"):
        await stage.bot.create_forum_topic(kitchen.id, "x")
    topic = await stage.bot.create_forum_topic(house.id, "short")
    await stage.bot.send_message(house.id, "x", message_thread_id=topic.message_thread_id)
    await stage.bot.delete_forum_topic(house.id, topic.message_thread_id)
    assert stage.world.transcript(house) == ""
    with pytest.raises(BadRequest, match="Message thread not found"):
        await stage.bot.send_message(house.id, "x", message_thread_id=topic.message_thread_id)


async def test_general_may_be_closed(stage, house):
    stage.world.close_topic(house, house.topics[1], stage.ann)
    stage.world.demote(house, stage.me)
    with pytest.raises(BadRequest, match="Topic_closed"):
        await stage.bot.send_message(house.id, "x")


async def test_topics_of_a_private_chat(stage):
    with pytest.raises(BadRequest, match="The chat is not a forum"):
        await stage.bot.create_forum_topic(stage.ann.id, "inspect")
    stage.me.topics = True
    topic = await stage.bot.create_forum_topic(stage.ann.id, "inspect")
    sent = await stage.bot.send_message(stage.ann.id, "found", message_thread_id=topic.message_thread_id)
    assert (sent.message_thread_id, sent.is_topic_message) == (topic.message_thread_id, True)
    (thread,) = stage.dm.topics.values()
    stage.world.say(stage.dm, stage.ann, "and?", topic=thread)
    heard = (await stage.only()).message
    assert (heard.message_thread_id, heard.is_topic_message, heard.reply_to_message) == (thread.id, True, None)
    assert stage.world.transcript(stage.dm, thread).endswith("glassmind_bot< found\nAnn> and?")
    stage.world.switches.private_topics = False
    with pytest.raises(BadRequest, match="The chat is not a forum"):
        await stage.bot.create_forum_topic(stage.ann.id, "more")


async def test_commands_per_scope(stage, kitchen):
    everywhere, here = [BotCommand("tea", "Make tea")], [BotCommand("cortex", "Look inside")]
    scope = BotCommandScopeChat("@kitchen")
    assert await stage.bot.set_my_commands(everywhere)
    assert await stage.bot.set_my_commands(here, scope=scope)
    assert await stage.bot.set_my_commands(here, scope=BotCommandScopeChatMember(kitchen.id, stage.ann.id))
    assert await stage.bot.get_my_commands() == tuple(everywhere)
    assert await stage.bot.get_my_commands(scope=BotCommandScopeChat(kitchen.id)) == tuple(here)
    assert await stage.bot.get_my_commands(language_code="de") == ()
    member = scope_key({"type": "chat_member", "chat_id": kitchen.id, "user_id": stage.ann.id})
    assert set(stage.me.commands) == {"default", f"chat:{kitchen.id}", member}
    assert await stage.bot.delete_my_commands(scope=scope)
    assert await stage.bot.get_my_commands(scope=scope) == ()


async def test_commands_that_are_refused(stage):
    for command in (BotCommand("Tea", "x"), BotCommand("te-a", "x"), BotCommand("x" * 33, "x")):
        with pytest.raises(BadRequest, match="Bot_command_invalid"):
            await stage.bot.set_my_commands([command])
    with pytest.raises(BadRequest, match="Command description must be non-empty"):
        await stage.bot.set_my_commands([BotCommand("tea", "")])
    with pytest.raises(BadRequest, match="Bot_commands_too_much"):
        await stage.bot.set_my_commands([BotCommand(f"c{number}", "x") for number in range(101)])
    with pytest.raises(BadRequest, match="Chat not found"):
        await stage.bot.set_my_commands([BotCommand("tea", "x")], scope=BotCommandScopeChat(5))
