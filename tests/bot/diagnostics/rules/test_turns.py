"""What is said when a turn went wrong: process, queue, provider, window, orphan, silence, empty, swallowed."""

from __future__ import annotations

import pytest

from bot.domain.finding import Confidence, FunnelStage
from bot.domain.health import QueueHealth
from bot.domain.ledger import LedgerStage, Outcome, StageRow, StageVerdict
from bot.domain.llm import FinishReason
from bot.domain.snapshot import CountMethod, SectionFate
from bot.domain.turn import OutboxState, TurnStatus
from tests.bot.diagnostics.rules.texts import finding
from tests.bot.diagnostics.scenarios import FULL, SCENARIOS, TORN
from tests.fakes.evidence import (
    INBOUND,
    NOW,
    TURN,
    answered,
    attempt,
    beat,
    call,
    evidence,
    failed,
    failed_turn,
    healthy,
    requested,
    sent,
    skipped,
    stored,
    trail,
    turn,
)
from tests.fakes.values import section, stats


def test_a_dead_process_is_told_with_its_last_sign_of_life() -> None:
    assert finding("the process is dead").why[2] == "Reason: killed"
    assert finding("the process vanished").why[0] == "It stopped without recording why; last sign of life"
    assert finding("restarted over the message").why[-1] == "It has been running again since 07:53:20."
    assert finding(evidence(None, running=False, heartbeat=beat(pid=7))).why[1].endswith("(process 7).")


def test_an_operator_reads_the_adapters_own_fix() -> None:
    assert finding("the adapter is down").why[1] == "connection refused"
    assert "[platforms.console]" in finding("the adapter is not enabled").operator_advice


def test_a_turn_within_its_limit_is_not_stuck() -> None:
    about = evidence(
        trail(stored(None, turn=TURN)),
        turn=turn(TurnStatus.RUNNING),
        queue=QueueHealth(running_turn=TURN, running_ms=120_001),
    )
    assert finding(about).confidence is Confidence.CONFIRMED


def test_an_answer_that_waits_for_its_platform_is_said_to_wait() -> None:
    found = finding("an answer waits for its platform")
    assert found.verdict.endswith("the answer is waiting")
    assert found.why[1] == "Console is unreachable." and found.why[2].startswith("7 attempts so far")
    assert found.advice.startswith("Wait: the bot sends it once that is over")
    assert "doctor" in found.operator_advice
    refused = finding("an answer waits for a token that is taken")
    assert "rejects the bot's token" in refused.why[1] and "token" in refused.operator_advice
    assert (
        "An answer is ready; it goes out once this is over."
        in finding("an answer waits, and nothing is heard either").why
    )


@pytest.mark.parametrize(
    ("scenario", "fix"), [("the topic is closed", "Reopen the topic"), ("a file too large", "file")]
)
def test_a_refusal_that_is_known_comes_with_its_fix(scenario: str, fix: str) -> None:
    found = finding(scenario)
    assert fix in found.advice and found.advice == found.operator_advice


def test_from_outside_nothing_about_the_queue_is_certain() -> None:
    assert finding("from outside, no outcome").confidence is Confidence.LIKELY
    assert finding("in no queue").confidence is Confidence.LIKELY
    assert finding("waiting for nothing").confidence is Confidence.CONFIRMED


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        ("auth", "#support: the service rejects our key"),
        ("credit", "#support: the account is out of credit"),
        ("not_found", "#support: no such model"),
        ("rate", "#support: the service rate-limits us"),
        ("unreachable", "#support: model service unreachable"),
        ("cut", "#support: the answer was cut off"),
        ("", "#support: the model did not answer"),
    ],
)
def test_a_fault_is_called_what_it_is(fault: str, verdict: str) -> None:
    found = finding(failed_turn("provider", attempt(fault=fault, error="x", status=500)))
    assert found.verdict == verdict
    assert found.operator_advice != found.advice


def test_a_fault_of_the_outcome_stands_in_for_one_that_was_not_kept() -> None:
    found = finding(failed_turn("provider: overloaded: the server is busy", shape={"requests": ()}))
    assert found.verdict == "#support: the service is overloaded"
    assert found.confidence is Confidence.LIKELY


def test_a_turn_that_ran_out_of_time_says_so_of_the_cut_attempt() -> None:
    found = finding(failed_turn("timeout: no answer within 120 s", attempt(fault="cancelled", error="stopped")))
    assert found.verdict == "#support: the service is too slow"
    assert found.why[1] == "last 08:53:21: no answer in time."


def test_a_reaction_is_not_an_answer() -> None:
    about = evidence(trail(stored(Outcome.SKIPPED, "reacted: with 👍", turn=TURN)), turn=turn(TurnStatus.SKIPPED))
    assert finding(about).why[0] == "The model only reacted with an emoji."


def test_attempts_and_models_are_counted() -> None:
    assert finding("provider down").why == (
        "The bot asked simulated/echo 2 times;",
        "last 08:53:21: server error (HTTP 503).",
    )
    assert finding("cooling down").why[-2] == "Next try from 08:54:50 (in 30 s)."
    assert finding("cooling down").why[-1] == "Before that it failed: key rejected."
    assert "The bot is still trying." in finding("failing and still trying").why


def test_each_of_several_models_is_named_with_its_fault() -> None:
    found = finding("both models fail")
    assert found.verdict == "#support: no model answers"
    assert found.why == ("simulated/echo: key rejected (HTTP 401).", "simulated/other: no such model (HTTP 404).")
    assert found.operator_advice.startswith("Renew the provider's key")


def test_a_model_that_is_left_alone_is_told_with_what_it_failed_before() -> None:
    found = finding("cooling down")
    assert (found.confidence, found.verdict) == (Confidence.CONFIRMED, "#support: waiting for a failing model")
    assert found.operator_advice.startswith("Renew the provider's key")
    before = requested(failed("auth", 401), row=700)
    assert finding(SCENARIOS["cooling down"][1].replace(last_request=before)).evidence[0].what.endswith("failed before")


def test_a_turn_that_is_stuck_says_what_it_waits_for() -> None:
    about = SCENARIOS["a turn beyond its limit"][1]
    assert finding(about).why[1] == "Doing now: tool web_search"
    asking = about.replace(last_request=requested())
    assert finding(asking).why[1] == "It has waited for simulated/echo since 08:53:20."


def test_an_answer_that_does_not_go_out_is_only_likely_lost() -> None:
    found = finding("sending, and not a word")
    assert (found.confidence, found.why[0]) == (Confidence.LIKELY, "Written 2 min ago, and still being sent:")
    assert finding("the adapter broke").operator_advice.startswith("This is a bug in the program")
    assert finding("may have arrived").operator_advice == ""


def test_what_the_platform_refused_at_once_is_told_from_what_it_never_took() -> None:
    assert "words say" in finding("not delivered").operator_advice
    again = sent(OutboxState.DEAD, error="503", attempts=4)
    failing = finding(failed_turn("send:503", answered(), shape={"outbox": (again,)}))
    assert failing.why[0] == "Written, not sent: given up after 4 attempts."
    assert "status page" in failing.operator_advice


def test_the_largest_block_is_named() -> None:
    sections = (section(), section("memory_bulletin").replace(tokens=5_000, fate=SectionFate.KEPT))
    numbers = stats(total=7_900).replace(history=900)
    request = requested(failed("context_length", 400), request=FULL, sections=sections, stats=numbers)
    found = finding(failed_turn("provider", shape={"requests": (request,)}))
    assert found.confidence is Confidence.CONFIRMED
    assert "Largest: the part memory_bulletin, 5,000 tokens." in found.why
    estimate = numbers.replace(tokenizer=numbers.tokenizer.replace(method=CountMethod.ESTIMATE))
    request = requested(failed("context_length", 400), request=FULL, sections=sections, stats=estimate)
    assert finding(failed_turn("provider", shape={"requests": (request,)})).why[0].startswith("≈ ")


def test_a_provider_that_disagrees_with_our_count_is_noticed() -> None:
    request = requested(failed("context_length", 400), stats=stats(total=100))
    assert finding(failed_turn("provider", shape={"requests": (request,)})).why[-1].startswith("By our count it fits")


def test_what_tools_brought_back_is_told_from_a_window_that_is_wrong() -> None:
    found = finding("too large once its tools had answered")
    assert found.why[0] == "What the model's tools returned did not fit."
    assert found.why[1].startswith("Before it: ") and not any(
        "the window we assume is wrong" in line for line in found.why
    )
    assert found.advice == "Ask for less at once." and "context_window" not in found.operator_advice


def test_a_torn_pair_is_named_and_counted() -> None:
    request = requested(failed("tool_pairing", 400), request=TORN)
    story = failed_turn("provider: tool_pairing", shape={"requests": (request,)})
    assert story.turn is not None
    more = story.replace(recent_turns=(story.turn.turn, story.turn.turn))
    assert finding(more).why == ("A tool call lacks its other half:", "c1", "The last 2 turns failed.")


def test_a_pairing_error_without_a_torn_pair_is_only_likely() -> None:
    assert finding(failed_turn("provider", failed("tool_pairing", 400))).confidence is Confidence.LIKELY


def test_silence_is_quoted_and_its_section_named() -> None:
    about = skipped()
    assert about.turn is not None
    assert finding(about).quotes[0].text == "told so"
    rules = requested(answered(""), sections=(section("silence_rules"),))
    shown = about.replace(turn=about.turn.replace(requests=(rules,)))
    assert "The prompt's silence_rules allow that." in finding(shown).why
    assert "The message was not addressed to the bot." in finding(skipped(mentions_bot=False)).why


def test_an_empty_answer_says_how_it_ended() -> None:
    assert finding("all spent on thinking").why == (
        "The model stopped with `length`.",
        "1,024 tokens of output, 1,024 of them reasoning.",
    )
    assert finding("filtered").verdict == "#support: the answer was filtered"
    assert "max_output_tokens" in finding("all spent on thinking").operator_advice
    assert finding(failed_turn("empty", shape={"requests": ()})).why == ("The model answered without any text.",)
    assert finding(failed_turn("empty", answered("", FinishReason.STOP))).why[0] == "The model stopped with `stop`."


def test_an_exception_is_placed_where_the_turn_had_come_to() -> None:
    assert finding(failed_turn("internal", shape={"requests": ()})).stage is FunnelStage.REQUEST
    assert finding(failed_turn("internal", answered())).stage is FunnelStage.DECISION
    late = failed_turn("internal", answered(), shape={"outbox": (sent(kind="notice"),)})
    assert finding(late).stage is FunnelStage.DELIVERY
    assert "The bot told the channel that it failed." in finding(late).why


def test_the_ledgers_own_words_are_shown_with_dead_links() -> None:
    row = StageRow(
        inbound=INBOUND,
        at=NOW,
        stage=LedgerStage.DECIDED,
        verdict=StageVerdict.FAILED,
        reason="boom at https://evil.example",
    )
    about = evidence(trail(stored(Outcome.FAILED, "internal", turn=TURN), row), turn=turn(TurnStatus.FAILED))
    assert "https://" not in " ".join(finding(about).why)


def test_parts_that_are_missing_are_counted() -> None:
    body = sent().body.replace(parts=3)
    rows = (sent(body=body), sent(OutboxState.DEAD, row=91, body=body), sent(OutboxState.DEAD, row=92, body=body))
    found = finding(failed_turn("send:50035", answered(), shape={"outbox": rows}))
    assert found.why[0] == "2 of 3 parts not sent: given up after 1 attempt."
    assert finding("may have arrived").confidence is Confidence.CANNOT_TELL


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("web_search",), "web_search"),
        (("",), "a tool without a name"),
        ((" \n", "web_search"), "a tool without a name and 1 more"),
    ],
)
def test_a_tool_that_is_lacking_is_named_as_far_as_it_has_a_name(names: tuple[str, ...], called: str) -> None:
    calls = tuple(call(name, success=False) for name in names)
    found = finding(healthy(turn=turn(calls=calls, outbox=(sent(),))))
    assert found.why[0] == f"The model called {called},"
    assert ("A call has to say which tool it is for." in found.why) is not names[0].isidentifier()
