"""What is counted is what is on record: once for each, and nothing of what was undone."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from bot.domain.ledger import ArrivalDisposition, Outcome, Settlement
from bot.ports.metrics import NoMetrics
from bot.ports.traces import RecordWatchers
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.test_together import beside_a_failure
from tests.fakes import values as v


class Counting(NoMetrics):
    """Keeps what it is told of messages."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.gates: Counter[str] = Counter()

    def settled(self, platform: str, outcome: Outcome) -> None:
        self.outcomes[outcome.value] += 1

    def stopped(self, gate: str) -> None:
        self.gates[gate] += 1


async def test_an_outcome_is_counted_once_whoever_comes_later(tmp_path: Path):
    counting = Counting()
    async with opened(tmp_path, watchers=RecordWatchers(counting)) as store:
        (row,) = await store.ledger.arrive([v.arrival()], None)
        assert row is not None
        for outcome in (Outcome.REPLIED, Outcome.FAILED):
            await store.ledger.settle([Settlement(inbound=row, at=1, outcome=outcome)])
        assert await store.ledger.arrive([v.arrival()], None) == [None]
        assert counting.outcomes == {"replied": 1}


async def test_what_shares_a_commit_with_a_failure_is_counted_once(tmp_path: Path):
    counting = Counting()
    async with opened(tmp_path, watchers=RecordWatchers(counting)) as store:
        (row,) = await store.ledger.arrive([v.arrival()], None)
        assert row is not None
        done = Settlement(inbound=row, at=1, outcome=Outcome.SKIPPED)
        await beside_a_failure(store, store.ledger.settle([done]), store.ledger.settle([done]))
        assert counting.outcomes == {"skipped": 1}


async def test_what_a_gate_stops_is_counted_with_its_outcome(tmp_path: Path):
    counting = Counting()
    async with opened(tmp_path, watchers=RecordWatchers(counting)) as store:
        verdicts = (v.passed("sender"), v.passed("rate").replace(passed=False))
        dropped = v.arrival(verdicts=verdicts, disposition=ArrivalDisposition.DROP)
        await asyncio.gather(store.ledger.arrive([dropped], None), store.ledger.arrive([dropped], None))
        assert counting.gates == {"rate": 1} and counting.outcomes == {"gated": 1}
