"""A turn's time stands still while a model is loaded, and only then."""

from __future__ import annotations

import asyncio

import pytest

from bot.agent.turn.deadline import TurnDeadline
from bot.domain.llm import ModelName
from bot.domain.patience import Patience
from tests.fakes.clock import FakeClock

MODEL = ModelName(provider="ollama", model="large")
LOADS, READY = Patience(300, 300, loads=True), Patience(30, 300)


def test_what_a_load_takes_is_given_back_to_the_turn():
    clock = FakeClock()
    end = TurnDeadline(clock, 120)
    with end.awaiting(MODEL, LOADS) as begun:
        assert end.left == 420 and end.awaited is not None
        assert (end.awaited.until - end.awaited.since, end.awaited.loads) == (300_000, True)
        clock.advance(240)
        begun()
        assert end.left == 120 and end.awaited is None
        clock.advance(20)
    assert end.left == 100 and end.most_ms == 360_000


def test_no_load_takes_longer_than_the_patience():
    clock = FakeClock()
    end = TurnDeadline(clock, 120)
    with end.awaiting(MODEL, LOADS):
        clock.advance(400)
    assert end.left == 20


def test_a_model_that_is_ready_costs_the_turn_its_time():
    clock = FakeClock()
    end = TurnDeadline(clock, 120)
    with end.awaiting(MODEL, READY):
        clock.advance(30)
        assert end.awaited is not None and end.awaited.until - end.awaited.since == 120_000
    assert end.left == 90 and end.most_ms == 120_000


async def test_the_end_is_kept():
    end = TurnDeadline(FakeClock(), 0.02)
    with pytest.raises(TimeoutError):
        async with end.kept():
            await asyncio.Event().wait()


def test_a_turn_that_is_to_be_over_at_once_waits_for_no_load():
    end = TurnDeadline(FakeClock(), 0.1)
    with end.awaiting(MODEL, LOADS):
        assert end.left == pytest.approx(0.1)


async def test_and_moves_with_the_load():
    end = TurnDeadline(FakeClock(), 120)
    async with end.kept():
        with end.awaiting(MODEL, Patience(60, 60, loads=True)) as begun:
            before = end._scope.when()
            begun()
            assert before - end._scope.when() == pytest.approx(60)
