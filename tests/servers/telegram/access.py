"""May the bot write here? The order and the words of check_chat_access in telegram-bot-api."""

from __future__ import annotations

from math import ceil

from .members import may, right
from .refusals import UPGRADED, bad, forbidden, too_many
from .state import State
from .values import GENERAL, Bot, Chat


def check_write(state: State, bot: Bot, chat: Chat, what: str = "text messages", permission: str = "messages") -> None:
    """Refuse when the bot cannot write to a chat."""
    check_presence(bot, chat)
    if chat.kind == "private":
        if chat.is_blocked:
            raise forbidden("bot was blocked by the user")
        if not chat.is_started:
            raise forbidden("bot can't initiate conversation with a user")
    elif chat.kind == "channel":
        if not right(chat, bot, "can_post_messages"):
            raise bad("need administrator rights in the channel chat")
    elif not (may(chat, bot, "can_send_messages") and may(chat, bot, f"can_send_{permission}")):
        raise bad(f"not enough rights to send {what} to the chat")


def check_presence(bot: Bot, chat: Chat, *, reads: bool = False) -> None:
    """Refuse when the bot is not in the chat, or the chat has moved; one that moved can still be read."""
    if chat.successor is not None and not reads:
        raise bad(UPGRADED, migrate_to_chat_id=chat.successor.id)
    if chat.kind == "private":
        return
    member = chat.member(bot)
    if member.status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.kind} chat")
    if not member.is_present:
        raise forbidden(f"bot is not a member of the {chat.kind} chat")


def check_thread(bot: Bot, chat: Chat, thread: int | None) -> None:
    """Refuse a topic that is unknown or closed; General is written to by naming no topic at all."""
    if thread is not None and not _is_thread(chat, thread):
        raise bad("message thread not found")
    topic = chat.topics.get(thread or GENERAL)
    if topic is not None and topic.is_closed and not right(chat, bot, "can_manage_topics"):
        raise bad("TOPIC_CLOSED")


def check_pace(state: State, bot: Bot, chat: Chat) -> None:
    """Refuse what comes too fast, when the world keeps a pace, or the chat is in slow mode and the bot no admin."""
    pace = max(state.switches.pace, 0 if chat.member(bot).is_admin else chat.slow_mode)
    left = state.last_sent.get(chat.id, -pace) + pace - state.exact
    if pace and left > 0:
        raise too_many(ceil(left))
    state.last_sent[chat.id] = state.exact


def _is_thread(chat: Chat, thread: int) -> bool:
    if chat.kind == "private":
        return thread in chat.topics
    if chat.is_forum:
        return thread in chat.topics and thread != GENERAL
    return chat.kind == "supergroup" and thread in chat.messages
