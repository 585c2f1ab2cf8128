"""Compactions at rest. What was taken out stays in the history; marks say what stands, so undoing is one change."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson

from adapters.sqlite.engine.content_store import checked_content, read_message
from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.revisions import summary_changed
from adapters.sqlite.engine.sealed_rows import (
    Value,
    by_slot,
    fetch,
    insert,
    insert_all,
    read_or_skip,
    update_sealed,
    verified_rows,
)
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.ledger.ledger_writer import add_stages
from adapters.sqlite.turns.askers import who_asked
from adapters.sqlite.turns.channels import find_channel
from adapters.sqlite.turns.history import HistoryPlace, HistoryWriter
from adapters.sqlite.turns.journal import SqliteJournal
from adapters.sqlite.turns.visible_history import TAKEN_OUT_SQL, VisibleLine, visible_lines
from bot.domain.channel import ProcessKind, Turn
from bot.domain.handles import Handle
from bot.domain.ids import ChannelKey, UserId
from bot.domain.ledger import StageRow
from bot.domain.messages import Message
from bot.domain.revisions import BY_ITSELF, ChangedBy, RevisionCause
from bot.domain.tool_pairing import pair_tool_calls
from bot.domain.turn import TurnEnd
from bot.errors import DamagedRow, StoreError
from bot.ports.compactions import CompactionSides, CompactionState, NewCompaction, StoredCompaction
from bot.sentences import later

_CHANGED_WORDS = "the turns that it was to take do not stand so any more"
_STANDS = frozenset(state for state in CompactionState if state.stands)


class _Stretch(NamedTuple):
    """A turn that is to stand, and the lines of those in whose place it does."""

    turn: Turn
    lines: tuple[VisibleLine, ...]


class _NewSummary(NamedTuple):
    """A summary on its way into a turn; `at` is the time of the newest message that it stands for."""

    turn: int
    message: Message
    place: int
    at: int


class SqliteCompactions:
    """Implements `bot.ports.compactions.CompactionStore`."""

    def __init__(self, database: SqliteDatabase, history: HistoryWriter, journal: SqliteJournal) -> None:
        self._database = database
        self._history = history
        self._journal = journal

    async def commit(
        self, new: NewCompaction, end: TurnEnd | None, stages: Sequence[StageRow]
    ) -> tuple[StoredCompaction, tuple[Turn, ...]]:
        """Keep a compaction, the end of its turn and its stage rows, in one transaction; return it with its turns."""

        def work(connection: SqlConnection) -> tuple[StoredCompaction, tuple[Turn, ...]]:
            if end is not None:
                self._journal.ends(connection, end)
            body = new.model_copy(update={"channel": self._database.moves.current_id(new.channel)})
            stretches = [] if body.reason else _stretches(connection, body)
            state = CompactionState.DONE if stretches else CompactionState.ABANDONED
            state = CompactionState.FAILED if body.reason else state
            row = _insert(connection, body, state)
            if state is CompactionState.DONE:
                by = who_asked(connection, new.turn, ProcessKind.COMPACTOR)
                summary_changed(connection, new.agent, row, new.at, RevisionCause.SUMMARISED, by)
            if state is not CompactionState.ABANDONED:
                add_stages(connection, stages)
            turns = tuple(self._put(connection, row, body, stretch) for stretch in stretches)
            stored = _read_compaction(fetch(connection, "compaction", row))
            assert stored is not None
            return stored, turns

        return await self._database.write(work)

    async def recent(self, key: ChannelKey, limit: int) -> Sequence[StoredCompaction]:
        """Return the newest ones of a channel, newest first."""
        tail, args = "WHERE agent = ? AND channel = ? ORDER BY id DESC LIMIT ?", self._database.moves.key(key)

        def work(connection: SqlConnection) -> list[StoredCompaction]:
            rows = verified_rows(connection, "compaction", tail, (*args, limit))
            return [found for row in rows if (found := _read_compaction(row)) is not None]

        return await self._database.read(work)

    async def get(self, row: int) -> StoredCompaction | None:
        return await self._database.read(lambda connection: _read_compaction(fetch(connection, "compaction", row)))

    async def by_handle(self, handle: Handle) -> StoredCompaction | None:
        """Return the newest one of a handle's slot."""

        def work(connection: SqlConnection) -> StoredCompaction | None:
            row = by_slot(connection, handle)
            return _read_compaction(fetch(connection, "compaction", row)) if row else None

        return await self._database.read(work)

    async def sides(self, row: int) -> CompactionSides:
        """Return what stood before and what stands after, as far as it is kept."""

        def work(connection: SqlConnection) -> CompactionSides:
            before, after = (tuple(_messages(connection, row, came=came)) for came in (0, 1))
            return CompactionSides(before=before, after=after, lost=_count_lost(connection, row))

        return await self._database.read(work)

    async def source(self, rows: Sequence[int], message_id: str) -> Message | None:
        """Return a message that one of these compactions took out, also by way of another one inside it."""

        def work(connection: SqlConnection) -> Message | None:
            taken = (m for row in _chain(connection, rows, message_id) for m in _messages(connection, row, came=0))
            return next((message for message in taken if message.inbound and message.message_id == message_id), None)

        return await self._database.read(work)

    async def withdraw(self, rows: Sequence[int], message_id: str, *, deleted: bool, at: int) -> int:
        """Undo compactions, and those inside them, because a source of theirs was edited or deleted."""
        reason = f"a message that it stands for was {'deleted' if deleted else 'edited'}"

        def work(connection: SqlConnection) -> int:
            chain = _chain(connection, rows, message_id)
            whole = deleted or not any(_count_lost(connection, row) for row in chain)
            state = CompactionState.UNDONE if whole else CompactionState.STALE
            for row in chain:
                decide(connection, row, CompactionDecision(state, reason, at))
            return len(chain)

        return await self._database.write(work)

    def _put(self, connection: SqlConnection, row: int, new: NewCompaction, stretch: _Stretch) -> Turn:
        """Mark the lines that go, store the summaries that come; return the turn with them."""
        gone, fresh = _swap(connection, row, stretch)
        marks: list[tuple[Value, ...]] = [(row, line.row["id"], 0, line.place) for line in gone]
        for one in fresh:
            where = HistoryPlace(new.key, new.epoch, one.turn, one.at)
            (line,) = self._history.append(connection, where, [one.message])
            marks.append((row, line, 1, one.place))
        insert_all(connection, "compacted", marks)
        blocks = deque(one.message for one in fresh)
        messages = tuple(blocks.popleft() if _is_new(message) else message for message in stretch.turn.messages)
        return Turn(id=stretch.turn.id, messages=messages)


class CompactionDecision(NamedTuple):
    """What becomes of a compaction, why, when, and who wants it; `cause` is what its version says of it."""

    state: CompactionState
    reason: str
    at: int
    by: ChangedBy = BY_ITSELF
    cause: RevisionCause | None = None


def decide(connection: SqlConnection, row: int, made: CompactionDecision) -> int:
    """Change the state of a compaction, and with it what stands; return the version that this makes (0: none)."""
    found = fetch(connection, "compaction", row)
    if found is None:
        return 0
    update_sealed(connection, "compaction", found, state=made.state, reason=made.reason, decided_at=made.at)
    if CompactionState(found["state"]).stands is not made.state.stands:
        cause = made.cause or (RevisionCause.STANDS if made.state.stands else RevisionCause.UNDONE)
        return summary_changed(connection, found["agent"], row, made.at, cause, made.by, stands=made.state.stands)
    return 0


def may_undo(connection: SqlConnection, row: int) -> bool:
    """Say whether a compaction stands, nothing was built on it, and all that it took out is still kept."""
    found = _in_this_epoch(connection, row)
    return (
        found is not None
        and found["state"] in _STANDS
        and not _count_lost(connection, row)
        and _all_stand(connection, found, 1)
    )


def undoable_together(connection: SqlConnection, rows: Sequence[int]) -> list[int]:
    """Return those of some compactions that can be undone one after the other, in this order: newest first.

    What was built on one is undone before it, and where that cannot be, neither can it.
    """
    sql = """SELECT DISTINCT above.compaction FROM compacted AS own
        JOIN compacted AS above ON above.line = own.line AND above.came = 0
        JOIN compaction ON compaction.id = above.compaction
        WHERE own.compaction = ? AND own.came = 1 AND compaction.state IN ('done', 'stale')"""
    found: list[int] = []
    for row in sorted(set(rows), reverse=True):
        stored = _in_this_epoch(connection, row)
        if stored is None or stored["state"] not in _STANDS or _count_lost(connection, row):
            continue
        if {above for (above,) in connection.execute(sql, (row,))} <= set(found):
            found.append(row)
    return found


def may_redo(connection: SqlConnection, row: int) -> bool:
    """Say whether a compaction that was undone can stand again: what it took out still stands."""
    found = _in_this_epoch(connection, row)
    if found is None or found["state"] != CompactionState.UNDONE or _count_lost(connection, row):
        return False
    return _all_stand(connection, found, 0) and bool(list(_messages(connection, row, came=1)))


def may_stand_alone(connection: SqlConnection, row: int) -> bool:
    """Say whether all that a compaction took out is kept, in a conversation that goes on: then it can go or come."""
    return _in_this_epoch(connection, row) is not None and not _count_lost(connection, row)


def authors_of_sources(connection: SqlConnection, row: int, since: int) -> frozenset[UserId]:
    """Return who wrote what a compaction took out, of what was said since a time (UTC ms)."""
    taken = _messages(connection, row, came=0)
    return frozenset(message.author.user_id for message in taken if message.author is not None and message.at > since)


def _in_this_epoch(connection: SqlConnection, row: int) -> SqlRow | None:
    found = fetch(connection, "compaction", row)
    channel = find_channel(connection, ChannelKey(found["agent"], found["channel"])) if found else None
    return found if channel is not None and found is not None and channel["epoch"] == found["epoch"] else None


def _all_stand(connection: SqlConnection, found: SqlRow, came: int) -> bool:
    """Say whether all lines that a compaction took out, or put in, stand in the conversation now."""
    sql = f"SELECT count(*) FROM compacted WHERE compaction = ? AND came = ? AND line IN ({TAKEN_OUT_SQL})"  # noqa: S608
    args = (found["id"], came, found["agent"], found["channel"], found["epoch"])
    return not connection.execute(sql, args).fetchone()[0]


def _count_lost(connection: SqlConnection, row: int) -> int:
    sql = """SELECT count(*) FROM compacted LEFT JOIN history ON history.id = compacted.line
        WHERE compacted.compaction = ? AND compacted.came = 0 AND history.id IS NULL"""
    return int(connection.execute(sql, (row,)).fetchone()[0])


def _chain(connection: SqlConnection, rows: Sequence[int], message_id: str) -> list[int]:
    """Return the compactions that stand for a message, and those inside them that do."""
    found: dict[int, None] = {}
    todo = list(rows)
    while todo:
        row = todo.pop(0)
        stored = read_or_skip(connection, "compaction", row)
        if row in found or stored is None or stored["state"] not in _STANDS:
            continue
        found[row] = None
        inside = (message.summary for message in _messages(connection, row, came=0))
        todo += [summary.compaction for summary in inside if summary and message_id in summary.source_ids]
    return list(found)


def _messages(connection: SqlConnection, row: int, *, came: int) -> Iterator[Message]:
    sql = """SELECT blob.id, blob.hash, blob.body FROM compacted JOIN history ON history.id = compacted.line
        JOIN blob ON blob.id = history.blob WHERE compacted.compaction = ? AND compacted.came = ?
        ORDER BY compacted.place, compacted.line"""
    for blob in connection.execute(sql, (row, came)).fetchall():
        if (message := _read(connection, blob)) is not None:
            yield message


def _stretches(connection: SqlConnection, new: NewCompaction) -> list[_Stretch]:
    """Find the lines that are to go; nothing where they are not what was summarised."""
    channel = find_channel(connection, new.key)
    if channel is None or channel["epoch"] != new.epoch or not new.taken:
        return []
    lines = visible_lines(connection, new.key, new.epoch)
    groups = [(turn, tuple(group)) for turn, group in itertools.groupby(lines, lambda one: one.row["turn"]) if turn]
    ids = tuple(turn for turn, _ in groups)
    at = next((at for at in range(len(ids)) if ids[at : at + len(new.taken)] == new.taken), None)
    if at is None:
        return []
    taken = groups[at : at + len(new.taken)]
    # as a channel is loaded: calls without results, which an older version may have left, are mended there
    said = (
        pair_tool_calls([m for line in group if (m := _line_message(connection, line)) is not None])
        for _, group in taken
    )
    if tuple(message.digest for turn in said for message in turn) != new.before:
        return []
    return [_Stretch(turn, _lines_of(turn, new, taken)) for turn in new.turns]


def _lines_of(
    turn: Turn, new: NewCompaction, taken: Sequence[tuple[int, tuple[VisibleLine, ...]]]
) -> tuple[VisibleLine, ...]:
    """Return the lines from the turn that has this number up to the next one that stays."""
    starts = {one.id for one in new.turns} - {turn.id}
    begin = new.taken.index(turn.id)
    rest = itertools.takewhile(lambda group: group[0] not in starts, taken[begin:])
    return tuple(line for _, group in rest for line in group)


def _swap(connection: SqlConnection, row: int, stretch: _Stretch) -> tuple[list[VisibleLine], list[_NewSummary]]:
    """Tell which lines go and which messages come; what is in both stays where it is."""
    left, gone, fresh = deque(stretch.lines), list[VisibleLine](), list[tuple[Message, int]]()
    for message in stretch.turn.messages:
        if _is_new(message):
            fresh.append((_with_number(message, row), left[0].place if left else 0))
        elif message.digest in {_digest(connection, line) for line in left}:
            while _digest(connection, left[0]) != message.digest:
                gone.append(left.popleft())
            left.popleft()
        elif not (message.calls or message.results):
            # one with calls or results may be mended when it is loaded
            raise StoreError(later("store.said-by-nobody"))
    gone += left
    if not {place for _, place in fresh} <= {line.place for line in gone}:
        raise StoreError(later("store.summary-of-nothing"))
    at = max((line.row["at"] for line in gone), default=0)
    return gone, [_NewSummary(stretch.turn.id, message, place, at) for message, place in fresh]


def _is_new(message: Message) -> bool:
    return message.summary is not None and not message.summary.compaction


def _with_number(message: Message, row: int) -> Message:
    assert message.summary is not None
    return message.replace(summary=message.summary.replace(compaction=row))


def _line_message(connection: SqlConnection, line: VisibleLine) -> Message | None:
    blob = connection.execute("SELECT id, hash, body FROM blob WHERE id = ?", (line.row["blob"],)).fetchone()
    return _read(connection, blob) if blob else None


def _read(connection: SqlConnection, blob: SqlRow) -> Message | None:
    try:
        return read_message(blob["hash"], checked_content(blob))
    except DamagedRow as error:
        note(connection, error)
        return None


def _digest(connection: SqlConnection, line: VisibleLine) -> str:
    found = connection.execute("SELECT hash FROM blob WHERE id = ?", (line.row["blob"],)).fetchone()
    return found[0].hex() if found else ""


def _insert(connection: SqlConnection, new: NewCompaction, state: CompactionState) -> int:
    abandoned = state is CompactionState.ABANDONED
    return insert(
        connection,
        "compaction",
        agent=new.agent,
        channel=new.channel,
        epoch=new.epoch,
        at=new.at,
        state=state,
        reason=_CHANGED_WORDS if abandoned else new.reason,
        decided_at=new.at,
        body=new.model_dump_json(exclude={"turns", "missing", "channel", "epoch"}),
        missing=orjson.dumps(new.missing).decode(),
    )


def _read_compaction(row: SqlRow | None) -> StoredCompaction | None:
    if row is None:
        return None
    # the columns are what counts: a move changes them
    known = {"channel": row["channel"], "epoch": row["epoch"], "missing": orjson.loads(row["missing"] or "[]")}
    return StoredCompaction(
        id=row["id"],
        body=NewCompaction.model_validate({**orjson.loads(row["body"]), **known}),
        state=CompactionState(row["state"]),
        reason=row["reason"],
        decided_at=row["decided_at"],
    )
