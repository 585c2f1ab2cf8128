"""Rows whose columns have a place and a name, and what a statement gave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any


class PostgresRow(tuple[Any, ...]):
    """A row; each statement's are of a class of their own, which knows the names. Of equal names the first counts."""

    __slots__ = ()
    places: dict[str, int]

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is str:
            return tuple.__getitem__(self, self.places[key])
        return tuple.__getitem__(self, key)


@lru_cache(maxsize=1024)
def row_class(names: tuple[str, ...]) -> type[PostgresRow]:
    """Return the class of rows with these columns."""
    places = {name: place for place, name in reversed([*enumerate(names)])}
    return type("PostgresRow", (PostgresRow,), {"__slots__": (), "places": places})


class PostgresResult:
    """What a statement gave, all of it: rows, and how many it changed."""

    __slots__ = ("_at", "_rows", "rowcount")

    def __init__(self, rows: Sequence[PostgresRow], rowcount: int) -> None:
        self.rowcount = rowcount
        self._rows = rows
        self._at = 0

    def fetchone(self) -> PostgresRow | None:
        """Return the next row."""
        if self._at >= len(self._rows):
            return None
        self._at += 1
        return self._rows[self._at - 1]

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        rows = list(self._rows[self._at :]) if self._at else list(self._rows)
        self._at = len(self._rows)
        return rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())
