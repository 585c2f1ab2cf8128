"""What the adapter says of itself: the worst that is so, since when, and how it is mended."""

from __future__ import annotations

import pytest

from adapters.discord.base.state import DiscordState, fix_words
from bot.domain.health import AdapterState
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def state(clock) -> DiscordState:
    state = DiscordState(clock, 90.0, wants_content=True)
    state.begin([0, 1])
    return state


def shown(state: DiscordState) -> tuple[str, str]:
    health = state.health()
    assert not health.code or health.fix == fix_words(health.code) != ""
    return health.state.value, health.code


def test_all_connections_must_hear(state):
    assert shown(state) == ("starting", "")
    state.shards.connected(0)
    assert shown(state) == ("starting", "") and not state.is_up
    state.shards.connected(1)
    assert shown(state) == ("up", "") and state.is_up
    state.shards.broken(1, "network", "cut: the line broke")
    assert shown(state) == ("degraded", "network") and not state.is_up
    assert dict(state.health().facts)["shards"] == "1 of 2"


def test_what_lasts_has_a_beginning(state, clock):
    for shard in (0, 1):
        state.shards.connected(shard)
    clock.advance(10)
    state.shards.broken(0, "network", "cut: once")
    began = state.health().since
    clock.advance(10)
    state.shards.broken(0, "network", "cut: twice")
    assert state.health().since == began == clock.now() - 10_000
    state.shards.connected(0)
    assert state.health().since == clock.now()


def test_silence_of_one_connection_is_enough(state, clock):
    for shard in (0, 1):
        state.shards.connected(shard)
    clock.advance(60)
    state.shards.frame(0, is_ack=True)
    clock.advance(31)
    assert shown(state) == ("degraded", "stalled") and state.health().since == clock.now() - 91_000
    assert dict(state.health().facts)["last_ack_at"] == str(clock.now() - 31_000)
    state.shards.frame(1, is_ack=True)
    assert shown(state) == ("up", "")


def test_a_broken_line_that_stays_broken_is_a_stall(state, clock):
    state.shards.broken(0, "network", "connect: no connection")
    clock.advance(91)
    assert shown(state) == ("degraded", "stalled") and state.health().detail.startswith("connect")


def test_what_is_over_for_all_comes_first(state, clock):
    state.enter(AdapterState.DOWN, "token", "Discord does not know the token")
    clock.advance(1000)
    assert shown(state) == ("down", "token")


def test_words_that_are_kept_back(state, clock):
    for shard in (0, 1):
        state.shards.connected(shard)
    state.content_intent(True)
    assert dict(state.health().facts)["message_content"] == "yes" and not state.lacks_content_intent
    state.asks(content=False)
    assert dict(state.health().facts)["message_content"] == "no"
    clock.advance(80)
    assert shown(state) == ("degraded", "content_intent") and state.lacks_content_intent and not state.may_ask_again
    state.content_intent(True)
    assert not state.may_ask_again
    clock.advance(300)
    assert state.may_ask_again
    state.asks(content=True)
    assert not state.lacks_content_intent


def test_a_store_that_fails(state):
    for shard in (0, 1):
        state.shards.connected(shard)
    state.store(fails=True)
    assert shown(state) == ("degraded", "store")
    state.store(fails=False)
    assert shown(state) == ("up", "")


def test_how_often_it_was_connected_anew(state, clock):
    state.shards.closed(4000)
    clock.advance(3000)
    state.shards.closed(None)
    assert dict(state.health().facts)["reconnects_1h"] == "2" and dict(state.health().facts)["last_close_code"] == ""
    clock.advance(601)
    assert dict(state.health().facts)["reconnects_1h"] == "1"
