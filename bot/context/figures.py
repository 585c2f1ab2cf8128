"""How numbers are written for people."""

from __future__ import annotations

from bot.domain.snapshot import ContextStats, CountMethod


def short(number: int) -> str:
    """Write 999, 1.2K, 1.2M."""
    if number < 1000:
        return str(number)
    if number < 999_950:
        return f"{number / 1000:.1f}K"
    return f"{number / 1_000_000:.1f}M"


def tokens(number: int, stats: ContextStats) -> str:
    """Write a token count, marked as approximate unless it is exact."""
    return short(number) if stats.tokenizer.method is CountMethod.EXACT else f"≈{short(number)}"


def percent(part: int, whole: int) -> str:
    """Write a share with one decimal."""
    return f"{round(100 * part / whole, 1) if whole else 0.0} %"


def usage_bar(share: float, width: int = 20) -> str:
    """Draw a share (0..100) with its level: normal under 70, warning under 90, critical from there."""
    filled = min(width, max(0, round(share * width / 100)))
    level = "normal" if share < 70 else "warning" if share < 90 else "critical"
    return f"[{'#' * filled}{'.' * (width - filled)}] {level}"


def counted_by(stats: ContextStats) -> str:
    """Say who counted and how far to trust it."""
    tokenizer = stats.tokenizer
    return f"{tokenizer.name}, {tokenizer.method.value}"


def usd(amount: float) -> str:
    """Write money."""
    return f"${amount:.2f}" if amount >= 0.005 or amount == 0 else f"${amount:.4f}"
