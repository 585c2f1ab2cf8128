"""Rows whose columns have a place and a name, and what a statement gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.sentences import later


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
    """What a statement gave, all of it: rows, and how many it changed. Where that is not here yet, who looks waits."""

    __slots__ = ("_at", "_changed", "_rows", "_wait", "tag")

    def __init__(self, rows: Sequence[PostgresRow], changed: int, wait: Callable[[], None] | None = None) -> None:
        self.tag = b""
        """What the server says it did."""
        self._changed = changed
        self._rows = rows
        self._at = 0
        self._wait = wait

    def rows_came(self, rows: Sequence[PostgresRow], changed: int, tag: bytes = b"") -> None:
        """Take what the server gave."""
        self._rows, self._changed, self.tag, self._wait = rows, changed, tag, None

    @property
    def rowcount(self) -> int:
        """How many rows it changed, or gave; -1 for what does neither."""
        self.wait()
        return self._changed

    def wait(self) -> None:
        """Return when it is done; raise DatabaseFault where it was not."""
        if self._wait is not None:
            self._wait()
        if self._wait is not None:
            raise DatabaseFault(later("server_store.not-reached"))

    def fetchone(self) -> PostgresRow | None:
        """Return the next row."""
        self.wait()
        if self._at >= len(self._rows):
            return None
        self._at += 1
        return self._rows[self._at - 1]

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        self.wait()
        rows = list(self._rows[self._at :]) if self._at else list(self._rows)
        self._at = len(self._rows)
        return rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())
