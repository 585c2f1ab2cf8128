"""Write numbers as people read them, in the language that is spoken: counts, tokens, durations, money, room."""

from __future__ import annotations

from functools import cache

from bot.sentences import ENGLISH, language_spoken, say, speaking

_QUANTITIES = ((999_950, 1000, "K"), (999_950_000, 10**6, "M"), (0, 10**9, "B"))
_SPANS = ((0.9995, 0.001, "ms"), (59.5, 1, "s"), (3570, 60, "min"), (170_000, 3600, "h"), (0, 86_400, "d"))


def quantity(number: int) -> str:
    """Say roughly how many: 999, 1.2K, 1.2M."""
    size = abs(number)
    if size < 1000:
        return str(number)
    scale, unit = next((scale, unit) for below, scale, unit in _QUANTITIES if size < below or unit == "B")
    tenths = (size * 10 + scale // 2) // scale
    return in_figures(f"{'-' * (number < 0)}{tenths // 10:,}.{tenths % 10}".removesuffix(".0") + unit)


def exact_number(number: int) -> str:
    """Say exactly how many: 1,204."""
    return in_figures(f"{number:,}")


def decimal(number: float, places: int) -> str:
    """Say a number with so many places behind its mark: 0.80."""
    return in_figures(f"{number:,.{places}f}")


def size(octets: int) -> str:
    """Say how much room in one unit: 512 bytes, 1.2 KiB, 34 MiB, 5 GiB."""
    amount, units = float(octets), ("bytes", "KiB", "MiB", "GiB", "TiB")
    at = 0
    while abs(amount) >= 999.5 and at < len(units) - 1:
        amount, at = amount / 1024, at + 1
    return in_figures(f"{amount:.{int(at > 0 and abs(amount) < 9.95)}f}".removesuffix(".0")) + f" {units[at]}"


def duration(seconds: float) -> str:
    """Say how long in one unit: 340 ms, 2.1 s, 4 min, 2 h, 3 d."""
    size = abs(seconds)
    scale, unit = next((scale, unit) for below, scale, unit in _SPANS if size < below or unit == "d")
    amount = size / scale
    return in_figures(f"{'-' * (seconds < 0)}{amount:.{int(amount < 9.95)}f}".removesuffix(".0")) + f" {unit}"


def money(usd: float) -> str:
    """Say what it cost: $0.04, and below a cent two digits that count."""
    size, sign = abs(usd), "-" * (usd < 0)
    if size >= 0.01 or size == 0:
        return in_figures(f"{sign}${size:,.2f}")
    return in_figures(f"{sign}${size:.2g}" if size >= 0.0001 else f"{sign}<$0.0001")


def in_figures(english: str) -> str:
    """Put the marks of the language that is spoken for those of English: 1,204.5 is 1.204,5 in German."""
    language = language_spoken()
    return english if language == ENGLISH else english.translate(_marks(language))


@cache
def _marks(language: str) -> dict[int, str]:
    with speaking(language):
        return str.maketrans({".": say("language.decimal-mark"), ",": say("language.group-mark")})
