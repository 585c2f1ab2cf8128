"""The first stage with negative evidence wins, and the same evidence always gets the same answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cortex.words.report import MAX_BUTTONS, MAX_CHARACTERS, MAX_LINES, ReportPress, first_message, report_buttons
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import ConfiguredLists, Evidence
from bot.domain.access import Authority
from bot.domain.channel import ChannelPause, ChannelSettings, ProcessKind, ResponseMode
from bot.domain.finding import FunnelCheck, FunnelStage
from bot.domain.health import AdapterState, BotDowntime, ModelHealth, ProbeResult, QueueHealth
from bot.domain.ids import PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.llm import FinishReason
from bot.domain.messages import AuthorKind, ChannelPlace, InboundKind
from bot.domain.process import Caller, NewProcess, ProcessOrigin, ProcessState, StoredProcess
from bot.domain.turn import OutboxState, TurnStatus
from bot.errors import ProviderFault
from bot.text.times import plain_times
from tests.bot.diagnostics.scenarios import HEALTHY, PAUSED, SCENARIOS, delivered
from tests.fakes.clock import START
from tests.fakes.evidence import (
    NOW,
    TURN,
    answered,
    attempt,
    beat,
    bulletin,
    call,
    evidence,
    failed,
    failed_turn,
    gates_row,
    healthy,
    kept,
    requested,
    sent,
    stored,
    trail,
    turn,
    up,
)
from tests.fakes.lengths import whole_or
from tests.fakes.values import GENERAL, MAIN, author, passed, stopped


def states(about: Evidence) -> dict[str, str]:
    return {check.name: check.state for check in diagnose(about).checks}


def named(checks: tuple[FunnelCheck, ...], state: str) -> list[str]:
    return [check.name for check in checks if check.state == state]


def test_an_earlier_stage_wins() -> None:
    about = failed_turn("provider: auth", settings=PAUSED, running=False, live=False)
    assert [finding.rule for finding in diagnose(about).findings] == ["NOT-RUNNING"]


ANSWERED_ALL_THE_SAME = {"SESS-KEY", "CFG-STALE", "CTX-WINDOW", "TOOL-MISSING", "PROMPT-CONFLICT", "ATTACH"}
ANSWERED_ALL_THE_SAME |= {"LOOP-BLOCK", "TYPING", "APPROVAL", "FALSE-SUCCESS"}
ANSWERED_ALL_THE_SAME |= {"FRESH-CHAT", "FLAG-OVERHEARD"}
ANSWERED_ALL_THE_SAME |= {"DENIED-CONTEXT", "LOST-FACT", "CONTRADICTION", "OWN-REFUSAL"}
"""Rules of answers that came and are not what they should be; where none came nothing behind them was reached."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_one_check_failed_and_nothing_behind_it_was_reached(name: str) -> None:
    diagnosis = diagnose(SCENARIOS[name][1])
    (failed,) = named(diagnosis.checks, "failed")
    names = [check.name for check in diagnosis.checks]
    behind = diagnosis.checks[names.index(failed) + 1 :]
    went_on = name == "restarted over the message" or name.startswith("written while it was down")
    went_on = went_on or SCENARIOS[name][0] in ANSWERED_ALL_THE_SAME
    assert went_on or all(check.state == "not_reached" for check in behind)
    assert all(check.state != "not_reached" for check in diagnosis.checks[: names.index(failed)])
    assert next(check.stage for check in diagnosis.checks if check.name == failed) is diagnosis.findings[0].stage


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_failed_on_a_healthy_channel(name: str) -> None:
    assert named(diagnose(HEALTHY[name]).checks, "failed") == []


def test_what_cannot_be_seen_from_here_is_said() -> None:
    assert states(healthy(adapter=None, live=False))["adapter"] == "not_checkable"
    assert states(evidence(None))["arrival"] == "not_checkable"
    assert states(evidence(None, settings=PAUSED))["access"] == "not_checkable"


def test_the_adapter_says_when_it_last_heard_something() -> None:
    detail = {check.name: check.detail for check in diagnose(healthy()).checks}
    assert detail["adapter"] == "event 2 s ago"
    degraded = healthy(adapter=up(state=AdapterState.DEGRADED, last_event_at=0))
    assert {check.name: check.detail for check in diagnose(degraded).checks}["adapter"] == "degraded, no event yet"


@pytest.mark.parametrize(
    ("about", "summary"),
    [
        (healthy(), "Newest message iq7kt was answered at 08:53 · dm3d2"),
        (HEALTHY["being worked on"], "Newest message iq7kt is in progress: turn t2kkwr, 4 s"),
        (HEALTHY["waiting its turn"], "Newest message iq7kt is in progress: waiting 30 s behind a turn of 31 s"),
        (HEALTHY["stopped on request"], "Newest message iq7kt was stopped on request at 08:53"),
        (healthy(about_why="replied_to"), "The message you replied to (iq7kt) was answered at 08:53 · dm3d2"),
        (evidence(None), "No message from a person is on record here."),
    ],
)
def test_a_healthy_channel_says_what_became_of_the_message(about: Evidence, summary: str) -> None:
    assert plain_times(diagnose(about).summary[0]) == summary


def test_what_is_set_now_is_mentioned_beside_another_cause() -> None:
    (line,) = diagnose(failed_turn("provider: auth", settings=PAUSED)).summary
    assert plain_times(line) == "Paused now, since 08:36."
    cooling = ModelHealth(model="openai/x", cooling_until=NOW + 30_000)
    assert diagnose(healthy(models=(cooling,))).summary[1:] == (
        "After failures, a model is on a break for another 30 s.",
    )


# the bot's own work


def came_back(outcome: Outcome = Outcome.FAILED, reason: str = "provider: auth", **changes: Any) -> Evidence:
    """A turn about what a branch came back with; `state` and `words` say how the branch itself ended."""
    body = NewProcess(
        agent=MAIN,
        channel=GENERAL,
        kind=changes.pop("kind", ProcessKind.BRANCH),
        task="Find the tea.",
        name="tea",
        by=Caller(PersonKey("console", UserId("100")), "ann", Authority.EVERYONE),
        parent_turn=1,
        inbound=1,
        origin=ProcessOrigin(platform="console"),
    )
    state, words = changes.pop("state", ProcessState.DONE), changes.pop("words", "")
    about = stored(outcome, reason, turn=TURN, author=author("0", "glassmind", AuthorKind.SELF))
    about = about.replace(inbound=about.inbound.replace(kind=InboundKind.RESULT, message_id="process:1"))
    work = StoredProcess(id=1, body=body, state=state, started_at=START, reason=words)
    base = {"turn": failed_turn(reason, failed("auth", 401)).turn, "about_why": "newest_failed_work", "work": work}
    return evidence(trail(about), **{**base, **changes})


def test_own_work_that_failed_is_called_so_from_the_verdict_to_the_evidence() -> None:
    diagnosis = diagnose(came_back())
    assert diagnosis.findings[0].verdict == "#support, own work: the service rejects our key"
    assert diagnosis.summary == ("The turn was about the result of branch b2krxn.",)
    shown = plain_times(diagnosis.findings[0].evidence[-1].what)
    assert shown == "the bot's own work that failed, 08:53:20"
    assert "message" not in first_message(diagnosis, "host", Authority.OWNER)


@pytest.mark.parametrize(
    ("state", "words", "line"),
    [
        (ProcessState.FAILED, "provider: rate: HTTP 429", "which failed: provider: rate: HTTP 429."),
        (ProcessState.TIMEOUT, "", "which ran out of time."),
        (ProcessState.FAILED, "see http://evil.example", "which failed: see hxxp[:]//evil[.]example."),
    ],
)
def test_work_that_had_failed_before_is_told_with_its_own_reason(state: ProcessState, words: str, line: str) -> None:
    (told,) = diagnose(came_back(kind=ProcessKind.WORKER, state=state, words=words)).summary
    assert told == f"The turn was about worker w2krxn, {line}"


def test_what_is_wrong_with_the_channel_itself_is_not_said_of_the_work() -> None:
    diagnosis = diagnose(came_back(probes=None, place=ChannelPlace(), settings=PAUSED, running=False, live=False))
    assert "own work" not in diagnosis.findings[0].verdict


def test_work_that_a_restart_ended_is_a_result_and_no_message() -> None:
    text = first_message(diagnose(came_back(Outcome.INTERRUPTED, "stopped", turn=None)), "host", Authority.ADMIN)
    assert text.startswith("✗ #support, own work: the bot restarted\n")
    assert "working on the result." in text and "the bot will not try this result a second time" in text


def test_a_result_that_was_told_is_called_a_result() -> None:
    diagnosis = diagnose(came_back(Outcome.REPLIED, "", turn=turn(outbox=(sent(),)), about_why="asked_about"))
    assert plain_times(diagnosis.summary[0]).startswith("Result iq7kt was answered at 08:53")
    assert diagnosis.summary[1] == "The turn was about the result of branch b2krxn."


# any evidence at all

TEXTS = st.text(max_size=40) | st.sampled_from(["provider: auth", "empty", "timeout", "send:1", "do not answer ann"])
GATES = ["author", "place", "sender", "pause", "mode", "addressing", "rate", "budget", "loop", "strange", ""]
OUTCOMES = st.none() | st.sampled_from(list(Outcome))
VERDICTS = st.builds(
    lambda gate, fine, reason, value: passed(gate) if fine else stopped(gate, reason, list="allowed_users", x=value),
    st.sampled_from(GATES),
    st.booleans(),
    TEXTS,
    TEXTS,
)
ATTEMPTS = st.one_of(
    st.builds(answered, TEXTS, st.sampled_from(list(FinishReason))),
    st.builds(
        lambda fault, status: attempt(fault=fault, status=status, error="x"),
        st.sampled_from([*(fault.value for fault in ProviderFault), "", "new"]),
        st.none() | st.integers(100, 599),
    ),
)
REQUESTS = st.builds(
    lambda attempts, rows: requested(*attempts, sections=(bulletin(*rows),)),
    st.lists(ATTEMPTS, max_size=3),
    st.lists(st.integers(1, 3), max_size=3),
)
CODES = ["conflict", "webhook", "token", "network", "stalled", "piling", "store", "internal", "flood", "new", ""]
ADAPTERS = st.builds(
    lambda state, code, detail, polled, since: up(
        state=state, code=code, detail=detail, since=since, facts=(("last_poll_at", polled), ("pending_updates", "3"))
    ),
    st.sampled_from(list(AdapterState)),
    st.sampled_from(CODES),
    TEXTS | st.sampled_from(["dns: no such name", "timeout: no connection in time", "cut: {name} {host}"]),
    st.sampled_from(["0", "", str(NOW - 3_000), "soon"]),
    st.sampled_from([START, NOW]),
)
PROBES = st.builds(
    lambda code: ProbeResult(name="telegram console:#general", state="warning", evidence="", code=code),
    st.sampled_from(["privacy", "network", ""]),
)
ERRORS = TEXTS | st.sampled_from(["too_long: x", "markup: x", "flood: x", "dm_closed: x", "migrated: x"])
SENT = st.builds(
    lambda state, kind, error: sent(state, kind, error=error),
    st.sampled_from(list(OutboxState)),
    st.sampled_from(["reply", "notice"]),
    ERRORS,
)
SILENCES = st.builds(
    lambda length, since: BotDowntime(since=NOW - since - length, until=NOW - since, reason="stopped"),
    st.sampled_from([1_000, 100_000_000]),
    st.sampled_from([1_000, 100_000_000]),
)
TURNS = st.builds(
    lambda status, requests, skips, outbox: turn(status, tuple(requests), tuple(skips), tuple(outbox)),
    st.sampled_from(list(TurnStatus)),
    st.lists(REQUESTS, max_size=2),
    st.lists(st.builds(call, st.sampled_from(["skip", "reply"]), TEXTS), max_size=2),
    st.lists(SENT, max_size=2),
)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    about = None
    if draw(st.integers(0, 9)):
        who = author(draw(st.sampled_from(["100", "1"])), draw(TEXTS), draw(st.sampled_from(list(AuthorKind))))
        inbound = stored(
            draw(OUTCOMES),
            draw(TEXTS),
            turn=draw(st.sampled_from([0, TURN])),
            author=who,
            sent_at=draw(st.sampled_from([START, START - 3_600_000])),
        )
        gates = gates_row(*draw(st.lists(VERDICTS, max_size=3)))
        about = trail(inbound, gates, *draw(st.sampled_from([(), (delivered(note="markup"),)])))
    pause = ChannelPause(
        by=UserId("9"), by_role=draw(TEXTS), at=START, inbound=draw(st.integers(0, 9)), reason=draw(TEXTS)
    )
    changes: dict[str, Any] = {
        "name": draw(TEXTS),
        "place": ChannelPlace(is_dm=draw(st.booleans())),
        "settings": ChannelSettings(
            mode=draw(st.sampled_from(list(ResponseMode))), pause=draw(st.none() | st.just(pause))
        ),
        "running": draw(st.booleans()),
        "live": draw(st.booleans()),
        "adapter": draw(st.none() | ADAPTERS),
        "probes": draw(st.none() | st.tuples(PROBES)),
        "undelivered": draw(st.sampled_from([(), (sent(OutboxState.DEAD, "finding", error="dm_closed: x"),)])),
        "recent": draw(st.sampled_from([(), (trail(stored(text="/why", mentions_bot=False)),)])),
        "adapter_enabled": draw(st.booleans()),
        "heartbeat": draw(
            st.none()
            | st.builds(
                lambda reason, silence, since: beat(exit_reason=reason, silence=silence, started_at=since),
                TEXTS,
                st.none() | SILENCES,
                st.sampled_from([START - 5, START - 3_700_000]),
            )
        ),
        "turn": draw(st.none() | TURNS),
        "memories": tuple(kept(draw(TEXTS), row) for row in (1, 2, 3)),
        "lists": ConfiguredLists(allowed_users=draw(st.none() | st.tuples(TEXTS))),
        "queue": QueueHealth(
            waiting=draw(st.integers(0, 3)),
            running_turn=draw(st.sampled_from([0, TURN])),
            running_ms=draw(st.integers(0, 200_000)),
            running_what=draw(TEXTS),
        ),
    }
    return evidence(about, **changes)


@settings(max_examples=whole_or(150, 40), deadline=None)
@given(evidences())
def test_any_evidence_gets_one_answer_that_fits_a_phone(about: Evidence) -> None:
    diagnosis = diagnose(about)
    assert diagnosis == diagnose(about)
    assert diagnosis.findings or diagnosis.summary
    assert len({finding.stage for finding in diagnosis.findings}) <= 1
    # a refused form and a second answer may both be true of one delivery; the first is the answer
    assert len({finding.rule for finding in diagnosis.findings}) == len(diagnosis.findings)
    assert [check.stage for check in diagnosis.checks] == sorted(check.stage for check in diagnosis.checks)
    for viewer in (Authority.ADMIN, Authority.OWNER):
        text = first_message(diagnosis, "s4t8q", viewer)
        assert len(plain_times(text)) <= MAX_CHARACTERS
        assert len(text.splitlines()) <= MAX_LINES
    # a proof is offered beside the others
    assert len([button for button in report_buttons(diagnosis) if button.press is not ReportPress.PROVE]) <= MAX_BUTTONS


def test_what_cannot_be_known_stands_where_it_would_have_been_checked() -> None:
    checks = diagnose(HEALTHY["privacy, and who spoke to it was answered"]).checks
    assert [check.name for check in checks if check.state == "not_checkable"] == ["plain_talk"]
    assert [check.stage for check in checks] == sorted(check.stage for check in checks)


def test_stages_of_the_checks_are_those_of_the_funnel() -> None:
    assert {check.stage for check in diagnose(healthy()).checks} == set(FunnelStage)
