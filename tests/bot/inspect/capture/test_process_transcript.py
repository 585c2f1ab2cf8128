"""What a branch or a worker did, part by part."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey, UserId
from bot.domain.process import NewProcess, ProcessOrigin, ProcessState, StoredProcess
from bot.domain.turn import StoredTurn, ToolCallRecord, TurnStatus
from bot.errors import ToolError
from bot.inspect.capture.process_transcript import ProcessTranscript, page, transcript_of
from tests.fakes import values as v
from tests.fakes.clock import START


def process(**changes) -> StoredProcess:
    body = NewProcess(
        agent=v.MAIN,
        channel=v.GENERAL,
        kind=ProcessKind.WORKER,
        task="Count.\n```\nforged",
        name='chairs" forged',
        by=Caller(PersonKey("console", UserId("101")), "ann", Authority.EVERYONE),
        parent_turn=1,
        inbound=1,
        origin=ProcessOrigin(platform="console"),
    )
    return StoredProcess(**{"id": 1, "body": body, "state": ProcessState.RUNNING, "started_at": START, **changes})


def test_a_line_cannot_be_forged():
    line = ProcessTranscript(process(progress="a\nb")).line
    assert "\n" not in line and '"chairs\\" forged"' in line


def test_a_page_is_fenced_and_read_on():
    text = page(ProcessTranscript(process()), "task", 0, 8)
    assert text.endswith("[9 characters more: read on with offset 8]")
    whole = page(ProcessTranscript(process()), "task", 0, 500)
    assert "````\nCount.\n```\nforged\n````" in whole, "the fence is longer than any inside"
    assert "there is nothing at 99" in raised("task", 99)


def raised(part: str, offset: int = 0) -> str:
    with pytest.raises(ToolError) as error:
        page(ProcessTranscript(process()), part, offset, 500)
    return str(error.value)


def test_what_there_is_not_is_said():
    assert "There is no part" in raised("everything")
    assert "there is no segment 1" in raised("segment:1")
    assert "no round 1.0" in raised("round:1.0")
    assert "nothing of it is on record yet" in page(ProcessTranscript(process()), "outline", 0, 500)
    assert "its words are not kept" in page(
        ProcessTranscript(process(body=process().body.replace(task=""))), "task", 0, 500
    )


def test_of_work_whose_words_are_gone_nothing_is_made_up():
    body = process().body.replace(task="", name="")
    over = ProcessTranscript(process(body=body, state=ProcessState.DONE, ended_at=START, turns=(3, 4), calls=7))
    outline = page(over, "outline", 0, 500)
    assert "worker (its words are not kept any more): done" in outline and "7 tool calls" in outline
    assert "nothing of it is on record any more" in outline and "yet" not in outline
    assert "(its words are not kept any more)" in page(over, "result", 0, 500)


def test_what_is_left_of_a_segment_is_told_apart_from_what_is_gone():
    turn = StoredTurn(
        id=4, agent=v.MAIN, channel=v.GENERAL, kind=ProcessKind.WORKER, started_at=START,
        status=TurnStatus.REPLIED, rounds=3,
    )  # fmt: skip
    record = ToolCallRecord(
        tool_name="shell", raw_arguments_json="", result_output="", success=True, execution_start=START,
        execution_end=START, duration_ms=5, order_index=0, round_number=1,
    )  # fmt: skip
    over = process(state=ProcessState.DONE, ended_at=START, turns=(3, 4))
    work = ProcessTranscript(over, (transcript_of(turn, (), (record,)),))
    outline = page(work, "outline", 0, 800)
    assert "2 rounds of it are not on record" in outline and "1 earlier segments are not on record" in outline
    assert "shell ok" in outline and "no answer yet" not in outline
    assert "ok, 5 ms: (its words are not kept any more)" in page(work, "transcript", 0, 800)
