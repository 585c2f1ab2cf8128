"""What the bot does in Telegram's chats: write, change, take back, react, show that it writes."""

from __future__ import annotations

from telegram import ReactionTypeEmoji
from telegram.error import TelegramError

from adapters.telegram import errors, threads
from adapters.telegram.api import Api
from adapters.telegram.places import target_of
from adapters.telegram.previews import Previews
from adapters.telegram.reactions import reaction
from adapters.telegram.sending import Sending, number_of
from bot.domain.ids import ChannelId, Person
from bot.domain.messages import Address, Outgoing, Preview, Receipt
from bot.errors import DeliveryError


class TelegramVoice:
    """Implements `bot.ports.platform.Voice`."""

    def __init__(self, api: Api, sending: Sending) -> None:
        self._api = api
        self._sending = sending
        self._previews = Previews(api, sending)

    async def send(self, message: Outgoing) -> Receipt:
        """Post one chunk, or put it in the place of the message that it edits; raise DeliveryError.

        What was lost on its way is uncertain: Telegram recognises no repetition.
        """
        return await self._sending.send(message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written: a draft in private chats, an edited message elsewhere."""
        return await self._previews.show(preview)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Delete a message of the bot; raise DeliveryError."""
        await self._sending.retract(channel, message_id)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put the allowed reaction that comes nearest on a message; raise DeliveryError."""
        target, allowed = self._sending.groups.unmoved(target_of(channel)), reaction(emoji)
        if allowed is None:
            raise DeliveryError(f"{emoji} is no reaction on Telegram", code="unsupported_emoji", permanent=True)
        try:
            await self._api.set_message_reaction(target.chat, number_of(message_id), [ReactionTypeEmoji(allowed)])
        except TelegramError as error:
            raise errors.failed(error, is_private=target.is_private) from None

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show that an answer is being written, for five seconds; raise DeliveryError."""
        if not on:
            return
        target = self._sending.groups.now(target_of(channel))
        try:
            await self._api.types(target.chat, target.thread)
        except TelegramError as error:
            raise errors.failed(error, is_private=target.is_private) from None

    async def open_thread(self, person: Person, title: str) -> Address:
        """Start a topic in somebody's private chat, or a titled message to answer; raise DeliveryError."""
        return await threads.open_thread(self._api, person, title)
