"""Garbage goes, whenever it arises, and what is in use is hardly ever walked through."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.garbage import CALM_SECONDS, GROWN, MISSED, MUCH, ONE_OF, SOME, YOUNG, Garbage, resident

MIB = 2**20


class Ring:
    """Holds itself, so that only a collection finds it."""

    def __init__(self) -> None:
        self.itself = self


def some() -> list[weakref.ref[Ring]]:
    return [weakref.ref(Ring()) for _ in range(SOME)]


def left(rings: list[weakref.ref[Ring]]) -> int:
    return sum(ring() is not None for ring in rings)


def frozen(garbage: Garbage) -> weakref.ref[Ring]:
    """Let something die after the moment in which it came: only a look at everything finds it."""
    one = Ring()
    garbage.look()
    return weakref.ref(one)


@pytest.fixture(autouse=True)
def _by_hand() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()
    gc.collect()


def test_one_moment_of_many_is_looked_at_while_there_is_no_garbage():
    garbage, one = Garbage(lambda: 0, lambda: 0.0), Ring()
    gone = weakref.ref(one)
    for _ in range(ONE_OF - 1):
        garbage.look()
    assert gc.get_count()[0] < SOME
    del one
    last = weakref.ref(Ring())
    garbage.look()
    assert last() is None
    # it died after the moment in which it came, and waits until everything is looked at
    assert gone() is not None


def test_where_there_is_garbage_every_moment_is_looked_at():
    garbage = Garbage(lambda: 0, lambda: 0.0)
    for _ in range(ONE_OF - 1):
        garbage.look()
    for _ in range(3):
        rings = some()
        garbage.look()
        assert left(rings) == 0
    garbage.look()
    rings = some()
    garbage.look()
    assert left(rings) == SOME


def test_everything_is_looked_at_when_much_may_have_been_missed():
    garbage, rings = Garbage(lambda: 0, lambda: 0.0), list[weakref.ref[Ring]]()
    for _ in range(2 * MISSED // (SOME * ONE_OF)):
        rings += some()
        garbage.look()
    assert left(rings) < SOME * ONE_OF


def test_everything_is_looked_at_when_the_process_has_grown():
    size = 100 * MIB
    garbage = Garbage(lambda: size, lambda: 0.0)
    gone = frozen(garbage)
    for _ in range(YOUNG):
        garbage.look()
    size = 90 * MIB
    garbage.look()
    assert gone() is not None
    size = 90 * MIB * 5 // 4 + GROWN
    garbage.look()
    assert gone() is None
    # from then on it counts from what is left
    gone = frozen(garbage)
    size += GROWN
    garbage.look()
    assert gone() is not None


def test_what_a_bot_loads_in_its_first_minutes_is_never_taken_for_garbage():
    size = 50 * MIB
    garbage = Garbage(lambda: size, lambda: 0.0)
    gone = frozen(garbage)
    size = 150 * MIB
    for _ in range(YOUNG * 2):
        garbage.look()
    assert gone() is not None
    size = 150 * MIB * 5 // 4 + GROWN
    garbage.look()
    assert gone() is None


def test_also_in_its_first_minutes_a_bot_does_not_grow_for_ever():
    size = 50 * MIB
    garbage = Garbage(lambda: size, lambda: 0.0)
    gone = frozen(garbage)
    size = 50 * MIB * 2 + GROWN * MUCH
    garbage.look()
    assert gone() is None


def test_while_messages_wait_there_has_to_be_much_more():
    size, worked = 100 * MIB, 0.0
    garbage = Garbage(lambda: size, lambda: worked)
    for _ in range(YOUNG):
        garbage.look()
    gone = frozen(garbage)
    size, worked = 100 * MIB * 5 // 4 + GROWN, worked + CALM_SECONDS
    garbage.look()
    assert gone() is not None
    size, worked = 100 * MIB * 2 + GROWN * MUCH, worked + CALM_SECONDS
    garbage.look()
    assert gone() is None


def test_a_process_knows_its_size():
    assert 10 * MIB < resident() < 10_000 * MIB
