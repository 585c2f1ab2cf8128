"""Remember edits and deletions that may have overtaken the message they are about (order is not promised)."""

from __future__ import annotations

from bot.domain.ids import ChannelId
from bot.domain.messages import Inbound, InboundKind
from bot.runtime.lru_cache import LRUCache

_MAX_EDITS = 200


class EditTracker:
    """The newest change of each recently changed message, by platform message id."""

    def __init__(self) -> None:
        self._newest: LRUCache[tuple[ChannelId, str], Inbound] = LRUCache(_MAX_EDITS)

    def note(self, change: Inbound) -> bool:
        """Remember a change; False when a newer one, or the deletion, was seen before."""
        name = (change.channel, change.message_id)
        known = self._newest.get(name)
        if known is not None and (known.kind is InboundKind.DELETE or known.edit > change.edit):
            return False
        change.lighten()
        self._newest.put(name, change)
        return True

    def of(self, original: Inbound) -> Inbound | None:
        """Return the change that overtook a message, if one did."""
        return self._newest.get((original.channel, original.message_id))
