"""The statistics of a proof: Wald's sequential probability ratio test, Fisher's exact test, and an e-value.

- A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945).
- R. A. Fisher, "The Design of Experiments" (1935); over several tables at once: N. Mantel and W. Haenszel (1959), and
  exactly, as here, J. J. Gart, "Point and interval estimation of the common odds ratio" (1970).
- R. Turner, A. Ly, P. Grünwald, "Generic E-Variables for Exact Sequential k-Sample Tests that allow for Optional
  Stopping", arXiv 2106.02693; L. Wasserman, A. Ramdas, S. Balakrishnan, "Universal inference", PNAS 117 (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log


@dataclass(frozen=True)
class SequentialTest:
    """Decide between a rate of `high` and one of `low` with as few runs as possible (SPRT).

    At .8 against .2 each run multiplies the likelihood ratio by 4 or by 1/4, so that odds of 64 mean: three more of one
    kind than of the other. At true rates of .95 that errs in 0.01 %, at .85 in 0.5 %, after 3.3 or 4.2 runs on average.
    """

    high: float
    low: float
    odds_high: float
    odds_low: float
    hits: int = 0
    runs: int = 0

    def after(self, hit: bool) -> SequentialTest:
        """Return the test with one more run."""
        return SequentialTest(self.high, self.low, self.odds_high, self.odds_low, self.hits + hit, self.runs + 1)

    @property
    def holds(self) -> bool | None:
        """Whether the rate is the high one; None while that is open."""
        ratio = self.hits * log(self.high / self.low) + (self.runs - self.hits) * log((1 - self.high) / (1 - self.low))
        # what is reached exactly counts as reached, whatever a logarithm rounds
        if ratio >= log(self.odds_high) - 1e-9:
            return True
        return False if ratio <= -log(self.odds_low) + 1e-9 else None


@dataclass(frozen=True)
class TwoRates:
    """In how many runs something happened with a thing and without it."""

    with_hits: int
    with_runs: int
    without_hits: int
    without_runs: int


def exact_test(tables: Sequence[TwoRates]) -> float:
    """Return how likely so many hits fall to the side *with* it by chance: Fisher's exact test, over all tables.

    One-sided, because which side should be higher is said before the first run. With one table this is Fisher's test;
    with more, each keeps its own margins (Gart 1970), so that what holds in another context is not mixed in.
    """
    chances = [1.0]
    for table in tables:
        chances = _convolved(chances, _hypergeometric(table))
    seen = sum(table.with_hits for table in tables)
    return min(1.0, sum(chances[seen:]))


def log_e_value(tables: Sequence[TwoRates], high: float, low: float) -> float:
    """Return the logarithm of how much likelier the runs are at rates of `high` with it and `low` without it than at
    any one rate for both, over all tables.

    Where there is no difference it ever exceeds 1 / alpha with a chance of at most alpha, whenever the runs end and
    whichever is chosen next: for whatever the one rate is, the likelihood ratio against it is a martingale, and this is
    never above that. An exact test's value has no such bound once runs are added until it is small.
    """
    return sum(_log_likelihood_ratio(table, high, low) for table in tables)


def _log_likelihood_ratio(table: TwoRates, high: float, low: float) -> float:
    with_misses, without_misses = table.with_runs - table.with_hits, table.without_runs - table.without_hits
    differing = table.with_hits * log(high) + with_misses * log(1 - high)
    differing += table.without_hits * log(low) + without_misses * log(1 - low)
    hits, misses = table.with_hits + table.without_hits, with_misses + without_misses
    alike = sum(count * log(count / (hits + misses)) for count in (hits, misses) if count)
    return differing - alike


def _hypergeometric(table: TwoRates) -> list[float]:
    hits = table.with_hits + table.without_hits
    every = comb(table.with_runs + table.without_runs, hits)
    return [
        comb(table.with_runs, k) * (comb(table.without_runs, hits - k) if k <= hits else 0) / every
        for k in range(table.with_runs + 1)
    ]


def _convolved(left: Sequence[float], right: Sequence[float]) -> list[float]:
    found = [0.0] * (len(left) + len(right) - 1)
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            found[i + j] += one * other
    return found
