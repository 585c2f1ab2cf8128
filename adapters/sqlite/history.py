"""Messages at rest: lines of a conversation, and the words in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from adapters.sqlite.damage import note
from adapters.sqlite.database import Database
from adapters.sqlite.group import apart, group_of, put_off, store_rest
from adapters.sqlite.names import Names, content, read_message
from adapters.sqlite.rows import amend, insert_all, intact
from adapters.sqlite.search import match
from bot.domain.ids import ChannelKey
from bot.domain.messages import Message, Role
from bot.errors import DamagedRow

OUR_NAME = "bot"


class Line(NamedTuple):
    """Where lines go: `turn` 0 is ambient talk that no turn has taken up."""

    key: ChannelKey
    epoch: int
    turn: int
    at: int


class History:
    """Writes lines; every method is part of a unit of work."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def append(self, connection: sqlite3.Connection, line: Line, messages: Sequence[Message]) -> list[int]:
        """Add messages to a conversation; return the numbers of their lines."""
        where, taken_up = (*line.key, line.epoch, line.turn), bool(line.turn)
        self._names.look_for(connection, [message.digest for message in messages])
        blobs = [self._names.message(connection, message) for message in messages]
        values = [
            (*where, message.inbound, line.at, message.ambient or not taken_up, blob)
            for message, blob in zip(messages, blobs, strict=True)
        ]
        rows = insert_all(connection, "history", values)
        group, pending = group_of(connection), _pending_of(line.key, line.epoch)
        if group is not None and not taken_up and pending in group.facts:
            group.facts[pending] += len(rows)
        _index(connection, [(row, _words(message)) for row, message in zip(rows, messages, strict=True)])
        return rows

    def take_up(self, connection: sqlite3.Connection, line: Line) -> None:
        """Make the ambient talk part of a turn."""
        group, pending = group_of(connection), _pending_of(line.key, line.epoch)
        if group is not None and group.facts.get(pending) == 0:
            return
        for row in _pending(connection, line.key, line.epoch):
            amend(connection, "history", row, turn=line.turn)
        if group is not None:
            group.facts[pending] = 0

    def trim(self, connection: sqlite3.Connection, key: ChannelKey, epoch: int, keep: int) -> None:
        """Drop ambient talk beyond the newest `keep` messages."""
        group, pending = group_of(connection), _pending_of(key, epoch)
        if group is not None:
            if pending not in group.facts:
                group.facts[pending] = len(_pending(connection, key, epoch))
            if group.facts[pending] <= keep:
                return
        # what stays is not read: this runs for every message that is overheard
        gone = _pending(connection, key, epoch, spare=keep)
        _delete(connection, gone)
        if group is not None:
            # nothing else that is known speaks of these lines
            group.facts[pending] = keep

    def amend(self, connection: sqlite3.Connection, key: ChannelKey, message: Message) -> None:
        """Put an edited message in the place of its former self, in old epochs too."""
        tail = "WHERE inbound = ? AND agent = ? AND channel = ?"
        for row in intact(connection, "history", tail, (message.inbound, *key)):
            _unindex(connection, row)
            amend(connection, "history", row, blob=self._names.message(connection, message))
            _index(connection, [(row["id"], _words(message))])


def reword(connection: sqlite3.Connection, row: sqlite3.Row, blob: int) -> None:
    """Let a line say something else."""
    _unindex(connection, row)
    amend(connection, "history", row, blob=blob)
    found = connection.execute("SELECT id, hash, body FROM blob WHERE id = ?", (blob,)).fetchone()
    _index(connection, [(row["id"], _words(read_message(found["hash"], content(found))))])


def remove(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    """Delete lines and their words; the messages themselves go when nothing names them."""
    group = group_of(connection)
    if group is not None:
        group.facts.clear()
    _delete(connection, rows)


def _delete(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    for row in rows:
        _unindex(connection, row)
        apart(connection, "DELETE FROM history WHERE id = ?", (row["id"],))


def _pending(connection: sqlite3.Connection, key: ChannelKey, epoch: int, spare: int = 0) -> list[sqlite3.Row]:
    """Return ambient talk that no turn took up, newest first, without the newest `spare` messages."""
    tail = "WHERE agent = ? AND channel = ? AND epoch = ? AND turn = 0 ORDER BY id DESC LIMIT -1 OFFSET ?"
    return intact(connection, "history", tail, (*key, epoch, spare))


def _pending_of(key: ChannelKey, epoch: int) -> Hashable:
    """Name the number of a channel's lines that no turn took up, among what is known."""
    return ("pending", *key, epoch)


def _words(message: Message) -> str:
    """Return what a search may find: of a summary nothing, as what it stands for is found itself."""
    return "" if message.summary is not None else message.text


def _index(connection: sqlite3.Connection, texts: Iterable[tuple[int, str]]) -> None:
    put_off(connection, "history_fts", ("rowid", "text"), *[entry for entry in texts if entry[1]])


def _unindex(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    # the index keeps no text of its own, so it must be told what to take out
    store_rest(connection)
    blob = apart(connection, "SELECT id, hash, body FROM blob WHERE id = ?", (row["blob"],)).fetchone()
    try:
        text = _words(read_message(blob["hash"], content(blob))) if blob else ""
    except DamagedRow as error:
        # its words are not known any more; a search that still finds them is led to nothing
        note(connection, error)
        return
    if text:
        sql = "INSERT INTO history_fts (history_fts, rowid, text) VALUES ('delete', ?, ?)"
        apart(connection, sql, (row["id"], text))


class SqliteHistory:
    """Implements `bot.ports.memories.History`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(self, key: ChannelKey, words: str, limit: int) -> Sequence[tuple[int, str, str, int]]:
        """Return (inbound or turn number, speaker, text, at), best first; any text is a valid query."""
        query = match(words)
        if not query:
            return ()
        sql = """
            SELECT history.turn, history.at, blob.id, blob.hash, blob.body
            FROM history_fts JOIN history ON history.id = history_fts.rowid JOIN blob ON blob.id = history.blob
            WHERE history_fts MATCH ? AND history.agent = ? AND history.channel = ?
            ORDER BY bm25(history_fts), history.id DESC LIMIT ?"""

        def work(connection: sqlite3.Connection) -> list[tuple[int, str, str, int]]:
            hits = (_hit(connection, row) for row in connection.execute(sql, (query, *key, limit)).fetchall())
            return [hit for hit in hits if hit is not None]

        return await self._database.read(work)


def _hit(connection: sqlite3.Connection, row: sqlite3.Row) -> tuple[int, str, str, int] | None:
    try:
        message = read_message(row["hash"], content(row))
    except DamagedRow as error:
        note(connection, error)
        return None
    if message.author is not None:
        speaker = message.author.name
    else:
        speaker = OUR_NAME if message.role is Role.ASSISTANT else message.role
    return message.inbound or row["turn"], speaker, message.text, message.at or row["at"]
