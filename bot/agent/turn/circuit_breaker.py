"""Leave a model alone for a while when its service as a whole is in trouble, and say who found that, and until when."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.channel import ProcessKind
from bot.domain.health import ModelHealth, WorkKind
from bot.domain.ids import ChannelKey
from bot.errors import ProviderError, ProviderFault
from bot.ports.clock import Clock

MAX_WAIT_SECONDS = 900.0
"""Seconds after which a model is asked again: a header that is wrong must not silence a bot for a day."""
OF_THE_SERVICE = frozenset({ProviderFault.UNREACHABLE, ProviderFault.OVERLOADED})
"""Faults that everybody would meet at once: nobody can connect, or the service says itself that it is overloaded."""
OF_THE_REQUEST = frozenset(
    {
        ProviderFault.BAD_REQUEST,
        ProviderFault.CONTEXT_LENGTH,
        ProviderFault.TOOL_PAIRING,
        ProviderFault.FLAGGED,
        ProviderFault.TOO_LARGE,
        ProviderFault.TOOL_USE,
        ProviderFault.NO_ANSWER,
    }
)
"""Faults that are about one request, however many channels meet them."""


_SAYS_UNTIL_WHEN = frozenset({ProviderFault.RATE, ProviderFault.LOADING})
_UNAVAILABLE_STATUS = 503


class RequestOwner(NamedTuple):
    """Whose request it is. `name` is the channel's; `is_private` says that only its own person may know of it."""

    kind: ProcessKind
    channel: ChannelKey
    name: str
    is_private: bool

    @property
    def work(self) -> WorkKind:
        """The kind of work that shares a breaker: people wait for the one, and not for the other."""
        return WorkKind.CONVERSATION if self.kind is ProcessKind.CHANNEL else WorkKind.BACKGROUND


class CircuitBreaker:
    """One model's cool-down for one kind of work. It ends by success or by time, whichever comes first.

    It begins with a fault of the service as a whole, or when two channels in a row meet the same fault. What one
    channel alone meets is that channel's: its next message may be answered, and everybody else's.
    """

    def __init__(self, model: str, work: WorkKind, clock: Clock, cool_down: float) -> None:
        self._model = model
        self._work = work
        self._clock = clock
        self._cool_down = cool_down
        self._until = 0.0
        self._until_ms = 0
        self._last: tuple[ProviderFault, RequestOwner] | None = None
        self._opened_at = 0
        self._opened_by: RequestOwner | None = None
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

    def failed(self, error: ProviderError, by: RequestOwner) -> None:
        """Note a failure; begin or prolong the cool-down where it is the service that is in trouble."""
        before, self._last = self._last, (error.fault, by)
        self._failures += 1
        opens = is_of_the_service(error) or _is_met_by_two(error, by, before)
        if opens or not self.cooling:
            # what was still under way when the cool-down began is no reason for it
            self._fault, self._error = error.fault.value, str(error)
        if not opens:
            return
        seconds = self._seconds(error)
        self._until = self._clock.monotonic() + seconds
        self._until_ms = self._clock.now() + round(seconds * 1000)
        self._opened_at, self._opened_by = self._clock.now(), by

    def succeeded(self) -> None:
        """Forget the failures."""
        self._until, self._until_ms, self._last = 0.0, 0, None
        self._opened_at, self._opened_by = 0, None
        self._fault = self._error = ""
        self._failures = 0
        self._last_success = self._clock.now()

    def end(self) -> bool:
        """End the cool-down without an answer; what failed last stays known. False where there is none."""
        was = self.cooling > 0
        self._until, self._until_ms = 0.0, 0
        return was

    def health(self) -> ModelHealth:
        """Say how the model is; the last fault stays visible until a success."""
        health = ModelHealth(
            model=self._model,
            work=self._work,
            cooling_until=self._until_ms if self.cooling else 0,
            fault=self._fault,
            error=self._error,
            failures=self._failures,
            last_success_at=self._last_success,
        )
        by = self._opened_by
        if by is None:
            return health
        return health.replace(
            opened_at=self._opened_at,
            opened_until=self._until_ms,
            opened_by=by.kind.value,
            opened_in=by.channel.channel,
            opened_in_name=by.name,
            opened_in_private=by.is_private,
        )

    def _seconds(self, error: ProviderError) -> float:
        """Return for how long: as long as a service that limits the rate says, else at least the configured time."""
        wait = min(error.retry_after or 0.0, MAX_WAIT_SECONDS)
        return wait if error.fault in _SAYS_UNTIL_WHEN and wait else max(self._cool_down, wait)


def is_of_the_service(error: ProviderError) -> bool:
    """Whether everybody would meet the same now, whatever they ask."""
    limited = error.fault is ProviderFault.RATE and bool(error.retry_after)
    # a server that loads its model says so with the number of an overloaded one, or inside a 200 that is nobody else's
    loads = error.fault is ProviderFault.LOADING and error.status == _UNAVAILABLE_STATUS
    return error.fault in OF_THE_SERVICE or limited or loads


def _is_met_by_two(error: ProviderError, by: RequestOwner, before: tuple[ProviderFault, RequestOwner] | None) -> bool:
    """Whether another channel met the same just before, and nobody got an answer in between."""
    if before is None or error.fault in OF_THE_REQUEST:
        return False
    fault, other = before
    return fault is error.fault and other.channel != by.channel
