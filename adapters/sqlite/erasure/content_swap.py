"""Put other content in the place of some that has to go, in every row and every chain that names it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import orjson
from pydantic import TypeAdapter

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.marks import mark
from adapters.sqlite.engine.sealed_rows import next_number, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.turns.history import reword
from bot.domain.base import canonical_json, digest_text
from bot.domain.messages import Message
from bot.domain.turn import MarkKind

T = TypeVar("T")
_STEP = 12
_EACH = "SELECT value FROM json_each(?)"
_SYSTEM: TypeAdapter[list[tuple[str, int]]] = TypeAdapter(list[tuple[str, int]])


class ContentSwap:
    """What is to be swapped: `fresh` says by its row what stands in the place of a text; the rest are rows to visit.

    `nodes` and `heads` are in an order in which each finds what it stands on swapped already.
    """

    def __init__(self) -> None:
        self.fresh: dict[int, Message | str] = {}
        self.named: set[int] = set()
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
        self._history: Sequence[tuple[int, int]] = ()
        self._chains: list[tuple[int, int, int, int]] = []
        self._systems: dict[int, tuple[int, ...]] = {}
        self._asked: list[tuple[int, int, int]] = []

    def find(self, connection: SqlConnection, requests: Sequence[int], history: Sequence[tuple[int, int]]) -> None:
        """Find which texts some requests and some lines of conversations name."""
        named = orjson.dumps(list(requests)).decode()
        sql = f"SELECT id, tail, head FROM request WHERE head IS NOT NULL AND id IN ({_EACH})"  # noqa: S608
        self._asked = [tuple(row) for row in connection.execute(sql, (named,))]
        tails = orjson.dumps(sorted({row[1] for row in self._asked})).decode()
        sql = f"""WITH RECURSIVE live (id) AS (
            {_EACH} UNION SELECT node.parent FROM live JOIN node ON node.id = live.id WHERE node.parent > 0)
            SELECT node.id, node.parent, node.blob, node.tokens FROM live JOIN node ON node.id = live.id
            ORDER BY node.id"""  # noqa: S608 - a constant
        # a node is made after the one that it stands behind
        self._chains = [tuple(row) for row in connection.execute(sql, (tails,))]
        heads = orjson.dumps(sorted({row[2] for row in self._asked})).decode()
        for row in connection.execute(f"SELECT id, system FROM head WHERE id IN ({_EACH})", (heads,)):  # noqa: S608
            self._systems[row[0]] = tuple(blob for _, blob in _SYSTEM.validate_json(row[1]))
        self._history = history
        self.named = {blob for _, blob in history} | {node[2] for node in self._chains}
        self.named |= {blob for blobs in self._systems.values() for blob in blobs}

    def take(self, fresh: dict[int, Message | str]) -> None:
        """Say what stands in the place of what; only the rows that were found name it."""
        self.fresh = fresh
        self.lines = tuple(line for line, blob in self._history if blob in fresh)
        touched: set[int] = set()
        for node in self._chains:
            if node[2] in fresh or node[1] in touched:
                touched.add(node[0])
                self.nodes.append(node)
        self.heads = tuple(head for head, blobs in self._systems.items() if not fresh.keys().isdisjoint(blobs))
        known = set(self.heads)
        self.requests = tuple(row for row, tail, head in self._asked if tail in touched or head in known)

    def find_everywhere(self, connection: SqlConnection, fresh: dict[int, Message | str], platform: str) -> None:
        """Say what stands in the place of what in every request of a platform, wherever it was made."""
        named = orjson.dumps(sorted(fresh)).decode()
        sql = f"""WITH RECURSIVE behind (id) AS (
            SELECT id FROM node WHERE blob IN ({_EACH})
            UNION SELECT node.id FROM behind JOIN node ON node.parent = behind.id)
            SELECT node.id, node.parent, node.blob, node.tokens FROM behind JOIN node ON node.id = behind.id
            ORDER BY node.id"""  # noqa: S608 - a constant
        nodes = [tuple(row) for row in connection.execute(sql, (named,))]
        heads = [
            row[0]
            for row in connection.execute("SELECT id, system FROM head")
            if any(blob in fresh for _, blob in _SYSTEM.validate_json(row[1]))
        ]
        tails = orjson.dumps([node[0] for node in nodes]).decode(), orjson.dumps(heads).decode()
        where = "substr(channel, 1, length(?)) = ? AND head IS NOT NULL"
        sql = f"""SELECT id FROM request WHERE tail IN ({_EACH}) AND {where}
            UNION SELECT id FROM request WHERE head IN ({_EACH}) AND {where}"""  # noqa: S608 - constants
        places = (platform, platform)
        requests = [row[0] for row in connection.execute(sql, (tails[0], *places, tails[1], *places))]
        if not requests:
            return
        sql = f"""WITH RECURSIVE live (id) AS (
            SELECT tail FROM request WHERE id IN ({_EACH})
            UNION SELECT node.parent FROM live JOIN node ON node.id = live.id WHERE node.parent > 0)
            SELECT id FROM live"""  # noqa: S608 - a constant
        # what another swap has left behind is not swapped again: it would never be found to be taken out
        live = {row[0] for row in connection.execute(sql, (orjson.dumps(requests).decode(),))}
        self.fresh = fresh
        self.nodes, self.heads, self.requests = [n for n in nodes if n[0] in live], tuple(heads), tuple(requests)


class SwapRunner:
    """Carries a swap out, each step a unit of its own; what is left half done is found again, and finished."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._blobs: dict[int, int] = {}
        self._nodes: dict[int, int] = {}
        self._heads: dict[int, int] = {}

    async def run(self, swap: ContentSwap) -> None:
        """Store what is new, then let everything name it, then forget what was remembered of the old."""
        await self._each(self._store, list(swap.fresh.items()))
        await self._each(self._lines, swap.lines)
        await self._each(self._chain, swap.nodes)
        await self._each(self._head, swap.heads)
        await self._each(self._request, swap.requests)
        await self._database.write(lambda _: self._database.names.forget())

    def _store(self, items: Sequence[tuple[int, Message | str]], connection: SqlConnection) -> None:
        names = self._database.names
        for old, new in items:
            if isinstance(new, Message):
                self._blobs[old] = names.message(connection, new)
            else:
                self._blobs[old] = names.blob(connection, digest_text(new), lambda text=new: text)  # type: ignore[misc]

    def _lines(self, rows: Sequence[int], connection: SqlConnection) -> None:
        for row in verified_rows(connection, "history", f"WHERE id IN ({_marks(rows)})", tuple(rows)):
            reword(connection, row, self._blobs.get(row["blob"], row["blob"]))

    def _chain(self, nodes: Sequence[tuple[int, int, int, int]], connection: SqlConnection) -> None:
        for node, parent, blob, tokens in nodes:
            key = (self._nodes.get(parent, parent), self._blobs.get(blob, blob), tokens)
            known = "SELECT id FROM node WHERE parent = ? AND blob = ? AND tokens = ?"
            found = connection.execute(known, key).fetchone()
            number = found[0] if found else next_number(connection, "node")
            if found is None:
                connection.execute("INSERT INTO node (id, parent, blob, tokens) VALUES (?, ?, ?, ?)", (number, *key))
            self._nodes[node] = number

    def _head(self, rows: Sequence[int], connection: SqlConnection) -> None:
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

    def _request(self, rows: Sequence[int], connection: SqlConnection) -> None:
        at = self._database.now()
        for row in verified_rows(
            connection, "request", f"WHERE id IN ({_marks(rows)}) AND head IS NOT NULL", tuple(rows)
        ):
            tail, head = self._nodes.get(row["tail"], row["tail"]), self._heads.get(row["head"], row["head"])
            update_sealed(connection, "request", row, tail=tail, head=head)
            mark(connection, row["id"], MarkKind.REDACTED, at)

    async def _each(self, step: Callable[[Sequence[T], SqlConnection], None], rows: Sequence[T]) -> None:
        for start in range(0, len(rows), _STEP):
            await self._database.write(partial(step, rows[start : start + _STEP]))


def _marks(rows: Sequence[int]) -> str:
    return ", ".join("?" * len(rows))
