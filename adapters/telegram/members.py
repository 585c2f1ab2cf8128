"""Ask Telegram what somebody is in a chat, now."""

from __future__ import annotations

from telegram import ChatMember
from telegram.error import TelegramError

from adapters.telegram.api import Api
from adapters.telegram.places import NAME, target_of
from bot.domain.ids import ChannelId, Person
from bot.errors import DeliveryError

_RULING = frozenset({ChatMember.OWNER, ChatMember.ADMINISTRATOR})


async def rules(api: Api, person: Person, channel: ChannelId) -> bool:
    """Say whether somebody created or administers a chat; their own private chat is theirs. Doubt means no."""
    if person.platform != NAME or not (person.user_id.isascii() and person.user_id.isdigit()):
        return False
    try:
        target = target_of(channel)
        if target.is_private:
            return str(target.chat) == person.user_id
        return (await api.get_chat_member(target.chat, int(person.user_id))).status in _RULING
    except (DeliveryError, TelegramError):
        return False
