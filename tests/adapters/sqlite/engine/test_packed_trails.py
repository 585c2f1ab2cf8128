"""What a trail begins with takes few words on disk, and is read at length; what older versions kept is read as well."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from adapters.sqlite.engine import packed_trails
from bot.domain.ledger import Arrival, ArrivalDisposition, GateVerdict, LedgerStage, StageVerdict
from tests.fakes import values as v

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VERDICTS = st.builds(
    GateVerdict,
    gate=WORDS,
    passed=st.booleans(),
    reason=WORDS,
    compared=st.lists(st.tuples(WORDS, WORDS), max_size=4).map(tuple),
    store_text=st.booleans(),
)
INBOUND = {"id": 7, "arrived_at": 50, "disposition": "queue"}


def arrived(*verdicts: GateVerdict) -> Arrival:
    return Arrival(
        agent=v.KEY.agent, inbound=v.inbound(), arrived_at=50, verdicts=verdicts, disposition=ArrivalDisposition.QUEUE
    )


def row(stage: str, detail: str, number: int = 1) -> Any:
    return {
        "id": number,
        "inbound": 7,
        "at": 50,
        "stage": stage,
        "verdict": "passed",
        "reason": "",
        "detail": detail,
    }


@given(st.lists(VERDICTS, min_size=1, max_size=5))
def test_every_verdict_is_read_as_it_was(verdicts: list[GateVerdict]):
    (written,) = packed_trails.first_rows([arrived(*verdicts)], [7])
    names = ("inbound", "at", "stage", "verdict", "reason", "detail")
    _, gates, _ = packed_trails.read_trail(INBOUND, [{"id": 1, **dict(zip(names, written, strict=True))}])
    read = TypeAdapter(tuple[GateVerdict, ...]).validate_json(dict(gates.detail[-1:])["verdicts"])
    assert read == tuple(verdicts)
    stop = next((one for one in verdicts if not one.passed), None)
    assert gates.verdict is (StageVerdict.STOPPED if stop else StageVerdict.PASSED)
    assert gates.detail[:-1] == ((("gate", stop.gate), ("reason", stop.reason), *stop.compared) if stop else ())


def test_what_older_versions_kept_is_read_as_it_is():
    verdicts = orjson.dumps([{"gate": "rate", "passed": True}]).decode()
    detail = orjson.dumps([["verdicts", verdicts]]).decode()
    rows = [row("arrived", "[]"), row("gates", detail, 2), row("queued", "[]", 3), row("turn", "[]", 4)]
    read = packed_trails.read_trail(INBOUND, rows)
    assert [(one.id, one.stage) for one in read] == [
        (1, LedgerStage.ARRIVED),
        (2, LedgerStage.GATES),
        (3, LedgerStage.QUEUED),
        (4, LedgerStage.TURN),
    ]
    assert read[1].detail == (("verdicts", verdicts),)


def test_what_came_without_any_gate_has_arrived_all_the_same():
    assert list(packed_trails.first_rows([arrived()], [7])) == []
    read = packed_trails.read_trail(INBOUND, [row("turn", "[]")])
    assert [one.stage for one in read] == [LedgerStage.ARRIVED, LedgerStage.QUEUED, LedgerStage.TURN]
    assert {one.at for one in read} == {50}


def test_what_was_there_already_gets_no_second_trail():
    passed = GateVerdict(gate="rate", passed=True)
    assert [row for row, *_ in packed_trails.first_rows([arrived(passed), arrived(passed)], [None, 8])] == [8]
