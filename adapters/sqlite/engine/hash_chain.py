"""Tables whose rows hang on each other: the hash of each covers the row before it, and signed marks hold both ends.

So that no row can be changed, moved, taken out or cut off without anybody seeing it, short of the instance's key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow, Value
from adapters.sqlite.engine.write_batch import execute_unbatched, insert_sql, portions
from bot.domain.base import canonical_json
from bot.errors import StoreError
from bot.sentences import Words, later

GENESIS = "0" * 64
Holds = Callable[[SqlRow], bool]
"""Says whether what the hash of a row does not cover is what was written, too."""


class ChainMark(NamedTuple):
    """An end of a chain: the last row that belongs to it, or the last that was cut off before it, and its hash."""

    row: int
    hash: str


class ChainedRow(NamedTuple):
    """A row to be added: `covered` are its columns between `id` and `prev_hash`, `beside` those that no hash covers."""

    covered: tuple[Value, ...]
    beside: tuple[Value, ...] = ()


class HashChain(NamedTuple):
    """A chained table. `covered` are the columns under the hash, from `id` to `prev_hash`; `beside` are the others."""

    table: str
    covered: tuple[str, ...]
    beside: tuple[str, ...] = ()

    def append(self, connection: SqlConnection, key: bytes, rows: Sequence[ChainedRow]) -> list[ChainMark]:
        """Add rows to the end, and sign where it is now; return where it ended before, and then each row."""
        last = self._mark(connection, key, "head")
        # apart: only this writes the chain and its marks, and what is known of other tables stays known
        if (
            execute_unbatched(connection, self._sql("SELECT coalesce(max(id), 0) FROM {table}")).fetchone()[0]
            != last.row
        ):
            raise self.damaged(later("store.chain-end"))
        done, stored = [last], list[tuple[Value, ...]]()
        for row in rows:
            columns = (last.row + 1, *row.covered, last.hash)
            last = ChainMark(last.row + 1, _hash(columns))
            done.append(last)
            stored.append((*columns, last.hash, *row.beside))
        for some in portions(stored):
            sql = insert_sql(self.table, (*self.covered, "hash", *self.beside), len(some))
            execute_unbatched(connection, sql, tuple(value for values in some for value in values))
        if rows:
            self._set_mark(connection, key, "head", last)
        return done

    def head(self, connection: SqlConnection, key: bytes) -> ChainMark:
        """Return where the chain ends, as it was signed; raise StoreError where that was altered."""
        return self._mark(connection, key, "head")

    def base(self, connection: SqlConnection, key: bytes) -> ChainMark:
        """Return the last row that was cut off before the first, as it was signed; raise StoreError if altered."""
        return self._mark(connection, key, "base")

    def covers(self, row: SqlRow) -> bool:
        """Say whether a row's hash is that of its columns."""
        return bool(row["hash"] == _hash(tuple(row[name] for name in self.covered)))

    def verify(self, connection: SqlConnection, key: bytes, holds: Holds = lambda _: True) -> int:
        """Return the first row where the chain does not hold, 0 where all of it does; without the key, trust marks."""
        return next(self.breaks(connection, key, holds), 0)

    def breaks(self, connection: SqlConnection, key: bytes, holds: Holds = lambda _: True) -> Iterator[int]:
        """Yield every row where the chain does not hold: altered, missing before it, or cut off behind the last."""
        try:
            base, head = self._mark(connection, key, "base"), self._mark(connection, key, "head")
        except StoreError:
            yield int(connection.execute(self._sql("SELECT coalesce(min(id), 1) FROM {table}")).fetchone()[0])
            return
        last = base
        for found in connection.execute(self._sql("SELECT * FROM {table} ORDER BY id")):
            is_next = (found["id"], found["prev_hash"]) == (last.row + 1, last.hash)
            if not is_next:
                yield min(last.row + 1, found["id"])
            elif not self.covers(found) or not holds(found):
                yield found["id"]
            # what lies behind a break is judged by itself
            last = ChainMark(found["id"], found["hash"])
        if last != head:
            yield last.row + 1

    def cut(self, connection: SqlConnection, key: bytes, last: ChainMark) -> None:
        """Drop the rows up to one of them, and sign where the chain begins now."""
        connection.execute(self._sql("DELETE FROM {table} WHERE id <= ?"), (last.row,))
        self._set_mark(connection, key, "base", last)

    def damaged(self, what: Words) -> StoreError:
        """Return the error that says that the chain cannot be trusted."""
        return StoreError(later("store.chain-damaged", table=self.table, why=what))

    def _mark(self, connection: SqlConnection, key: bytes, end: str) -> ChainMark:
        # the chain alone cannot show that its end was cut off, or that all of it was written anew; a signed mark can
        name = f"{self.table}_{end}"
        found = execute_unbatched(connection, "SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        if found is None:
            was_written = f"SELECT 1 FROM sqlite_sequence WHERE name = '{self.table}' AND seq > 0"  # noqa: S608
            if end == "head" and execute_unbatched(connection, was_written).fetchone():
                raise self.damaged(later("store.chain-mark-missing"))
            return ChainMark(0, GENESIS)
        row, hashed, signature = [*str(found[0]).split(":"), "", ""][:3]
        signed = sign(key, name, row, hashed) if key else signature
        if not row.isdecimal() or not hmac.compare_digest(signature.encode(), signed.encode()):
            raise self.damaged(later("store.chain-mark-altered"))
        return ChainMark(int(row), hashed)

    def _set_mark(self, connection: SqlConnection, key: bytes, end: str, mark: ChainMark) -> None:
        name = f"{self.table}_{end}"
        value = f"{mark.row}:{mark.hash}:{sign(key, name, str(mark.row), mark.hash)}"
        sql = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        execute_unbatched(connection, sql, (name, value))

    def _sql(self, sql: str) -> str:
        # put together from names in our own code, never from data
        return sql.format(table=self.table)


def sign(key: bytes, *parts: str) -> str:
    """Return the signature of some texts by the key of the instance."""
    return hmac.new(key, ":".join(parts).encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def _hash(columns: Iterable[Value]) -> str:
    return hashlib.sha256(canonical_json(tuple(columns)).encode("utf-8", "surrogatepass")).hexdigest()
