"""Whether there is room for what arrives; on a disk that is almost full only those are heard who can mend it."""

from __future__ import annotations

from bot.ports.clock import Clock
from bot.ports.store import Store


class DiskGuard:
    """The room in the store, and since when it is short."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._short_since = 0

    def short_since(self) -> int:
        """Look, and return since when there is too little room (UTC ms); 0 while all is well."""
        if self._store.has_room():
            self._short_since = 0
        else:
            self._short_since = self._short_since or self._clock.now()
        return self._short_since
