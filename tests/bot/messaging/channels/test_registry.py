from __future__ import annotations

from typing import Any

from bot.config.schema import ConversationConfig
from bot.domain.channel import ChannelEvent, ChannelState, LastTurn, TurnFinished, apply
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.messaging.channels.queues import ChannelQueues, QueuedMessage
from bot.messaging.channels.registry import ChannelRegistry
from tests.fakes import values as v
from tests.fakes.clock import FakeClock


class Idle:
    """A channel in which nothing happens."""

    in_flight = None
    running_turn = 0

    def __init__(self, state: ChannelState, generation: int) -> None:
        self.state, self.generation = state, generation

    @property
    def key(self) -> ChannelKey:
        return self.state.key

    def record(self, event: ChannelEvent) -> None:
        self.state = apply(self.state, event)

    async def take(self, inbounds: Any) -> None: ...

    def stop(self) -> bool:
        return False


def key(n: int) -> ChannelKey:
    return ChannelKey(v.KEY.agent, ChannelId(f"console:#{n}"))


def opened(n: int, generation: int = 1) -> Idle:
    return Idle(v.channel(key(n)), generation)


def registry(clock: FakeClock | None = None, **limits: Any) -> ChannelRegistry:
    clock = clock or FakeClock()
    return ChannelRegistry(ChannelQueues(clock), clock, ConversationConfig(**limits))


def stored(n: int) -> StoredInbound:
    arrival = v.arrival(channel=key(n).channel)
    return StoredInbound(
        id=n,
        agent=v.KEY.agent,
        inbound=arrival.inbound,
        arrived_at=0,
        disposition=arrival.disposition,
        text_sha256="",
        text_kept=True,
    )


def test_the_least_recently_used_goes_first():
    known = registry(resident_channels=2)
    for n in (1, 2):
        known.register(opened(n))
    known.live(key(1))
    known.register(opened(3))
    assert set(known.keys()) == {key(1), key(3)}


def test_looking_is_not_using():
    known = registry(resident_channels=2)
    for n in (1, 2):
        known.register(opened(n))
    assert known.get(key(1)) is not None
    known.register(opened(3))
    assert set(known.keys()) == {key(2), key(3)}


def test_a_busy_channel_stays():
    known = registry(resident_channels=1)
    known.register(opened(1))
    known.queues.put(key(1), QueuedMessage(stored(1), 0))
    known.register(opened(2))
    known.register(opened(3))
    assert set(known.keys()) == {key(1), key(3)}


def test_what_was_idle_for_too_long_goes():
    clock = FakeClock()
    known = registry(clock, idle_eviction=60)
    known.register(opened(1))
    clock.advance(61)
    known.register(opened(2))
    assert set(known.keys()) == {key(2)}


def talked(n: int, turns: int) -> Idle:
    """Return a channel with a history of about so many times 100 KiB."""
    channel = opened(n)
    for number in range(turns):
        messages = (v.message(f"{number} " + "blah " * 20_000, inbound=number + 1),)
        channel.record(TurnFinished(turn_id=number + 1, messages=messages, last=LastTurn(outcome="replied")))
    return channel


def test_histories_take_no_more_memory_than_they_may_together():
    known = registry(resident_mb=1)
    for n in (1, 2, 3):
        known.register(talked(n, 4))
    # the first would be too much beside the others
    assert set(known.keys()) == {key(2), key(3)}
    known.register(opened(4))
    assert set(known.keys()) == {key(2), key(3), key(4)}


def test_a_history_that_grows_drives_out_those_that_are_silent():
    known = registry(resident_mb=1)
    growing = talked(1, 4)
    for channel in (growing, talked(2, 4), opened(3)):
        known.register(channel)
    growing.state = talked(1, 8).state
    assert known.live(key(1)) is growing
    assert set(known.keys()) == {key(1), key(3)}
    # one alone may take more than all may: somebody is talking there
    growing.state = talked(1, 20).state
    assert known.live(key(1)) is growing
    assert set(known.keys()) == {key(1)}
    known.forget(key(1))
    known.register(talked(2, 4))
    known.register(talked(3, 4))
    assert set(known.keys()) == {key(2), key(3)}


def test_a_large_history_that_is_at_work_stays():
    known = registry(resident_mb=1)
    known.register(talked(1, 8))
    known.queues.put(key(1), QueuedMessage(stored(1), 0))
    known.register(talked(2, 4))
    known.register(talked(3, 4))
    assert set(known.keys()) == {key(1), key(3)}


def test_a_late_goodbye_does_not_remove_a_younger_channel():
    known = registry()
    known.register(opened(1, generation=1))
    known.register(opened(1, generation=2))
    assert not known.unregister(key(1), 1)
    assert known.get(key(1)) is not None
    assert known.unregister(key(1), 2)
    assert not known.unregister(key(1), 2)
    assert known.get(key(1)) is None


def test_the_turn_that_runs_is_told():
    known, channel = registry(), opened(1)
    known.register(channel)
    assert known.queue(key(1)).running_turn == 0
    channel.running_turn = 7
    assert known.queue(key(1)).running_turn == 7


def test_an_unknown_channel_is_quiet():
    known = registry()
    assert known.in_flight(key(9)) is None
    assert known.live(key(9)) is None
    assert known.queue(key(9)).waiting == 0
