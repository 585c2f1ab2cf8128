"""Two workers, one of them asleep at every point: what a lease of a channel promises holds in every order of steps."""

from __future__ import annotations

import pytest

from tests.many_machines.lease_protocol import DISCORD, TELEGRAM, Protocol, Reply, reachable, unfenced

SERVICES = pytest.mark.parametrize("service", [DISCORD, TELEGRAM], ids=["discord", "telegram"])


@SERVICES
def test_each_message_is_answered_once_and_in_order(service):
    for state, _ in reachable(Protocol(service)):
        assert max(state.answered_in) <= 1, state
        # the second is not answered before the first one is
        assert list(state.answered_in) == sorted(state.answered_in, reverse=True), state


@SERVICES
def test_nobody_sees_an_answer_twice(service):
    assert all(len(set(state.seen)) == len(state.seen) for state, _ in reachable(Protocol(service)))


@SERVICES
def test_answers_come_in_order_but_for_those_that_were_told_as_uncertain(service):
    for state, _ in reachable(Protocol(service)):
        certain = [message for message in state.seen if state.replies[message] is not Reply.UNCERTAIN]
        assert certain == sorted(certain), state


@SERVICES
def test_nothing_is_lost_in_silence(service):
    """Where nothing more can happen and the last owner lives, each answer was seen, or its people were told."""
    ends = [state for state, ends in reachable(Protocol(service)) if ends]
    assert ends
    for state in ends:
        for message, reply in enumerate(state.replies):
            assert reply is Reply.UNCERTAIN or (reply is Reply.SENT and message in state.seen), state


def test_without_the_fence_a_worker_that_slept_answers_again():
    """The model can tell: what the promises rest on is the epoch in each commit."""
    assert any(max(state.answered_in) > 1 for state, _ in reachable(unfenced(Protocol(TELEGRAM))))


def test_on_telegram_an_answer_that_may_not_have_arrived_is_told_and_not_sent_again():
    told = [state for state, _ in reachable(Protocol(TELEGRAM)) if Reply.UNCERTAIN in state.replies]
    assert told and all(state.seen.count(0) <= 1 for state in told)


def test_every_order_of_steps_is_walked():
    assert sum(1 for _ in reachable(Protocol(DISCORD))) > 1000
