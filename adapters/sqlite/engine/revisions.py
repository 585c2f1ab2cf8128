"""Versions of memories, settings and summaries, each written with the change that it tells of."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from adapters.sqlite.engine.hash_chain import ChainedRow, ChainMark, HashChain, sign
from adapters.sqlite.engine.sealed_rows import fetch, newest_number, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow, Value, roll_back
from adapters.sqlite.engine.write_batch import Batching, execute_unbatched, is_traced, when_committed
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelSettings
from bot.domain.ids import AgentId, UserId
from bot.domain.memory import NewMemory
from bot.domain.revisions import (
    BY_ITSELF,
    NOBODY,
    ChangedBy,
    Revision,
    RevisionCause,
    RevisionKind,
    memory_state,
    settings_state,
    summary_state,
)
from bot.ports.traces import ChangedMemory, RecordWatchers
from bot.sentences import later

REVISIONS = HashChain(
    "revision",
    (
        *("id", "agent", "kind", "subject", "number", "at", "cause", "process", "inbound", "turn", "content_mac"),
        "prev_hash",
    ),
    ("platform", "actor", "state", "words", "salt", "erased_mac"),
)
_SINCE = "revision_since"
_FOUND_AT_ONCE = 500
_NEXT = "SELECT coalesce(max(number), 0) + 1, randomblob(16) FROM revision WHERE kind = ? AND subject = ?"
_SAID = "WHERE kind = ? AND subject = ? AND words IS NOT NULL ORDER BY number DESC, id DESC LIMIT 1"
_STRIP = "UPDATE revision SET actor = ?, state = ?, words = ?, salt = NULL, erased_mac = ? WHERE id = ?"


class NewRevision(NamedTuple):
    """A version about to be written down."""

    agent: str
    kind: RevisionKind
    subject: int
    at: int
    cause: RevisionCause
    by: ChangedBy
    state: str | None
    words: str | None = None
    number: int = 0
    """Which version of its thing it is; 0: the next."""


def record(connection: SqlConnection, rows: Sequence[NewRevision]) -> int:
    """Write versions down behind all others; return the number of the first. Part of many units."""
    key, last = key_of(connection), dict[tuple[RevisionKind, int], int]()
    chained = []
    for row in rows:
        number, salt = execute_unbatched(connection, _NEXT, (row.kind.value, row.subject)).fetchone()
        # of several versions of one thing the earlier ones are not stored yet
        number = row.number or max(number, last.get((row.kind, row.subject), 0) + 1)
        last[row.kind, row.subject] = number
        by = row.by
        mac = _content_mac(key, salt, by.platform, by.actor, row.state, row.words)
        covered = (
            *(row.agent, row.kind.value, row.subject, number, row.at, row.cause.value),
            *(by.process, by.inbound, by.turn, mac),
        )
        chained.append(ChainedRow(covered, (by.platform, by.actor, row.state, row.words, salt, None)))
    before, *_ = REVISIONS.append(connection, key, chained)
    for row in rows if is_traced(connection) else ():
        if row.kind is RevisionKind.MEMORY:
            changed = ChangedMemory(row.subject, row.agent, row.at, row.cause, row.by, row.words)
            when_committed(connection, partial(_tell_changed, changed))
    return before.row + 1


def _tell_changed(changed: ChangedMemory, told: RecordWatchers) -> None:
    told.traces.remembered(changed)


def begin_history(now: int, connection: SqlConnection) -> None:
    """Write down what is there when keeping versions begins, once: what was before can be read and brought back.

    Where nothing is there yet, versions are whole from the beginning.
    """
    if _has_begun(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _has_begun(connection):
            # by another process that started at the same moment
            roll_back(connection)
            return
        found, is_some = _found(connection, now), False
        # so many at a time: there may be any number of them
        while several := list(islice(found, _FOUND_AT_ONCE)):
            record(connection, several)
            is_some = True
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        connection.execute(sql, (_SINCE, str(now if is_some else 0)))
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise


def _has_begun(connection: SqlConnection) -> bool:
    return execute_unbatched(connection, "SELECT 1 FROM meta WHERE name = ?", (_SINCE,)).fetchone() is not None


def history_since(connection: SqlConnection) -> int:
    """Return since when versions are kept (UTC ms); 0: from the beginning."""
    return _since(connection)[0]


def _since(connection: SqlConnection) -> tuple[int, str]:
    """Return since when versions are kept, with the signature that stands behind it once some were cut off."""
    row = execute_unbatched(connection, "SELECT value FROM meta WHERE name = ?", (_SINCE,)).fetchone()
    at, _, signature = str(row[0] if row else 0).partition(":")
    return (int(at) if at.isdecimal() else 0), signature


class CarriedVersion(NamedTuple):
    """A version in effect when an earlier past is cut off: which of which thing."""

    kind: RevisionKind
    subject: int
    number: int


def old_versions(connection: SqlConnection, before: int) -> int:
    """Return the last of the oldest versions that were all made before a time; 0: there is none.

    What was set before anybody changed it has no time, and is no reason to cut anything off.
    """
    sql = """SELECT coalesce((SELECT min(id) FROM revision WHERE at >= ?),
        (SELECT max(id) + 1 FROM revision), 1) - 1"""
    last = int(execute_unbatched(connection, sql, (before,)).fetchone()[0])
    told = execute_unbatched(connection, "SELECT 1 FROM revision WHERE id <= ? AND at > 0 LIMIT 1", (last,)).fetchone()
    return last if told else 0


def to_be_carried(connection: SqlConnection, last: int, before: int) -> list[CarriedVersion]:
    """Return what was in effect at a time and stands in no version behind `last`: it has to be written down again.

    Of summaries whose records are gone nothing has to be known any more.
    """
    sql = """SELECT old.kind, old.subject, old.number FROM (SELECT kind, subject, max(number) AS number
            FROM revision WHERE id <= ? GROUP BY kind, subject) AS old
        WHERE NOT EXISTS (SELECT 1 FROM revision AS later WHERE later.id > ?
            AND (later.kind, later.subject) = (old.kind, old.subject)
            AND later.number >= old.number AND later.at <= ?)
        AND (old.kind <> 'summary' OR EXISTS (SELECT 1 FROM compaction WHERE compaction.id = old.subject))"""
    rows = execute_unbatched(connection, sql, (last, last, before)).fetchall()
    return [CarriedVersion(RevisionKind(row["kind"]), row["subject"], row["number"]) for row in rows]


def carry(connection: SqlConnection, some: Iterable[CarriedVersion], at: int) -> int:
    """Write versions down again as what was found at a time: what it was, and no longer who did it; say how many.

    What they say comes from versions that are whole, and never from what stands in other tables today.
    """
    made = []
    for one in some:
        named = (one.kind.value, one.subject, one.number)
        rows = versions(connection, "WHERE (kind, subject, number) = (?, ?, ?) ORDER BY id DESC LIMIT 1", named)
        if not rows or not REVISIONS.covers(rows[0]) or not holds(key_of(connection), rows[0]):
            altered = {"number": str(one.number), "kind": one.kind.value, "row": str(one.subject)}
            raise REVISIONS.damaged(later("store.version-altered", **altered))
        row, words = rows[0], rows[0]["words"]
        if words is None and one.kind is RevisionKind.MEMORY:
            said = versions(connection, _SAID, named[:2])
            if said and not holds(key_of(connection), said[0]):
                raise REVISIONS.damaged(later("store.memory-words-altered", row=str(one.subject)))
            words = said[0]["words"] if said else None
        found = RevisionCause.FOUND
        made.append(
            NewRevision(row["agent"], one.kind, one.subject, at, found, BY_ITSELF, row["state"], words, one.number)
        )
    record(connection, made)
    return len(made)


def cut(connection: SqlConnection, last: int, since: int, most: int) -> int:
    """Drop the oldest versions up to one (so many at most), and sign that, and since when, the rest is whole."""
    rows = versions(connection, "WHERE id <= ? ORDER BY id LIMIT ?", (last, most))
    if rows:
        key = key_of(connection)
        REVISIONS.cut(connection, key, ChainMark(rows[-1]["id"], rows[-1]["hash"]))
        value = f"{since}:{sign(key, _SINCE, str(since))}"
        sql = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        execute_unbatched(connection, sql, (_SINCE, value))
    return len(rows)


def _found(connection: SqlConnection, now: int) -> Iterator[NewRevision]:
    found = RevisionCause.FOUND
    for row in _paged(connection, "memory"):
        said = NewMemory.model_validate_json(row["body"]).provenance
        by = ChangedBy(
            platform=row["platform"],
            actor=said.author,
            process=str(said.process),
            inbound=said.inbound,
            turn=said.turn,
        )
        yield version_of_memory(row, now, found, by)._replace(words=row["content"])
    for row in _paged(connection, "channel"):
        state, words = settings_state(ChannelSettings.model_validate_json(row["settings"]))
        yield NewRevision(row["agent"], RevisionKind.SETTINGS, row["id"], now, found, BY_ITSELF, state, words)
    for row in _paged(connection, "compaction", "AND state IN ('done', 'stale', 'undone')"):
        state = summary_state(stands=row["state"] != "undone")
        yield NewRevision(row["agent"], RevisionKind.SUMMARY, row["id"], now, found, BY_ITSELF, state)


def _paged(connection: SqlConnection, table: str, which: str = "") -> Iterator[SqlRow]:
    """Yield intact rows, oldest first, of which never many are held; `which` is constant text."""
    last = newest_number(connection, table)
    for first in range(0, last + 1, _FOUND_AT_ONCE):
        tail = f"WHERE id > ? AND id <= ? {which} ORDER BY id"
        yield from verified_rows(connection, table, tail, (first, first + _FOUND_AT_ONCE))


def memory_saved(connection: SqlConnection, row: int, new: NewMemory, platform: str) -> None:
    """Write down the first version of a memory."""
    said = new.provenance
    by = ChangedBy.model_construct(
        platform=platform, actor=said.author, process=str(said.process), inbound=said.inbound, turn=said.turn
    )
    state = memory_state(new, 0, wiped=False)
    saved = RevisionCause.SAVED
    record(
        connection,
        [NewRevision(new.agent, RevisionKind.MEMORY, row, new.created_at, saved, by, state, new.content)],
    )


def memory_changed(connection: SqlConnection, row: int, at: int, cause: RevisionCause, by: ChangedBy) -> None:
    """Write down what a memory is now; its words are those of its first version."""
    found = fetch(connection, "memory", row)
    if found is not None:
        record(connection, [version_of_memory(found, at, cause, by)])


def version_of_memory(row: SqlRow, at: int, cause: RevisionCause, by: ChangedBy) -> NewRevision:
    """Return what a row of a memory is now, as a version without words."""
    state = state_of_memory_row(row)
    return NewRevision(row["agent"], RevisionKind.MEMORY, row["id"], at, cause, by, state)


def state_of_memory_row(row: SqlRow) -> str:
    """Write down what a row of a memory says, without words and names."""
    body = NewMemory.model_validate_json(row["body"])
    return memory_state(body, row["forgotten_at"], wiped=row["content"] is None)


def settings_changed(
    connection: SqlConnection, row: SqlRow, new: ChannelSettings, at: int, cause: RevisionCause, by: ChangedBy
) -> None:
    """Write down what is set for a channel from now on; `row` is the channel's as it was.

    The first time also what was set before, which nobody had changed since the channel is known.
    """
    old = ChannelSettings.model_validate_json(row["settings"])
    if old == new:
        return
    kind, subject, agent = RevisionKind.SETTINGS, row["id"], row["agent"]
    rows = []
    sql = "SELECT 1 FROM revision WHERE kind = ? AND subject = ? LIMIT 1"
    if execute_unbatched(connection, sql, (kind.value, subject)).fetchone() is None:
        rows.append(NewRevision(agent, kind, subject, 0, RevisionCause.FOUND, BY_ITSELF, *settings_state(old)))
    rows.append(NewRevision(agent, kind, subject, at, cause, by, *settings_state(new)))
    record(connection, rows)


def settings_found(connection: SqlConnection, agent: str, row: int, settings: ChannelSettings, at: int) -> None:
    """Write down what a channel begins with, where that is more than the configuration's mode."""
    state, words = settings_state(settings)
    record(
        connection,
        [NewRevision(agent, RevisionKind.SETTINGS, row, at, RevisionCause.FOUND, BY_ITSELF, state, words)],
    )


def channel_ended(connection: SqlConnection, row: SqlRow, at: int) -> None:
    """Write down that a channel has become part of another, where versions of its settings are kept."""
    sql = "SELECT 1 FROM revision WHERE kind = ? AND subject = ? LIMIT 1"
    kind = RevisionKind.SETTINGS
    if execute_unbatched(connection, sql, (kind.value, row["id"])).fetchone() is not None:
        record(connection, [NewRevision(row["agent"], kind, row["id"], at, RevisionCause.MOVED, BY_ITSELF, None)])


def summary_changed(
    connection: SqlConnection,
    agent: str,
    row: int,
    at: int,
    cause: RevisionCause,
    by: ChangedBy,
    *,
    stands: bool = True,
) -> int:
    """Write down whether a summary stands; return the version's number among all."""
    state = summary_state(stands=stands)
    return record(connection, [NewRevision(agent, RevisionKind.SUMMARY, row, at, cause, by, state)])


def read_revision(row: SqlRow) -> Revision:
    """Return the version that a row holds."""
    by = ChangedBy.model_construct(
        platform=row["platform"],
        actor=UserId(row["actor"]),
        process=row["process"],
        inbound=row["inbound"],
        turn=row["turn"],
    )
    return Revision.model_construct(
        id=row["id"],
        agent=AgentId(row["agent"]),
        kind=RevisionKind(row["kind"]),
        subject=row["subject"],
        number=row["number"],
        at=row["at"],
        cause=RevisionCause(row["cause"]),
        by=by,
        state=row["state"],
        words=row["words"],
    )


def strip(connection: SqlConnection, row: SqlRow, *, actor: str, state: str | None, words: str | None) -> None:
    """Leave less of what may be a person's in a version, signed, so that nobody takes it for an edit."""
    if (actor, state, words) == (row["actor"], row["state"], row["words"]):
        return
    mac = _erased_mac(key_of(connection), row["hash"], row["platform"], actor, state, words)
    execute_unbatched(connection, _STRIP, (actor, state, words, mac, row["id"]))


def strip_words(connection: SqlConnection, kind: RevisionKind, subject: int) -> None:
    """Take the words out of every version of something."""
    for row in versions(connection, "WHERE kind = ? AND subject = ? AND words IS NOT NULL", (kind.value, subject)):
        strip(connection, row, actor=row["actor"], state=row["state"], words=None)


def strip_person(connection: SqlConnection, rows: Iterable[SqlRow]) -> None:
    """Take everything that may be somebody's out of versions: who they were, what it was, and what they said."""
    for row in rows:
        strip(connection, row, actor=NOBODY, state=None, words=None)


def versions(connection: SqlConnection, tail: str, args: tuple[Value, ...]) -> list[SqlRow]:
    """Return the rows of versions that `tail` (constant text) names."""
    return execute_unbatched(connection, f"SELECT revision.* FROM revision {tail}", args).fetchall()  # noqa: S608


def verify(connection: SqlConnection, key: bytes) -> int:
    """Return the first version that is not what was written, 0 where all are."""
    broken = REVISIONS.verify(connection, key, lambda row: holds(key, row))
    if broken or not key:
        return broken
    begins = REVISIONS.base(connection, key).row
    since, signature = _since(connection)
    # somebody who moves the time would let a past that was cut off look whole
    if begins and not hmac.compare_digest(signature.encode(), sign(key, _SINCE, str(since)).encode()):
        return begins + 1
    return 0


def holds(key: bytes, row: SqlRow) -> bool:
    """Say whether what no hash covers of a version is what was written, or what was left when somebody was forgotten.

    Without the key nobody can tell.
    """
    if not key:
        return True
    left = row["platform"], row["actor"], row["state"], row["words"]
    if row["erased_mac"] is None:
        return hmac.compare_digest(row["content_mac"], _content_mac(key, row["salt"], *left))
    return row["salt"] is None and hmac.compare_digest(row["erased_mac"], _erased_mac(key, row["hash"], *left))


def key_of(connection: SqlConnection) -> bytes:
    """Return the key that signs what is written over a connection."""
    return connection.secret_key if isinstance(connection, Batching) else b""


def _content_mac(
    key: bytes, salt: bytes | None, platform: str, actor: str, state: str | None, words: str | None
) -> str:
    return sign(key, "revision", (salt or b"").hex(), canonical_json([platform, actor, state, words]))


def _erased_mac(key: bytes, hashed: str, platform: str, actor: str, state: str | None, words: str | None) -> str:
    return sign(key, "erased", hashed, canonical_json([platform, actor, state, words]))
