"""What was used lately, and no more than a bounded part of it.

`cachetools` has such a class too. Ours is the only one because some of its users are asked for every message of every
request: a hit takes 0.1 µs and a new entry 0.3, where that library takes 0.2 and 0.55 to 0.9 (CPython 3.11).
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
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
    """Return about how many bytes an entry takes: its name, what is held under it, and its place."""
    return ENTRY + takes(key) + takes(value)


class LRUCache(Generic[K, V]):
    """Holds what was used lately: at most `most` entries, and at most `most_size` of what `size` counts.

    The entry that was longest neither written nor read makes room; a single one may be larger than the whole.
    For one thread at a time; where several use it they have to take turns.
    """

    def __init__(
        self, most: int = sys.maxsize, *, most_size: int = 0, size: Callable[[K, V], int] = entry_takes
    ) -> None:
        self.most_size = most_size
        self.size = 0
        self._most = most
        self._size_of = size
        self._held: OrderedDict[K, V] = OrderedDict()
        self._sizes: dict[K, int] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: K) -> bool:
        """Say whether something is held, which does not count as using it."""
        return key in self._held

    def __iter__(self) -> Iterator[K]:
        """Go through the names of what is held, as it is now; the longest unused first."""
        return iter(tuple(self._held))

    def get(self, key: K) -> V | None:
        """Return what is held, which counts as used now."""
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def peek(self, key: K) -> V | None:
        """Return what is held without using it."""
        return self._held.get(key)

    def items(self) -> Sequence[tuple[K, V]]:
        """Return all that is held, without using it; the longest unused first."""
        return tuple(self._held.items())

    def put(self, key: K, value: V) -> bool:
        """Hold a value; False when another one had to go."""
        held = self._held
        held[key] = value
        held.move_to_end(key)
        if self.most_size:
            size = self._size_of(key, value)
            self.size += size - self._sizes.get(key, 0)
            self._sizes[key] = size
        had_room = True
        while len(held) > self._most or (self.size > self.most_size and len(held) > 1):
            self.size -= self._sizes.pop(held.popitem(last=False)[0], 0)
            had_room = False
        return had_room

    def drop(self, key: K) -> V | None:
        """Forget an entry; return what was held."""
        self.size -= self._sizes.pop(key, 0)
        return self._held.pop(key, None)

    def clear(self) -> None:
        self._held.clear()
        self._sizes.clear()
        self.size = 0
