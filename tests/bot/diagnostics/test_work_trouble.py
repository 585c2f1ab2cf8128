"""Calls and work that hang, took long, failed or were refused are named in the first message, with their times."""

from __future__ import annotations

import pytest

from bot.cortex.words.report import first_message
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.work_trouble import trouble_lines
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterState
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import ToolCall
from bot.domain.process import NewProcess, ProcessOrigin, ProcessState, StoredProcess
from bot.domain.turn import TurnStatus
from bot.text.times import plain_times
from tests.bot.diagnostics.scenarios import PAUSED
from tests.fakes.evidence import (
    ARRIVED,
    NOW,
    TURN,
    answered,
    attempt,
    call,
    evidence,
    failed,
    failed_turn,
    healthy,
    requested,
    stored,
    trail,
    turn,
    up,
)
from tests.fakes.values import GENERAL, MAIN, llm_response


def told(about: Evidence) -> list[str]:
    return [plain_times(line) for line in trouble_lines(about)]


def worked(state: ProcessState, reason: str = "", progress: str = "", ran_ms: int = 70_000) -> Evidence:
    body = NewProcess(
        agent=MAIN,
        channel=GENERAL,
        kind=ProcessKind.WORKER,
        task="Find the tea.",
        name="tea",
        by=Caller(PersonKey("console", UserId("100")), "ann", Authority.EVERYONE),
        parent_turn=1,
        inbound=1,
        origin=ProcessOrigin(platform="console"),
    )
    begun = NOW - ran_ms
    ended = 0 if state is ProcessState.RUNNING else NOW
    work = StoredProcess(
        id=1, body=body, state=state, started_at=begun, ended_at=ended, reason=reason, progress=progress
    )
    return healthy(handed_out=(work,))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"success": False, "result_output": "No such page."}, "skip failed at 08:53:20: No such page."),
        (
            {"success": False, "result_output": "skip is not allowed here: it is off."},
            "skip was refused at 08:53:20: skip is not allowed here: it is off.",
        ),
        (
            {"success": False, "duration_ms": 30_000.0, "result_output": "timed out"},
            "skip failed at 08:53:20 after 30 s: timed out",
        ),
        ({"duration_ms": 31_000.0}, "skip took 31 s, from 08:53:20."),
    ],
)
def test_a_call_is_named_with_its_time(changes: dict[str, object], line: str) -> None:
    assert told(healthy(turn=turn(calls=(call("skip", **changes),)))) == [line]


def test_a_call_that_runs_is_known_from_the_answer_that_asked_for_it() -> None:
    asks = llm_response("").replace(calls=(ToolCall(call_id="c", name="skip", arguments="{}"),))
    request = requested(attempt(response=asks))
    about = evidence(trail(stored(None, turn=TURN)), turn=turn(TurnStatus.RUNNING, requests=(request,)))
    seconds = (NOW - ARRIVED - 1_900) // 1000
    assert told(about) == [f"skip has been running since 08:53:21 ({seconds} s)."]
    assert told(about.replace(turn=turn(requests=(request,)))) == []


@pytest.mark.parametrize(
    ("about", "line"),
    [
        (worked(ProcessState.FAILED, "provider: auth"), "Worker w2krxn failed at 08:54:20 after 1 min: provider: auth"),
        (worked(ProcessState.TIMEOUT), "Worker w2krxn ran out of time at 08:54:20 after 1 min"),
        (
            worked(ProcessState.RUNNING, progress="reads a page"),
            "Worker w2krxn has been running since 08:53:10 (1 min): reads a page",
        ),
    ],
)
def test_work_is_named_with_its_time(about: Evidence, line: str) -> None:
    assert told(about) == [line]


def test_what_went_well_is_not_told() -> None:
    assert told(healthy(turn=turn(calls=(call("skip"), call("react"))))) == []
    assert told(worked(ProcessState.DONE)) == []
    assert told(worked(ProcessState.RUNNING, ran_ms=5_000)) == []


def test_it_stands_in_the_first_message() -> None:
    calls = (call("skip", success=False, result_output="No such page."),)
    text = plain_times(first_message(diagnose(healthy(turn=turn(calls=calls))), "s1", Authority.OWNER))
    assert "all is well" in text and "skip failed at 08:53:20: No such page." in text
    broken = failed_turn("provider: auth", failed("auth", 401), shape={"calls": calls})
    assert "skip failed" in first_message(diagnose(broken), "s1", Authority.OWNER)


def test_what_else_is_wrong_is_named_behind_it() -> None:
    about = failed_turn("provider: auth", failed("auth", 401), running=True, adapter=up(state=AdapterState.DOWN))
    diagnosis = diagnose(about)
    assert [one.rule for one in (*diagnosis.findings, *diagnosis.beside)] == ["NOT-RUNNING", "LLM-AUTH"]
    assert "Also: the service rejects our key." in first_message(diagnosis, "s1", Authority.OWNER)
    assert "Also" not in first_message(diagnose(healthy(settings=PAUSED)), "s1", Authority.OWNER)
    assert answered().response is not None
