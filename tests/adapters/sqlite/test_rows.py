"""A row is sealed over exactly what the database gives back, and numbers are never given twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import pytest

from adapters.sqlite.rows import DEFAULTS, SEALED, Counted, change, fetch, insert, row_hash
from bot.errors import DamagedRow


class Kind(StrEnum):
    ELABORATES = "elaborates"


EDGE = {"agent": "main", "source": 1, "kind": Kind.ELABORATES, "author": "1", "turn": 0, "at": 5}
STAGE = {"at": 5, "stage": "turn", "verdict": "passed", "reason": "", "detail": "[]"}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "rows.db", factory=Counted, isolation_level=None)
    opened.row_factory = sqlite3.Row
    opened.create_function("row_hash", -1, row_hash, deterministic=True)
    steps = sorted(files("adapters.sqlite.migrations").iterdir(), key=lambda step: step.name)
    for step in steps:
        if step.name.endswith(".sql"):
            opened.executescript(step.read_text(encoding="utf-8"))
    yield opened
    opened.close()


def stage(connection: sqlite3.Connection, inbound: int) -> int:
    return insert(connection, "stage", inbound=inbound, **STAGE)


@pytest.mark.parametrize("table", SEALED)
def test_what_is_not_said_is_what_the_schema_says(connection: sqlite3.Connection, table: str):
    said = {name: text for _, name, _, _, text, _ in connection.execute(f"PRAGMA table_info({table})") if text}
    expected = {name: connection.execute(f"SELECT {text}").fetchone()[0] for name, text in said.items()}
    assert DEFAULTS.get(table, {}) == expected


@pytest.mark.parametrize("weight", [0.5, -0.0, 1e300])
def test_a_seal_covers_what_comes_back(connection: sqlite3.Connection, weight: float):
    row = insert(connection, "memory_edge", target=True, weight=weight, **EDGE)
    found = fetch(connection, "memory_edge", row)
    assert found is not None and (found["kind"], found["target"]) == ("elaborates", 1)
    assert change(connection, "memory_edge", row, weight=-weight, turn=True)
    assert fetch(connection, "memory_edge", row) is not None


def test_a_change_never_seals_what_was_altered(connection: sqlite3.Connection):
    row = stage(connection, 1)
    connection.execute("UPDATE stage SET reason = 'forged'")
    with pytest.raises(DamagedRow):
        change(connection, "stage", row, detail="[1]")
    assert not change(connection, "stage", row + 1, detail="[1]")


def test_no_number_is_given_twice(connection: sqlite3.Connection):
    assert [stage(connection, 1), stage(connection, 2)] == [1, 2]
    connection.execute("BEGIN")
    assert stage(connection, 3) == 3
    connection.execute("ROLLBACK")
    connection.execute("DELETE FROM stage")
    assert stage(connection, 4) == 4, "what was undone leaves a gap"


def test_numbers_go_on_after_a_start(connection: sqlite3.Connection):
    for inbound in (1, 2, 3):
        stage(connection, inbound)
    connection.execute("DELETE FROM stage WHERE id > 1")
    connection.newest.clear()  # type: ignore[attr-defined]
    assert stage(connection, 4) == 4
    connection.execute("UPDATE sqlite_sequence SET seq = 0")
    connection.newest.clear()  # type: ignore[attr-defined]
    assert stage(connection, 5) == 5
