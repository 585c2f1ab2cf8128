"""What hangs together with what was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach, RelationKind, superseded_memories
from bot.memory.graph import describe_relations, related_memories
from tests.fakes.memories import FakeMemories
from tests.fakes.values import GENERAL, memory, relation

REACH = MemoryReach(agent=MAIN, channel=GENERAL)


def chain(*weights: float) -> FakeMemories:
    """Memory 1, and each further one linked to the one before it."""
    links = (memory(f"link {n}", relations=(relation(n, weight=weight),)) for n, weight in enumerate(weights, 1))
    return FakeMemories(memory("start"), *links)


async def test_two_edges_away_is_near_and_three_are_not():
    assert await related_memories(chain(1, 1, 1), REACH, [1]) == (3, 2)
    assert await related_memories(chain(1, 1, 1), REACH, [4]) == (3, 2)


async def test_the_best_way_counts_by_the_product_of_its_weights():
    assert await related_memories(chain(0.5, 0.9), REACH, [1]) == (2, 3)
    detour = FakeMemories(
        memory("start"),
        memory("between", relations=(relation(1, weight=0.9),)),
        memory("far", relations=(relation(1, weight=0.1), relation(2, weight=0.8))),
        memory("next", relations=(relation(1, weight=0.5),)),
    )
    assert await related_memories(detour, REACH, [1]) == (2, 3, 4)


async def test_what_was_found_is_near_only_when_something_else_that_was_found_leads_to_it():
    assert await related_memories(chain(1), REACH, [1]) == (2,)
    assert await related_memories(chain(1), REACH, [1, 2]) == (2, 1)
    assert await related_memories(chain(0), REACH, [1]) == ()
    assert await related_memories(chain(), REACH, [1]) == await related_memories(chain(1), REACH, []) == ()


async def test_no_way_leads_through_what_may_not_be_seen():
    hidden = FakeMemories(
        memory("start"),
        memory("elsewhere", scope_id="console:#other", relations=(relation(1),)),
        memory("behind it", relations=(relation(2),)),
    )
    assert await related_memories(hidden, REACH, [1]) == ()
    forgotten = chain(1, 1)
    forgotten.forget(2)
    assert await related_memories(forgotten, REACH, [1]) == ()


@pytest.mark.parametrize("kind", RelationKind)
async def test_both_ends_say_what_they_are_to_each_other(kind):
    memories = FakeMemories(memory("a"), memory("b", relations=(relation(1, kind, 0.5),)))
    edges = await memories.edges([1], None)
    first, second = handle(HandleKind.MEMORY, 1), handle(HandleKind.MEMORY, 2)
    assert describe_relations(2, edges) == f"{kind.value.replace('_', ' ')} {first} (0.50)"
    assert describe_relations(1, edges).endswith(f" {second} (0.50)")
    assert describe_relations(1, edges, frozenset(RelationKind) - {kind}) == describe_relations(3, edges) == ""


async def test_only_an_update_supersedes():
    kinds = tuple(relation(1, kind) for kind in RelationKind if kind is not RelationKind.UPDATES)
    memories = FakeMemories(memory("a"), memory("b", relations=kinds))
    assert superseded_memories(await memories.edges([1, 2], REACH)) == frozenset()
    await memories.add([memory("c", relations=(relation(2, RelationKind.UPDATES),))])
    assert superseded_memories(await memories.edges([1, 2], REACH)) == {2}


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8), st.floats(0, 1)), max_size=25), st.sets(st.integers(1, 8))
)
async def test_near_is_the_same_each_time_and_never_invents(ways, rows):
    relations = [tuple(relation(b, weight=w) for a, b, w in ways if a == n and b != n) for n in range(1, 9)]
    memories = FakeMemories(*(memory(f"{n}", relations=each) for n, each in enumerate(relations, 1)))
    found = await related_memories(memories, REACH, sorted(rows))
    assert found == await related_memories(memories, REACH, sorted(rows, reverse=True))
    assert len(set(found)) == len(found)
    linked = {a for a, b, w in ways if a != b and w} | {b for a, b, w in ways if a != b and w}
    assert set(found) <= linked
