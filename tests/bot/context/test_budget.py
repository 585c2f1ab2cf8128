"""Oldest turns go first, then ambient talk, then optional sections; what is essential stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.context.budget import Load, plan_cut
from bot.context.optional_sections import Optional
from bot.context.section import ESSENTIAL
from bot.context.tokens import by_bytes
from bot.task_prompt import ChunkType, ContextChunk, Metadata, Priority, Score, compress, count_block
from bot.task_prompt.chunk import ScorePart


def load(room=100, fixed=10, turns=(10, 10, 10), ambient=(), sections=()):
    return Load(room, fixed, len(turns), lambda index: turns[index], ambient, [Optional(*s) for s in sections])


def test_nothing_is_dropped_while_it_fits():
    assert plan_cut(load(room=40)) == (0, 0, frozenset())


def test_the_oldest_turns_go_first_and_whole():
    assert plan_cut(load(room=39)).first_turn == 1
    assert plan_cut(load(room=25)).first_turn == 2


def test_a_turn_that_is_too_large_takes_the_older_ones_with_it():
    """History has no holes."""
    assert plan_cut(load(room=60, turns=(1, 60, 10))).first_turn == 2


def test_ambient_talk_goes_after_all_turns_and_sections_after_that():
    cut = plan_cut(load(room=40, ambient=(20, 20), sections=[(20, 5)]))
    assert cut == (3, 1, frozenset())
    cut = plan_cut(load(room=20, ambient=(20,), sections=[(ESSENTIAL, 5), (40, 4), (20, 4)]))
    assert cut == (3, 1, frozenset({2}))


def test_essential_sections_stay_even_when_it_does_not_fit():
    assert plan_cut(load(room=5, sections=[(ESSENTIAL, 50)])).sections == frozenset()


def test_a_small_section_stays_where_a_large_one_must_go():
    cut = plan_cut(load(room=80, fixed=0, turns=(), sections=[(60, 50), (40, 500), (20, 10)]))
    assert cut.sections == frozenset({1})


def test_old_turns_that_cannot_fit_are_not_even_priced():
    asked = []

    def price(index):
        asked.append(index)
        return 10

    plan_cut(Load(35, 10, 5000, price, (), ()))
    assert asked == [4999, 4998, 4997]


small = st.integers(0, 60)


@given(
    room=st.integers(-10, 300),
    fixed=small,
    turns=st.lists(small, max_size=8),
    ambient=st.lists(small, max_size=5),
    sections=st.lists(st.tuples(st.integers(0, 100), small), max_size=6),
)
def test_a_cut_fits_or_nothing_optional_is_left(room, fixed, turns, ambient, sections):
    cut = plan_cut(load(room, fixed, turns, ambient, sections))
    left = [s for index, s in enumerate(sections) if index not in cut.sections]
    size = fixed + sum(turns[cut.first_turn :]) + sum(ambient[cut.first_ambient :]) + sum(t for _, t in left)
    assert all(priority < ESSENTIAL for index, (priority, _) in enumerate(sections) if index in cut.sections)
    if size > room:
        assert not sum(turns[cut.first_turn :]) and not sum(ambient[cut.first_ambient :])
        assert all(priority >= ESSENTIAL for priority, _ in left)
    elif cut.sections:
        # nothing went that there was room for
        assert all(sections[index][1] > room - size for index in cut.sections)


@given(
    sizes=st.lists(st.integers(0, 60), max_size=6),
    priorities=st.lists(st.integers(0, ESSENTIAL - 1), min_size=6, max_size=6),
    room=st.integers(0, 400),
)
def test_sections_are_chosen_as_chunks_are(sizes, priorities, room):
    """The same rule twice over the same words: once as blocks of the protocol, once as sections of a channel."""
    chunks = [
        ContextChunk(
            content=f"{at}" + "x" * size,
            source=f"{at:03}",
            chunk_type=ChunkType.SECTION,
            priority=Priority.LOW,
            metadata=Metadata(score=Score(parts=(ScorePart(name="section", points=priorities[at]),))),
        )
        for at, size in enumerate(sizes)
    ]
    shown = {int(chunk.source) for chunk in compress(chunks, room, by_bytes).chunks}
    cut = plan_cut(
        load(room, 0, (), (), [(priorities[at], count_block(chunk, by_bytes)) for at, chunk in enumerate(chunks)])
    )
    assert frozenset(range(len(sizes))) - cut.sections == shown
