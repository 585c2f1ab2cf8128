"""Look over the whole database in slices: nobody waits for it, and it goes on where it was, whoever was stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import ValidationError

from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.sealed_rows import altered_among, damaged_row
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, SqlConnection
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.engine.write_batch import execute_unbatched
from adapters.sqlite.upkeep.integrity import (
    CHAINS,
    REFERENCES,
    AlteredRow,
    broken_chain,
    content_probe,
    damaged_singles,
    damaged_texts,
    dangling_rows,
    page_problems,
    restore_fix,
    unreadable,
)
from bot.domain.base import FrozenModel
from bot.domain.health import ProbeResult
from bot.errors import StoreError
from bot.sentences import say
from bot.text.times import age

SLICE_ROWS = 500
"""Rows that are looked at in one go."""
FEW_ROWS = 60_000
"""So many rows are looked at whenever somebody asks: half a second."""
NEWEST_ROWS = 200
"""Of more, so many of each table are, and what was found in slices is told."""
INTERVAL_MS = 6 * 3_600_000
"""How long after a whole look the next one begins."""
_MAX_NAMED = 20
_NAME = "checkup"
_REMEMBER = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_RECALL = "SELECT value FROM meta WHERE name = ? AND h IS row_hash(hex(name), hex(value))"
_BEGINS = "pages"
_PARTS = (
    (_BEGINS, ""),
    *(("seals", table) for table in SEALED),
    ("texts", "blob"),
    *(("references", table) for table in REFERENCES),
    ("singles", ""),
    *(("chain", table) for table in CHAINS),
)
_COUNTED = (*SEALED, "blob")


class CheckupProgress(FrozenModel):
    """How far the look over everything has come, and how the last whole one ended. Times are UTC ms, 0: not yet.

    `part` and `after` are where it goes on: what is looked at, of which table, behind which row.
    """

    begun_at: int = 0
    part: tuple[str, str] = (_BEGINS, "")
    after: int = 0
    looked: int = 0
    damage: tuple[AlteredRow, ...] = ()
    whole_at: int = 0
    whole_looked: int = 0
    whole_damage: tuple[AlteredRow, ...] = ()

    def is_due(self, now: int) -> bool:
        """Say whether there is something to look at: a look that has begun, or the last one is too old."""
        return bool(self.begun_at) or not 0 <= now - self.whole_at < INTERVAL_MS or not self.whole_at

    @property
    def known_damage(self) -> tuple[AlteredRow, ...]:
        """What was found damaged, by the last whole look and by this one."""
        return tuple(dict.fromkeys((*self.damage, *self.whole_damage)))


def recall(connection: SqlConnection) -> CheckupProgress:
    """Return how far the look has come; one that cannot be read is begun again."""
    row = execute_unbatched(connection, _RECALL, (_NAME,)).fetchone()
    try:
        found = CheckupProgress.model_validate_json(row[0]) if row else CheckupProgress()
    except ValidationError:
        return CheckupProgress()
    return found if found.part in _PARTS else found.replace(begun_at=0, part=_PARTS[0], after=0, looked=0, damage=())


def remember(state: CheckupProgress, connection: SqlConnection) -> None:
    """Keep how far it has come."""
    # apart: nothing else knows or writes this row
    execute_unbatched(connection, _REMEMBER, (_NAME, state.model_dump_json()))


def go_on(
    connection: SqlConnection, key: bytes, state: CheckupProgress, now: int, has_time: Callable[[], bool]
) -> CheckupProgress:
    """Look at slice after slice while there is time, and at one at least; end with the end of the whole look."""
    if not state.begun_at:
        state = state.replace(begun_at=now, part=_PARTS[0], after=0, looked=0, damage=())
    while True:
        state = _look_at_slice(connection, key, state)
        if state.part == _PARTS[0] and not state.after:
            return CheckupProgress(whole_at=now, whole_looked=state.looked, whole_damage=state.damage)
        if not has_time():
            return state


def _look_at_slice(connection: SqlConnection, key: bytes, state: CheckupProgress) -> CheckupProgress:
    """Look at one slice; the state behind the last is at the beginning again."""
    try:
        found, after, looked = _slice(connection, key, state)
    except (*DATABASE_ERRORS, ValueError, StoreError) as error:
        # a page that cannot be read hides what lies behind it
        found, after, looked = [unreadable(state.part[1] or "database", error)], 0, 0
    damage = (*state.damage, *found)[:_MAX_NAMED]
    part = state.part
    if not after:
        part = _PARTS[(_PARTS.index(part) + 1) % len(_PARTS)]
    return state.replace(part=part, after=after, looked=state.looked + looked, damage=damage)


def _slice(connection: SqlConnection, key: bytes, state: CheckupProgress) -> tuple[Sequence[AlteredRow], int, int]:
    """Return what is damaged in a slice, behind which row the next begins (0: there is none), and how many rows."""
    (what, table), after = state.part, state.after
    match what:
        case "pages":
            return page_problems(connection), 0, 0
        case "singles":
            return damaged_singles(connection), 0, 0
        case "chain":
            return broken_chain(connection, key, table), 0, 0
    numbers = _numbers(connection, table, after)
    if not numbers:
        return [], 0, 0
    first, last = numbers[0], numbers[-1]
    match what:
        case "seals":
            found = [AlteredRow(table, row) for row in altered_among(connection, table, first, last)]
        case "texts":
            found = damaged_texts(connection, first, last)
        case _:
            return dangling_rows(connection, table, first, last), last, 0
    for one in found:
        # those who run the bot hear of it, as of a row that was met by chance
        note(connection, damaged_row(table, one.row))
    return found, last, len(numbers)


def _numbers(connection: SqlConnection, table: str, after: int) -> list[int]:
    sql = f"SELECT id FROM {table} WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - see SEALED
    return [row for (row,) in connection.execute(sql, (after, SLICE_ROWS))]


def estimate(connection: SqlConnection) -> int:
    """Return by about how many rows there are, without counting them."""
    ends = [[_end(connection, which, table) for which in ("min", "max")] for table in _COUNTED]
    return sum(last - first + 1 for first, last in ends if last)


def _end(connection: SqlConnection, which: str, table: str) -> int:
    # one of both at a time: only then the database looks at the end, and not at every row
    sql = f"SELECT coalesce({which}(id), 0) FROM {table}"  # noqa: S608 - see SEALED
    return int(connection.execute(sql).fetchone()[0])


def examine(connection: SqlConnection, key: bytes, now: int) -> ProbeResult:
    """Look at everything where there is little, and else at what is new; say what was looked at, and when."""
    try:
        rows = estimate(connection)
        state = recall(connection)
    except DATABASE_ERRORS as error:
        return _failed_probe((unreadable("database", error),), "")
    if rows <= FEW_ROWS:
        return content_probe(connection, key)
    found = _damage_of_newest(connection)
    told = _progress_words(state, rows, now)
    if damage := tuple(dict.fromkeys((*found, *state.known_damage))):
        return _failed_probe(damage, told)
    looked = say("store_doctor.newest-hold", told=told, rows=NEWEST_ROWS)
    if state.whole_at:
        return ProbeResult(name="store integrity", state="ok", evidence=looked)
    return ProbeResult(name="store integrity", state="unknown", evidence=looked, fix=say("store_doctor.ask-later"))


def _damage_of_newest(connection: SqlConnection) -> list[AlteredRow]:
    found: list[AlteredRow] = []
    for table in _COUNTED:
        try:
            last = _end(connection, "max", table)
            if table == "blob":
                found += damaged_texts(connection, last - NEWEST_ROWS + 1, last)
            else:
                found += [
                    AlteredRow(table, row) for row in altered_among(connection, table, last - NEWEST_ROWS + 1, last)
                ]
        except DATABASE_ERRORS as error:
            found.append(unreadable(table, error))
    return found[:_MAX_NAMED]


def _progress_words(state: CheckupProgress, rows: int, now: int) -> str:
    """Say what was looked at, and when."""
    percent = min(99, 100 * state.looked // max(1, rows))
    if not state.whole_at:
        if not state.begun_at:
            return say("store_doctor.never-checked", rows=rows)
        begun = age(now - state.begun_at)
        return say("store_doctor.first-check", rows=rows, percent=str(percent), age=begun)
    ago, looked = age(now - state.whole_at), state.whole_looked
    if not state.begun_at:
        return say("store_doctor.last-check", age=ago, rows=looked)
    return say("store_doctor.next-check", age=ago, rows=looked, percent=str(percent))


def _failed_probe(damage: Sequence[AlteredRow], told: str) -> ProbeResult:
    evidence = "; ".join([*map(str, damage[:_MAX_NAMED]), *([told] if told else [])])
    return ProbeResult(name="store integrity", state="failed", evidence=evidence, fix=restore_fix())
