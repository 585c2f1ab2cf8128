"""What a fact about to be kept is to those that are known: what it contradicts, and what it may only repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.memory import Memory, MemoryRelation, NewMemory, RelationKind
from bot.memory.same_fact import MIN_LIKENESS, is_of_speaker, likeness
from bot.mind.contradictions import contradicting
from bot.text.terms import is_figure, stem, terms

_MAX_COMPARED = 6
_MAX_CHARS = 1_000
MAX_LINKS = 5
"""How many relations of one kind code adds at most: who says much may contradict much."""


def fact_links(memory: NewMemory, near: Sequence[Memory]) -> tuple[MemoryRelation, ...]:
    """Return the relations that code adds; what its author has named already is left as they said it."""
    named = {one.target for one in memory.relations}
    is_own, author = is_of_speaker(memory.content), memory.provenance.author
    others = [
        one
        # `I like tea` of two people is about two
        for one in _closest(memory, [one for one in near if one.id not in named])
        if one.body.provenance.author == author or not (is_own or is_of_speaker(one.body.content))
    ]
    disputed = [others[place].id for place, _ in contradicting(memory.content, [one.body.content for one in others])]
    doubles = sorted(_doubles(memory, [one for one in others if one.id not in disputed]), key=lambda one: -one[1])
    return (
        *(_relation(RelationKind.CONTRADICTS, row, 1.0) for row in disputed[:MAX_LINKS]),
        *(_relation(RelationKind.RESEMBLES, row, share) for row, share in doubles[:MAX_LINKS]),
    )


def _closest(memory: NewMemory, others: Sequence[Memory]) -> Sequence[Memory]:
    """Return the few that share most of what a memory is about: comparing all of them closely would hold up a turn."""
    about = _about(memory.content)
    shared = ((len(about & _about(one.body.content)), one) for one in others)
    return [one for many, one in sorted(shared, key=lambda found: -found[0])[:_MAX_COMPARED] if many]


def _about(content: str) -> frozenset[str]:
    return frozenset(stem(term) or term for term in terms(content[:_MAX_CHARS]) if not is_figure(term))


def _doubles(memory: NewMemory, others: Sequence[Memory]) -> Iterator[tuple[int, float]]:
    for one in others:
        # one memory can only stand for two that are known in the same place
        if (one.body.scope, one.body.scope_id, one.body.channel) == (memory.scope, memory.scope_id, memory.channel):
            share = likeness(one.body.content, memory.content)
            if share >= MIN_LIKENESS:
                yield one.id, round(share, 2)


def _relation(kind: RelationKind, target: int, weight: float) -> MemoryRelation:
    return MemoryRelation(kind=kind, target=target, weight=weight)
