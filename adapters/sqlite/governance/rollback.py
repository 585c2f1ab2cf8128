"""Let memories, settings and summaries be what they were, each with a version of its own; part of one unit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import orjson

from adapters.sqlite.engine.revisions import NewRevision, read_revision, record, versions
from adapters.sqlite.engine.sealed_rows import read_or_skip, update_sealed
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.turns.compactions import (
    CompactionDecision,
    authors_of_sources,
    decide,
    may_redo,
    may_stand_alone,
    may_undo,
)
from bot.domain.channel import ChannelSettings
from bot.domain.memory import NewMemory
from bot.domain.revisions import (
    ChangedBy,
    MemoryState,
    Revision,
    RevisionCause,
    RevisionKind,
    SummaryState,
    memory_state,
)
from bot.domain.rollback import RollbackPlan, RollbackScope, RollbackStep, SubjectHistory, plan_rollback
from bot.ports.compactions import UNDONE_BY_ADMIN, CompactionState

_IN = "SELECT value FROM json_each(?)"
_TABLES = {RevisionKind.MEMORY: "memory", RevisionKind.SETTINGS: "channel", RevisionKind.SUMMARY: "compaction"}


def histories(connection: SqlConnection, agent: str, channels: Sequence[str], since: int) -> list[SubjectHistory]:
    """Return what was changed in some channels since a time, each thing with the version before."""
    names, found = orjson.dumps(list(channels)).decode(), list[SubjectHistory]()
    for kind, table in _TABLES.items():
        tail = f"""JOIN {table} ON {table}.id = revision.subject
            WHERE revision.kind = ? AND {table}.agent = ? AND {table}.channel IN ({_IN})
            AND revision.at > ? ORDER BY revision.subject, revision.number"""
        rows = versions(connection, tail, (kind.value, agent, names, since))
        found += _with_before(connection, kind, map(read_revision, rows))
    return found


def _with_before(connection: SqlConnection, kind: RevisionKind, rows: Iterable[Revision]) -> Iterator[SubjectHistory]:
    for subject, group in itertools.groupby(rows, key=lambda one: one.subject):
        later = tuple(group)
        tail = "WHERE kind = ? AND subject = ? AND number = ?"
        before = versions(connection, tail, (kind.value, subject, later[0].number - 1))
        yield SubjectHistory.model_construct(before=read_revision(before[0]) if before else None, since=later)


def plan(connection: SqlConnection, scope: RollbackScope) -> RollbackPlan:
    """Say what going back would do now."""
    found = histories(connection, scope.agent, scope.channels, scope.since)
    theirs = _summaries_of(connection, scope, found)

    def is_theirs(revision: Revision) -> bool:
        if revision.kind is RevisionKind.SUMMARY and revision.subject in theirs:
            return revision.id <= scope.until and revision.cause is RevisionCause.SUMMARISED
        return scope.is_theirs(revision)

    return _possible(connection, plan_rollback(found, is_theirs))


def plan_undo(connection: SqlConnection, first: int, last: int) -> RollbackPlan:
    """Say what undoing a rollback, by its versions, would do now."""
    own = [read_revision(row) for row in versions(connection, "WHERE id BETWEEN ? AND ?", (first, last))]
    found = [_since_number(connection, one) for one in own]
    return _possible(connection, plan_rollback(found, lambda one: first <= one.id <= last))


def roll_back(connection: SqlConnection, todo: RollbackPlan, at: int, by: ChangedBy) -> tuple[int, int]:
    """Do it; return the first and the last of the versions that this makes, 0 and 0 where there was nothing to do."""
    made = list[NewRevision]()
    for step in todo.of(RevisionKind.MEMORY):
        made += _memory(connection, step, at, by)
    for step in todo.of(RevisionKind.SETTINGS):
        made += _settings(connection, step, at, by)
    first = record(connection, made) if made else 0
    count = len(made)
    for step, stands in _in_order(todo.of(RevisionKind.SUMMARY)):
        number = _summary(connection, step.subject, at, by, stands=stands)
        first = first or number
        count += bool(number)
    return first, first + count - 1 if first else 0


def _summaries_of(connection: SqlConnection, scope: RollbackScope, found: Iterable[SubjectHistory]) -> frozenset[int]:
    """Return the summaries made since then into which a person's words of that time went."""
    if scope.person is None:
        return frozenset()
    made = (
        one.newest.subject
        for one in found
        if one.newest.kind is RevisionKind.SUMMARY and one.since[0].cause is RevisionCause.SUMMARISED
    )
    return frozenset(row for row in made if scope.user in authors_of_sources(connection, row, scope.since))


def _since_number(connection: SqlConnection, one: Revision) -> SubjectHistory:
    tail = "WHERE kind = ? AND subject = ? AND number >= ? ORDER BY number"
    rows = versions(connection, tail, (one.kind.value, one.subject, one.number - 1))
    found = tuple(map(read_revision, rows))
    has_before = found[0].number < one.number
    return SubjectHistory.model_construct(
        before=found[0] if has_before else None, since=found[1:] if has_before else found
    )


def _possible(connection: SqlConnection, todo: RollbackPlan) -> RollbackPlan:
    """Leave out summaries whose turns are not kept any more: they stay, and are counted."""
    stuck = [step for step in todo.of(RevisionKind.SUMMARY) if not may_stand_alone(connection, step.subject)]
    kept = tuple(step for step in todo.steps if step not in stuck)
    return todo.model_copy(update={"steps": kept, "stuck": len(stuck)})


def _memory(connection: SqlConnection, step: RollbackStep, at: int, by: ChangedBy) -> list[NewRevision]:
    row = read_or_skip(connection, "memory", step.subject)
    if row is None or row["content"] is None:
        return []
    target = MemoryState.model_validate_json(step.state)
    body = NewMemory.model_validate_json(row["body"])
    then = target.body
    # only these can be another: what was said, by whom and where never changes
    changed = {name: getattr(then, name) for name in ("type", "importance", "confirmed", "confirmed_at")}
    body = body.model_copy(update=changed)
    text = body.model_dump_json(exclude={"relations"})
    forgotten_at = (row["forgotten_at"] or at) if target.forgotten_at else 0
    update_sealed(connection, "memory", row, body=text, forgotten_at=forgotten_at, version=row["version"] + 1)
    state = memory_state(body, forgotten_at, wiped=False)
    kind = RevisionKind.MEMORY
    return [NewRevision(row["agent"], kind, row["id"], at, RevisionCause.ROLLED_BACK, by, state)]


def _settings(connection: SqlConnection, step: RollbackStep, at: int, by: ChangedBy) -> list[NewRevision]:
    row = read_or_skip(connection, "channel", step.subject)
    if row is None:
        return []
    settings = ChannelSettings.model_validate_json(step.state)
    if settings.pause is not None and step.words:
        settings = settings.replace(pause=settings.pause.replace(reason=step.words))
    update_sealed(connection, "channel", row, settings=settings.model_dump_json())
    kind, cause = RevisionKind.SETTINGS, RevisionCause.ROLLED_BACK
    return [NewRevision(row["agent"], kind, row["id"], at, cause, by, step.state, step.words)]


def _in_order(steps: Iterable[RollbackStep]) -> list[tuple[RollbackStep, bool]]:
    """Return summaries in an order in which each can be done: those that go newest first, then those that come."""
    wanted = [(step, SummaryState.model_validate_json(step.state).stands) for step in steps]
    gone = sorted((one for one in wanted if not one[1]), key=lambda one: -one[0].subject)
    return gone + sorted((one for one in wanted if one[1]), key=lambda one: one[0].subject)


def _summary(connection: SqlConnection, row: int, at: int, by: ChangedBy, *, stands: bool) -> int:
    may: Callable[[SqlConnection, int], bool] = may_redo if stands else may_undo
    if not may(connection, row):
        return 0
    state = CompactionState.DONE if stands else CompactionState.UNDONE
    reason = "" if stands else UNDONE_BY_ADMIN
    return decide(connection, row, CompactionDecision(state, reason, at, by, RevisionCause.ROLLED_BACK))
