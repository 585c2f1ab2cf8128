"""How memories fade."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memory import Memory, MemoryType
from bot.memory.decay import effective_importance
from tests.fakes.clock import START
from tests.fakes.values import memory

DAY = 86_400_000


def kept(importance: float = 0.8, **changes: object) -> Memory:
    kind = changes.pop("type", MemoryType.FACT)
    return Memory(id=1, body=memory(importance=importance, type=kind), **changes)


def test_a_fresh_memory_counts_fully_and_an_old_one_less():
    assert effective_importance(kept(), START) == 0.8
    assert round(effective_importance(kept(), START + 90 * DAY), 3) == 0.44


def test_reading_keeps_a_memory_fresh():
    assert effective_importance(kept(last_accessed=START + 90 * DAY), START + 90 * DAY) == 0.8


def test_an_identity_never_fades():
    assert effective_importance(kept(1.0, type=MemoryType.IDENTITY), START + 9999 * DAY) == 1.0


@given(st.floats(0, 1), st.integers(-(10**12), 10**13))
def test_it_neither_vanishes_nor_grows(importance, later):
    now = effective_importance(kept(importance), START + later)
    assert importance / 10 <= now <= importance
