"""Post one model's request until it answers, or until trying again makes no sense; every attempt leaves a record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.breaker import Asker, CircuitBreaker
from bot.agent.spoken import spoken_plainly
from bot.domain.llm import LLMResponse, ModelName, Usage, WireRequest
from bot.domain.snapshot import Limits
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderError, ProviderFault
from bot.ports.clock import Clock
from bot.ports.model import Anew, LLMProvider, OnText

NEXT_MODEL = frozenset({ProviderFault.AUTH, ProviderFault.CREDIT, ProviderFault.NOT_FOUND})
"""Faults that no repetition mends, but another model may."""
CANCELLED = "cancelled"
"""What an attempt's `fault` says when the turn was stopped or ran out of time while it was under way."""
_GOLDEN = 0.618034


class Prepared(NamedTuple):
    """A request for one model, recorded as row `row` before it is sent. `again` writes the same bytes once more."""

    row: int
    wire: WireRequest
    again: Callable[[], WireRequest]


class _Bytes:
    """The bytes of a request, handed out once and not kept: a thousand may wait for their answers at the same time."""

    def __init__(self, prepared: Prepared) -> None:
        self._wire: WireRequest | None = prepared.wire
        self._again = prepared.again

    def take(self) -> WireRequest:
        """Return them; for another attempt they are written anew, and are the same."""
        wire, self._wire = self._wire, None
        return wire if wire is not None else self._again()


Prepare = Callable[[Limits, int], Awaitable[Prepared]]
"""Assembles for these limits and records it; the second argument is the request that failed before (0: none)."""
Record = Callable[[AttemptRecord], Awaitable[None]]
Listen = Callable[[], OnText]
"""Begins a text; what it returns is called with each piece."""


@dataclass(frozen=True)
class Ask:
    """What an answer needs. `deadline` is on the clock's monotonic scale.

    `listen` is given when somebody sees the text as it comes. Each attempt begins a text of its own, which takes the
    place of what was seen of an earlier one; so that something was seen forbids nothing.
    """

    by: Asker
    chain: tuple[ModelName, ...]
    deadline: float
    prepare: Prepare
    record: Record
    listen: Listen | None = None


@dataclass(frozen=True)
class Answered:
    """The response, who gave it, to which request, and how often it was tried."""

    response: LLMResponse
    model: ModelName
    request: int
    attempts: int
    duration_ms: float
    first_token_ms: float | None = None


@dataclass(frozen=True)
class Target:
    """One model of a chain, with what it takes to ask it."""

    limits: Limits
    provider: LLMProvider
    breaker: CircuitBreaker
    clock: Clock
    retries: int
    retry_wait: float
    price: Callable[[ModelName, Usage], float | None]


class Attempts:
    """The attempts on one model."""

    def __init__(self, ask: Ask, target: Target) -> None:
        self._ask = ask
        self._target = target
        self.row = 0

    async def run(self, fallback_of: int) -> Answered:
        """Return the first answer; raise the error that ended the attempts."""
        prepared = await self._ask.prepare(self._target.limits, fallback_of)
        self.row, wire = prepared.row, _Bytes(prepared)
        del prepared
        number = 1
        while True:
            try:
                answered = await self._post(number, wire)
            except ProviderError as error:
                wait = self._wait(error, number)
                if wait is None:
                    if may_fall_back(error):
                        self._target.breaker.failed(error, self._ask.by)
                    raise
                await self._target.clock.sleep(wait)
                number += 1
            else:
                self._target.breaker.succeeded()
                return answered

    async def _post(self, number: int, wire: _Bytes) -> Answered:
        clock, limits = self._target.clock, self._target.limits
        at, started = clock.now(), clock.monotonic()
        first: list[float] = []
        show = self._ask.listen() if self._ask.listen else None

        def heard(piece: str) -> None:
            nonlocal show
            if isinstance(piece, Anew):
                show = self._ask.listen() if self._ask.listen else None
                return
            if not first:
                first.append(_ms(clock.monotonic() - started))
            if show is not None:
                show(piece)

        def attempt(**outcome: object) -> AttemptRecord:
            duration = _ms(clock.monotonic() - started)
            base = {"request": self.row, "number": number, "at": at, "duration_ms": duration}
            return AttemptRecord.model_validate({**base, "first_token_ms": first[0] if first else None, **outcome})

        try:
            response = spoken_plainly((await self._target.provider.complete(wire.take(), heard)).bounded())
        except ProviderError as error:
            await self._ask.record(attempt(**_failure(error)))
            raise
        except asyncio.CancelledError:
            await self._ask.record(attempt(fault=CANCELLED, error="stopped before the answer was complete"))
            raise
        record = attempt(response=response, cost_usd=self._target.price(limits.model, response.usage))
        await self._ask.record(record)
        return Answered(response, limits.model, self.row, number, record.duration_ms, record.first_token_ms)

    def _wait(self, error: ProviderError, number: int) -> float | None:
        """Say how long to wait before the next attempt; None when there must not be one."""
        if not error.transient or number > self._target.retries:
            return None
        # spread by the row, so that channels that failed together do not come back together
        spread = 1 + self.row * _GOLDEN % 1 / 4
        wait = max(self._target.retry_wait * 2 ** (number - 1) * spread, error.retry_after or 0.0)
        return wait if wait < self._ask.deadline - self._target.clock.monotonic() else None


def may_fall_back(error: ProviderError) -> bool:
    """Whether another model may be asked: not for a bad request."""
    return error.transient or error.fault in NEXT_MODEL


def _failure(error: ProviderError) -> dict[str, object]:
    return {
        "fault": error.fault.value,
        "status": error.status,
        "error": str(error),
        "retry_after": error.retry_after,
    }


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
