"""Put other content in the place of some that has to go, in every row and every chain that names it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import orjson
from pydantic import TypeAdapter

from adapters.sqlite.database import Database
from adapters.sqlite.history import reword
from adapters.sqlite.marks import mark
from adapters.sqlite.rows import amend, intact, next_number
from bot.domain.base import canonical_json, digest_text
from bot.domain.messages import Message
from bot.domain.turn import MarkKind

T = TypeVar("T")
_STEP = 12
_SYSTEM: TypeAdapter[list[tuple[str, int]]] = TypeAdapter(list[tuple[str, int]])


class Swap:
    """What is to be swapped: `fresh` says by its row what stands in the place of a text; the rest are rows to visit.

    `nodes` and `heads` are in an order in which each finds what it stands on swapped already.
    """

    def __init__(self, fresh: dict[int, Message | str]) -> None:
        self.fresh = fresh
        self.lines: tuple[int, ...] = ()
        self.nodes: list[tuple[int, int, int, int]] = []
        self.heads: tuple[int, ...] = ()
        self.requests: tuple[int, ...] = ()
        self.attempts: list[int] = []
        self.calls: list[int] = []
        self.answers: list[int] = []
        self.checkpoints: list[int] = []
        self.compactions: list[int] = []
        self.reasons: list[tuple[str, str, int]] = []
        self.processes: list[int] = []
        self.results: list[int] = []

    def find(self, connection: sqlite3.Connection, turns: frozenset[int]) -> None:
        """Find every row that names a text which is swapped, and what came back to the turns' requests."""
        fresh = self.fresh
        self.lines = tuple(r[0] for r in connection.execute("SELECT id, blob FROM history") if r[1] in fresh)
        touched: set[int] = set()
        # a node is made after the one that it stands behind
        for row in connection.execute("SELECT id, parent, blob, tokens FROM node ORDER BY id"):
            if row[2] in fresh or row[1] in touched:
                touched.add(row[0])
                self.nodes.append(tuple(row))
        heads = connection.execute("SELECT id, system FROM head")
        self.heads = tuple(r[0] for r in heads if any(blob in fresh for _, blob in _SYSTEM.validate_json(r[1])))
        known = set(self.heads)
        requests = connection.execute("SELECT id, tail, head, turn FROM request WHERE head IS NOT NULL").fetchall()
        self.requests = tuple(r[0] for r in requests if r[1] in touched or r[2] in known)
        named = orjson.dumps(sorted(turns)).decode()
        sql = """
            SELECT attempt.id FROM attempt JOIN request ON request.id = attempt.request
            WHERE (attempt.response IS NOT NULL OR NOT instr(attempt.body, '"error":""'))
              AND request.turn IN (SELECT value FROM json_each(?))"""
        self.attempts += [row[0] for row in connection.execute(sql, (named,))]


class Swapping:
    """Carries a swap out, each step a unit of its own; what is left half done is found again, and finished."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._blobs: dict[int, int] = {}
        self._nodes: dict[int, int] = {}
        self._heads: dict[int, int] = {}

    async def run(self, swap: Swap) -> None:
        """Store what is new, then let everything name it, then forget what was remembered of the old."""
        await self._each(self._store, list(swap.fresh.items()))
        await self._each(self._lines, swap.lines)
        await self._each(self._chain, swap.nodes)
        await self._each(self._head, swap.heads)
        await self._each(self._request, swap.requests)
        await self._database.write(lambda _: self._database.names.forget())

    def _store(self, items: Sequence[tuple[int, Message | str]], connection: sqlite3.Connection) -> None:
        names = self._database.names
        for old, new in items:
            if isinstance(new, Message):
                self._blobs[old] = names.message(connection, new)
            else:
                self._blobs[old] = names.blob(connection, digest_text(new), lambda text=new: text)  # type: ignore[misc]

    def _lines(self, rows: Sequence[int], connection: sqlite3.Connection) -> None:
        for row in intact(connection, "history", f"WHERE id IN ({_marks(rows)})", tuple(rows)):
            reword(connection, row, self._blobs.get(row["blob"], row["blob"]))

    def _chain(self, nodes: Sequence[tuple[int, int, int, int]], connection: sqlite3.Connection) -> None:
        for node, parent, blob, tokens in nodes:
            key = (self._nodes.get(parent, parent), self._blobs.get(blob, blob), tokens)
            known = "SELECT id FROM node WHERE parent = ? AND blob = ? AND tokens = ?"
            found = connection.execute(known, key).fetchone()
            number = found[0] if found else next_number(connection, "node")
            if found is None:
                connection.execute("INSERT INTO node (id, parent, blob, tokens) VALUES (?, ?, ?, ?)", (number, *key))
            self._nodes[node] = number

    def _head(self, rows: Sequence[int], connection: sqlite3.Connection) -> None:
        for row in rows:
            plain, system, tools = connection.execute(
                "SELECT plain, system, tools FROM head WHERE id = ?", (row,)
            ).fetchone()
            blocks = [(name, self._blobs.get(blob, blob)) for name, blob in _SYSTEM.validate_json(system)]
            text = canonical_json([list(block) for block in blocks])
            name = bytes.fromhex(digest_text(canonical_json(["erased", plain, text, tools])))
            known = connection.execute("SELECT id FROM head WHERE hash = ?", (name,)).fetchone()
            number = known[0] if known else next_number(connection, "head")
            if known is None:
                sql = "INSERT INTO head (id, hash, plain, system, tools) VALUES (?, ?, ?, ?, ?)"
                connection.execute(sql, (number, name, plain, text, tools))
            self._heads[row] = number

    def _request(self, rows: Sequence[int], connection: sqlite3.Connection) -> None:
        at = self._database.now()
        for row in intact(connection, "request", f"WHERE id IN ({_marks(rows)}) AND head IS NOT NULL", tuple(rows)):
            tail, head = self._nodes.get(row["tail"], row["tail"]), self._heads.get(row["head"], row["head"])
            amend(connection, "request", row, tail=tail, head=head)
            mark(connection, row["id"], MarkKind.REDACTED, at)

    async def _each(self, step: Callable[[Sequence[T], sqlite3.Connection], None], rows: Sequence[T]) -> None:
        for start in range(0, len(rows), _STEP):
            await self._database.write(partial(step, rows[start : start + _STEP]))


def _marks(rows: Sequence[int]) -> str:
    return ", ".join("?" * len(rows))
