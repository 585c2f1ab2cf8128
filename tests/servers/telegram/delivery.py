"""Who gets to see what: the rules by which Telegram hands a message to a bot, or keeps it back."""

from __future__ import annotations

from typing import Any

from .spans import cut
from .state import State
from .values import Bot, Chat, Json, Message, words

SERVICE = words(
    "new_chat_members left_chat_member new_chat_title new_chat_photo delete_chat_photo group_chat_created "
    "migrate_to_chat_id migrate_from_chat_id pinned_message forum_topic_created forum_topic_edited forum_topic_closed "
    "forum_topic_reopened video_chat_started video_chat_ended"
)


def sees(state: State, bot: Bot, message: Message) -> bool:
    """Say whether a bot that is in the chat is told of a message."""
    chat, author = message.chat, message.author
    if author is not None and (author is bot or author.is_bot):
        return False
    if chat.kind == "private":
        return True
    if chat.kind == "channel":
        return chat.member(bot).is_admin
    if not bot.privacy or chat.member(bot).is_admin:
        return True
    return _passes_privacy(state, bot, message)


def announce(state: State, kind: str, payload: Any, bots: list[Bot]) -> None:
    """Queue an update for some bots."""
    for bot in bots:
        bot.inlet.add(kind, payload, state.now)


def deliver(state: State, message: Message, kind: str) -> None:
    """Queue a new or edited message for every bot that may see it."""
    announce(state, kind, message.json, [bot for bot in message.chat.bots() if sees(state, bot, message)])


def is_service(message: Json) -> bool:
    """Say whether a message tells of an event instead of saying something."""
    return any(key in message for key in SERVICE)


def admin_bots(chat: Chat) -> list[Bot]:
    """List the bots that are told of members and reactions."""
    return [bot for bot in chat.bots() if chat.kind == "private" or chat.member(bot).is_admin]


def _passes_privacy(state: State, bot: Bot, message: Message) -> bool:
    body = message.json
    if is_service(body) or body.get("via_bot", {}).get("id") == bot.id:
        return True
    if _answers(bot, body.get("reply_to_message", {})):
        return True
    text = message.text
    spans = [*body.get("entities", ()), *body.get("caption_entities", ())]
    commands = [cut(text, e["offset"], e["length"]) for e in spans if e["type"] == "bot_command" and e["offset"] == 0]
    if commands:
        return _is_for(bot, commands[0])
    return state.switches.mentions_pass_privacy and any(_names(bot, text, entity) for entity in spans)


def _answers(bot: Bot, target: Json) -> bool:
    """Say whether the answered message is the bot's; that it opened the topic does not make all talk there answers."""
    return target.get("from", {}).get("id") == bot.id and "forum_topic_created" not in target


def _is_for(bot: Bot, command: str) -> bool:
    name = command.partition("@")[2]
    return not name or name.lower() == (bot.username or "").lower()


def _names(bot: Bot, text: str, entity: Json) -> bool:
    if entity["type"] == "text_mention":
        return bool(entity.get("user", {}).get("id") == bot.id)
    said = cut(text, entity["offset"], entity["length"])
    return entity["type"] == "mention" and said[1:].lower() == (bot.username or "").lower()
