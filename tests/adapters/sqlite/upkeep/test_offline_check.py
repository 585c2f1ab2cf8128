"""Whatever is altered, removed or cut off in what is kept, a check from start to end finds it."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite import verify_directory
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.upkeep.offline_check import all_damage
from bot.domain.ids import UserId
from tests.adapters.sqlite.governance.raids import FOLK, RAIDER, ROOMS, Town, fresh_clock
from tests.adapters.sqlite.governance.test_revisions import DAY, keeping
from tests.adapters.sqlite.opened import opened
from tests.contracts.test_store import audited

TAMPERINGS = int(os.environ.get("TAMPERINGS", "150"))
CHAINED = {"audit": ("actor", "body", "at", "hash", "prev_hash", "undoes")} | {
    "revision": ("actor", "state", "words", "at", "cause", "subject", "number", "content_mac", "hash", "erased_mac")
}


@pytest.fixture
async def town(tmp_path: Path) -> Path:
    """A data directory in which people and a raider have done things."""
    directory, clock = tmp_path / "data", fresh_clock()
    async with opened(directory, clock=clock) as store:
        busy = Town(store, clock, 7)
        await busy.settle()
        for _ in range(20):
            await busy.act(RAIDER if busy.chance.random() < 0.5 else busy.chance.choice(FOLK), ROOMS)
        for n in range(10):
            await store.audit.append(audited(detail=f"read {n}", actor=UserId("1")))
    return directory


async def test_what_nobody_altered_holds_and_says_where_it_ends(town: Path):
    found = await verify_directory(town)
    assert found.damage == () and found.has_key
    assert [head.table for head in found.heads] == ["audit", "revision"]
    assert found.heads[0].row == found.audit and found.heads[1].row == found.versions > 40


async def test_without_the_key_it_says_so(town: Path):
    (town / "secret.key").unlink()
    found = await verify_directory(town)
    assert not found.has_key and found.damage == ()


@pytest.mark.parametrize("is_cut", [False, True])
async def test_every_single_tampering_is_found(town: Path, is_cut: bool):
    """Also by somebody who knows how rows are sealed, and seals them again; and where an old past was cut off."""
    if is_cut:
        clock = fresh_clock()
        clock.at += 20 * DAY
        async with opened(town, clock=clock) as store:
            busy = Town(store, clock, 9)
            for room in ROOMS:
                await busy.save(room, FOLK[0], 3)
            assert (await store.sweep(keeping(versions_ms=10 * DAY), clock.at))["versions"] > 20
    chance, key = random.Random(5), (town / "secret.key").read_bytes()
    with closing(sqlite3.connect(town / "glassmind.db", isolation_level=None)) as raw:
        raw.row_factory = sqlite3.Row
        register_functions(raw)
        key = _key(town)
        assert all_damage(raw, key) == []
        missed = []
        for number in range(TAMPERINGS):
            raw.execute("BEGIN")
            how = chance.choice((*WAYS, _begins) if is_cut else WAYS)(raw, chance)
            if how and not all_damage(raw, key):
                missed.append((number, how))
            raw.execute("ROLLBACK")
        assert missed == []


def _key(directory: Path) -> bytes:
    from adapters.sqlite.engine.directory import read_secret

    return read_secret(directory)


def _row(raw: sqlite3.Connection, chance: random.Random, table: str) -> int:
    rows = [row[0] for row in raw.execute(f"SELECT id FROM {table}")]
    return chance.choice(rows)


def _edits(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Change one column of one row of a chain."""
    table = chance.choice(list(CHAINED))
    column, row = chance.choice(CHAINED[table]), _row(raw, chance, table)
    old = raw.execute(f"SELECT {column} FROM {table} WHERE id = ?", (row,)).fetchone()[0]
    new = chance.randrange(10**6) if isinstance(old, int) else f"{old or ''}x"
    raw.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (new, row))
    return f"{table}.{column} of {row}" if new != old else ""


def _removes(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Take one row out of a chain."""
    table = chance.choice(list(CHAINED))
    row = _row(raw, chance, table)
    raw.execute(f"DELETE FROM {table} WHERE id = ?", (row,))
    return f"{table} {row} gone"


def _cuts(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Cut the end of a chain off, or its beginning."""
    table = chance.choice(list(CHAINED))
    row, side = _row(raw, chance, table), chance.choice((">=", "<="))
    raw.execute(f"DELETE FROM {table} WHERE id {side} ?", (row,))
    return f"{table} {side} {row} gone"


def _marks(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Cut an end off and write a mark that fits, without the key."""
    table = chance.choice(list(CHAINED))
    row = _row(raw, chance, table)
    raw.execute(f"DELETE FROM {table} WHERE id > ?", (row,))
    if not raw.execute("SELECT changes()").fetchone()[0]:
        return ""
    kept = raw.execute(f"SELECT hash FROM {table} WHERE id = ?", (row,)).fetchone()[0]
    name = f"{table}_head"
    signature = raw.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()[0].split(":")[2]
    raw.execute("UPDATE meta SET value = ? WHERE name = ?", (f"{row}:{kept}:{signature}", name))
    return f"{table} ends at {row}"


def _reseals(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Change a memory or what is set, and seal the row as the program does."""
    table, change = chance.choice(
        (
            ("memory", "content = content || '!'"),
            ("memory", "forgotten_at = CASE forgotten_at WHEN 0 THEN 5 ELSE 0 END"),
            ("memory", "body = json_set(body, '$.importance', 0.123)"),
            ("memory", "body = json_set(body, '$.provenance.by_admin', json('true'))"),
            ("channel", "settings = json_set(settings, '$.model', 'evil/one')"),
            ("channel", "settings = json_set(settings, '$.admitted', json('[\"666\"]'))"),
        )
    )
    row = _row(raw, chance, table)
    raw.execute(f"UPDATE {table} SET {change} WHERE id = ?", (row,))
    columns = ", ".join(SEALED[table])
    raw.execute(f"UPDATE {table} SET h = row_hash({columns}) WHERE id = ?", (row,))
    return f"{table} {row}: {change}"


def _drops(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Take a memory or a channel out."""
    table = chance.choice(("memory", "channel"))
    row = _row(raw, chance, table)
    raw.execute(f"DELETE FROM {table} WHERE id = ?", (row,))
    return f"{table} {row} gone"


def _erases(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Make an edit look as if somebody had been forgotten."""
    row = _row(raw, chance, "revision")
    raw.execute("UPDATE revision SET words = NULL, salt = NULL, erased_mac = 'ab' WHERE id = ?", (row,))
    return f"revision {row} looks erased"


def _begins(raw: sqlite3.Connection, chance: random.Random) -> str:
    """Let the past look as if it began at another time, or at another version."""
    if chance.random() < 0.5:
        value = raw.execute("SELECT value FROM meta WHERE name = 'revision_since'").fetchone()[0]
        new = chance.choice(("0", f"5:{value.partition(':')[2]}"))
        raw.execute("UPDATE meta SET value = ? WHERE name = 'revision_since'", (new,))
        return f"versions since {new}"
    row = raw.execute("SELECT min(id) FROM revision").fetchone()[0]
    kept = raw.execute("SELECT hash FROM revision WHERE id = ?", (row,)).fetchone()[0]
    signature = raw.execute("SELECT value FROM meta WHERE name = 'revision_base'").fetchone()[0].split(":")[2]
    raw.execute("DELETE FROM revision WHERE id = ?", (row,))
    raw.execute("UPDATE meta SET value = ? WHERE name = 'revision_base'", (f"{row}:{kept}:{signature}",))
    return f"versions begin behind {row}"


WAYS: tuple[Callable[[sqlite3.Connection, random.Random], str], ...] = (
    *(_edits, _edits, _edits, _removes, _cuts, _marks, _reseals, _reseals, _drops, _erases),
)
