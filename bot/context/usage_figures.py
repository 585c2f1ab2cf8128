"""How numbers are written for people."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.snapshot import ContextStats, CountMethod
from bot.text.figures import in_figures

_FILLS, _EMPTY, _HEIGHTS = "█▓▒", "░", "▁▂▃▄▅▆▇█"


def short_number(number: int) -> str:
    """Write 999, 1.2K, 1.2M."""
    if number < 1000:
        return str(number)
    if number < 999_950:
        return in_figures(f"{number / 1000:.1f}K")
    return in_figures(f"{number / 1_000_000:.1f}M")


def tokens(number: int, stats: ContextStats) -> str:
    """Write a token count, marked as approximate unless it is exact."""
    return short_number(number) if stats.tokenizer.method is CountMethod.EXACT else f"≈{short_number(number)}"


def percent(part: int, whole: int) -> str:
    """Write a share with one decimal."""
    return in_figures(f"{round(100 * part / whole, 1) if whole else 0.0} %")


def level_of(share: float) -> str:
    """Name how full something is, by a share of 0..100."""
    return "normal" if share < 70 else "warning" if share < 90 else "critical"


def stacked_bar(parts: Sequence[int], whole: int, width: int = 20) -> str:
    """Draw what fills something, part behind part, with its level."""
    ends = [min(width, round(sum(parts[: n + 1]) * width / whole)) if whole else 0 for n in range(len(parts))]
    begins = [0, *ends]
    drawn = "".join(_FILLS[n] * (end - begin) for n, (begin, end) in enumerate(zip(begins, ends, strict=False)))
    share = round(100 * sum(parts) / whole, 1) if whole else 0.0
    return f"{drawn}{_EMPTY * (width - len(drawn))} {level_of(share)}"


def spark_line(numbers: Sequence[int]) -> str:
    """Draw numbers as a row of little columns, the largest in full height."""
    most = max((*numbers, 1))
    return "".join(_HEIGHTS[min(len(_HEIGHTS) - 1, number * len(_HEIGHTS) // most)] for number in numbers)


def counted_by(stats: ContextStats) -> str:
    """Say who counted and how far to trust it."""
    tokenizer = stats.tokenizer
    return f"{tokenizer.name}, {tokenizer.method.value}"


def usd(amount: float) -> str:
    """Write dollars: with four places where two would show nothing."""
    return in_figures(f"${amount:.2f}" if amount >= 0.005 or amount == 0 else f"${amount:.4f}")
