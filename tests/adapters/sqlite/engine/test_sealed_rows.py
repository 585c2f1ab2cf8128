"""A row is sealed over exactly what the database gives back, and numbers are never given twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import pytest

from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.sealed_rows import change, fetch, insert, insert_all
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.engine.write_batch import BatchingConnection
from bot.errors import DamagedRow


class Kind(StrEnum):
    ELABORATES = "elaborates"


STAGE = {"at": 5, "stage": "turn", "verdict": "passed", "reason": "", "detail": "[]"}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "rows.db", factory=BatchingConnection, isolation_level=None)
    opened.row_factory = sqlite3.Row
    register_functions(opened)
    steps = sorted(files("adapters.sqlite.migrations").iterdir(), key=lambda step: step.name)
    for step in steps:
        if step.name.endswith(".sql"):
            opened.executescript(step.read_text(encoding="utf-8"))
    yield opened
    opened.close()


def stage(connection: sqlite3.Connection, inbound: int) -> int:
    return insert(connection, "stage", inbound=inbound, **STAGE)


@pytest.mark.parametrize("table", SEALED)
def test_a_seal_covers_every_column_in_the_order_of_the_schema(connection: sqlite3.Connection, table: str):
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    assert columns == [*SEALED[table], "h"]


def test_a_row_is_said_in_full_and_in_order(connection: sqlite3.Connection):
    with pytest.raises(TypeError, match="in this order"):
        insert(connection, "stage", **STAGE)
    with pytest.raises(TypeError, match="in this order"):
        insert(connection, "stage", **STAGE, inbound=1)


def test_rows_that_go_together_are_sealed_one_by_one(connection: sqlite3.Connection):
    rows = [(inbound, True, Kind.ELABORATES, "passed", "", "[]") for inbound in (1, 2, 3)]
    numbers = insert_all(connection, "stage", rows)
    assert numbers == [1, 2, 3]
    found = [fetch(connection, "stage", number) for number in numbers]
    assert [row and (row["inbound"], row["at"], row["stage"]) for row in found] == [
        (inbound, 1, "elaborates") for inbound in (1, 2, 3)
    ]


@pytest.mark.parametrize("weight", [0.5, -0.0, 1e300])
def test_a_seal_covers_what_comes_back(connection: sqlite3.Connection, weight: float):
    ends = {"source": 1, "target": True, "kind": Kind.ELABORATES}
    row = insert(connection, "memory_edge", agent="main", **ends, weight=weight, author="1", turn=0, at=5)
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
