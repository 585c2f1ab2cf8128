"""Methods about topics, in forums and in private chats with a bot that has them."""

from __future__ import annotations

from .access import check_presence, check_write
from .ask import Ask
from .members import right
from .posting import post
from .refusals import bad
from .values import GENERAL, Chat, Json, Topic

COLORS = (0x6FB9F0, 0xFFD67E, 0xCB86DB, 0x8EEE98, 0xFF93B2, 0xFB6F5F)
NAME_LIMIT = 128


def create_forum_topic(ask: Ask) -> Json:
    """createForumTopic."""
    chat = _forum(ask)
    name = _name(ask)
    color = ask.whole("icon_color", COLORS[0])
    if color not in COLORS:
        raise bad("invalid forum topic icon color specified")
    emoji = ask.text("icon_custom_emoji_id") or None
    return ask.world.open_topic(chat, ask.bot, name, color, emoji).json()


def edit_forum_topic(ask: Ask) -> bool:
    """editForumTopic."""
    chat = _forum(ask)
    topic = _topic(ask, chat)
    name = _name(ask) if ask.text("name") else topic.name
    if name == topic.name and not ask.text("icon_custom_emoji_id"):
        raise bad("TOPIC_NOT_MODIFIED")
    topic.name = name
    post(ask.world, chat, ask.bot, {"forum_topic_edited": {"name": name}}, topic.id)
    return True


def close_forum_topic(ask: Ask) -> bool:
    """closeForumTopic."""
    return _switch(ask, closed=True)


def reopen_forum_topic(ask: Ask) -> bool:
    """reopenForumTopic."""
    return _switch(ask, closed=False)


def delete_forum_topic(ask: Ask) -> bool:
    """deleteForumTopic, with all its messages."""
    chat = _forum(ask)
    topic = _topic(ask, chat)
    del chat.topics[topic.id]
    for message in chat.messages.values():
        message.is_deleted = message.is_deleted or message.thread == topic.id
    return True


def _switch(ask: Ask, closed: bool) -> bool:
    chat = _forum(ask)
    if chat.kind == "private":
        raise bad("the chat is not a supergroup forum")
    topic = _topic(ask, chat)
    if topic.is_closed == closed:
        raise bad("TOPIC_NOT_MODIFIED")
    topic.is_closed = closed
    post(ask.world, chat, ask.bot, {"forum_topic_closed" if closed else "forum_topic_reopened": {}}, topic.id)
    return True


def _forum(ask: Ask) -> Chat:
    chat = ask.chat
    check_presence(ask.bot, chat)
    if chat.kind == "private":
        check_write(ask.world, ask.bot, chat)
        if not (ask.bot.topics and ask.world.switches.private_topics):
            raise bad("the chat is not a forum")
    elif not chat.is_forum:
        raise bad("the chat is not a forum")
    elif not right(chat, ask.bot, "can_manage_topics"):
        raise bad("not enough rights to create a topic")
    return chat


def _topic(ask: Ask, chat: Chat) -> Topic:
    number = ask.whole("message_thread_id")
    if number not in chat.topics or (number == GENERAL and chat.is_forum):
        raise bad("TOPIC_ID_INVALID")
    return chat.topics[number]


def _name(ask: Ask) -> str:
    name = ask.text("name").strip()
    if not name:
        raise bad("topic name must be non-empty")
    return name[:NAME_LIMIT]
