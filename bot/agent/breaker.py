"""Leave a model alone for a while after it failed, and say until when and why."""

from __future__ import annotations

from bot.domain.health import ModelHealth
from bot.errors import ProviderError
from bot.ports.clock import Clock

LONGEST_WAIT = 900.0
"""Seconds after which a model is asked again: a header that is wrong must not silence a bot for a day."""


class Breaker:
    """One model's cool-down. It ends by success or by time, whichever comes first; never by hand alone."""

    def __init__(self, model: str, clock: Clock, cool_down: float) -> None:
        self._model = model
        self._clock = clock
        self._cool_down = cool_down
        self._until = 0.0
        self._until_ms = 0
        self._fault = ""
        self._error = ""
        self._failures = 0
        self._last_success = 0

    @property
    def cooling(self) -> float:
        """Seconds that are left, 0 when the model may be asked."""
        # both clocks: a wall clock that jumps back must not keep a model away, one that sleeps must not either
        left = self._until - self._clock.monotonic()
        return left if left > 0 and self._clock.now() < self._until_ms else 0.0

    def failed(self, error: ProviderError) -> None:
        """Begin or prolong the cool-down; a longer wait that the service asked for counts."""
        seconds = max(self._cool_down, min(error.retry_after or 0.0, LONGEST_WAIT))
        self._until = self._clock.monotonic() + seconds
        self._until_ms = self._clock.now() + round(seconds * 1000)
        self._fault, self._error = error.fault.value, str(error)
        self._failures += 1

    def succeeded(self) -> None:
        """Forget the failures."""
        self._until, self._until_ms = 0.0, 0
        self._fault = self._error = ""
        self._failures = 0
        self._last_success = self._clock.now()

    def health(self) -> ModelHealth:
        """Say how the model is; the last fault stays visible until a success."""
        return ModelHealth(
            model=self._model,
            cooling_until=self._until_ms if self.cooling else 0,
            fault=self._fault,
            error=self._error,
            failures=self._failures,
            last_success_at=self._last_success,
        )
