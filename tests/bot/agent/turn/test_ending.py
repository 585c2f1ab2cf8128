"""What people are told when there is no answer."""

from __future__ import annotations

import pytest

from bot.agent.turn.ending import failed, failed_by, notice, replied, skipped
from bot.domain.ledger import FailReason
from bot.domain.turn import TurnStatus
from bot.errors import ProviderError, ProviderFault


@pytest.mark.parametrize("failure", list(FailReason))
def test_the_line_for_every_failure(failure, snapshot):
    assert notice(failed(failure, "private detail")) == snapshot


@pytest.mark.parametrize("fault", list(ProviderFault))
def test_the_line_for_every_fault_of_the_service(fault, snapshot):
    line = notice(failed_by(ProviderError("sk-private detail", fault=fault)))
    assert line == snapshot
    assert "private" not in line


@pytest.mark.parametrize("behind", [ProviderFault.RATE, ProviderFault.AUTH, ProviderFault.UNREACHABLE])
def test_a_model_that_is_left_alone_is_told_as_what_it_failed_with(behind):
    left_alone = failed_by(ProviderError("left alone", fault=ProviderFault.COOLING_DOWN, behind=behind))
    assert notice(left_alone) == notice(failed_by(ProviderError("then", fault=behind)))
    assert left_alone.reason == "provider: cooling_down: left alone"


def test_what_was_reached_is_not_called_unreachable():
    lines = {fault: notice(failed_by(ProviderError("", fault=fault))) for fault in ProviderFault}
    assert [fault for fault, line in lines.items() if "not reachable" in line] == [ProviderFault.UNREACHABLE]


def test_the_first_word_of_a_reason_says_what_failed():
    assert failed(FailReason.ROUNDS, "ten").reason == "rounds: ten"
    broken = failed_by(ProviderError("no key", fault=ProviderFault.AUTH))
    assert (broken.reason, broken.failure, broken.poisonous) == ("provider: auth: no key", FailReason.PROVIDER, False)
    long = failed_by(ProviderError("too long", fault=ProviderFault.CONTEXT_LENGTH))
    assert (long.failure, long.poisonous) == (FailReason.TOO_LARGE, True)


def test_the_good_endings():
    assert (replied("hi").status, replied("hi").text) == (TurnStatus.REPLIED, "hi")
    assert skipped("instructed", "m27d4").reason == "instructed: m27d4"
