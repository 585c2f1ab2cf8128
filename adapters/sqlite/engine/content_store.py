"""Content that is stored once: texts, tool definitions and messages under their hashes, message lists as chains."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from functools import partial

from adapters.sqlite.engine.sealed_rows import newest_number, next_number
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import defer_rows, execute_unbatched, lookups
from bot.domain.base import Digest, canonical_json, digest_text
from bot.domain.llm import LLMRequest
from bot.domain.messages import Message
from bot.domain.snapshot import SectionTrace
from bot.errors import DamagedRow
from bot.runtime.lru_cache import LRUCache

KNOWN_ROWS = {"blob": 6_000, "node": 12_000, "head": 500}
"""How many names of each kind are remembered, so that what is stored already costs a look-up in memory.

A text or a place in a chain takes 300 bytes, a head as many as there are tools and sections in it. Each message of a
request is looked for by its place, and by its text only when it is new there.
"""

MAX_KNOWN_TRACES = 1000
"""How many descriptions of sections are; those of sections that move come but once."""

UNCOUNTED = -1

_BLOB = ("id", "hash", "body")
_NODE = ("id", "parent", "blob", "tokens")
_HEAD = ("id", "hash", "plain", "system", "tools")

_Said = tuple[Hashable, ...]
Named = tuple[_Said, SectionTrace]
"""A description of a section behind what it says, value by value."""


class ContentStore:
    """Row numbers of content. Lives on the writer's thread; forgets everything when a transaction is undone."""

    def __init__(self) -> None:
        self._known: dict[str, LRUCache[Hashable, int]] = {table: LRUCache(most) for table, most in KNOWN_ROWS.items()}
        self._traces: dict[_Said, int] = {}
        self._described: dict[_Said, tuple[Digest, str]] = {}
        self._absent: set[Digest] = set()
        self._since: tuple[int, int] | None = None
        self._used: set[tuple[str, int]] | None = None

    def forget(self) -> None:
        """Drop what is remembered: rows behind it may be gone."""
        for known in self._known.values():
            known.clear()
        self._traces.clear()
        self._described.clear()
        self._absent.clear()
        self._since = None

    def forget_absent(self) -> None:
        """Drop what is known not to be there: another process may have stored it."""
        self._absent.clear()
        self._since = None

    def watch(self) -> None:
        """Begin to note which names are handed out, so that a sweep spares them."""
        self._used = set()

    def rows_in_use(self, table: str) -> set[int]:
        """Return the rows handed out since `watch`."""
        return {row for kind, row in self._used or () if kind == table}

    def unwatch(self) -> None:
        """Stop noting which names are handed out."""
        self._used = None

    def look_for(self, connection: SqlConnection, names: Iterable[Digest]) -> None:
        """Ask for the rows of texts at once that are going to be asked for one by one."""
        known, absent = self._known["blob"], self._absent
        if len(absent) > KNOWN_ROWS["blob"]:
            absent.clear()
        unknown = list(dict.fromkeys([name for name in names if name not in known and name not in absent]))
        if not unknown:
            return
        absent.update(unknown)
        for some in lookups(unknown):
            sql = f"SELECT hash, id FROM blob WHERE hash IN ({', '.join('?' * len(some))})"  # noqa: S608
            for raw, row in execute_unbatched(connection, sql, [bytes.fromhex(name) for name in some]).fetchall():
                name = Digest(raw.hex())
                self._absent.discard(name)
                self._keep("blob", name, row)

    def new_texts(self, messages: Sequence[Message], traces: Sequence[Named]) -> list[Digest]:
        """Return which texts of a request may be new: it begins like the one before it."""
        known = self._known["blob"]
        new = [name for name, _ in _unknown(traces, self._traces, self._described).values()]
        for message in reversed(messages):
            if message.digest in known:
                break
            new.append(message.digest)
        return new

    def blob(self, connection: SqlConnection, name: Digest, body: Callable[[], str]) -> int:
        """Return the row of a text; `body` is only asked for when its row is not remembered."""
        return self._known_row("blob", name) or self._keep("blob", name, self._blob(connection, name, body))

    def message(self, connection: SqlConnection, message: Message) -> int:
        """Return the row of a message."""
        return self.blob(connection, message.digest, lambda: message.json_text)

    def chain(self, connection: SqlConnection, messages: Sequence[Message], tokens: Sequence[int]) -> int:
        """Return the last node of a chain of messages with their counts, 0 for an empty one."""
        known, used = self._known["node"], self._used
        tail, is_new = 0, False
        for place, (message, count) in enumerate(zip(messages, tokens, strict=True)):
            # asked for every message of every request, and nearly always known: then nothing else is done
            name = (tail, message.digest, count)
            row = known.get(name)
            if row is None:
                if not is_new:
                    is_new = True
                    self.look_for(connection, [later.digest for later in messages[place:]])
                key = (tail, self.message(connection, message), count)
                # only now: remembering the message may have made something else be forgotten
                self._since = since = self._since or _newest(connection)
                row = self._keep("node", name, _node(connection, key, since))
            elif used is not None:
                used.add(("node", row))
            tail = row
        return tail

    def head(self, connection: SqlConnection, request: LLMRequest) -> int:
        """Return the row of a request's unchanging part."""
        system = tuple([(block.name, block.digest) for block in request.system])
        tools = tuple([tool.digest for tool in request.tools])
        name = (request.model, request.max_output_tokens, request.tool_choice, system, tools)
        return self._known_row("head", name) or self._keep("head", name, _head(self, connection, request))

    def traces(self, connection: SqlConnection, traces: Sequence[Named]) -> list[int]:
        """Return the rows of what is known about sections; most are the same from request to request."""
        known = self._traces
        if unknown := _unknown(traces, known, self._described):
            self.look_for(connection, [name for name, _ in unknown.values()])
            for said, (name, text) in unknown.items():
                known[said] = self.blob(connection, name, text.__str__)
        rows = [known[said] for said, _ in traces]
        if len(known) >= MAX_KNOWN_TRACES:
            known.clear()
            self._described.clear()
        if self._used is not None:
            self._used.update([("blob", row) for row in rows])
        return rows

    def _blob(self, connection: SqlConnection, name: Digest, body: Callable[[], str]) -> int:
        raw = bytes.fromhex(name)
        if name not in self._absent:
            found = execute_unbatched(connection, "SELECT id FROM blob WHERE hash = ?", (raw,)).fetchone()
            if found:
                return int(found[0])
        self._absent.discard(name)
        number = next_number(connection, "blob")
        defer_rows(connection, "blob", _BLOB, (number, raw, body().encode()))
        return number

    def _known_row(self, table: str, name: Hashable) -> int:
        """Return the row of a name that is remembered, or 0."""
        row = self._known[table].get(name) or 0
        if row and self._used is not None:
            self._used.add((table, row))
        return row

    def _keep(self, table: str, name: Hashable, row: int) -> int:
        if not self._known[table].put(name, row):
            self._since = None
        if self._used is not None:
            self._used.add((table, row))
        return row


def _newest(connection: SqlConnection) -> tuple[int, int]:
    return newest_number(connection, "blob"), newest_number(connection, "node")


def _node(connection: SqlConnection, key: tuple[int, int, int], since: tuple[int, int]) -> int:
    parent, blob, _ = key
    # what hangs on something that was made since then was made after it, and would be remembered
    if blob <= since[0] and parent <= since[1]:
        sql = "SELECT id FROM node WHERE parent = ? AND blob = ? AND tokens = ?"
        found = execute_unbatched(connection, sql, key).fetchone()
        if found:
            return int(found[0])
    number = next_number(connection, "node")
    defer_rows(connection, "node", _NODE, (number, *key))
    return number


def _head(names: ContentStore, connection: SqlConnection, request: LLMRequest) -> int:
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
    row = execute_unbatched(connection, "SELECT id FROM head WHERE hash = ?", (raw,)).fetchone()
    if row:
        return int(row[0])
    system = [
        [block.name, names.blob(connection, block.digest, partial(getattr, block, "text"))] for block in request.system
    ]
    tools = [names.blob(connection, tool.digest, partial(getattr, tool, "json_text")) for tool in request.tools]
    number = next_number(connection, "head")
    row = (number, raw, plain, canonical_json(system), canonical_json(tools))
    defer_rows(connection, "head", _HEAD, row)
    return number


def named_traces(traces: Sequence[SectionTrace]) -> Sequence[Named]:
    """Put beside each description what it says, by which it is known again."""
    return [(tuple(trace.__dict__.values()), trace) for trace in traces]


def _unknown(
    traces: Sequence[Named], known: Container[_Said], described: dict[_Said, tuple[Digest, str]]
) -> dict[_Said, tuple[Digest, str]]:
    """Return the names and texts of descriptions that are not known; asked for twice in every request."""
    found = {}
    for said, trace in traces:
        if said in known:
            continue
        if said not in described:
            text = trace.model_dump_json()
            described[said] = digest_text(text), text
        found[said] = described[said]
    return found


def checked_content(row: SqlRow) -> bytes:
    """Return a blob row's body if it is what its name says; raise DamagedRow if it is not."""
    if not is_whole(row):
        raise DamagedRow("blob", row["id"])
    body: bytes = row["body"]
    return body


def is_whole(row: SqlRow) -> bool:
    """Say whether a blob row's body is what its name says; what is damaged may be of another type."""
    return has_name(row["body"], row["hash"])


def has_name(body: object, name: object) -> bool:
    """Say whether a blob's body is what its name says."""
    return isinstance(body, bytes) and hashlib.blake2b(body, digest_size=16).digest() == name


def read_message(name: bytes, body: bytes) -> Message:
    """Rebuild a message; its digest is known already, so it is not computed again."""
    message = Message.model_validate_json(body)
    vars(message)["digest"] = Digest(name.hex())
    return message


def searched_words(message: Message) -> str:
    """Return what a search may find: of a summary nothing, as what it stands for is found itself."""
    return "" if message.summary is not None else message.text
