"""What was used lately, bounded by the bytes that it takes: a text may be one word or a whole conversation."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar

from pydantic import BaseModel

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

ENTRY = 250
"""What keeping something takes besides its own bytes: two headers, and a place in the order."""
_VALUE = 400
"""What a value takes besides what its fields hold."""
_OTHER = 64
"""What is counted for whatever else is held: a number, a member of an enumeration, something that is shared."""


def takes(held: object) -> int:
    """Return about how many bytes of memory something takes with all that it holds.

    What is shared with others counts for each of them: a cache then holds less than it might, and never more.
    """
    if isinstance(held, str | bytes):
        return sys.getsizeof(held)
    if isinstance(held, tuple | list | set | frozenset):
        return sys.getsizeof(held) + sum(map(takes, held))
    if isinstance(held, Mapping):
        return sys.getsizeof(held) + sum([takes(name) + takes(value) for name, value in held.items()])
    if isinstance(held, BaseModel):
        return _VALUE + sum(map(takes, vars(held).values()))
    return _OTHER


def entry_takes(key: object, value: object) -> int:
    """Return about how many bytes a name takes and what is held under it."""
    return takes(key) + takes(value)


class LRUCache(Generic[K, V]):
    """Holds at most `most_bytes`, but for a single entry that is larger; the one unused for longest makes room.

    For one thread at a time; where several use it they have to take turns.
    """

    def __init__(self, most_bytes: int, size: Callable[[K, V], int] = entry_takes) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._size = size
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[K]:
        """Go through the names of what is held, as it is now; the longest unused first."""
        return iter(tuple(self._held))

    def get(self, key: K) -> V | None:
        """Return what is held, which counts as used now."""
        found = self._held.get(key)
        if found is None:
            return None
        self._held.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V) -> None:
        self.drop(key)
        size = ENTRY + self._size(key, value)
        self._held[key] = value, size
        self.bytes += size
        while self.bytes > self.most_bytes and len(self._held) > 1:
            self.bytes -= self._held.popitem(last=False)[1][1]

    def drop(self, key: K) -> V | None:
        """Forget an entry; return what was held."""
        found = self._held.pop(key, None)
        if found is None:
            return None
        self.bytes -= found[1]
        return found[0]

    def clear(self) -> None:
        self._held.clear()
        self.bytes = 0
