"""Groups that became supergroups: they have another id by now, and their messages are counted anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from telegram.error import ChatMigrated, TelegramError

from adapters.telegram import errors
from adapters.telegram.places import TelegramTarget
from bot.errors import DeliveryError
from bot.sentences import later

Moved = Callable[[int, int], Awaitable[None]]
"""Hears that a group has another id from now on."""


class MovedGroups:
    """Knows what moved. `moved` maps chats to their new ids, and `on_move` hears of those that a refusal tells of."""

    def __init__(self, moved: dict[int, int], on_move: Moved) -> None:
        self._moved = moved
        self.on_move = on_move

    def now(self, target: TelegramTarget) -> TelegramTarget:
        """Return where a chat is now."""
        return target._replace(chat=self._moved.get(target.chat, target.chat))

    def has_moved(self, target: TelegramTarget) -> bool:
        """Say whether a chat has another id by now: a message's number means another message there."""
        return target.chat in self._moved

    def checked_target(self, target: TelegramTarget) -> TelegramTarget:
        """Return a chat whose messages can be named; raise DeliveryError (GONE) for one that moved."""
        if self.has_moved(target):
            raise _former_group_error()
        return target

    async def failed(self, error: TelegramError, target: TelegramTarget) -> DeliveryError:
        """Say what a refusal means for a message that stands in a chat; a group that moved is heard of."""
        if isinstance(error, ChatMigrated):
            await self.on_move(target.chat, error.new_chat_id)
            return _former_group_error()
        return errors.delivery_error(error, is_private=target.is_private)


def _former_group_error() -> DeliveryError:
    return DeliveryError(later("delivery_failures.group-moved"), code=errors.MESSAGE_GONE, permanent=True)
