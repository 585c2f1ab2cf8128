"""How long to wait after failures in a row."""

from __future__ import annotations

_FIRST_WAIT_SECONDS, _MAX_WAIT_SECONDS = 1.0, 30.0
_GOLDEN_RATIO = 0.618034


class Backoff:
    """How long to wait after failures in a row; spread, so that two programs do not stay in step."""

    def __init__(self) -> None:
        self.failures = 0

    def next(self) -> float:
        """Count a failure and return the seconds to wait: doubling up to half a minute, between 75 and 125 % of it."""
        self.failures += 1
        whole = min(_MAX_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** min(self.failures - 1, 16))
        # multiples of the golden ratio are spread as evenly as random numbers are, and the same in every run
        return float(whole * (0.75 + 0.5 * (self.failures * _GOLDEN_RATIO % 1)))

    def reset(self) -> None:
        """Forget the failures."""
        self.failures = 0
