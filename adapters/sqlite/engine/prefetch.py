"""What rows are known by besides their numbers, and a look for all of those that one commit asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from adapters.sqlite.engine.sql_connection import SqlConnection, Value
from adapters.sqlite.engine.tables import SEALED, UNIQUE
from adapters.sqlite.engine.write_batch import Values, batch_of, execute_unbatched, lookups


def unique_names(table: str, rows: Sequence[Sequence[Value]]) -> list[Values]:
    """Return by which names rows are found again; a row is its values in the order of SEALED, without `id`."""
    pick = _name_of(table)
    return [(table, *pick(row)) for row in rows]


def prefetch_rows(connection: SqlConnection, names: Sequence[Values]) -> None:
    """Find out at once which rows of one table are there already, so that `insert_new` need not ask in this commit."""
    group = batch_of(connection)
    if group is None or not names:
        return
    table = str(names[0][0])
    group.ahead.update(dict.fromkeys(names, 0))
    for some in lookups(list(dict.fromkeys(names))):
        values = [value for name in some for value in name[1:]]
        for number, *name in execute_unbatched(connection, _named_sql(table, len(some)), values).fetchall():
            group.ahead[table, *name] = number


@lru_cache(maxsize=8)
def _name_of(table: str) -> Callable[[Sequence[Value]], Values]:
    return itemgetter(*[SEALED[table].index(column) - 1 for column in UNIQUE[table]])


@lru_cache(maxsize=256)
def _named_sql(table: str, count: int) -> str:
    names = ", ".join([f"({', '.join('?' * len(UNIQUE[table]))})"] * count)
    same = " AND ".join(f"{table}.{column} = name.column{place}" for place, column in enumerate(UNIQUE[table], 1))
    columns = ", ".join(f"{table}.{column}" for column in UNIQUE[table])
    return f"SELECT {table}.id, {columns} FROM (VALUES {names}) AS name JOIN {table} ON {same}"  # noqa: S608
