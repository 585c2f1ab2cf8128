"""How records become a figure: what was counted, of how many, what may still be true of the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.faults.records import Record


@dataclass(frozen=True)
class Measured:
    """One figure of a row. `holds` is None where it has no bar of its own; `short`: only trials are missing."""

    text: str
    holds: bool | None = None
    short: bool = False


Measure = Callable[[Sequence[Record]], Measured]


def bound(seen: int, n: int) -> float:
    """Give the exact upper bound of a share with 95 % confidence (Clopper-Pearson, one-sided), by bisection."""
    if n == 0 or seen >= n:
        return 1.0
    if seen == 0:
        return float(1 - 0.05 ** (1 / n))
    low, high = seen / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(seen, n, middle) > 0.05 else (low, middle)
    return high


def _at_most(seen: int, n: int, share: float) -> float:
    """Give the probability of at most so many in n trials."""
    term = total = (1 - share) ** n
    for k in range(seen):
        term *= (n - k) / (k + 1) * share / (1 - share)
        total += term
    return total


def none(*counts: str, least: int = 1) -> Measure:
    """Demand that none of these was counted, and that no case failed, in at least so many trials."""

    def measure(records: Sequence[Record]) -> Measured:
        n = sum(record.n for record in records)
        seen = {name: sum(record.counts.get(name, 0) for record in records) for name in counts}
        failed = sum(bool(record.trouble) for record in records)
        wrong = sum(seen.values()) + failed
        words = ", ".join(f"{name} {many:,}" for name, many in seen.items())
        if failed:
            words += f", cases failed {failed:,}"
        enough = "" if n >= least else f"; {least:,} are owed"
        text = f"{words} of {n:,} (95 %: < {share(bound(wrong, n))}){enough}"
        return Measured(text, wrong == 0 and n >= least, short=wrong == 0 and n < least)

    return measure


def share(value: float) -> str:
    return f"{value * 100:.2g} %" if value < 0.99 else f"{value * 100:.0f} %"


def counted(name: str, what: str = "") -> Measure:
    """Tell how many of the trials had this, without a bar."""

    def measure(records: Sequence[Record]) -> Measured:
        n, seen = sum(record.n for record in records), sum(record.counts.get(name, 0) for record in records)
        return Measured(f"{what or name} {seen:,} of {n:,} ({share(seen / n if n else 0)})")

    return measure


def total(name: str, least: int) -> Measure:
    """Demand that so many of something were part of it."""

    def measure(records: Sequence[Record]) -> Measured:
        seen = sum(record.counts.get(name, 0) for record in records)
        return Measured(f"{name.replace('_', ' ')} {seen:,} (of {least:,})", seen >= least, short=seen < least)

    return measure


def values(records: Sequence[Record], name: str) -> list[float]:
    found = [record.figures[name] for record in records if name in record.figures]
    return sorted(value for one in found for value in (one if isinstance(one, Sequence) else (one,)))


def at_most(name: str, bar: float, unit: str) -> Measure:
    """Demand that the worst of the values stays at or below a bar."""

    def measure(records: Sequence[Record]) -> Measured:
        found = values(records, name)
        if not found:
            return Measured(f"{name}: not measured", False)
        return Measured(f"{found[-1]:,.4g} {unit} (bar {bar:,g})", found[-1] <= bar)

    return measure


def mostly_at_most(name: str, part: float, bar: float, unit: str, what: str, *, least: int = 1) -> Measure:
    """Demand that such a part of at least so many values stays at or below a bar."""

    def measure(records: Sequence[Record]) -> Measured:
        found = values(records, name)
        if not found:
            return Measured(f"{what}: not measured", False, short=True)
        most = found[math.ceil(part * len(found)) - 1]
        enough = "" if len(found) >= least else f"; {least:,} are owed"
        text = f"{what} {most:,.3g} {unit} of {len(found):,} (bar {bar:,g}){enough}"
        return Measured(text, most <= bar and len(found) >= least, short=most <= bar and len(found) < least)

    return measure


def at_least(name: str, bar: float, unit: str) -> Measure:
    """Demand that the median of the values reaches a bar."""

    def measure(records: Sequence[Record]) -> Measured:
        found = values(records, name)
        if not found:
            return Measured(f"{name}: not measured", False)
        middle = found[len(found) // 2]
        return Measured(f"{middle:,.4g} {unit} (bar {bar:,g})", middle >= bar)

    return measure


def spread(name: str, unit: str, what: str = "") -> Measure:
    """Tell the median and the greatest of the values, without a bar."""

    def measure(records: Sequence[Record]) -> Measured:
        found = values(records, name)
        label = what or name.rsplit("_", 1)[0].replace("_", " ")
        if not found:
            return Measured(f"{label} not measured")
        middle, most = (f"{one:,.3g} {unit}".rstrip() for one in (found[len(found) // 2], found[-1]))
        return Measured(f"{label} median {middle}, at most {most}")

    return measure
