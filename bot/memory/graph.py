"""Follow the edges between memories, and say what they are to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.domain.handles import HandleKind, handle
from bot.domain.memory import MemoryEdge, MemoryReach, RelationKind
from bot.ports.memories import MemoryStore

MAX_EDGES_AWAY = 2
"""How many edges away something still belongs to what was found (process-and-memory 3.3)."""
_OUTWARD: Mapping[RelationKind, str] = {
    RelationKind.RELATED_TO: "related to",
    RelationKind.UPDATES: "updates",
    RelationKind.CONTRADICTS: "contradicts",
    RelationKind.CAUSED_BY: "caused by",
    RelationKind.RESULT_OF: "result of",
    RelationKind.PART_OF: "part of",
    RelationKind.RESEMBLES: "resembles",
}
_INWARD: Mapping[RelationKind, str] = {
    RelationKind.RELATED_TO: "related to",
    RelationKind.UPDATES: "updated by",
    RelationKind.CONTRADICTS: "contradicted by",
    RelationKind.CAUSED_BY: "cause of",
    RelationKind.RESULT_OF: "results in",
    RelationKind.PART_OF: "consists of",
    RelationKind.RESEMBLES: "resembles",
}
TOLD_TO_MODELS = frozenset(RelationKind) - {RelationKind.RESEMBLES}
"""That two memories may be one fact is for people to decide, and leads nowhere that words do not."""


async def related_memories(memories: MemoryStore, reach: MemoryReach, rows: Sequence[int]) -> tuple[int, ...]:
    """Return what hangs together with some memories, the closest first; the way there lies within the reach as well.

    How close is the product of the weights on the best way; of equals the newer comes first. One of the memories is
    itself among the result when another one leads to it.
    """
    edges: dict[int, MemoryEdge] = {}
    frontier: Sequence[int] = rows
    for _ in range(MAX_EDGES_AWAY):
        every = await memories.edges(frontier, reach) if frontier else ()
        found = {edge.id: edge for edge in every if edge.kind in TOLD_TO_MODELS}
        seen = {*rows, *_ends(edges.values())}
        edges |= found
        frontier = sorted(_ends(found.values()) - seen)
    close: dict[int, float] = {}
    for row in rows:
        for other, weight in _walk(row, edges.values()).items():
            close[other] = max(close.get(other, 0.0), weight)
    return tuple(sorted((row for row in close if close[row] > 0), key=lambda row: (-close[row], -row)))


def describe_relations(
    row: int, edges: Sequence[MemoryEdge], kinds: frozenset[RelationKind] = frozenset(RelationKind)
) -> str:
    """Say what a memory is to others, and they to it: `contradicts m27d4 · updated by m9x1k`; empty when nothing."""
    return " · ".join(relation_lines(row, edges, kinds))


def relation_lines(
    row: int, edges: Sequence[MemoryEdge], kinds: frozenset[RelationKind] = frozenset(RelationKind)
) -> tuple[str, ...]:
    """Say the same in a line for each."""
    return tuple(_line(row, edge) for edge in edges if row in {edge.source, edge.target} and edge.kind in kinds)


def _line(row: int, edge: MemoryEdge) -> str:
    words, other = (_OUTWARD, edge.target) if edge.source == row else (_INWARD, edge.source)
    weight = f" ({edge.weight:.2f})" if edge.weight != 1 else ""
    return f"{words[edge.kind]} {handle(HandleKind.MEMORY, other)}{weight}"


def _walk(start: int, edges: Iterable[MemoryEdge]) -> dict[int, float]:
    """Return the best product of weights to everything within DEPTH edges of one memory, itself left out."""
    ways = [(edge.source, edge.target, edge.weight) for edge in edges]
    ways += [(target, source, weight) for source, target, weight in ways]
    best = {start: 1.0}
    for _ in range(MAX_EDGES_AWAY):
        further = dict(best)
        for source, target, weight in ways:
            if source in best:
                further[target] = max(further.get(target, 0.0), best[source] * weight)
        best = further
    del best[start]
    return best


def _ends(edges: Iterable[MemoryEdge]) -> set[int]:
    return {end for edge in edges for end in (edge.source, edge.target)}
