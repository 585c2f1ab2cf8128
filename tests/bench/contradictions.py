"""Contradictions seen, and harmless pairs taken for one: `python -m tests.bench.contradictions [--missed]`; JSON."""

from __future__ import annotations

from collections.abc import Sequence

from bot.mind.contradictions import contradiction
from tests.bench._contradiction_cases import (
    CONTRADICTING,
    CONTRADICTING_AFTER,
    HARMLESS,
    HARMLESS_AFTER,
    PairCase,
)
from tests.bench._halves import main

HALVES = (
    ("written before", CONTRADICTING, HARMLESS),
    ("written after", CONTRADICTING_AFTER, HARMLESS_AFTER),
)


def is_seen(case: PairCase) -> bool:
    return contradiction(case.one, case.other) is not None


def wrong(pairs: Sequence[PairCase], harmless: Sequence[PairCase]) -> tuple[list[PairCase], list[PairCase]]:
    """Return the contradictions that were not seen, and the harmless pairs that were taken for one."""
    return [case for case in pairs if not is_seen(case)], [case for case in harmless if is_seen(case)]


if __name__ == "__main__":
    main(__doc__, HALVES, wrong, lambda case: f"{case.language} {case.one} | {case.other}")
