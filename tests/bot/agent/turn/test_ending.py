"""What people are told when there is no answer."""

from __future__ import annotations

import pytest

from bot.agent.turn.ending import failed_by, failed_result, failure_notice, replied_result, skipped_result
from bot.domain.ledger import FailReason
from bot.domain.turn import TurnStatus
from bot.errors import ProviderError, ProviderFault


@pytest.mark.parametrize("failure", list(FailReason))
def test_the_line_for_every_failure(failure, snapshot):
    assert failure_notice(failed_result(failure, "private detail")) == snapshot


@pytest.mark.parametrize("fault", list(ProviderFault))
def test_the_line_for_every_fault_of_the_service(fault, snapshot):
    line = failure_notice(failed_by(ProviderError("sk-private detail", fault=fault)))
    assert line == snapshot
    assert "private" not in line


@pytest.mark.parametrize("behind", [ProviderFault.RATE, ProviderFault.AUTH, ProviderFault.UNREACHABLE])
def test_a_model_that_is_left_alone_is_told_as_what_it_failed_with(behind):
    left_alone = failed_by(ProviderError("left alone", fault=ProviderFault.COOLING_DOWN, behind=behind))
    assert failure_notice(left_alone) == failure_notice(failed_by(ProviderError("then", fault=behind)))
    assert left_alone.reason == "provider: cooling_down: left alone"


def test_what_was_reached_is_not_called_unreachable():
    lines = {fault: failure_notice(failed_by(ProviderError("", fault=fault))) for fault in ProviderFault}
    assert [fault for fault, line in lines.items() if "not reachable" in line] == [ProviderFault.UNREACHABLE]


def test_the_first_word_of_a_reason_says_what_failed():
    assert failed_result(FailReason.ROUNDS, "ten").reason == "rounds: ten"
    broken = failed_by(ProviderError("no key", fault=ProviderFault.AUTH))
    assert (broken.reason, broken.failure, broken.poisonous) == ("provider: auth: no key", FailReason.PROVIDER, False)
    long = failed_by(ProviderError("too long", fault=ProviderFault.CONTEXT_LENGTH))
    assert (long.failure, long.poisonous) == (FailReason.TOO_LARGE, True)


def test_the_good_endings():
    assert (replied_result("hi").status, replied_result("hi").text) == (TurnStatus.REPLIED, "hi")
    assert skipped_result("instructed", "m27d4").reason == "instructed: m27d4"
