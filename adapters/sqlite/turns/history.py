"""Messages at rest: lines of a conversation, and the words in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from adapters.sqlite.engine.content_store import ContentStore, checked_content, read_message, searched_words
from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import insert_all, update_sealed, verified_rows
from adapters.sqlite.engine.search import match, ranked_places
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import batch_of, defer_rows, execute_unbatched, portions, store_rest
from bot.domain.ids import ChannelKey
from bot.domain.messages import Message, Role
from bot.errors import DamagedRow

OUR_NAME = "bot"


_Hit = tuple[int, str, str, int]


class HistoryPlace(NamedTuple):
    """Where lines go: `turn` 0 is ambient talk that no turn has taken up."""

    key: ChannelKey
    epoch: int
    turn: int
    at: int


class _KeptAmbient(NamedTuple):
    """How many messages of a channel's ambient talk stay."""

    key: ChannelKey
    epoch: int
    keep: int


_PENDING = "WHERE agent = ? AND channel = ? AND epoch = ? AND turn = 0 ORDER BY id DESC LIMIT -1 OFFSET ?"
"""Ambient talk that no turn took up, newest first, without so many of the newest."""


class HistoryWriter:
    """Writes lines; every method is part of a unit of work."""

    def __init__(self, names: ContentStore) -> None:
        self._names = names

    def append(self, connection: SqlConnection, line: HistoryPlace, messages: Sequence[Message]) -> list[int]:
        """Add messages to a conversation; return the numbers of their lines.

        Ambient talk is not indexed before a turn takes it up: most of it never is, and a search looks through it.
        """
        where, taken_up = (*line.key, line.epoch, line.turn), bool(line.turn)
        self._names.look_for(connection, [message.digest for message in messages])
        blobs = [self._names.message(connection, message) for message in messages]
        values = [
            (*where, message.inbound, line.at, int(message.ambient or not taken_up), blob)
            for message, blob in zip(messages, blobs, strict=True)
        ]
        rows = insert_all(connection, "history", values)
        group, pending = batch_of(connection), _pending_of(line.key, line.epoch)
        if group is not None and not taken_up and pending in group.facts:
            group.facts[pending] += len(rows)
        if taken_up:
            _index(connection, [(row, searched_words(message)) for row, message in zip(rows, messages, strict=True)])
        return rows

    def take_up(self, connection: SqlConnection, line: HistoryPlace) -> None:
        """Make the ambient talk part of a turn."""
        group, pending = batch_of(connection), _pending_of(line.key, line.epoch)
        if group is not None and group.facts.get(pending) == 0:
            return
        rows = verified_rows(connection, "history", _PENDING, (*line.key, line.epoch, 0))
        _index(connection, _line_words(connection, rows))
        for row in rows:
            update_sealed(connection, "history", row, turn=line.turn)
        if group is not None:
            group.facts[pending] = 0

    def trim(self, connection: SqlConnection, key: ChannelKey, epoch: int, keep: int) -> None:
        """Drop ambient talk beyond the newest `keep` messages."""
        group, pending = batch_of(connection), _pending_of(key, epoch)
        if group is None:
            _drop(connection, [(*key, epoch, keep)])
        elif group.facts.get(pending, keep + 1) > keep:
            group.run_last(_trim, pending, _KeptAmbient(key, epoch, keep))

    def amend(self, connection: SqlConnection, key: ChannelKey, message: Message) -> None:
        """Put an edited message in the place of its former self, in old epochs too."""
        tail = "WHERE inbound = ? AND agent = ? AND channel = ?"
        for row in verified_rows(connection, "history", tail, (message.inbound, *key)):
            _unindex(connection, [row])
            update_sealed(connection, "history", row, blob=self._names.message(connection, message))
            if row["turn"]:
                _index(connection, [(row["id"], searched_words(message))])


def index_lines(connection: SqlConnection, rows: Sequence[SqlRow]) -> int:
    """Let the words of lines be found that a turn has taken up; return how many have any."""
    found = _line_words(connection, rows)
    _index(connection, found)
    return len(found)


def reword(connection: SqlConnection, row: SqlRow, blob: int) -> None:
    """Let a line say something else."""
    _unindex(connection, [row])
    update_sealed(connection, "history", row, blob=blob)
    if row["turn"]:
        found = connection.execute("SELECT id, hash, body FROM blob WHERE id = ?", (blob,)).fetchone()
        _index(connection, [(row["id"], searched_words(read_message(found["hash"], checked_content(found))))])


def remove(connection: SqlConnection, rows: Sequence[SqlRow]) -> None:
    """Delete lines and their words; the messages themselves go when nothing names them."""
    group = batch_of(connection)
    if group is not None:
        group.facts.clear()
    _unindex(connection, rows)
    for some in portions([row["id"] for row in rows]):
        execute_unbatched(connection, f"DELETE FROM history WHERE id IN ({_marks(some)})", some)  # noqa: S608 - question marks


def _drop(connection: SqlConnection, beyond: Sequence[tuple[str | int, ...]]) -> None:
    """Delete ambient talk of channels, each named with its epoch and how many lines stay; no index knows of it."""
    for some in portions(beyond):
        execute_unbatched(connection, _drop_sql(len(some)), list(chain.from_iterable(some)))


def _trim(connection: SqlConnection, wanted: Sequence[_KeptAmbient]) -> None:
    """Drop ambient talk of many channels; what stays is not read, because somebody is overheard all the time."""
    group = batch_of(connection)
    assert group is not None
    facts = group.facts
    unknown = [one for one in wanted if _pending_of(one.key, one.epoch) not in facts]
    for some in portions(unknown):
        counts = execute_unbatched(
            connection, _count_sql(len(some)), [value for one in some for value in (*one.key, one.epoch)]
        )
        for one, (count,) in zip(some, counts.fetchall(), strict=True):
            facts[_pending_of(one.key, one.epoch)] = count
    over = [one for one in wanted if facts[_pending_of(one.key, one.epoch)] > one.keep]
    _drop(connection, [(*key, *rest) for key, *rest in over])
    # nothing else that is known speaks of these lines
    facts.update({_pending_of(one.key, one.epoch): one.keep for one in over})


def _pending_of(key: ChannelKey, epoch: int) -> Hashable:
    """Name the number of a channel's lines that no turn took up, among what is known."""
    return ("pending", *key, epoch)


def _index(connection: SqlConnection, texts: Iterable[tuple[int, str]]) -> None:
    defer_rows(connection, "history_fts", ("rowid", "text"), *[entry for entry in texts if entry[1]])


def _unindex(connection: SqlConnection, rows: Sequence[SqlRow]) -> None:
    """Take lines out of the index; ambient talk is not in it."""
    # the index keeps no text of its own, so it must be told what to take out
    found = _line_words(connection, [row for row in rows if row["turn"]])
    for some in portions(found):
        entries = ", ".join(["('delete', ?, ?)"] * len(some))
        sql = f"INSERT INTO history_fts (history_fts, rowid, text) VALUES {entries}"  # noqa: S608 - question marks
        execute_unbatched(connection, sql, list(chain.from_iterable(some)))


def _line_words(connection: SqlConnection, rows: Sequence[SqlRow]) -> list[tuple[int, str]]:
    """Return the numbers of lines and the words in them, where there are any."""
    if not rows:
        return []
    store_rest(connection)
    said = _texts(connection, list({row["blob"] for row in rows}))
    return [(row["id"], said[row["blob"]]) for row in rows if said.get(row["blob"])]


def _texts(connection: SqlConnection, blobs: Sequence[int]) -> dict[int, str]:
    """Return the words of messages by their rows."""
    found = {}
    for some in portions(blobs):
        sql = f"SELECT id, hash, body FROM blob WHERE id IN ({_marks(some)})"  # noqa: S608 - question marks
        for blob in execute_unbatched(connection, sql, some).fetchall():
            try:
                found[blob["id"]] = searched_words(read_message(blob["hash"], checked_content(blob)))
            except DamagedRow as error:
                # its words are not known any more; a search that still finds them is led to nothing
                note(connection, error)
    return found


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))


@lru_cache(maxsize=64)
def _count_sql(count: int) -> str:
    one = "SELECT count(*) FROM history WHERE agent = ? AND channel = ? AND epoch = ? AND turn = 0"
    return " UNION ALL ".join([one] * count)


@lru_cache(maxsize=64)
def _drop_sql(count: int) -> str:
    one = f"SELECT id FROM (SELECT id FROM history {_PENDING})"  # noqa: S608 - a constant
    return f"DELETE FROM history WHERE id IN ({' UNION ALL '.join([one] * count)})"  # noqa: S608 - the same


class SqliteHistory:
    """Implements `bot.ports.memories.HistorySearch`."""

    def __init__(self, database: SqliteDatabase) -> None:
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
        ambient = """
            SELECT history.turn, history.at, blob.id, blob.hash, blob.body
            FROM history JOIN blob ON blob.id = history.blob
            WHERE history.agent = ? AND history.channel = ? AND history.turn = 0 ORDER BY history.id DESC"""

        def work(connection: SqlConnection) -> list[_Hit]:
            hits = _hits(connection, connection.execute(sql, (query, *key, limit)).fetchall())
            pending = _hits(connection, connection.execute(ambient, tuple(key)).fetchall())
            if not pending:
                return hits
            together = [*hits, *pending]
            return [together[place] for place in ranked_places(query, [text for _, _, text, _ in together])[:limit]]

        return await self._database.read(work)


def _hits(connection: SqlConnection, rows: Iterable[SqlRow]) -> list[_Hit]:
    return [hit for row in rows if (hit := _hit(connection, row)) is not None]


def _hit(connection: SqlConnection, row: SqlRow) -> _Hit | None:
    try:
        message = read_message(row["hash"], checked_content(row))
    except DamagedRow as error:
        note(connection, error)
        return None
    if message.author is not None:
        speaker = message.author.name
    else:
        speaker = OUR_NAME if message.role is Role.ASSISTANT else message.role
    return message.inbound or row["turn"], speaker, message.text, message.at or row["at"]
