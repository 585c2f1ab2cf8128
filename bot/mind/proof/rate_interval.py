"""Say how sure a rate is that was seen in so many cases: Wilson's score interval.

E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927). Unlike the
interval of the textbooks it holds near 0 and 1, and where there are few cases.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

_Z95 = 1.959964
"""Standard deviations that 95 % of a normal distribution lie within."""


class RateInterval(NamedTuple):
    """Where the true rate lies, 95 times in 100; `hits` of `cases` were seen."""

    hits: int
    cases: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """What was seen; 0 where nothing was."""
        return self.hits / self.cases if self.cases else 0.0


def wilson_interval(hits: int, cases: int) -> RateInterval:
    """Return the interval of a rate; of no cases at all nothing is known."""
    if not cases:
        return RateInterval(0, 0, 0.0, 1.0)
    rate, square = hits / cases, _Z95**2
    middle = rate + square / (2 * cases)
    spread = _Z95 * sqrt(rate * (1 - rate) / cases + square / (4 * cases**2))
    whole = 1 + square / cases
    # exact at the ends, whatever a square root rounds
    low = 0.0 if hits == 0 else (middle - spread) / whole
    return RateInterval(hits, cases, low, 1.0 if hits == cases else (middle + spread) / whole)
