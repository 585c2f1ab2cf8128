"""Delta debugging: the smallest set of parts that brings the decision by itself.

- A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28 (2002): `ddmin`.
- G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006: level by level down a tree.

It knows nothing of what a cause may look like, and so finds any number of parts that are needed together; it asks for
far more runs than `cause_beliefs`, and is what remains when that explains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
Unit = TypeVar("Unit")


def ddmin(
    units: Sequence[Unit], fails: Callable[[Sequence[Unit]], Generator[Ask, Answer, bool]]
) -> Generator[Ask, Answer, tuple[Unit, ...]]:
    """Return a 1-minimal subset that still `fails` (no single unit of it can go), as Zeller and Hildebrandt do it."""
    units = tuple(units)
    pieces = 2
    while len(units) > 1:
        size = -(-len(units) // pieces)
        subsets = [units[at : at + size] for at in range(0, len(units), size)]
        for subset in subsets:
            if (yield from fails(subset)):
                units, pieces = subset, 2
                break
        else:
            # with two pieces the complement of one is the other, which was just asked
            for subset in subsets if len(subsets) > 2 else ():
                complement = tuple(unit for unit in units if unit not in subset)
                if (yield from fails(complement)):
                    units, pieces = complement, max(pieces - 1, 2)
                    break
            else:
                if size == 1:
                    break
                pieces = min(len(units), pieces * 2)
    return units
