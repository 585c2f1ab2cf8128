"""Content that is stored once: texts, tool definitions and messages under their hashes, message lists as chains."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial

from bot.domain.base import Digest, canonical_json, digest_text
from bot.domain.llm import LLMRequest
from bot.domain.messages import Message
from bot.domain.snapshot import SectionTrace
from bot.errors import DamagedRow

KNOWN = 100_000
"""How many names are remembered, so that what is stored already costs a look-up in memory."""

KNOWN_TRACES = 1000
"""How many descriptions of sections are; those of sections that move come but once."""

UNCOUNTED = -1


class Names:
    """Row numbers of content. Lives on the writer's thread; forgets everything when a transaction is undone."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, int] = OrderedDict()
        self._traces: dict[tuple[Hashable, ...], int] = {}
        self._used: set[tuple[str, int]] | None = None

    def forget(self) -> None:
        """Drop what is remembered: rows behind it may be gone."""
        self._known.clear()
        self._traces.clear()

    def watch(self) -> None:
        """Begin to note which names are handed out, so that a sweep spares them."""
        self._used = set()

    def spared(self, table: str) -> set[int]:
        """Return the rows handed out since `watch`."""
        return {row for kind, row in self._used or () if kind == table}

    def unwatch(self) -> None:
        """Stop noting."""
        self._used = None

    def blob(self, connection: sqlite3.Connection, name: Digest, body: Callable[[], str]) -> int:
        """Return the row of a text; `body` is only asked for when its row is not remembered."""
        return self._known_row("blob", name) or self._keep("blob", name, _blob(connection, name, body().encode()))

    def message(self, connection: sqlite3.Connection, message: Message) -> int:
        """Return the row of a message."""
        return self.blob(connection, message.digest, lambda: message.json_text)

    def node(self, connection: sqlite3.Connection, parent: int, message: Message, tokens: int) -> int:
        """Return the chain node of a message behind `parent`."""
        # asked for every message of every request, and nearly always known: then nothing else is done
        name = (parent, message.digest, tokens)
        return self._known_row("node", name) or self._keep(
            "node", name, _node(connection, parent, self.message(connection, message), tokens)
        )

    def head(self, connection: sqlite3.Connection, request: LLMRequest) -> int:
        """Return the row of a request's unchanging part."""
        system = tuple([(block.name, block.digest) for block in request.system])
        tools = tuple([tool.digest for tool in request.tools])
        name = (request.model, request.max_output_tokens, request.tool_choice, system, tools)
        return self._known_row("head", name) or self._keep("head", name, self._head(connection, request))

    def trace(self, connection: sqlite3.Connection, trace: SectionTrace) -> int:
        """Return the row of what is known about a section; most are the same from request to request."""
        name = tuple(vars(trace).values())
        row = self._traces.get(name)
        if row is None:
            text = trace.model_dump_json()
            row = self.blob(connection, digest_text(text), lambda: text)
            if len(self._traces) >= KNOWN_TRACES:
                self._traces.clear()
            self._traces[name] = row
        elif self._used is not None:
            self._used.add(("blob", row))
        return row

    def _head(self, connection: sqlite3.Connection, request: LLMRequest) -> int:
        plain = canonical_json(
            {
                "model": request.model.model_dump(),
                "max_output_tokens": request.max_output_tokens,
                "tool_choice": request.tool_choice,
            }
        )
        named = canonical_json(
            [plain, [[b.name, b.digest] for b in request.system], [tool.digest for tool in request.tools]]
        )
        raw = bytes.fromhex(digest_text(named))
        row = connection.execute("SELECT id FROM head WHERE hash = ?", (raw,)).fetchone()
        if row:
            return int(row[0])
        system = [
            [block.name, self.blob(connection, block.digest, partial(getattr, block, "text"))]
            for block in request.system
        ]
        tools = [self.blob(connection, tool.digest, partial(getattr, tool, "json_text")) for tool in request.tools]
        sql = "INSERT INTO head (hash, plain, system, tools) VALUES (?, ?, ?, ?)"
        return _stored(connection.execute(sql, (raw, plain, canonical_json(system), canonical_json(tools))))

    def _known_row(self, table: str, name: Hashable) -> int:
        """Return the row of a name that is remembered, or 0."""
        key = (table, name)
        row = self._known.get(key, 0)
        if row:
            self._known.move_to_end(key)
            if self._used is not None:
                self._used.add((table, row))
        return row

    def _keep(self, table: str, name: Hashable, row: int) -> int:
        self._known[(table, name)] = row
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        if self._used is not None:
            self._used.add((table, row))
        return row


def _blob(connection: sqlite3.Connection, name: Digest, body: bytes) -> int:
    # what is not remembered is nearly always new: nobody looks first
    raw = bytes.fromhex(name)
    made = connection.execute("INSERT INTO blob (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING", (raw, body))
    if made.rowcount:
        return _stored(made)
    return int(connection.execute("SELECT id FROM blob WHERE hash = ?", (raw,)).fetchone()[0])


def _node(connection: sqlite3.Connection, parent: int, blob: int, tokens: int) -> int:
    key = (parent, blob, tokens)
    made = connection.execute("INSERT INTO node (parent, blob, tokens) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", key)
    if made.rowcount:
        return _stored(made)
    sql = "SELECT id FROM node WHERE parent = ? AND blob = ? AND tokens = ?"
    return int(connection.execute(sql, key).fetchone()[0])


def content(row: sqlite3.Row) -> bytes:
    """Return a blob row's body if it is what its name says; raise DamagedRow if it is not."""
    body: bytes = row["body"]
    if hashlib.blake2b(body, digest_size=16).digest() != row["hash"]:
        raise DamagedRow("blob", row["id"])
    return body


def read_message(name: bytes, body: bytes) -> Message:
    """Rebuild a message; its digest is known already, so it is not computed again."""
    message = Message.model_validate_json(body)
    vars(message)["digest"] = Digest(name.hex())
    return message


def _stored(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None
    return cursor.lastrowid
