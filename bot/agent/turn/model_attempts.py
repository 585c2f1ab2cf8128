"""Post one model's request until it answers, or until trying again makes no sense; every attempt leaves a record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

import orjson
import structlog

from bot.agent.turn.circuit_breaker import CircuitBreaker, RequestOwner
from bot.agent.turn.deadline import TurnDeadline
from bot.domain.dialect import DialectLesson
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import LLMResponse, ModelName, TokenUsage, WireRequest
from bot.domain.messages import ToolCall
from bot.domain.repairs import AnswerRepair
from bot.domain.snapshot import ModelLimits
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderError, ProviderFault
from bot.ports.bookkeeping import LessonStore
from bot.ports.clock import Clock
from bot.ports.model import AnswerRestart, LLMProvider, OnText
from bot.text.thoughts import part_thoughts

log = structlog.get_logger(__name__)

NEXT_MODEL = frozenset(
    {
        ProviderFault.AUTH,
        ProviderFault.CREDIT,
        ProviderFault.NOT_FOUND,
        ProviderFault.REFUSED,
        ProviderFault.REGION,
        ProviderFault.ADDRESS,
        ProviderFault.VERIFICATION,
        ProviderFault.RETIRED,
        ProviderFault.MEMORY,
        ProviderFault.TOO_LARGE,
        ProviderFault.BLOCKED,
    }
)
"""Faults that no repetition mends, but another model may."""
CANCELLED = "cancelled"
"""What an attempt's `fault` says when the turn was stopped or ran out of time while it was under way."""
_GOLDEN_RATIO = 0.618034
_MAX_LESSONS = 8
"""Refusals in a row from which something is learnt; a service that refuses more is not understood."""
_SPEAKS = {"reply": "text", "send_card": "description", "send_file": "caption", "finish": "result"}
"""The tools that speak to people, or for whom a result is handed on to them, and where they hold the words."""
Record = Callable[[AttemptRecord], Awaitable[None]]
Listen = Callable[[], OnText]
"""Begins a text; what it returns is called with each piece."""


def spoken_plainly(response: LLMResponse) -> LLMResponse:
    """Return an answer whose tools say none of its thoughts; they join the others in the record."""
    if not any(call.name in _SPEAKS for call in response.calls):
        return response
    pairs = [_plain(call) for call in response.calls]
    calls = tuple([call for call, _ in pairs])
    if calls == response.calls:
        return response
    return response.replace(
        calls=calls,
        reasoning="\n".join(filter(None, (response.reasoning, *[thought for _, thought in pairs]))),
        repairs=(*response.repairs, AnswerRepair.THOUGHTS_IN_REPLY),
    )


def _plain(call: ToolCall) -> tuple[ToolCall, str]:
    key = _SPEAKS.get(call.name)
    try:
        arguments = orjson.loads(call.arguments) if key else None
    except ValueError:
        return call, ""
    if not isinstance(arguments, dict) or not isinstance(said := arguments.get(key), str):
        return call, ""
    words, thoughts = part_thoughts(said)
    if words == said:
        return call, ""
    return call.replace(arguments=orjson.dumps({**arguments, key: words}).decode()), thoughts


class PreparedRequest(NamedTuple):
    """A request for one model, recorded as row `row` before it is sent. `again` writes the same bytes once more."""

    row: int
    wire: WireRequest
    again: Callable[[], WireRequest]


class _Bytes:
    """The bytes of a request, handed out once and not kept: a thousand may wait for their answers at the same time."""

    def __init__(self, prepared: PreparedRequest) -> None:
        self._wire: WireRequest | None = prepared.wire
        self.sha256 = prepared.wire.sha256
        self._again = prepared.again

    def take(self) -> WireRequest:
        """Return them; for another attempt they are written anew, and are the same."""
        wire, self._wire = self._wire, None
        return wire if wire is not None else self._again()


Prepare = Callable[[ModelLimits, int], Awaitable[PreparedRequest]]
"""Assembles for these limits and records it; the second argument is the request that failed before (0: none)."""


@dataclass(frozen=True)
class AnswerRequest:
    """What an answer needs. `deadline` is the turn's; it moves on while a service loads its model.

    `listen` is given when somebody sees the text as it comes. Each attempt begins a text of its own, which takes the
    place of what was seen of an earlier one; so that something was seen forbids nothing. `searches`: only whether there
    is an answer matters.
    """

    by: RequestOwner
    chain: tuple[ModelName, ...]
    deadline: TurnDeadline
    prepare: Prepare
    record: Record
    listen: Listen | None = None
    searches: bool = False


@dataclass(frozen=True)
class ModelAnswer:
    """The response, who gave it, to which request, and how often it was tried."""

    response: LLMResponse
    model: ModelName
    request: int
    attempts: int
    duration_ms: float
    first_token_ms: float | None = None


@dataclass(frozen=True)
class ModelTarget:
    """One model of a chain, with what it takes to ask it."""

    limits: ModelLimits
    provider: LLMProvider
    breaker: CircuitBreaker
    clock: Clock
    retries: int
    retry_wait: float
    price: Callable[[ModelName, TokenUsage], float | None]
    lessons: LessonStore | None = None


class ModelAttempts:
    """The attempts on one model."""

    def __init__(self, ask: AnswerRequest, target: ModelTarget) -> None:
        self._ask = ask
        self._target = target
        self.row = 0
        self._limits = target.limits
        self._lessons: list[DialectLesson] = []

    async def run(self, fallback_of: int) -> ModelAnswer:
        """Return the first answer; raise the error that ended the attempts.

        A refusal of the form is asked again at once in the form that its words ask for. That is a request of its own,
        and only its answer proves that the words were understood: what is learnt is kept then.
        """
        wire = await self._prepared(fallback_of)
        number = 1
        while True:
            try:
                answered = await self._post(number, wire)
            except ProviderError as error:
                if self._learns_from(error):
                    sent = wire.sha256
                    wire, number = await self._prepared(self.row), 1
                    if wire.sha256 == sent:
                        # the same bytes: if they are answered now, it is not for this reason
                        self._lessons.pop()
                    continue
                wait = self._wait(error, number)
                self._log(error, number, wait)
                if wait is None:
                    if may_fall_back(error):
                        self._target.breaker.failed(error, self._ask.by)
                    raise
                await self._target.clock.sleep(wait)
                number += 1
            else:
                self._target.breaker.succeeded()
                if self._lessons and self._target.lessons is not None:
                    log.info(
                        "dialect_learnt", model=str(self._limits.model), traits=[one.trait for one in self._lessons]
                    )
                    await self._target.lessons.learn(self._lessons)
                return answered

    async def _prepared(self, fallback_of: int) -> _Bytes:
        prepared = await self._ask.prepare(self._limits, fallback_of)
        self.row = prepared.row
        return _Bytes(prepared)

    def _learns_from(self, error: ProviderError) -> bool:
        """Take what a refusal teaches; False when it teaches nothing, or nothing may be learnt."""
        dialects, dialect = self._target.provider.dialects, self._limits.dialect
        taught = dialects.lesson(dialect, error)
        if taught is None or not dialects.learns or self._target.lessons is None or len(self._lessons) >= _MAX_LESSONS:
            return False
        lesson = DialectLesson(
            model=str(self._limits.model), trait=taught.trait, words=taught.words, at=self._target.clock.now()
        )
        self._lessons.append(lesson)
        self._limits = self._limits.replace(dialect=dialect.having([taught.trait]))
        return True

    def _says_the_key(self, error: ProviderError) -> None:
        """Name the key that mends a refusal from which nothing was learnt, or nothing that helped."""
        dialects = self._target.provider.dialects
        before = [lesson.trait for lesson in self._lessons]
        taught = dialects.lesson(self._limits.dialect, error)
        if taught is not None and (not dialects.learns or self._target.lessons is None or len(before) >= _MAX_LESSONS):
            error.args = (f'{error} (set [providers.{self._limits.model.provider}] dialect = ["{taught.trait}"])',)

    async def _post(self, number: int, wire: _Bytes) -> ModelAnswer:
        clock, limits = self._target.clock, self._target.limits
        at, started = clock.now(), clock.monotonic()
        first: list[float] = []
        begun: Callable[[], None] = _nothing
        show = self._ask.listen() if self._ask.listen else None

        def heard(piece: str) -> None:
            nonlocal show
            if isinstance(piece, AnswerRestart):
                show = self._ask.listen() if self._ask.listen else None
                return
            if not first:
                first.append(_ms(clock.monotonic() - started))
                begun()
            if show is not None:
                show(piece)

        def attempt(**outcome: object) -> AttemptRecord:
            duration = _ms(clock.monotonic() - started)
            base = {"request": self.row, "number": number, "at": at, "duration_ms": duration}
            base["searches"] = self._ask.searches
            return AttemptRecord.model_validate({**base, "first_token_ms": first[0] if first else None, **outcome})

        provider = self._target.provider
        try:
            with self._ask.deadline.awaiting(limits.model, provider.patience) as begun:
                response = spoken_plainly((await provider.complete(wire.take(), heard)).bounded())
        except ProviderError as error:
            self._says_the_key(error)
            await self._ask.record(attempt(**_failure(error)))
            raise
        except asyncio.CancelledError:
            await self._ask.record(attempt(fault=CANCELLED, error="stopped before the answer was complete"))
            raise
        record = attempt(response=response, cost_usd=self._target.price(limits.model, response.usage))
        await self._ask.record(record)
        return ModelAnswer(response, limits.model, self.row, number, record.duration_ms, record.first_token_ms)

    def _log(self, error: ProviderError, number: int, wait: float | None) -> None:
        """Note that a service failed; what it says may be somebody's words, and stands in the record."""
        model = self._target.limits.model
        log.info(
            "model_fault",
            provider=model.provider,
            model=model.model,
            fault=error.fault.value,
            status=error.status,
            attempt=number,
            request=handle(HandleKind.REQUEST, self.row),
            channel=self._ask.by.channel.channel,
            again_in=None if wait is None else round(wait, 3),
        )

    def _wait(self, error: ProviderError, number: int) -> float | None:
        """Say how long to wait before the next attempt; None when there must not be one."""
        # a call that a model wrote badly is tried once more: what it writes differs, and what it was asked does not
        most = 1 if error.fault is ProviderFault.TOOL_USE else self._target.retries
        if not error.transient or number > most:
            return None
        if error.fault is ProviderFault.TIMEOUT and self._target.provider.patience.loads:
            return None  # it had minutes, and would begin to load its model anew
        # spread by the row, so that channels that failed together do not come back together
        spread = 1 + self.row * _GOLDEN_RATIO % 1 / 4
        wait = max(self._target.retry_wait * 2 ** (number - 1) * spread, error.retry_after or 0.0)
        return wait if wait < self._ask.deadline.left else None


def may_fall_back(error: ProviderError) -> bool:
    """Whether another model may be asked: not for a bad request."""
    return error.transient or error.fault in NEXT_MODEL


def _failure(error: ProviderError) -> dict[str, object]:
    return {
        "fault": error.fault.value,
        "status": error.status,
        "error": str(error),
        "retry_after": error.retry_after,
        "named": error.named,
        "limit": error.limit,
        "size": error.size,
    }


def _nothing() -> None:
    """Tell nobody that an answer has begun."""


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
