from __future__ import annotations

from typing import Any

from bot.config.schema import ConversationConfig
from bot.domain.channel import ChannelEvent, ChannelState, apply
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.messaging.queues import Queues, Talk
from bot.messaging.registry import ChannelRegistry
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
    return ChannelRegistry(Queues(clock), clock, ConversationConfig(**limits))


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
    known.queues.put(key(1), Talk(stored(1), 0))
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
