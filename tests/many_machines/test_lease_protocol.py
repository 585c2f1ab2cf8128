"""Two workers, one of them asleep at every point: what leases of channels promise holds in every order of steps."""

from __future__ import annotations

from functools import lru_cache

import pytest

from tests.fakes.lengths import whole_or
from tests.many_machines.lease_protocol import (
    DISCORD,
    TELEGRAM,
    Protocol,
    Reply,
    State,
    coming_back,
    reachable,
    unfenced,
)

TWO = (0, 1)
"""A message in each of two channels."""
PART = (
    Protocol(DISCORD, ticks=3, moves=1),
    Protocol(TELEGRAM),
    Protocol(TELEGRAM, TWO, ticks=3, crashes=0),
    Protocol(DISCORD, TWO, ticks=2, crashes=0),
)
WHOLE = (
    *(Protocol(service, moves=1) for service in (DISCORD, TELEGRAM)),
    *(Protocol(service, TWO, ticks=3, moves=1) for service in (DISCORD, TELEGRAM)),
)
PROTOCOLS = pytest.mark.parametrize("protocol", whole_or(WHOLE, PART))


@lru_cache
def walked(protocol: Protocol) -> tuple[tuple[State, bool], ...]:
    return tuple(reachable(protocol))


@PROTOCOLS
def test_each_message_is_answered_once_and_in_order(protocol: Protocol):
    for state, _ in walked(protocol):
        assert max(state.answered) <= 1, state
        if protocol.channel_of != TWO:
            # the second is not answered before the first one is
            assert list(state.answered) == sorted(state.answered, reverse=True), state


@PROTOCOLS
def test_nobody_sees_an_answer_twice(protocol: Protocol):
    assert all(len(set(state.seen)) == len(state.seen) for state, _ in walked(protocol))


@PROTOCOLS
def test_answers_come_in_order_but_for_those_that_were_told_as_uncertain(protocol: Protocol):
    for state, _ in walked(protocol):
        certain = [message for message in state.seen if state.replies[message] is not Reply.UNCERTAIN]
        assert protocol.channel_of == TWO or certain == sorted(certain), state


@PROTOCOLS
def test_nothing_is_lost_in_silence(protocol: Protocol):
    """Where nothing more can happen and an owner lives, each answer was seen, or its people were told."""
    ends = [state for state, ends in walked(protocol) if ends]
    assert ends
    for state in ends:
        for message, reply in enumerate(state.replies):
            assert reply is Reply.UNCERTAIN or (reply is Reply.SENT and message in state.seen), state


@PROTOCOLS
def test_whoever_believes_to_have_a_channel_that_another_one_has_was_ended(protocol: Protocol):
    """One check holds for all channels of a process, whatever a commit touches."""
    for state, _ in walked(protocol):
        for worker in state.workers:
            for channel in worker.has:
                has_it = state.leases[channel].owner == worker.owner
                assert has_it or state.owners[worker.owner].ended, state


@pytest.mark.parametrize("weaker", [unfenced, coming_back])
def test_without_the_fence_or_the_end_for_good_a_worker_that_slept_answers_again(weaker):
    """The model can tell: what the promises rest on is the check in each commit, and that an end is one."""
    for protocol in (Protocol(TELEGRAM), Protocol(TELEGRAM, TWO, ticks=3, crashes=0)):
        assert any(max(state.answered) > 1 for state, _ in reachable(weaker(protocol)))


def test_on_telegram_an_answer_that_may_not_have_arrived_is_told_and_not_sent_again():
    told = [state for state, _ in walked(Protocol(TELEGRAM)) if Reply.UNCERTAIN in state.replies]
    assert told and all(state.seen.count(0) <= 1 for state in told)


def test_every_order_of_steps_is_walked():
    assert len(walked(Protocol(TELEGRAM))) > 1000
