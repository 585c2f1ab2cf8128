"""Statements of one session: prepared once, and sent together as long as nobody asks what they gave."""

from __future__ import annotations

import select
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import psycopg
import structlog
from psycopg import abc, pq
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq.abc import PGresult

from adapters.postgres.engine.rows import PostgresResult, PostgresRow, row_class
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.runtime.lru_cache import LRUCache
from bot.sentences import say

PREPARED = 400
"""Statements that the server keeps for each session; a message needs about forty."""
MAX_UNSENT = 64
"""So many statements wait at most to be sent with the next one."""
SLOW_SECONDS = 5
"""From so long on without an answer the log says so."""
ANSWER_SECONDS = 120
"""Who has not answered for so long is taken for gone: another session is begun, and asked what became of this one."""
_BINARY = 1
_ROWS, _DONE, _SKIPPED = pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK, pq.ExecStatus.PIPELINE_ABORTED
_TYPES = {str: 25, int: 20, bytes: 17, float: 701, type(None): 0}
"""The server's number of the one type that is sent for each of ours, whatever the value: so a statement is prepared
once, and a number never becomes a text."""
_ENCODE: dict[type, Callable[[Any], bytes | None]] = {
    str: str.encode,
    int: struct.Struct("!q").pack,
    bytes: bytes,
    float: struct.Struct("!d").pack,
    type(None): lambda _: None,
}

log = structlog.get_logger(__name__)

_Key = tuple[str, tuple[type, ...]]


class _Prepared:
    """A statement that was sent before: its name, where it has one, and how its rows are read."""

    __slots__ = ("formats", "name", "reads", "row", "types")

    def __init__(self, types: tuple[type, ...]) -> None:
        self.name = b""
        self.types = [_TYPES[one] for one in types]
        self.formats = [_BINARY] * len(types)
        self.row: type[PostgresRow] | None = None
        self.reads: abc.Transformer | None = None


class _Sent(NamedTuple):
    """What the server is going to answer: rows of a statement, or that it is prepared; nothing of both: the end."""

    result: PostgresResult | None = None
    prepared: _Prepared | None = None


class StatementPipeline:
    """The one way to a session. What fails is raised by whoever asks next, and what was sent behind it was not done."""

    def __init__(self, raw: psycopg.Connection[Any], explain: Callable[[psycopg.Error], DatabaseFault]) -> None:
        self.changes = 0
        self.prepares = True
        self._raw = raw
        self._pgconn = raw.pgconn
        self._explain = explain
        self._known: LRUCache[_Key, _Prepared] = LRUCache(PREPARED + 1)
        self._names = 0
        self._waiting: deque[_Sent] = deque()
        self._unsent = 0
        self._poll = select.poll()
        self._poll.register(self._pgconn.socket, select.POLLIN)
        self._pgconn.enter_pipeline_mode()

    @property
    def is_waiting(self) -> bool:
        """Whether there is something whose answer is not known yet."""
        return bool(self._waiting)

    def put(self, sql: str, args: Sequence[Any] = ()) -> PostgresResult:
        """Take a statement, which is sent with the next ones; whoever looks into the result waits for all of them."""
        types = tuple(map(type, args))
        try:
            values = [_ENCODE[kind](value) for kind, value in zip(types, args, strict=True)]
        except KeyError:
            args = [value if type(value) in _ENCODE else _plain(value) for value in args]
            types = tuple(map(type, args))
            values = [_ENCODE[kind](value) for kind, value in zip(types, args, strict=True)]
        result = PostgresResult((), -1, self.settle)
        try:
            self._put(sql, types, values, result)
        except psycopg.Error as error:
            raise self._lost(error) from error
        self._unsent += 1
        if self._unsent >= MAX_UNSENT:
            self.settle()
        return result

    def settle(self) -> None:
        """Wait for all answers; raise what failed first."""
        self.send()
        failed: psycopg.Error | None = None
        try:
            while self._waiting:
                found, sent = self._next(), self._waiting.popleft()
                if sent != _END:
                    error = self._read(found, sent)
                    failed = failed or error
                    self._next()
        except psycopg.Error as error:
            # why a server ends a session is said before it ends
            raise self._lost(failed or error) from error
        if failed is not None:
            raise self._explain(failed) from failed

    def send(self) -> None:
        """Let the server begin with what it was not sent yet; whoever asks next waits for that, too."""
        if not self._unsent:
            return
        self._unsent = 0
        self._waiting.append(_END)
        try:
            self._pgconn.pipeline_sync()
            self._flush()
        except psycopg.Error as error:
            raise self._lost(error) from error

    def wait_for_notice(self, seconds: float) -> None:
        """Return when a notice has come to this session, and after so long at the latest; several are one."""
        self.settle()
        try:
            # it may have come with the answer to a statement
            if self._pgconn.notifies() is None and self._poll.poll(round(seconds * 1000)):
                self._pgconn.consume_input()
            while self._pgconn.notifies() is not None:
                pass
        except psycopg.Error as error:
            raise self._lost(error) from error

    @contextmanager
    def left(self) -> Iterator[psycopg.Connection[Any]]:
        """Leave for what cannot be sent in this way: several statements in one, and rows in bulk."""
        self.settle()
        self._pgconn.exit_pipeline_mode()
        try:
            yield self._raw
        finally:
            if not self._raw.closed:
                self._pgconn.enter_pipeline_mode()

    def _put(self, sql: str, types: tuple[type, ...], values: list[bytes | None], result: PostgresResult) -> None:
        known = self._known.get((sql, types))
        if known is None:
            known = self._met(sql, types)
        elif not known.name and self.prepares:
            # what comes a second time comes again
            self._names += 1
            known.name = b"s%d" % self._names
            self._pgconn.send_prepare(known.name, sql.encode(), known.types)
            self._waiting.append(_Sent(prepared=known))
        if known.name:
            self._pgconn.send_query_prepared(known.name, values, known.formats, _BINARY)
        else:
            self._pgconn.send_query_params(sql.encode(), values, known.types, known.formats, _BINARY)
        self._waiting.append(_Sent(result, known))

    def _met(self, sql: str, types: tuple[type, ...]) -> _Prepared:
        if len(self._known) >= PREPARED:
            old = self._known.drop(next(iter(self._known)))
            if old is not None and old.name:
                self._pgconn.send_query_params(b"DEALLOCATE " + old.name, [])
                self._waiting.append(_Sent(PostgresResult((), -1), _Prepared(())))
        known = _Prepared(types)
        self._known.put((sql, types), known)
        return known

    def _read(self, found: PGresult | None, sent: _Sent) -> psycopg.Error | None:
        if found is None:
            raise psycopg.OperationalError(say("server_store.answer-cut"))
        status, prepared = found.status, sent.prepared
        if status == _ROWS and sent.result is not None and prepared is not None:
            sent.result.rows_came(self._rows(found, prepared), found.ntuples)
        elif status == _DONE:
            if sent.result is not None:
                changed = found.command_tuples
                self.changes += changed or 0
                sent.result.rows_came((), -1 if changed is None else changed, found.command_status or b"")
        else:
            if sent.result is None and prepared is not None:
                prepared.name = b""
            if status != _SKIPPED:
                return error_from_result(found)
        return None

    def _rows(self, found: PGresult, prepared: _Prepared) -> list[PostgresRow]:
        if prepared.reads is None or prepared.row is None:
            names = [(found.fname(place) or b"").decode() for place in range(found.nfields)]
            prepared.row, prepared.reads = row_class(tuple(names)), Transformer(self._raw)
            prepared.reads.set_pgresult(found)
        else:
            prepared.reads.set_pgresult(found, set_loaders=False)
        rows = cast(list[PostgresRow], prepared.reads.load_rows(0, found.ntuples, prepared.row))
        # or the bytes of the last answer to each statement would be held
        prepared.reads.set_pgresult(None, set_loaders=False)
        return rows

    def _next(self) -> PGresult | None:
        while self._pgconn.is_busy():
            self._wait()
            self._pgconn.consume_input()
        return self._pgconn.get_result()

    def _flush(self) -> None:
        socket = self._pgconn.socket
        if not self._pgconn.flush():
            return
        self._poll.modify(socket, select.POLLIN | select.POLLOUT)
        try:
            while self._pgconn.flush():
                self._wait()
                # a server whose answers nobody takes does not read on
                self._pgconn.consume_input()
        finally:
            self._poll.modify(socket, select.POLLIN)

    def _wait(self) -> None:
        if self._poll.poll(SLOW_SECONDS * 1000):
            return
        log.warning("database_slow", seconds=SLOW_SECONDS)
        if not self._poll.poll((ANSWER_SECONDS - SLOW_SECONDS) * 1000):
            raise psycopg.OperationalError(say("server_store.no-answer-in-time", seconds=f"{ANSWER_SECONDS:g}"))

    def _lost(self, error: psycopg.Error) -> DatabaseFault:
        self._waiting.clear()
        self._unsent = 0
        self._raw.close()
        fault = self._explain(error)
        fault.cut = True
        return fault


def _plain(value: Any) -> Any:
    """Return a value as the database gives it back: the members of an enum and truth values are plain there."""
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else value


_END = _Sent()
