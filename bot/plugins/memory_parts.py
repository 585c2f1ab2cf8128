"""What plugins put before the bot's memories, which stay in its own store: what people want forgotten is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.domain.memory import Memory
from bot.errors import UserError
from bot.plugins.fault import PluginFault
from bot.plugins.guard import PartGuard, awaited
from bot.plugins.plugin import PluginMemories
from bot.ports.memories import MemoryStore
from bot.ports.store import Store
from bot.sentences import say

_SECONDS = 10.0
_ADD = "add"
_ASKED = frozenset(name for name in vars(MemoryStore) if not name.startswith("_"))


def _is_list(found: object) -> bool:
    return isinstance(found, list | tuple)


def _is_memory(found: object) -> bool:
    return found is None or isinstance(found, Memory)


_FITS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("in_reach", "weightiest", "search", "hits", "several", "listed", "edges", _ADD), _is_list),
    **dict.fromkeys(("find", "get", "by_handle"), _is_memory),
}
"""What answers must be, as far as a look tells; the others are taken as they come."""


@dataclass(frozen=True, eq=False)
class GuardedMemories:
    """Puts the store of a plugin before another, behind its guard."""

    one: PluginMemories
    guard: PartGuard

    def over(self, own: MemoryStore) -> MemoryStore:
        """Return a store that asks the plugin's; where that fails, the bot's own answers."""
        try:
            theirs = self.guard.call(self.one.wrap, own)
        except PluginFault:
            return own
        return cast(MemoryStore, _MemoryDoor(own, theirs, self.guard))


class _MemoryDoor:
    def __init__(self, own: MemoryStore, theirs: object, guard: PartGuard) -> None:
        self._own = own
        self._theirs = theirs
        self._guard = guard

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._own, name)
        if name not in _ASKED:
            return own

        async def asked(*values: Any, **named: Any) -> Any:
            try:
                work = awaited(getattr(self._theirs, name, own), *values, **named)
                found = await self._guard.wait(work, _SECONDS)
                if name in _FITS and not _FITS[name](found):
                    raise self._guard.wrong(type(found).__name__)
            except PluginFault as fault:
                if name == _ADD:
                    # nobody knows whether it was kept: once too often is worse than saying so
                    raise UserError(say("plugins.part-fault", plugin=self._guard.origin, why=fault.words)) from None
                return await own(*values, **named)
            return found

        return asked


class _StoreWithMemories:
    def __init__(self, store: Store, memories: MemoryStore) -> None:
        self._store = store
        self.memories = memories

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def store_over(store: Store, every: Sequence[GuardedMemories]) -> Store:
    """Return the store with what plugins put before its memories, the last one first asked."""
    memories = store.memories
    for one in every:
        memories = one.over(memories)
    return cast(Store, _StoreWithMemories(store, memories))
