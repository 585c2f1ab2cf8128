"""What a turn leaves in the ledger."""

from __future__ import annotations

import pytest

from bot.agent.turn.ending import CANCELLED, failed_result, replied_result, skipped_result
from bot.agent.turn.ledger_rows import about_to_send, decided_rows, drift_rows, settlements_of, turn_started_rows
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import FailReason, LedgerStage, Outcome, StageVerdict
from bot.domain.turn import ToolCallRecord
from bot.tools.runtime.effects import SentMessage
from tests.fakes.contexts import Stack, ask
from tests.fakes.values import channel

NEWEST = handle(HandleKind.INBOUND, 9)


def test_the_newest_message_speaks_for_those_before_it():
    rows = turn_started_rows((7, 8, 9), 5)
    assert [(r.inbound, r.stage, r.reason) for r in rows] == [
        (7, LedgerStage.COALESCED, f"into {NEWEST}"),
        (8, LedgerStage.COALESCED, f"into {NEWEST}"),
        (9, LedgerStage.TURN, ""),
    ]
    assert turn_started_rows((), 5) == ()


async def test_a_request_is_described_before_it_leaves():
    snapshot = await Stack().contexts.snapshot(ask(channel()))
    assembled, requested = about_to_send((9,), 5, 2, snapshot)
    assert dict(assembled.detail)["digest"] == snapshot.digest
    assert dict(requested.detail) == {"round": "2", "model": "simulated/echo"}
    assert about_to_send((), 5, 2, snapshot) == ()


def test_calls_and_the_decision_are_rows():
    call = ToolCallRecord(
        tool_name="skip", raw_arguments_json="", result_output="", success=False, execution_start=1,
        execution_end=2, duration_ms=1.4, order_index=0, round_number=0,
    )  # fmt: skip
    tool, end = decided_rows((9,), 5, failed_result(FailReason.EMPTY, "x"), [call])
    assert (tool.stage, tool.verdict, tool.reason, dict(tool.detail)["ms"]) == (
        LedgerStage.TOOL,
        StageVerdict.FAILED,
        "skip",
        "1",
    )
    assert (end.stage, end.verdict, end.reason) == (LedgerStage.DECIDED, StageVerdict.FAILED, "empty: x")
    assert decided_rows((), 5, replied_result("x"), [call]) == ()


@pytest.mark.parametrize(
    ("ending", "said", "outcome"),
    [
        (replied_result("on its way"), [], None),
        (replied_result(), [SentMessage("x", ("1",))], Outcome.REPLIED),
        (replied_result(), [SentMessage("x", ("1",)), SentMessage("y", (), certain=False)], Outcome.UNCERTAIN),
        # its platform cannot be reached: it has its outcome when it has gone out
        (replied_result(), [SentMessage("x", ("1",)), SentMessage("y", (), waits=True)], None),
        (CANCELLED, [SentMessage("y", (), waits=True)], None),
        (skipped_result("a", "b"), [], Outcome.SKIPPED),
        (failed_result(FailReason.EMPTY, "x"), [], Outcome.FAILED),
        (CANCELLED, [], Outcome.CANCELLED),
    ],
)
def test_every_inbound_has_one_outcome(ending, said, outcome):
    older, *newest = settlements_of((8, 9), 5, ending, said)
    assert (older.inbound, older.outcome, older.reason) == (8, Outcome.SUPERSEDED, f"coalesced into {NEWEST}")
    assert [(s.inbound, s.outcome) for s in newest] == ([(9, outcome)] if outcome else [])
    assert settlements_of((), 5, ending, said) == ()


def test_drift_is_a_failed_stage():
    assert [(r.inbound, r.verdict, r.reason) for r in drift_rows((8, 9), 5, "bytes")] == [
        (9, StageVerdict.FAILED, "drift: bytes")
    ]
