"""The way out: the one place that sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.ids import ChannelId
from bot.domain.messages import Address
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.ports.platform import Capabilities


class Delivery(Protocol):
    """Sends outbox rows, keeps receipts, settles the inbounds that they answer, and tells people when it cannot."""

    async def parts(self, body: NewOutbox) -> tuple[NewOutbox, ...]:
        """Redact a body and split it for its platform (UTF-16 units, whole fences); buttons stay with the last part.

        A reply of more than five parts becomes a file with an excerpt, where the platform takes files.
        """

    def enqueue(self, rows: Sequence[StoredOutbox]) -> None:
        """Send in the background, in order for each channel."""

    async def deliver(self, rows: Sequence[StoredOutbox]) -> tuple[str, ...]:
        """Send now and return the platform's message ids; raise DeliveryError after the last attempt."""

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        """Keep, send and return message ids: `parts`, outbox, `deliver` in one."""

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> bool:
        """React, where the platform can; a failure is False, never an exception."""

    async def typing(self, channel: ChannelId, on: bool) -> None:
        """Show or stop showing that an answer is being written; never fails."""

    def capabilities(self, platform: str) -> Capabilities:
        """What a platform can do."""

    def home(self, channel: ChannelId) -> Address:
        """The public address of a channel."""
