"""What people saw and the model does not, and the other way round: each on its side, and in nobody's words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.context.transcript import as_message
from bot.domain.channel import Turn
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.ids import UserId
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import Attachment, AttachmentKind, Button, InboundKind, Message, OutgoingFile, Role, TextPart
from bot.domain.turn import OutboxState, StoredOutbox, StoredTurn, ToolCallRecord, TurnStatus
from bot.inspect.capture.markdown import dump
from bot.inspect.capture.part_reader import read
from bot.inspect.capture.reader_view import CaptureExtras
from bot.inspect.capture.visibility_gap import (
    ModelOnly,
    PeopleOnly,
    ToldMessages,
    TurnTrail,
    VisibilityGap,
    gap_text,
    turn_gaps,
)
from tests.bot.context.shown import capture
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.golden.golden import matches

PICTURE = Attachment(kind=AttachmentKind.IMAGE, name="cat.png", mimetype="image/png", reference="r1")


def heard(row: int, text: str = "hello", turn: int = 1, **changes: Any) -> StoredInbound:
    stored = {
        "disposition": ArrivalDisposition.QUEUE,
        "outcome": Outcome.REPLIED,
        "outcome_reason": "",
        "text_kept": True,
    }
    given = {name: changes.pop(name) for name in list(changes) if name in stored}
    base = {"id": row, "agent": v.MAIN, "arrived_at": START + row, "text_sha256": "0" * 64, "turn": turn}
    return StoredInbound(inbound=v.inbound(text, str(row), **changes), **{**stored, **base, **given})


def sent(row: int, kind: str = "reply", state: OutboxState = OutboxState.SENT, **changes: Any) -> StoredOutbox:
    tries = changes.pop("attempts", 1)
    body = v.outgoing("some words", kind=kind, turn=1, **changes)
    return StoredOutbox(row=row, nonce=f"n{row}", body=body, state=state, created_at=START, attempts=tries)


def a_turn(number: int = 1, status: TurnStatus = TurnStatus.REPLIED, inbounds: tuple[int, ...] = (1,)) -> StoredTurn:
    start = v.turn_start(v.KEY).model_dump(include={"agent", "channel", "kind"})
    return StoredTurn(id=number, started_at=START, status=status, inbounds=inbounds, **start)


def called(row: int, tool: str = "memory_recall", order: int = 0) -> ToolCallRecord:
    times = {"execution_start": START, "execution_end": START, "duration_ms": 1.0}
    place = {"order_index": order, "round_number": order}
    words = {"raw_arguments_json": "{}", "result_output": "secret words", "success": True}
    return ToolCallRecord(record_id=row, tool_name=tool, **words, **times, **place)


def told(*messages: Message, turns: tuple[Turn, ...] = (), left_out: tuple[int, ...] = ()) -> ToldMessages:
    return ToldMessages(messages, turns, frozenset(left_out))


def of(trail: TurnTrail, known: ToldMessages) -> dict[str, VisibilityGap]:
    (found,) = turn_gaps([trail], known)
    return {gap.kind: gap for gap in (*found.people, *found.model)}


def shown(stored: StoredInbound) -> Message:
    return as_message(stored.id, stored.inbound, ambient=False)


def test_a_turn_of_which_both_sides_know_the_same_has_nothing_in_it():
    asked = heard(1)
    (found,) = turn_gaps([TurnTrail(a_turn(), (asked,), (sent(1),), ())], told(shown(asked), v.said("hi")))
    assert (found.people, found.model) == ((), ())
    assert gap_text(found) == f"{found.turn} replied: both sides saw the same"


def test_what_people_wrote_and_the_model_does_not_know():
    gated = heard(2, outcome=Outcome.GATED, outcome_reason="sender: not listed", disposition=ArrivalDisposition.DROP)
    order = heard(3, "!status", disposition=ArrivalDisposition.COMMAND, outcome=Outcome.COMMAND)
    edit = heard(4, kind=InboundKind.EDIT, disposition=ArrivalDisposition.AMEND, outcome=Outcome.STORED_ONLY)
    gone = heard(5, kind=InboundKind.DELETE, disposition=ArrivalDisposition.AMEND, outcome=Outcome.STORED_ONLY)
    card, picture = heard(6, ""), heard(7, "look", attachments=(PICTURE,))
    trimmed = heard(8, turn=0, outcome=Outcome.STORED_ONLY, disposition=ArrivalDisposition.AMBIENT)
    joined = heard(9, kind=InboundKind.EVENT, event={"kind": "joined", "name": "member"})
    everything = (gated, order, edit, gone, card, picture, trimmed, joined)
    found = of(TurnTrail(None, everything, (), ()), told(shown(card), shown(picture), shown(gone)))
    assert set(found) == {
        PeopleOnly.GATED,
        PeopleOnly.COMMAND,
        PeopleOnly.EDITED,
        PeopleOnly.DELETED,
        PeopleOnly.UNREADABLE,
        PeopleOnly.FILES_IN,
        PeopleOnly.NOT_TOLD,
    }
    assert found[PeopleOnly.GATED].detail == "sender: not listed"


def test_what_was_left_out_or_shortened_is_told_apart():
    summary = CompactionSummary(
        type=SummaryType.HALF, compaction=1, count=2, method="model", created_at=START, sources=(), turns=(1,)
    )
    block = Message(role=Role.USER, parts=(TextPart(text="[SUMMARIZED] tea"),), summary=summary)
    found = of(TurnTrail(a_turn(), (heard(1), heard(2, turn=2)), (), ()), told(block, left_out=(2,)))
    assert set(found) == {PeopleOnly.SHORTENED, PeopleOnly.LEFT_OUT, ModelOnly.SUMMARY}


def test_what_was_sent_and_the_model_is_not_told_of():
    rows = (
        sent(1, "notice"),
        sent(2, "command"),
        sent(3, "file", file=OutgoingFile(name="a.txt", path="a.txt", mimetype="text/plain")),
        sent(4, buttons=(Button(label="yes", data="y"), Button(label="no", data="n"))),
        sent(5, attempts=2),
        sent(6, "finding", to=v.address(private_to=UserId("1")), buttons=(Button(label="x", data="x"),)),
        sent(7, "notice", state=OutboxState.DEAD),
    )
    found = of(TurnTrail(a_turn(), (), rows, ()), told())
    assert {kind: gap.count for kind, gap in found.items()} == {
        PeopleOnly.NOTICE: 1,
        PeopleOnly.COMMAND: 1,
        PeopleOnly.FILES_OUT: 1,
        PeopleOnly.BUTTONS: 2,
        PeopleOnly.TRIED_AGAIN: 1,
    }


def test_what_the_model_believes_and_nobody_read():
    rows = (
        sent(1, state=OutboxState.DEAD),
        sent(2, state=OutboxState.UNCERTAIN),
        sent(3, redacted=True),
    )
    talk = heard(4, turn=0, outcome=Outcome.STORED_ONLY, disposition=ArrivalDisposition.AMBIENT)
    turn = Turn(id=1, messages=(v.message("q"), v.call(), v.result(), v.call(call_id="c2"), v.result(call_id="c2")))
    calls = (called(1), called(2, "react", 1), called(3, "pay", 2))
    back = heard(5, kind=InboundKind.RESULT)
    trail = TurnTrail(a_turn(status=TurnStatus.SKIPPED), (talk, back), rows, calls)
    found = of(trail, told(shown(talk), shown(back), turns=(turn,)))
    assert {kind: gap.count for kind, gap in found.items()} == {
        ModelOnly.CALLS: 2,
        ModelOnly.SILENCE: 1,
        ModelOnly.NOT_DELIVERED: 1,
        ModelOnly.UNCERTAIN: 1,
        ModelOnly.BLACKED_OUT: 1,
        ModelOnly.OVERHEARD: 1,
        ModelOnly.RESULT: 1,
    }
    assert found[ModelOnly.CALLS].detail == "memory_recall, react"


def test_it_reads_well_and_tells_nobodys_words(pytestconfig):
    asked, gated = heard(1, "my secret"), heard(2, "spam", outcome=Outcome.GATED, outcome_reason="sender")
    turn = Turn(id=1, messages=(shown(asked), v.call(), v.result(), v.said("yes")))
    many = [heard(row, turn=0, outcome=Outcome.STORED_ONLY) for row in range(10, 18)]
    first = TurnTrail(a_turn(), (asked, gated), (sent(1), sent(2, "notice")), (called(1),))
    found = turn_gaps([first, TurnTrail(None, tuple(many), (), ())], told(*turn.messages, turns=(turn,)))
    text = "\n".join(map(gap_text, found))
    assert "secret" not in text and "spam" not in text
    assert matches(pytestconfig, "context/gap", text)


async def test_a_short_comparison_stands_in_the_dump_and_a_long_one_is_read_as_a_part():
    context = await capture()
    for gap, stands in (
        ((), False),
        (("t2krxn replied\n  only people saw:\n  - 1 × x",), True),
        (("x" * 5000,), False),
    ):
        extras = replace(context.extras, gap=gap)
        text = dump(replace(context, extras=extras))
        assert ("## What Only One Side Has" in text) is stands
        assert read("gap", replace(context, extras=extras), 16_000).count("t2krxn replied") == stands
    assert "Turns: t2krxn." in read(
        "gap:tzzzz", replace(context, extras=CaptureExtras(gap=("t2krxn replied",))), 16_000
    )
