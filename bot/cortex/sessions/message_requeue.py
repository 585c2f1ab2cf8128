"""Give an unanswered message its turn after all: it arrives once more and meets the gates as they are now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.domain.messages import Inbound
from bot.ports.ledger import Ledger

Hear = Callable[[Sequence[Inbound]], Awaitable[None]]
"""Hand messages to messaging, as an adapter would."""


class MessageRequeue:
    """Lets a message arrive again, at most once however often it is asked for."""

    def __init__(self, ledger: Ledger, hear: Hear) -> None:
        self._ledger = ledger
        self._hear = hear
        self._under_way: set[int] = set()

    async def __call__(self, row: int) -> int:
        """Return the ledger row that will be answered; 0 when the message got its second chance already."""
        stored = await self._ledger.inbound(row)
        if stored is None or not stored.text_kept or row in self._under_way:
            return 0
        self._under_way.add(row)
        try:
            newest = await self._ledger.by_message(stored.key, stored.inbound.message_id)
            if newest is None or newest.id != row:
                return 0
            # the ledger knows a message by its edit: the next number makes it a new row, and the same one a duplicate
            again = stored.inbound.replace(edit=stored.inbound.edit + 1)
            await self._hear([again])
            newest = await self._ledger.by_message(stored.key, stored.inbound.message_id)
            return newest.id if newest is not None and newest.id != row else 0
        finally:
            self._under_way.discard(row)
