"""Whether memories, settings and summaries are what their newest versions say, and none is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adapters.sqlite.engine.revisions import state_of_memory_row
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.upkeep.integrity import AlteredRow, Damage
from bot.domain.channel import ChannelSettings
from bot.domain.revisions import RevisionKind, settings_state, summary_state
from bot.ports.compactions import CompactionState

_NEWEST = """SELECT revision.subject AS version_of, revision.state AS state, revision.words AS words, {table}.*,
    {decided} AS decided
    FROM revision LEFT JOIN {table} ON {table}.id = revision.subject
    WHERE revision.kind = ? AND revision.number = (SELECT max(number) FROM revision AS later
        WHERE (later.kind, later.subject) = (revision.kind, revision.subject))"""
_WITHOUT = "SELECT * FROM {table} WHERE NOT EXISTS (SELECT 1 FROM revision WHERE kind = ? AND subject = {table}.id)"
_SAID = """SELECT words FROM revision WHERE kind = 'memory' AND subject = ? AND words IS NOT NULL
    ORDER BY number DESC LIMIT 1"""


def unlike_versions(connection: SqlConnection) -> list[AlteredRow]:
    """Return the rows that somebody has changed, put in or taken out behind their versions."""
    kinds: tuple[tuple[RevisionKind, str, Callable[[SqlConnection, SqlRow], bool]], ...] = (
        (RevisionKind.MEMORY, "memory", _is_memory_as_said),
        (RevisionKind.SETTINGS, "channel", _is_set_as_said),
        (RevisionKind.SUMMARY, "compaction", _stands_as_said),
    )
    return [found for kind, table, is_as_said in kinds for found in _of_kind(connection, kind, table, is_as_said)]


def _of_kind(
    connection: SqlConnection,
    kind: RevisionKind,
    table: str,
    is_as_said: Callable[[SqlConnection, SqlRow], bool],
) -> Iterator[AlteredRow]:
    for row in connection.execute(_newest_sql(table), (kind.value,)).fetchall():
        # records of summaries go with their age; a channel may have become part of another
        if row["id"] is None and kind is not RevisionKind.SUMMARY and row["state"] is not None:
            yield AlteredRow(table, row["version_of"], Damage.MISSING)
        elif row["id"] is not None and row["state"] is not None and not is_as_said(connection, row):
            yield AlteredRow(table, row["id"], Damage.DIFFERS)
    for row in connection.execute(_WITHOUT.format(table=table), (kind.value,)).fetchall():
        if _needs_version(kind, row):
            yield AlteredRow(table, row["id"], Damage.NO_VERSION)


def _newest_sql(table: str) -> str:
    # both tables have a column `state`, and the version's comes first
    return _NEWEST.format(table=table, decided="compaction.state" if table == "compaction" else "NULL")


def _needs_version(kind: RevisionKind, row: SqlRow) -> bool:
    match kind:
        case RevisionKind.MEMORY:
            return True
        case RevisionKind.SETTINGS:
            return not is_plain(ChannelSettings.model_validate_json(row["settings"]))
        case RevisionKind.SUMMARY:
            return CompactionState(row["state"]).stands


def is_plain(settings: ChannelSettings) -> bool:
    """Say whether nobody set anything: the mode alone is the configuration's."""
    return settings == ChannelSettings(mode=settings.mode)


def _is_memory_as_said(connection: SqlConnection, row: SqlRow) -> bool:
    if state_of_memory_row(row) != row["state"]:
        return False
    said = connection.execute(_SAID, (row["id"],)).fetchone()
    return bool(row["content"] == (said[0] if said else None))


def _is_set_as_said(_: SqlConnection, row: SqlRow) -> bool:
    state, words = settings_state(ChannelSettings.model_validate_json(row["settings"]))
    return bool((state, words) == (row["state"], row["words"]))


def _stands_as_said(_: SqlConnection, row: SqlRow) -> bool:
    stands = CompactionState(row["decided"]).stands
    return bool(summary_state(stands=stands) == row["state"])
