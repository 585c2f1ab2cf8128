"""One turn: assemble, send, run tools, repeat. Every process runs this loop; they differ by a table of limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import structlog

from bot.agent.turn.after_turn import AfterTurnChecks
from bot.agent.turn.answering import ToolOffer, context_ask
from bot.agent.turn.call_records import CallRecords
from bot.agent.turn.circuit_breaker import RequestOwner
from bot.agent.turn.deadline import TurnDeadline
from bot.agent.turn.decision import NextStep, SoFar, correction, decide
from bot.agent.turn.ending import CANCELLED, TurnResult, code_of, failed_by, failed_result, replied_result
from bot.agent.turn.job import Inject as Inject
from bot.agent.turn.job import Keep as Keep
from bot.agent.turn.job import TurnJob as TurnJob
from bot.agent.turn.job import TurnLimits as TurnLimits
from bot.agent.turn.job import TurnProgress as TurnProgress
from bot.agent.turn.job import Watch as Watch
from bot.agent.turn.ledger_rows import about_to_send, turn_started_rows
from bot.agent.turn.model_attempts import AnswerRequest, Listen, ModelAnswer, PreparedRequest
from bot.agent.turn.model_client import ModelClient
from bot.agent.turn.shortening import shorten_request
from bot.agent.turn.tool_rounds import ToolRounds, TurnRef
from bot.context.builder import ContextBuilder
from bot.context.left_out_messages import LeftOutCandidate, candidates
from bot.context.links_of_others import Told
from bot.context.origin_tracer import note_unseen
from bot.diagnostics.failure_words import recorded_error
from bot.domain.channel import LeftOutMessage
from bot.domain.dialect import Dialect
from bot.domain.handles import HandleKind, handle
from bot.domain.health import TurnTime
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import FailReason
from bot.domain.llm import MAX_CALLS, LLMRequest, LLMResponse, TokenUsage, ToolChoice, WireRequest
from bot.domain.messages import Message, MessagePart, ProviderData, Role, TextPart, ToolResult
from bot.domain.snapshot import ContextSnapshot, ModelLimits, TellLocalTimes, utc_alone
from bot.domain.turn import AttemptRecord, RequestRecord, ToolCallRecord, TurnStart, TurnStatus
from bot.errors import ProviderError, ProviderFault, StoreError
from bot.ports.clock import Clock
from bot.ports.journal import Journal
from bot.ports.metrics import NO_METRICS, Metrics, TurnPart
from bot.prompts import render
from bot.runtime.tasks import Turnstile
from bot.text.text import clean
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import SentMessage

_A_WORD = 16
"""Tokens of an answer that is only asked for to see whether there would be one."""
_MAX_SEARCHES = 3
"""Times that one turn looks for what a filter refuses: a model that is shown none of it may well fetch it again."""
SHORTER_MAY_DO = frozenset({ProviderFault.CONTEXT_LENGTH, ProviderFault.TOO_LARGE})
"""Faults after which the same conversation is asked for once more, with less of its history."""

log = structlog.get_logger(__name__)
MAX_TRIES = 16
"""Requests that one search may make: enough for one message among thousands, or for a talk of four about one thing."""
MAX_FOUND = 6
T = TypeVar("T")
Passes = Callable[[Sequence[T]], Awaitable[bool]]
"""Whether the service takes the request without these."""


class DeferredAnswerRecord:
    """Keeps attempts: an answer that may well be the last waits for the commit that ends the turn.

    A process that dies before leaves a request without an answer, which is what anybody got to see of it. Without
    `words` what is kept is how it ended and what it cost.
    """

    def __init__(self, journal: Journal, *, words: bool = True) -> None:
        self.unkept: tuple[AttemptRecord, ...] = ()
        self._journal = journal
        self._words = words

    async def keep(self, attempt: AttemptRecord) -> None:
        """Put an attempt on record, now or with the turn's end."""
        if attempt.response is not None and not self._words:
            attempt = attempt.replace(response=attempt.response.wordless())
        response = attempt.response
        # a search for what a filter refuses goes on: what its requests cost must not be forgotten for the answer's
        if response is None or response.calls or attempt.searches or not _is_clean(response):
            await self._journal.record_attempt(attempt)
        else:
            self.unkept = (attempt,)

    async def keep_now(self) -> None:
        """Put an answer on record that was not the last after all."""
        for attempt in self.unkept:
            await self._journal.record_attempt(attempt)
        self.unkept = ()


def _is_clean(response: LLMResponse) -> bool:
    """Say whether any store takes it; what none takes must not take the turn's end with it."""
    words = response.text, response.reasoning, response.stopped_with, response.answered_by, response.response_id
    return all(clean(word).text == word for word in words)


def clean_response(response: LLMResponse) -> LLMResponse:
    """Replace what no store and no provider takes; a model can write NUL and half characters as JSON escapes."""
    if not response.calls and _is_clean(response):
        return response
    calls = tuple(
        call.replace(name=clean(call.name).text, arguments=clean(call.arguments).text) for call in response.calls
    )
    return response.replace(text=clean(response.text).text, reasoning=clean(response.reasoning).text, calls=calls)


@dataclass(frozen=True, slots=True)
class TurnRunner:
    contexts: ContextBuilder
    models: ModelClient
    journal: Journal
    clock: Clock
    aftermath: AfterTurnChecks
    keeps: Callable[[ChannelKey], bool] = lambda _: True
    """Whether the words of a channel's requests, answers and tool calls may be kept."""
    calling: CallEnvironment = field(default_factory=CallEnvironment)
    turnstile: Turnstile = field(default_factory=Turnstile)
    """Where turns that were kept waiting together, by a commit or their models, go on a few at a time."""
    local_times: TellLocalTimes = utc_alone
    running: dict[int, RunningTurn] = field(default_factory=dict)
    """Those that run now, by their numbers."""
    metrics: Metrics = NO_METRICS

    def times(self, channel: ChannelId) -> tuple[TurnTime, ...]:
        """Say how long the turns may take that run in a channel, and for which models they wait."""
        return tuple(
            TurnTime(turn=turn.number, most_ms=turn.deadline.most_ms, awaited=turn.deadline.awaited)
            for turn in self.running.values()
            if turn.job.state.id == channel
        )

    async def begin(self, job: TurnJob) -> RunningTurn:
        """Open a turn in the journal; from here on somebody must end it there."""
        at = self.clock.now()
        state = job.state
        start = TurnStart(
            agent=AgentId(state.agent),
            channel=state.id,
            kind=job.kind,
            at=at,
            inbounds=job.inbounds,
            session=job.session,
            about=job.origin.inbound,
            process=job.process,
            is_private=state.place.is_dm,
        )
        number = await self.journal.begin_turn(start, turn_started_rows(job.inbounds, at))
        return RunningTurn(self, job, number)


class RunningTurn:
    """A turn under way: what it has said, called and spent so far, readable at any time, also when it is cut off."""

    def __init__(self, turns: TurnRunner, job: TurnJob, number: int) -> None:
        self.job = job
        self.number = number
        behind = job.behind or TurnProgress(0)
        self.rounds = behind.rounds
        # calls that no provider named are named by their round
        self.requests = sum(message.role is Role.TOOL for message in behind.rounds)
        self.context_tokens = 0
        self.tokens_in = self.tokens_out = 0
        self.dropped_calls = 0
        self.words = turns.keeps(job.state.key)
        self.answer = DeferredAnswerRecord(turns.journal, words=self.words)
        self._turns = turns
        self.told = Told()
        self.deadline = TurnDeadline(turns.clock, job.limits.seconds)
        records = CallRecords(turns.journal, job.state.key, number, self.words)
        self._bench = ToolRounds(TurnRef(job, number, self.deadline), records, turns.calling, turns.clock)
        self.effects = self._bench.effects
        self.uncached = behind.uncached
        self._newest = 0
        self._emptied = False
        self._was_corrected = False
        self._was_shortened = False
        self._searches = 0
        self.left_out: tuple[LeftOutMessage, ...] = ()
        self._stray: tuple[Message, ...] = ()
        self._added: ProviderData | None = None
        self._listen: Listen | None = None

    async def run(self, listen: Listen | None = None) -> TurnResult:
        """Go on until the turn ends one way; raises nothing but CancelledError and StoreError.

        `listen` lets people see the answer while it is written.
        """
        self._listen = listen
        began = self._turns.clock.monotonic()
        with structlog.contextvars.bound_contextvars(correlation=self._correlation):
            try:
                ending = await self._run()
            except asyncio.CancelledError:
                self._log(CANCELLED, began)
                raise
            self._log(ending, began)
            return ending

    @property
    def snapshot(self) -> ContextSnapshot | None:
        """What the model was told last, or is about to be."""
        return self.told.snapshot

    @snapshot.setter
    def snapshot(self, snapshot: ContextSnapshot | None) -> None:
        self.told.snapshot = snapshot

    @property
    def _correlation(self) -> str:
        """The message that everything of this turn belongs to; where there is none, the turn itself."""
        rows = self.job.inbounds[-1:] or (self.job.origin.inbound,)
        return handle(HandleKind.INBOUND, rows[0]) if rows[0] else handle(HandleKind.TURN, self.number)

    def _log(self, ending: TurnResult, began: float) -> None:
        log.info(
            "turn",
            channel=self.job.state.id,
            agent=str(self.job.state.agent),
            turn=handle(HandleKind.TURN, self.number),
            kind=self.job.kind.value,
            outcome=ending.status.value,
            code=code_of(ending),
            ms=round((self._turns.clock.monotonic() - began) * 1000),
            rounds=self.requests,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
        )

    async def _run(self) -> TurnResult:
        self._turns.running[self.number] = self
        try:
            async with self.deadline.kept() as scope:
                return await self._go_on()
        except TimeoutError as error:
            if not scope.expired():
                return self._broken(error)
            return self._unless_said(
                failed_result(FailReason.TIMEOUT, f"no answer within {self.job.limits.seconds:g} s")
            )
        except ProviderError as error:
            return self._unless_said(failed_by(error))
        except StoreError:
            raise
        except Exception as error:
            log.error("turn_broke", turn=self.number, error_type=type(error).__name__, exc_info=error)
            return self._broken(error)
        finally:
            self._turns.running.pop(self.number, None)
            self.effects.close()
            self.job.watch(None)
            self._turns.aftermath.over(self.number)

    @property
    def calls(self) -> tuple[ToolCallRecord, ...]:
        """The records of all tool calls so far, in the model's order."""
        return self.effects.records

    def history(self, ending: TurnResult) -> tuple[Message, ...]:
        """Return what becomes history: the trigger, whole rounds, and the words that are sent."""
        if ending.poisonous:
            return ()
        said = (self._words(ending.text),) if ending.text and ending.status is TurnStatus.REPLIED else ()
        # a round that was cut off may have sent something all the same
        late = self._bench.note(self._turns.clock.now())
        own = (*self.rounds, *late, *said)
        noted = own if self.snapshot is None else note_unseen(own, self.snapshot)
        return (*self.job.trigger.messages, *noted)

    async def _go_on(self) -> TurnResult:
        job = self.job
        limits = job.limits.of(self._turns.models.limits(job.chain[0]))
        await _keep(self, self.rounds)
        await self._turns.turnstile.wait()
        ask = context_ask(job.kind, job.state, job.trigger, ToolOffer(job.tools, job.on_demand), limits)
        began = self._turns.clock.monotonic()
        self.snapshot = await self._turns.contexts.snapshot(ask)
        self._turns.metrics.took(TurnPart.ASSEMBLE, self._turns.clock.monotonic() - began)
        while True:
            choice = ToolChoice.NONE if self._is_last() else ToolChoice.AUTO
            response = await self._ask(self.snapshot, choice)
            # what a service added to words goes back with these words, and with no others
            self._added = None if response.calls else response.added
            if response.calls and choice is ToolChoice.AUTO:
                await self._work(response, self.snapshot)
            names = self._bench.names
            step = decide(response, self._so_far(choice, names))
            if isinstance(step, TurnResult):
                return step
            await self.answer.keep_now()
            self._emptied = self._emptied or step is NextStep.ASK_AGAIN
            if step is NextStep.CORRECT:
                self._was_corrected = True
                # whoever was offered none is told of none
                written = self.snapshot.inputs.limits.dialect.writes_tools
                offered = names if self.snapshot.request.tools or written else []
                self._stray = correction(response.text.strip(), offered, self._turns.clock.now())

    def _is_last(self) -> bool:
        """Say whether this round must answer: nothing is left for another one."""
        limits = self.job.limits
        # this request and, if it calls for more, the one that must answer then
        spent = limits.tokens > 0 and self.uncached + 2 * self._newest >= limits.tokens
        return self.requests >= self._bench.box.limit - 1 or len(self.calls) >= limits.calls or spent

    async def _ask(self, snapshot: ContextSnapshot, choice: ToolChoice) -> LLMResponse:
        rounds = (*self.rounds, *self._stray)
        if rounds or choice is not snapshot.inputs.tool_choice:
            snapshot = self._turns.contexts.extended(snapshot, rounds, choice, self._bench.added)
        if snapshot.overflow:
            # the new rounds may have been counted by bytes; count them properly before giving up
            snapshot = await self._turns.contexts.refit(snapshot, snapshot.inputs.limits)
        self.snapshot = snapshot
        self.job.watch(snapshot)
        # what is written after a message went out is not sent, so nobody sees it on its way either
        listen = None if self.effects.of(SentMessage) else self._listen
        ask = AnswerRequest(_asker(self.job), self.job.chain, self.deadline, self._prepare, self.answer.keep, listen)
        answered = await self._answered(ask)
        await self._turns.turnstile.wait()
        self.requests += 1
        self._count(answered)
        return clean_response(answered.response)

    async def _answered(self, ask: AnswerRequest) -> ModelAnswer:
        """Return the answer; a request that its service finds too long is made shorter, once in a turn."""
        try:
            return await self._turns.models.answer(ask)
        except ProviderError as error:
            if error.fault is ProviderFault.FLAGGED:
                return await self._without_culprits(ask, error)
            if error.fault not in SHORTER_MAY_DO or self._was_shortened or self.snapshot is None:
                raise
            found = await shorten_request(self._turns.contexts, self.snapshot, error.limit, error.size)
            if found is None:
                raise
        self._was_shortened, self.snapshot = True, found
        self.job.watch(found)
        return await self._turns.models.answer(ask)

    async def _without_culprits(self, ask: AnswerRequest, refused: ProviderError) -> ModelAnswer:
        """Answer without what the service's filter refused of what came earlier; raise what it said where that is none.

        The newest message is never left out: where it is the one, only it is refused.
        """
        snapshot, contexts, clock = self.snapshot, self._turns.contexts, self._turns.clock
        suspects = candidates(snapshot, self.number) if snapshot is not None else ()
        if self._searches == _MAX_SEARCHES or snapshot is None or not suspects:
            raise refused
        self._searches += 1
        ends = clock.monotonic() + self.deadline.left / 2
        held, limits = snapshot.inputs.state.settings.left_out, snapshot.inputs.limits

        async def passes(some: Sequence[LeftOutCandidate]) -> bool:
            if clock.monotonic() > ends:
                raise refused
            less = await contexts.withholding(snapshot, (*held, *self._named(some)))
            self.snapshot = await contexts.refit(less, limits.replace(max_output=min(_A_WORD, limits.max_output)))
            try:
                tried = await self._turns.models.answer(replace(ask, listen=None, searches=True))
            except ProviderError as error:
                if error.fault is ProviderFault.FLAGGED:
                    return False
                raise
            self._spend(tried.response.usage, self.snapshot)
            return True

        try:
            found = await find_culprits(suspects, passes)
        finally:
            self.snapshot = snapshot
        if not found:
            raise refused
        left_out = self._named(found)
        self.snapshot = await contexts.withholding(snapshot, (*held, *left_out))
        self.job.watch(self.snapshot)
        answered = await self._turns.models.answer(ask)
        self.left_out = (*self.left_out, *left_out)
        log.warning("messages_left_out", turn=self.number, messages=len(found), fault=refused.fault.value)
        return answered

    def _named(self, found: Sequence[LeftOutCandidate]) -> tuple[LeftOutMessage, ...]:
        # the service's words stay in the record of the request, where they go with whom they may quote
        at = self._turns.clock.now()
        return tuple(
            LeftOutMessage(
                inbound=one.message.inbound,
                digest=one.message.digest,
                at=at,
                turn=self.number,
                stood_in=0 if one.message.inbound else one.turn,
                role=one.message.role,
            )
            for one in found
        )

    async def _prepare(self, limits: ModelLimits, fallback_of: int) -> PreparedRequest:
        """Record the request for one model of the chain, and return the bytes to post."""
        turns, snapshot = self._turns, self.snapshot
        assert snapshot is not None
        before = snapshot.inputs.limits
        if limits.model == before.model:
            # a turn may know better what the model holds; only the dialect is newer
            limits = before if limits.dialect == before.dialect else before.replace(dialect=limits.dialect)
        if limits != before:
            snapshot = await turns.contexts.refit(snapshot, limits)
            self.snapshot = snapshot
            self.job.watch(snapshot)
        if snapshot.overflow:
            words = f"{snapshot.overflow} tokens more than {limits.model} can read, with nothing left to leave out"
            raise ProviderError(words, fault=ProviderFault.CONTEXT_LENGTH)
        # assembling a long chat takes milliseconds, and so does writing it: others may go in between
        await asyncio.sleep(0)
        dialect = snapshot.inputs.limits.dialect
        encode = partial(self._encoded, snapshot.request, dialect)
        wire = encode()
        at = turns.clock.now()
        record = RequestRecord(
            agent=AgentId(self.job.state.agent),
            channel=self.job.state.id,
            turn=self.number,
            kind=self.job.kind,
            round=self.requests,
            at=at,
            request=snapshot.request,
            digest=snapshot.digest,
            wire_sha256=wire.sha256,
            wire_bytes=len(wire.body),
            encoder=dialect.signed(turns.models.encoder(limits.model)),
            sections=snapshot.sections,
            stats=snapshot.stats,
            message_tokens=snapshot.message_tokens,
            dropped_turns=snapshot.dropped_turns,
            fallback_of=fallback_of,
            words=self.words,
        )
        row = await turns.journal.record_request(record, about_to_send(self.job.inbounds, at, self.requests, snapshot))
        await turns.turnstile.wait()
        turns.aftermath.compare(self.number, self.job.inbounds, snapshot, wire.sha256)
        return PreparedRequest(row, wire, encode)

    def _encoded(self, request: LLMRequest, dialect: Dialect) -> WireRequest:
        wire = self._turns.models.encode(request, dialect)
        offered = self._bench.offered if dialect.writes_tools else wire.tools
        # who reads the answer knows a call that is written as text by the tool's name, whether it is open or not
        return wire.model_copy(update={"tools": (*offered, *self._bench.waiting)}) if offered else wire

    async def _work(self, response: LLMResponse, snapshot: ContextSnapshot) -> None:
        """Run a round of tool calls; a round that is cut off leaves records, but no half of it in the history."""
        job = self.job
        words: tuple[MessagePart, ...] = (TextPart(text=response.text),) if response.text.strip() else ()
        if response.added is not None:
            words = (response.added, *words)
        if job.keep is not None and self._bench.change_something(response.calls):
            begun = Message(role=Role.ASSISTANT, parts=(*words, *response.calls), at=self._turns.clock.now())
            await _keep(self, (*self.rounds, begun))
        done = await self._bench.run(response.calls, snapshot, self.requests - 1)
        results = done.results
        if response.dropped_calls:
            self.dropped_calls += response.dropped_calls
            # every call that goes back has its result, and so the last of them speaks for those that do not
            results = (*results[:-1], _with_note(results[-1], response.dropped_calls))
        at = self._turns.clock.now()
        asked = Message(role=Role.ASSISTANT, parts=(*words, *done.calls), at=at)
        self._stray = ()
        told = Message(role=Role.TOOL, parts=results, at=at)
        self.rounds = (*self.rounds, asked, told, *self._bench.note(at))
        await _keep(self, self.rounds)

    def _so_far(self, choice: ToolChoice, names: list[str]) -> SoFar:
        return SoFar(choice, self.effects, names, self.requests, self._emptied, self._was_corrected)

    def _count(self, answered: ModelAnswer) -> None:
        usage, snapshot = answered.response.usage, self.snapshot
        assert snapshot is not None
        self.context_tokens = usage.input if usage.input is not None else snapshot.stats.total
        self._newest = self._spend(usage, snapshot)
        self._turns.aftermath.learn(self.number, snapshot, usage.input)

    def _spend(self, usage: TokenUsage, snapshot: ContextSnapshot) -> int:
        """Count what a request took of what the turn may take; return how much of it the service had not kept."""
        self.tokens_in += usage.input or 0
        self.tokens_out += usage.output or 0
        fresh = max(0, (usage.input if usage.input is not None else snapshot.stats.total) - (usage.cached or 0))
        self.uncached += fresh
        return fresh

    def _unless_said(self, ending: TurnResult) -> TurnResult:
        """Return how the turn ended; what was said before it broke off has been said."""
        if not self.effects.of(SentMessage):
            return ending
        return replace(
            replied_result(reason=f"sent by the reply tool; then {ending.reason}"), poisonous=ending.poisonous
        )

    def _broken(self, error: BaseException) -> TurnResult:
        return self._unless_said(failed_result(FailReason.INTERNAL, recorded_error(error)))

    def _words(self, text: str) -> Message:
        words = TextPart(text=text)
        parts: tuple[MessagePart, ...] = (words,) if self._added is None else (self._added, words)
        return Message(role=Role.ASSISTANT, parts=parts, at=self._turns.clock.now())


def _asker(job: TurnJob) -> RequestOwner:
    return RequestOwner(job.kind, job.state.key, job.state.name, job.state.place.is_dm)


def _with_note(result: ToolResult, dropped: int) -> ToolResult:
    note = render("too_many_calls", most=MAX_CALLS, dropped=f"{dropped:,}")
    return result.replace(text=f"{result.text}\n{note}")


async def _keep(turn: RunningTurn, rounds: tuple[Message, ...]) -> None:
    # where nothing is to be recorded a task that was cut off is not gone on with
    if turn.job.keep is not None and turn.words:
        await turn.job.keep(TurnProgress(turn.number, rounds, turn.uncached))


async def find_culprits(suspects: Sequence[T], passes: Passes[T]) -> tuple[T, ...]:
    """Return what has to be left out, the first found first; nothing where leaving all of it out does not help.

    It is known that the request does not pass with all of them. The last that must be left out is found by halves; what
    stands behind it passes, so that the next one is sought before it, and near it first: an answer repeats a question.
    """
    tries = 0

    async def ask(left_out: Sequence[T]) -> bool:
        nonlocal tries
        tries += 1
        return await passes(left_out)

    if not suspects or not await ask(suspects):
        return ()
    found: tuple[T, ...] = ()
    rest, reach = tuple(suspects), len(suspects)
    while True:
        # beside what is found, leaving out the first `most` of the rest is enough, and the first `least` is not
        least, most = 0, len(rest)
        while most - least > 1:
            if tries >= MAX_TRIES:
                return ()
            middle = max(most - reach, (least + most) // 2)
            if await ask((*found, *rest[:middle])):
                most, reach = middle, 2 * reach
            else:
                least, reach = middle, most
        found, rest, reach = (*found, rest[most - 1]), rest[: most - 1], 1
        if not rest or len(found) == MAX_FOUND or tries >= MAX_TRIES or await ask(found):
            return found
