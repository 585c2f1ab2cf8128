"""Messages at rest: lines of a conversation, and the words in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from adapters.sqlite.damage import note
from adapters.sqlite.database import Database
from adapters.sqlite.names import Names, content, read_message
from adapters.sqlite.rows import amend, insert_all, intact, portions
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

    def append(self, connection: sqlite3.Connection, line: Line, messages: Sequence[Message]) -> None:
        """Add messages to a conversation."""
        where, taken_up = (*line.key, line.epoch, line.turn), bool(line.turn)
        blobs = [self._names.message(connection, message) for message in messages]
        values = [
            (*where, message.inbound, line.at, message.ambient or not taken_up, blob)
            for message, blob in zip(messages, blobs, strict=True)
        ]
        rows = insert_all(connection, "history", values)
        _index(connection, [(row, message.text) for row, message in zip(rows, messages, strict=True)])

    def take_up(self, connection: sqlite3.Connection, line: Line) -> None:
        """Make the ambient talk part of a turn."""
        for row in _pending(connection, line.key, line.epoch):
            amend(connection, "history", row, turn=line.turn)

    def trim(self, connection: sqlite3.Connection, key: ChannelKey, epoch: int, keep: int) -> None:
        """Drop ambient talk beyond the newest `keep` messages."""
        # what stays is not read: this runs for every message that is overheard
        remove(connection, _pending(connection, key, epoch, spare=keep))

    def amend(self, connection: sqlite3.Connection, key: ChannelKey, message: Message) -> None:
        """Put an edited message in the place of its former self, in old epochs too."""
        tail = "WHERE inbound = ? AND agent = ? AND channel = ?"
        for row in intact(connection, "history", tail, (message.inbound, *key)):
            _unindex(connection, row)
            amend(connection, "history", row, blob=self._names.message(connection, message))
            _index(connection, [(row["id"], message.text)])


def remove(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    """Delete lines and their words; the messages themselves go when nothing names them."""
    for row in rows:
        _unindex(connection, row)
        connection.execute("DELETE FROM history WHERE id = ?", (row["id"],))


def _pending(connection: sqlite3.Connection, key: ChannelKey, epoch: int, spare: int = 0) -> list[sqlite3.Row]:
    """Return ambient talk that no turn took up, newest first, without the newest `spare` messages."""
    tail = "WHERE agent = ? AND channel = ? AND epoch = ? AND turn = 0 ORDER BY id DESC LIMIT -1 OFFSET ?"
    return intact(connection, "history", tail, (*key, epoch, spare))


def _index(connection: sqlite3.Connection, texts: Iterable[tuple[int, str]]) -> None:
    for some in portions([entry for entry in texts if entry[1]]):
        values = ", ".join(["(?, ?)"] * len(some))
        sql = f"INSERT INTO history_fts (rowid, text) VALUES {values}"  # noqa: S608 - question marks alone
        connection.execute(sql, tuple(chain.from_iterable(some)))


def _unindex(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    # the index keeps no text of its own, so it must be told what to take out
    blob = connection.execute("SELECT id, hash, body FROM blob WHERE id = ?", (row["blob"],)).fetchone()
    try:
        text = read_message(blob["hash"], content(blob)).text if blob else ""
    except DamagedRow as error:
        # its words are not known any more; a search that still finds them is led to nothing
        note(connection, error)
        return
    if text:
        connection.execute(
            "INSERT INTO history_fts (history_fts, rowid, text) VALUES ('delete', ?, ?)", (row["id"], text)
        )


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
