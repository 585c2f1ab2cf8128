"""Small bars side by side as paths of an SVG, one path for all of a kind: a page has them by the hundred."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

_STEP = 5
_HIGH, _LOW = "1h4v14h-4z", "11h4v4h-4z"


def bar_paths(kinds: Sequence[str], places: int, low: Collection[str]) -> Sequence[tuple[str, str]]:
    """Return each kind with the path of its bars, which stand in the last of so many places; `low` ones are low."""
    return _paths(tuple(kinds), places, frozenset(low))


@lru_cache(maxsize=1000)
def _paths(kinds: tuple[str, ...], places: int, low: frozenset[str]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for place, kind in enumerate(kinds, places - len(kinds)):
        found[kind] = f"{found.get(kind, '')}M{place * _STEP} {_LOW if kind in low else _HIGH}"
    return tuple(found.items())
