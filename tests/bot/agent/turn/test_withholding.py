"""The message that a filter refuses is found with few requests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.turn.withholding import MOST_FOUND, MOST_TRIES, find_culprits


class Filter:
    """Lets everything through but requests with any of these."""

    def __init__(self, *flagged: int) -> None:
        self.flagged = set(flagged)
        self.tries = 0

    async def passes(self, left_out: Sequence[int]) -> bool:
        self.tries += 1
        return self.flagged <= set(left_out)


@given(st.integers(1, 1000), st.data())
async def test_one_message_is_found_wherever_it_stands(count: int, data: st.DataObject):
    culprit = data.draw(st.integers(0, count - 1))
    guard = Filter(culprit)
    assert await find_culprits(range(count), guard.passes) == (culprit,)
    assert guard.tries <= MOST_TRIES


@pytest.mark.parametrize("flagged", [(0, 1), (3, 7), (0, 4, 9)])
async def test_several_are_found(flagged: tuple[int, ...]):
    guard = Filter(*flagged)
    found = await find_culprits(range(10), guard.passes)
    assert (set(found) == set(flagged)) or (found == () and guard.tries == MOST_TRIES)
    assert len(found) <= MOST_FOUND


async def test_a_question_and_what_repeats_it_are_found_together():
    guard = Filter(50, 51, 52)
    assert set(await find_culprits(range(100), guard.passes)) == {50, 51, 52}
    guard = Filter(4, 5, 6, 7)
    assert set(await find_culprits(range(10), guard.passes)) == {4, 5, 6, 7}


async def test_the_newest_message_costs_one_request():
    guard = Filter(99)
    assert await find_culprits(range(10), guard.passes) == () and guard.tries == 1


async def test_nothing_to_leave_out_costs_none():
    guard = Filter(99)
    assert await find_culprits((), guard.passes) == () and guard.tries == 0
