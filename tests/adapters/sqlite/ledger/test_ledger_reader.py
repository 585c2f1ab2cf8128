"""What every start asks of the ledger looks at what is recent, however much there is."""

from __future__ import annotations

from pathlib import Path

from adapters.sqlite.ledger.ledger_reader import _UNHEARD
from tests.adapters.sqlite.opened import opened
from tests.inside.store import database_of


async def test_what_was_not_heard_is_found_without_going_through_everything(tmp_path: Path):
    async with opened(tmp_path) as store:
        sql = f"EXPLAIN QUERY PLAN SELECT id FROM inbound {_UNHEARD}"
        plan = await database_of(store).read(lambda connection: connection.execute(sql, (0, 50)).fetchall())
    steps = [step["detail"] for step in plan]
    assert [step for step in steps if step.startswith(("SCAN inbound", "SCAN history"))] == []
    assert any("inbound_by_age" in step for step in steps) and any("history_by_age" in step for step in steps)
