"""What a turn costs the one writer, in statements: each of them waits for the interpreter, however little it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine.write_batch import AT_ONCE
from bot.domain.ids import MAIN
from bot.domain.ledger import ArrivalDisposition, LedgerStage, Outcome, Settlement, StageRow, StageVerdict
from bot.domain.messages import Message, Receipt
from bot.domain.turn import AttemptRecord, TurnEnd, TurnStatus
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import trace

A_TURN = 28
"""Without BEGIN and COMMIT, which many turns share, and without what the full-text index does by itself."""


class Watched:
    """A store, and the statements of its writer since the last look."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self._said: list[str] = []

    async def start(self) -> None:
        await trace(self.store, self._said.append)

    def look(self) -> list[str]:
        ours = [said for said in self._said if not said.startswith("--") and said not in ("BEGIN IMMEDIATE", "COMMIT")]
        self._said.clear()
        return ours


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with opened(tmp_path) as store:
        yield Watched(store)


def stages(row: int, *named: LedgerStage) -> list[StageRow]:
    return [StageRow(inbound=row, at=START, stage=stage, verdict=StageVerdict.PASSED) for stage in named]


async def a_turn(store: SqliteStore, number: int, history: list[Message]) -> None:
    """Let one message be answered, with everything on record that the bot puts there."""
    (row,) = await store.ledger.arrive([v.arrival(f"question {number}", str(number), verdicts=(v.passed(),))], None)
    assert row is not None
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), stages(row, LedgerStage.TURN))
    asked, enveloped = v.message(f"question {number}", inbound=row), v.message(f"<status {number}> question {number}")
    sections = (v.section(), v.section("status", text=f"status {number}"))
    record = v.request_record(turn, v.llm_request([*history, enveloped]), sections=sections)
    request = await store.journal.record_request(record, stages(row, LedgerStage.ASSEMBLED, LedgerStage.REQUESTED))
    answer, said = v.llm_response(f"answer {number}"), v.said(f"answer {number}")
    end = TurnEnd(
        turn=turn,
        agent=MAIN,
        channel=v.GENERAL,
        at=START,
        status=TurnStatus.REPLIED,
        rounds=1,
        messages=(asked, said),
        outbox=(v.outgoing(f"answer {number}", inbound=row),),
        stages=tuple(stages(row, LedgerStage.DECIDED)),
        attempts=(AttemptRecord(request=request, number=1, at=START, duration_ms=5, response=answer),),
        departs=True,
    )
    (chunk,) = await store.journal.end_turn(end)
    done = [Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)]
    await store.outbox.sent(
        chunk.row, Receipt(message_id=f"m{number}", at=START), stages(row, LedgerStage.DELIVERED), done
    )
    history += [asked, said]


async def test_a_turn_costs_few_statements(watched: Watched):
    history: list[Message] = []
    await a_turn(watched.store, 1, history)
    await watched.start()
    costs = []
    for number in (2, 3, 4):
        await a_turn(watched.store, number, history)
        costs.append(watched.look())
    assert [len(said) for said in costs] == [len(costs[0])] * 3, "a turn costs what is new in it"
    assert len(costs[0]) <= A_TURN, "\n".join(said[:90] for said in costs[0])
    assert not any("SAVEPOINT" in said for said in costs[0])
    assert not await watched.store.verify()


async def test_a_batch_costs_few_statements_for_all_messages_and_stages(watched: Watched):
    await watched.store.ledger.arrive([v.arrival(message_id="first")], None)
    await watched.start()
    gates = (v.passed(),)
    batch = [v.arrival("a line", str(n), disposition=ArrivalDisposition.AMBIENT, verdicts=gates) for n in range(100)]
    await watched.store.ledger.arrive(batch, None)
    assert len(watched.look()) <= 3 * (len(batch) // AT_ONCE + 1) + 1


async def test_turns_that_come_together_share_their_statements(watched: Watched):
    people = 40
    for number in range(people):
        await a_turn(watched.store, number, [])
    await watched.start()
    await asyncio.gather(*(a_turn(watched.store, people + number, []) for number in range(people)))
    assert len(watched.look()) <= people * A_TURN // 3
    assert not await watched.store.verify()
