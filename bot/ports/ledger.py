"""The ledger and the inbox: every inbound, its trail, its outcome."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from bot.domain.handles import Handle
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import (
    Arrival,
    InboundOutcome,
    InboundTrail,
    OutcomeCount,
    Settlement,
    StageRow,
    StoredInbound,
    StreamCursor,
)


class Ledger(Protocol):
    """Trails. Every write is one transaction; writing the same inbound twice changes nothing.

    What arrived under a former id of a channel is read as part of the channel as it is called now
    (`ChannelMoves.as_now`).
    """

    async def arrive(self, arrivals: Sequence[Arrival], cursor: StreamCursor | None) -> Sequence[int | None]:
        """Store inbounds, their gate rows, and the cursor together; return row numbers, None for duplicates.

        A `drop` is settled as gated at once; `ambient`, `amend` and `note` as stored_only; the others stay open.
        """

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""

    async def note(self, rows: Sequence[StageRow]) -> Sequence[int]:
        """Add stage rows; return their numbers."""

    async def settle(self, settlements: Sequence[Settlement]) -> None:
        """Set outcomes; an inbound that has one keeps it."""

    async def unsettled(self, channels: Collection[ChannelId] | None = None) -> Sequence[StoredInbound]:
        """Return every inbound without an outcome, oldest first; with `channels`, those that arrived in one of them."""

    async def unheard(
        self, since: int, keep: int, channels: Collection[ChannelId] | None = None
    ) -> Sequence[StoredInbound]:
        """Return what may not have reached the history, oldest first, of what arrived since a time (UTC ms).

        With `channels`, only what arrived in one of them.

        That is ambient talk newer than all that its channel's history holds; and every edit and deletion, because only
        the history itself shows whether it was followed. Of both the newest `keep` of a channel.
        """

    async def inbound(self, row: int) -> StoredInbound | None:
        """Return a message by its row."""

    async def by_message(self, key: ChannelKey, message_id: str) -> StoredInbound | None:
        """Return the newest form of a platform message."""

    async def versions(self, key: ChannelKey, message_id: str) -> Sequence[StoredInbound]:
        """Return every form of a platform message, its deletion too, newest first; of very many the newest."""

    async def recent(self, key: ChannelKey, limit: int) -> Sequence[StoredInbound]:
        """Return the newest inbounds of a channel, newest first."""

    async def outcomes(self, keys: Sequence[ChannelKey], limit: int) -> Mapping[ChannelKey, Sequence[InboundOutcome]]:
        """Return how the newest inbounds of each channel ended, newest first, without their words.

        What the bot itself wrote is no message to it, and is left out.
        """

    async def events(self, key: ChannelKey, since: int) -> Sequence[StoredInbound]:
        """Return what happened in a channel beside messages since a time (UTC ms), newest first."""

    async def trail(self, row: int) -> InboundTrail | None:
        """Return an inbound with its stages."""

    async def trail_of_stage(self, handle: Handle) -> InboundTrail | None:
        """Return the trail that a gate handle's row belongs to."""

    async def by_handle(self, handle: Handle) -> StoredInbound | None:
        """Return the newest inbound of a handle's slot."""

    async def counts(self, key: ChannelKey | None, since: int) -> Sequence[OutcomeCount]:
        """Count outcomes of what people said, by channel, outcome and reason since a time (UTC ms)."""
