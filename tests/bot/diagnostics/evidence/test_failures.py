"""Each failure belongs to one cause."""

from __future__ import annotations

import pytest

from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, is_full, orphans
from bot.domain.messages import Message
from tests.fakes.evidence import answered, failed, failed_turn, healthy, requested
from tests.fakes.values import call, llm_request, message, result, stats


@pytest.mark.parametrize(
    ("messages", "lost"),
    [
        ((), ()),
        ((message(), call(), result(), message()), ()),
        ((call(call_id="a"), message()), ("a",)),
        ((result(call_id="a"),), ("a",)),
        ((result(call_id="a"), call(call_id="a")), ("a", "a")),
        ((call(call_id="a"), call(call_id="b"), result(call_id="b")), ("a",)),
        ((call(call_id="a"), result(call_id="a"), result(call_id="a")), ("a",)),
    ],
)
def test_calls_and_results_pair_up_in_order(messages: tuple[Message, ...], lost: tuple[str, ...]) -> None:
    assert orphans(llm_request(messages=messages)) == lost


def test_a_request_is_full_when_the_answer_does_not_fit_behind_it() -> None:
    assert is_full(requested(stats=stats(total=7_000)))
    assert not is_full(requested(stats=stats(total=6_000)))
    assert not is_full(requested(stats=stats(total=7_000, window=0)))


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("empty", FailureCause.EMPTY),
        ("rounds", FailureCause.EMPTY),
        ("markup", FailureCause.EMPTY),
        ("too_large: by 900 tokens", FailureCause.WINDOW),
        ("send:50013", FailureCause.SWALLOWED),
        ("internal", FailureCause.SWALLOWED),
        ("something never heard of", FailureCause.SWALLOWED),
        ("provider auth", FailureCause.PROVIDER),
    ],
)
def test_the_first_word_of_the_reason_decides(reason: str, cause: FailureCause) -> None:
    assert cause_of_failure(failed_turn(reason, shape={"requests": ()})) is cause


def test_a_turn_that_ran_out_of_time_waited_for_the_model_or_for_a_tool() -> None:
    assert cause_of_failure(failed_turn("timeout", failed("timeout"))) is FailureCause.PROVIDER
    assert cause_of_failure(failed_turn("timeout", answered())) is FailureCause.STUCK


def test_nothing_failed() -> None:
    assert cause_of_failure(healthy()) is None
