"""Garbage goes, whenever it arises, and what is in use is hardly ever walked through."""

from __future__ import annotations

import gc
import sys
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from bot.runtime.gc_tuning import (
    CALM_MOMENTS_A_LOOK,
    CALM_SECONDS,
    COLLECTOR_THRESHOLDS,
    FIRST_LOOK_OBJECTS,
    GIVE_BACK_MOMENTS,
    MAX_LOOK_OBJECTS,
    MAX_LOOK_SECONDS,
    MAX_WAITING_OBJECTS,
    MIN_GARBAGE_OBJECTS,
    MIN_GROWTH_BYTES,
    MIN_LOOK_OBJECTS,
    START_MOMENTS,
    GarbageTuner,
    objects_held,
    process_bytes,
)

MIB = 2**20


class Ring:
    """Holds itself, so that only a collection finds it."""

    def __init__(self) -> None:
        self.itself = self


def some() -> list[weakref.ref[Ring]]:
    return [weakref.ref(Ring()) for _ in range(MIN_GARBAGE_OBJECTS)]


def left(rings: list[weakref.ref[Ring]]) -> int:
    return sum(ring() is not None for ring in rings)


def moments(garbage: GarbageTuner, many: int) -> None:
    for _ in range(many):
        garbage.look()


def grown_up(size: int = 0, worked: float = 0.0) -> GarbageTuner:
    """Return one that is older than a minute, and has just looked at what was new."""
    garbage = GarbageTuner(lambda: size, lambda: worked)
    moments(garbage, START_MOMENTS)
    return garbage


def outlived(garbage: GarbageTuner) -> weakref.ref[Ring]:
    """Let something die after the look at the moments in which it came: only a look at the rest finds it."""
    one = Ring()
    moments(garbage, CALM_MOMENTS_A_LOOK)
    return weakref.ref(one)


@pytest.fixture(autouse=True)
def _by_hand() -> Iterator[None]:
    usually = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    yield
    gc.set_threshold(*usually)


def test_new_things_of_some_moments_are_looked_at_together_while_there_is_no_garbage():
    garbage = grown_up()
    first = weakref.ref(Ring())
    moments(garbage, CALM_MOMENTS_A_LOOK - 1)
    assert first() is not None
    garbage.look()
    assert first() is None


def test_where_there_is_garbage_every_moment_is_looked_at():
    garbage = grown_up()
    rings = some()
    moments(garbage, CALM_MOMENTS_A_LOOK)
    assert left(rings) == 0
    for _ in range(3):
        rings = some()
        garbage.look()
        assert left(rings) == 0
    garbage.look()
    rings = some()
    garbage.look()
    assert left(rings) == MIN_GARBAGE_OBJECTS


def test_much_that_is_new_does_not_wait():
    garbage = grown_up()
    kept = [[number] for number in range(MAX_WAITING_OBJECTS)]
    gone = weakref.ref(Ring())
    garbage.look()
    assert gone() is None and kept


def test_what_has_outlived_its_first_look_is_looked_at_when_much_has_come():
    garbage = grown_up()
    gone = outlived(garbage)
    assert gone() is not None
    kept = [[number] for number in range(garbage.most * 3 // 5)]
    moments(garbage, CALM_MOMENTS_A_LOOK)
    assert gone() is None and kept


def test_what_has_outlived_its_first_look_is_looked_at_when_the_process_has_grown():
    size = 100 * MIB
    garbage = GarbageTuner(lambda: size, lambda: 0.0)
    moments(garbage, START_MOMENTS)
    size = 90 * MIB
    gone = outlived(garbage)
    assert gone() is not None
    size = 90 * MIB * 5 // 4 + MIN_GROWTH_BYTES
    garbage.look()
    assert gone() is None
    # from then on it counts from what is left
    gone = outlived(garbage)
    size += MIN_GROWTH_BYTES
    garbage.look()
    assert gone() is not None


def test_while_messages_wait_growth_alone_is_no_reason():
    size, worked = 100 * MIB, 0.0
    garbage = GarbageTuner(lambda: size, lambda: worked, lambda: None)
    moments(garbage, START_MOMENTS)
    gone = outlived(garbage)
    size = 200 * MIB
    for _ in range(CALM_MOMENTS_A_LOOK):
        worked += 2 * CALM_SECONDS
        garbage.look()
    assert gone() is not None
    garbage.look()
    assert gone() is None


def test_what_is_free_is_given_back_in_a_calm_moment():
    worked, given = 0.0, []
    garbage = GarbageTuner(lambda: 0, lambda: worked, lambda: given.append(1))
    for _ in range(2 * GIVE_BACK_MOMENTS):
        worked += 2 * CALM_SECONDS
        garbage.look()
    assert not given
    moments(garbage, 2)
    assert len(given) == 1
    moments(garbage, GIVE_BACK_MOMENTS)
    assert len(given) == 2
    for _ in range(4 * GIVE_BACK_MOMENTS):
        worked += 2 * CALM_SECONDS
        garbage.look()
    assert len(given) == 3


def test_what_a_bot_loads_in_its_first_minute_is_never_walked_through():
    garbage = GarbageTuner(lambda: 0, lambda: 0.0)
    loaded = [[number] for number in range(MAX_LOOK_OBJECTS)]
    moments(garbage, START_MOMENTS)
    assert not gc.get_objects(generation=2) and loaded


def test_no_look_is_long_however_much_there_is():
    garbage, kept, longest = grown_up(), list[list[object]](), 0.0
    for _ in range(100):
        # as when one large conversation after another is read
        kept += [[number] for number in range(10_000)]
        began = time.thread_time()
        garbage.look()
        longest = max(longest, time.thread_time() - began)
    assert len(kept) == 1_000_000
    assert longest < 0.05
    began = time.perf_counter()
    gc.unfreeze()
    gc.collect()
    assert time.perf_counter() - began > 0.05, "a look at everything is what is to be avoided"
    gc.freeze()


class Machine:
    """Takes so many seconds for each object that a look walks through, and counts them."""

    def __init__(self, each: float) -> None:
        self.each, self.worked = each, 0.0
        self.walked: list[int] = []

    def on_look(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            held = sum(len(gc.get_objects(generation=age)) for age in range(info["generation"] + 1))
            self.walked.append(held)
            self.worked += held * self.each


@pytest.fixture
def machine() -> Iterator[Machine]:
    one = Machine(MAX_LOOK_SECONDS / FIRST_LOOK_OBJECTS)
    gc.callbacks.append(one.on_look)
    yield one
    gc.callbacks.remove(one.on_look)


def aged(garbage: GarbageTuner, machine: Machine, each: float, came: int) -> list[int]:
    """Let a process of which most lives on grow at a machine of that speed; return what each look walked through."""
    machine.each = each
    machine.walked.clear()
    kept = list[list[object]]()
    for _ in range(200):
        kept += [[number] for number in range(came)]
        garbage.look()
    return machine.walked[:]


@pytest.mark.parametrize("came", [40, 400, 3000, 12_000])
def test_a_look_at_a_slow_machine_walks_through_fewer_objects(machine: Machine, came: int):
    garbage = GarbageTuner(lambda: 0, lambda: machine.worked)
    moments(garbage, START_MOMENTS)
    aged(garbage, machine, MAX_LOOK_SECONDS / MIN_LOOK_OBJECTS, came)
    walked = aged(garbage, machine, MAX_LOOK_SECONDS / MIN_LOOK_OBJECTS, came)
    # what comes within one moment is looked at by Python itself where it is very much, as a whole
    assert max(walked, default=0) <= max(MIN_LOOK_OBJECTS + 1000, came)
    aged(garbage, machine, MAX_LOOK_SECONDS / MAX_LOOK_OBJECTS / 2, came)
    assert garbage.most > MIN_LOOK_OBJECTS or not walked


@pytest.mark.parametrize("came", [40, 400, 3000, 12_000])
def test_no_look_of_an_hour_walks_through_more_than_it_may(machine: Machine, came: int):
    garbage = GarbageTuner(lambda: 0, lambda: machine.worked)
    moments(garbage, START_MOMENTS)
    walked = aged(garbage, machine, MAX_LOOK_SECONDS / MAX_LOOK_OBJECTS / 2, came)
    assert max(walked) <= MAX_LOOK_OBJECTS


def test_what_is_new_is_looked_at_once_also_where_all_of_it_is_too_much(machine: Machine):
    garbage = grown_up()
    kept = [[number] for number in range(garbage.most)]
    gc.collect(0)
    gone = weakref.ref(Ring())
    moments(garbage, CALM_MOMENTS_A_LOOK)
    assert gone() is None and kept


def test_a_process_knows_its_size():
    assert 10 * MIB < process_bytes() < 10_000 * MIB


def test_to_count_takes_nothing_that_another_thread_is_making():
    """To count what there is names all of it for a moment; a tuple that somebody else names then cannot be finished."""
    wrong: list[Exception] = []
    is_over = threading.Event()

    def make() -> None:
        try:
            while not is_over.is_set():
                tuple(number for number in range(30))
        except SystemError as error:
            wrong.append(error)
            is_over.set()

    usually = sys.getswitchinterval()
    maker = threading.Thread(target=make)
    sys.setswitchinterval(1e-6)
    try:
        maker.start()
        until = time.monotonic() + 3
        while time.monotonic() < until and not wrong:
            objects_held(0, 1)
    finally:
        sys.setswitchinterval(usually)
        is_over.set()
        maker.join()
    assert not wrong
