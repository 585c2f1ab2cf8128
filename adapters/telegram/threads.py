"""Open a thread that one person reads: a topic where their chat has them, else a message that everything answers."""

from __future__ import annotations

import structlog
from telegram import MessageEntity, User
from telegram.error import BadRequest, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import Api
from adapters.telegram.places import NAME
from bot.domain.ids import Person, channel_id
from bot.domain.messages import Address
from bot.errors import DeliveryError, name_of
from bot.text.text import utf16_length

log = structlog.get_logger(__name__)

_MOST_OF_A_NAME = 128


async def open_thread(api: Api, person: Person, title: str) -> Address:
    """Start a private thread; raise DeliveryError, permanent when the person has not opened the chat or blocked it."""
    chat = _chat(person)
    try:
        me: User = await api.get_me()
        topic = await _topic(api, chat, title) if me.has_topics_enabled else None
        if topic is not None:
            return Address(platform=NAME, channel=channel_id(NAME, chat, topic), thread="", private_to=person.user_id)
        bold = MessageEntity(MessageEntity.BOLD, 0, utf16_length(title))
        # the title makes no sound: what is said below it does
        root = await api.send_message(chat, title, entities=(bold,), disable_notification=True)
    except TelegramError as error:
        raise errors.failed(error, is_private=True) from None
    return Address(
        platform=NAME, channel=channel_id(NAME, chat), thread=str(root.message_id), private_to=person.user_id
    )


async def _topic(api: Api, chat: int, title: str) -> int | None:
    """Make a topic; None where the platform does not want to."""
    try:
        made = await api.create_forum_topic(chat, title[:_MOST_OF_A_NAME])
    except BadRequest as error:
        if errors.refusal(error, is_private=True) == "dm_closed":
            raise
        log.info("telegram_topic_refused", error=name_of(error))
        return None
    return made.message_thread_id


def _chat(person: Person) -> int:
    if person.platform == NAME and person.user_id.isascii() and person.user_id.isdigit():
        return int(person.user_id)
    raise DeliveryError(f"{person.user_id} is nobody's id on Telegram", code="dm_closed", permanent=True)
