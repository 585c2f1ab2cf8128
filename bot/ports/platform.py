"""A chat service, and what it hands over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.base import Frozen
from bot.domain.health import AdapterHealth, Probe
from bot.domain.ids import ChannelId, Person
from bot.domain.ledger import Cursor
from bot.domain.messages import Address, Inbound, Outgoing, Press, Receipt


class Capabilities(Frozen):
    """What a platform can do. `max_units` is the text limit in UTF-16 units.

    `idempotent_sends`: the platform recognises a repeated nonce, so a send that may have arrived can be repeated.
    `guidance` is the name of its prompt template.
    """

    max_units: int
    idempotent_sends: bool
    reactions: bool
    typing: bool
    buttons: bool
    files: bool
    guidance: str


class Ears(Protocol):
    """What an adapter hands things to. Nothing here waits for a channel, a model or a delivery."""

    async def heard(self, batch: Sequence[Inbound], cursor: Cursor | None) -> None:
        """Return when the batch and the cursor are stored; raise StoreError when they cannot be.

        An adapter lives through that: it comes back with the same batch. What is there already is not taken twice.
        """

    async def pressed(self, press: Press) -> str:
        """Return what to tell the presser, and them alone."""

    async def settled(self) -> None:
        """Return when everything heard so far has come to its end; for scripted input."""


class Platform(Protocol):
    """One connection to a chat service."""

    name: str
    capabilities: Capabilities

    async def run(self, ears: Ears) -> None:
        """Deliver what arrives until cancelled; a fatal fault ends in `health`, not in an exception."""

    async def send(self, message: Outgoing) -> Receipt:
        """Post one chunk; raise DeliveryError."""

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put a reaction on a message; raise DeliveryError."""

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show or stop showing that an answer is being written."""

    async def open_thread(self, person: Person, title: str) -> Address:
        """Start a private thread with one person; raise DeliveryError(permanent) when their DM is closed."""

    async def is_channel_admin(self, person: Person, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person administers this channel."""

    async def can_read(self, person: Person, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may read this channel's messages themselves."""

    def resolve(self, text: str) -> ChannelId | None:
        """Read the platform's own way to write a channel: a mention, a link, a bare id; None when it is none."""

    def health(self) -> AdapterHealth:
        """Say how the connection is."""

    async def probe(self, channel: ChannelId | None) -> Sequence[Probe]:
        """Look at the platform live, without polling it for messages; never raise."""
