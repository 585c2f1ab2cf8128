"""A mapping that is bounded by construction: of what was used lately, the newest so many entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruMap(Generic[K, V]):
    """Holds at most `most` entries; the one that was longest neither written nor read makes room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return what is held, which counts as used now."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: K, value: V) -> bool:
        """Hold a value; False when another one had to go."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        is_too_much = len(self._entries) > self._most
        if is_too_much:
            self._entries.popitem(last=False)
        return not is_too_much

    def drop(self, key: K) -> V | None:
        """Forget an entry; return what was held."""
        return self._entries.pop(key, None)

    def clear(self) -> None:
        self._entries.clear()

    def __iter__(self) -> Iterator[K]:
        """Go through what is held, as it is now; the longest unused first."""
        return iter(tuple(self._entries))
