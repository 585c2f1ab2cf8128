from __future__ import annotations

from collections.abc import Generator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from bot.mind.proof.delta_debugging import ddmin


def minimal(units: Sequence[int], needed: set[int]) -> tuple[set[int], int]:
    asked = 0

    def fails(subset: Sequence[int]) -> Generator[None, None, bool]:
        nonlocal asked
        asked += 1
        return needed <= set(subset)
        yield

    search = ddmin(units, fails)
    try:
        next(search)
    except StopIteration as ended:
        return set(ended.value), asked
    raise AssertionError


def test_the_example_of_zeller_and_hildebrandt() -> None:
    found, asked = minimal(range(1, 9), {1, 7, 8})
    assert found == {1, 7, 8}
    assert asked < 40


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), min_size=1))))
def test_what_is_left_is_what_is_needed(case: tuple[int, set[int]]) -> None:
    many, needed = case
    assert minimal(range(many), needed)[0] == needed
