"""A live conversation: a state, and one turn at a time that always comes to its one outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Protocol

import structlog

from bot.agent.compaction.compactor import size_of
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.attachments import AttachmentFetcher
from bot.agent.turn.ending import CANCELLED, GAVE_WAY, TurnResult, code_of, failed_result, failure_notice
from bot.agent.turn.ledger_rows import decided_rows, settlements_of
from bot.agent.turn.limits import RETURN_ROUNDS
from bot.agent.turn.turn import RunningTurn, TurnJob, TurnLimits, TurnRunner
from bot.context.compaction import RequestFullness
from bot.context.compaction.plan import percent_of
from bot.context.links_of_others import LinkRules
from bot.context.needed_references import messages_with_pictures, with_needed_references
from bot.context.recap import is_nearly_full, still_lost
from bot.context.transcript import FetchedAttachment, as_message
from bot.domain.access import Authority, Caller
from bot.domain.channel import (
    ChannelEvent,
    ChannelSettings,
    ChannelState,
    ProcessKind,
    ResultsRead,
    SettingsChanged,
    TurnFinished,
    apply,
)
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.ledger import FailReason, StoredInbound
from bot.domain.messages import AuthorKind, Inbound, InboundKind, Message
from bot.domain.process import process_of
from bot.domain.snapshot import ContextSnapshot, Trigger
from bot.domain.turn import NewOutbox, TurnEnd, TurnOutcome, TurnStatus
from bot.errors import StoreError
from bot.mind.claim_check import CheckedExchange
from bot.ports.channels import ChannelDirectory
from bot.ports.delivery import AnswerStream, Delivery, PendingAnswer, ShownAnswer
from bot.ports.memories import MemoryStore
from bot.ports.metrics import TurnPart
from bot.ports.processes import ProcessStore
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import ENGLISH, speaking
from bot.tools.runtime.effects import ConfirmedMemory, ReadMemories, RetractedPreference, SavedMemory, SentMessage
from bot.tools.runtime.tool import CallOrigin

MAX_LEFT_OUT = 100
"""Messages that are remembered as left out; older ones have long gone from the conversation."""

log = structlog.get_logger(__name__)


class FlaggingAlerts(Protocol):
    """Who hears at once of memories that change how others are treated, and of what answers claim; never waits."""

    def flagged(self, where: ChannelState, turn: int, remembered: Sequence[SavedMemory]) -> None:
        """Tell those who may look through what is remembered there that they should."""

    def answered(self, where: ChannelState, turn: int, exchange: CheckedExchange) -> None:
        """Hold what an answer claims against the calls of its turn, and tell the owners where they do not agree."""


class TurnListener(Protocol):
    """Who hears how each turn of a channel ended; returns without waiting, because an answer is on its way."""

    def ended(self, turn: TurnOutcome) -> None:
        """A turn ended, and its end is stored."""


class NoListener:
    """Implements it where nobody listens."""

    def ended(self, turn: TurnOutcome) -> None:
        """Let it pass."""


class ChannelShortener(Protocol):
    """Who sees to it that a conversation does not outgrow its model; returns without waiting."""

    def consider(self, state: ChannelState, size: RequestFullness, inbound: int = 0) -> None:
        """Look how full the last request was, and perhaps begin to shorten."""


SetSettings = Callable[[ChannelState, ChannelSettings], Awaitable[None]]


async def _in_memory_only(state: ChannelState, settings: ChannelSettings) -> None:
    return None


def _english(_: Inbound) -> str:
    return ENGLISH


@dataclass(frozen=True, kw_only=True, eq=False)
class ChannelFactory:
    """Makes channels, and holds what all of them share.

    Each has a generation of its own, so that a late goodbye never removes a younger one. `set_settings` keeps what
    holds in a channel from now on. `links` says whose links are shown as text.
    """

    turns: TurnRunner
    answering: AnswerSettings
    delivery: Delivery
    memories: MemoryStore
    channels: ChannelDirectory
    tasks: TaskSupervisor
    alerts: FlaggingAlerts
    limits: TurnLimits
    attachments: AttachmentFetcher
    authority: Callable[[PersonKey], Authority]
    compactor: ChannelShortener
    processes: ProcessStore
    set_settings: SetSettings = _in_memory_only
    listener: TurnListener = field(default_factory=NoListener)
    language: Callable[[Inbound], str] = _english
    links: LinkRules = field(default_factory=LinkRules)
    _generations: Iterator[int] = field(init=False, default_factory=lambda: count(1))

    def open(self, state: ChannelState) -> Channel:
        """Bring a conversation to life."""
        return Channel(state, self, next(self._generations))


class Channel:
    """Owns a ChannelState; the state itself never changes, it is replaced."""

    def __init__(self, state: ChannelState, shared: ChannelFactory, generation: int) -> None:
        self.state = state
        self.generation = generation
        self.in_flight: ContextSnapshot | None = None
        self.running_turn = 0
        self._shared = shared
        self._running: asyncio.Task[Any] | None = None
        self._brought: tuple[int, ...] = ()
        self._is_stopped = False
        self._begun: RunningTurn | None = None
        self._stream: AnswerStream | None = None
        self._is_preparing = False
        self._gives_way = False
        self._arrived = 0

    @property
    def key(self) -> ChannelKey:
        """What it is known by."""
        return self.state.key

    def record(self, event: ChannelEvent) -> None:
        """Move to the next state."""
        self.state = apply(self.state, event)

    def stop(self) -> bool:
        """Cancel the running turn; False when none runs, or it is over already."""
        if self._running is None or self._running.done():
            return False
        if not self._is_stopped:
            self._is_stopped = True
            self._running.cancel()
        return True

    def give_way(self) -> bool:
        """Break off a turn of which nobody has seen anything, and which has done nothing yet; False for any other."""
        if self._gives_way or self._is_preparing:
            self._gives_way = True
            return True
        turn, stream = self._begun, self._stream
        if turn is None or turn.requests or self._is_stopped or (stream is not None and stream.has_shown):
            return False
        self._gives_way = self.stop()
        return self._gives_way

    async def look_at(self, stored: StoredInbound) -> Message:
        """Return something overheard as it is read once its files were fetched."""
        brought = await self._shared.attachments.bring(stored)
        return as_message(stored.id, stored.inbound, ambient=True, brought=brought)

    async def take(self, inbounds: Sequence[StoredInbound]) -> bool:
        """Run one turn to its one outcome; raises nothing but CancelledError and StoreError.

        True when it gave way to what came a moment later: then it has no outcome, and is to begin again.
        """
        if not inbounds:
            return False
        self._is_preparing, self._gives_way = True, False
        try:
            return await self._take(inbounds)
        finally:
            self._is_preparing, self._begun, self._stream = False, None, None

    async def _take(self, inbounds: Sequence[StoredInbound]) -> bool:
        await self._shared.answering.skills.refresh()
        inbounds = [self._within(stored) for stored in inbounds]
        shown = messages_with_pictures(self.state.history) if any(stored.inbound.refers for stored in inbounds) else ()
        brought = [await self._shared.attachments.bring(stored, shown) for stored in inbounds]
        job = self._job(inbounds, brought)
        if inbounds[-1].inbound.kind is InboundKind.RESULT:
            job = await self._on_results(job, inbounds[-1])
        self._brought = tuple(filter(None, (process_of(stored.inbound) for stored in inbounds)))
        turn = await self._shared.turns.begin(job)
        self._arrived = min(stored.arrived_at for stored in inbounds)
        self._took(TurnPart.QUEUE)
        self.running_turn = turn.number
        try:
            answer = self._answer(turn, inbounds)
            async with self._shared.delivery.writing(answer) as stream:
                ending = await self._run(turn, stream)
                if ending is GAVE_WAY:
                    await self._break_off(turn, stream)
                    return True
                try:
                    await self._end(turn, ending, stream, answer)
                except StoreError:
                    raise
                except Exception as error:
                    log.error("turn_end_broke", turn=turn.number, error_type=type(error).__name__, exc_info=error)
                    await self._end(turn, failed_result(FailReason.INTERNAL, type(error).__name__), stream, answer)
        finally:
            self.running_turn = 0
        return False

    def _within(self, stored: StoredInbound) -> StoredInbound:
        # a result that comes back names the message that it goes back to, which nobody answers with it
        if stored.inbound.kind is InboundKind.RESULT or not (stored.inbound.replies_to or stored.inbound.refers):
            return stored
        inbound = with_needed_references(stored.inbound, self.state.history)
        return stored if inbound is stored.inbound else stored.replace(inbound=inbound)

    def _answer(self, turn: RunningTurn, inbounds: Sequence[StoredInbound]) -> PendingAnswer:
        # nobody waits for a turn that begins with results, nor for what follows on what was said
        asks = inbounds[-1].inbound.kind is not InboundKind.RESULT
        # not the turn, which holds whoever shows its answer: garbage that only a collection would find
        effects, told, job, rules = turn.effects, turn.told, turn.job, self._shared.links
        who, rows, channel = job.caller.person.user_id, job.origin.rows, self.key.channel
        return PendingAnswer(
            to=self._shared.delivery.home(self.key.channel),
            turn=turn.number,
            inbound=turn.job.origin.inbound,
            asked=tuple(stored.inbound.answered for stored in inbounds),
            is_awaited=lambda: asks and not effects.of(SentMessage),
            answers=turn.job.origin.answer(0),
            as_text=lambda text: rules.as_text(text, channel, told, who, rows),
            language=self._shared.language(inbounds[-1].inbound),
        )

    def _job(self, inbounds: Sequence[StoredInbound], brought: Sequence[Sequence[FetchedAttachment]]) -> TurnJob:
        shared, caller = self._shared, self._least(inbounds)
        authority = caller.authority
        offer = shared.answering.offer(self.state, authority)
        messages = tuple(
            as_message(stored.id, stored.inbound, ambient=False, brought=files)
            for stored, files in zip(inbounds, brought, strict=True)
        )
        at = shared.turns.clock.now()
        local = shared.turns.local_times(at, self.key.channel, [stored.inbound.author for stored in inbounds])
        return TurnJob(
            kind=ProcessKind.CHANNEL,
            state=self.state,
            trigger=Trigger(messages=messages, at=at, local=local),
            tools=offer.tools,
            origin=origin_of(inbounds),
            caller=caller,
            channels=shared.channels,
            limits=shared.limits,
            chain=shared.answering.chain(self.state),
            watch=self._watch,
            inject=shared.answering.toolbox.adding(ProcessKind.CHANNEL, authority, channel=self.key),
            on_demand=offer.on_demand,
        )

    def _least(self, inbounds: Sequence[StoredInbound]) -> Caller:
        """Return the one in whose name a turn acts: of those with the least authority among its messages, the newest.

        Whatever the turn does may be the wish of any of them.
        """
        callers = [
            Caller(
                one.inbound.person,
                one.inbound.author.name,
                self._shared.authority(one.inbound.person)
                if one.inbound.author.kind is AuthorKind.PERSON
                else Authority.EVERYONE,
            )
            for one in reversed(inbounds)
        ]
        return min(callers, key=lambda caller: caller.authority)

    async def _on_results(self, job: TurnJob, newest: StoredInbound) -> TurnJob:
        """Return the job of a turn that begins with results: few rounds, and in the name of who asked for them.

        With nobody's authority: what came back may hold anything.
        """
        process = await self._shared.processes.get(process_of(newest.inbound))
        by = process.body.by if process is not None else job.caller
        limits = replace(job.limits, rounds=min(job.limits.rounds, RETURN_ROUNDS))
        origin = job.origin._replace(root=process.body.inbound) if process is not None else job.origin
        return replace(job, limits=limits, caller=by._replace(authority=Authority.EVERYONE), origin=origin)

    async def _run(self, turn: RunningTurn, stream: AnswerStream) -> TurnResult:
        task = asyncio.current_task()
        assert task is not None
        self._is_preparing = False
        if self._gives_way:
            return GAVE_WAY
        self._running, self._is_stopped = task, False
        self._begun, self._stream = turn, stream
        try:
            return await turn.run(stream.listen)
        except asyncio.CancelledError:
            # `stop` ends the turn and not whoever waits for it; but somebody else may want that one to end, too
            if not self._is_stopped or task.cancelling() > 1:
                raise
            return GAVE_WAY if self._gives_way else CANCELLED
        finally:
            self._running = self._begun = None
            if self._is_stopped:
                task.uncancel()

    async def _break_off(self, turn: RunningTurn, stream: AnswerStream) -> None:
        """Close a turn that begins again at once with more: its messages get their outcome from the next one."""
        await stream.stop()
        end = TurnEnd(
            turn=turn.number,
            agent=self.key.agent,
            channel=self.key.channel,
            at=self._shared.turns.clock.now(),
            status=TurnStatus.INTERRUPTED,
            reason=GAVE_WAY.reason,
            rounds=turn.requests,
            attempts=turn.answer.unkept,
            gave_way=True,
        )
        await self._shared.turns.journal.end_turn(end)
        stream.withdraw()

    async def _end(self, turn: RunningTurn, ending: TurnResult, stream: AnswerStream, answer: PendingAnswer) -> None:
        """Commit everything that the turn does, then let it out: state, delivery, alerts."""
        shared, at = self._shared, self._shared.turns.clock.now()
        messages = turn.history(ending)
        if not turn.words:
            # a model that says why it is silent may say what was said
            ending = replace(ending, reason=ending.reason.partition(": ")[0])
        if turn.left_out:
            ending = await self._leave_out(turn, ending)
        inbounds, size = turn.job.inbounds, size_of(turn.snapshot, turn.context_tokens)
        remembered = () if ending.poisonous else turn.effects.of(SavedMemory)
        outbox = await self._outbox(turn, ending, await stream.stop(), answer)
        read = results_read(turn.job.state, ending.status, self._brought)
        end = TurnEnd(
            turn=turn.number,
            agent=self.key.agent,
            channel=self.key.channel,
            at=at,
            status=ending.status,
            reason=ending.reason,
            rounds=turn.requests,
            messages=messages,
            outbox=outbox,
            memories=tuple(effect.memory for effect in remembered),
            confirmed=() if ending.poisonous else tuple(effect.memory for effect in turn.effects.of(ConfirmedMemory)),
            retracted=() if ending.poisonous else turn.effects.of(RetractedPreference),
            stages=decided_rows(
                inbounds,
                at,
                ending,
                turn.calls,
                turn.effects.blocked,
                dropped=turn.dropped_calls,
                origins=turn.effects.origins,
            ),
            settlements=settlements_of(inbounds, at, ending, turn.effects.of(SentMessage)),
            attempts=turn.answer.unkept,
            departs=shared.delivery.departs(outbox),
            context_tokens=turn.context_tokens,
            is_full=is_nearly_full(size),
            lost_calls=self._lost_calls(turn, messages),
            relayed=read.rows,
            unsaid=read.unsaid,
            drops_staged=ending.poisonous,
        )
        rows = await shared.turns.journal.end_turn(end)
        self._took(TurnPart.WHOLE)
        self.record(TurnFinished(turn_id=turn.number, messages=messages, last=end.last))
        if read.rows or read.unsaid:
            self.record(read)
        shared.compactor.consider(self.state, size, turn.job.origin.inbound)
        # the rows of messages that a tool sent earlier come first; they are not sent again
        shared.delivery.enqueue(rows[len(rows) - len(outbox) :])
        if not any(body.edits for body in outbox):
            stream.withdraw()
        if not self._brought:
            shared.listener.ended(self._ended(turn, ending, size, at))
        if flagged := [effect for effect in remembered if effect.is_flagged]:
            shared.alerts.flagged(self.state, turn.number, flagged)
        # what work came back with may have been done there
        if turn.words and ending.status is TurnStatus.REPLIED and not self._brought:
            said = "\n".join(body.text for body in outbox if body.kind == "reply")
            asked = "\n".join(message.text for message in turn.job.trigger.messages)
            exchange = CheckedExchange(said, asked, turn.calls, turn.job.state)
            shared.alerts.answered(self.state, turn.number, exchange)
        if touched := {row for effect in turn.effects.of(ReadMemories) for row in effect.rows}:
            shared.tasks.spawn("note read memories", shared.memories.touched(sorted(touched), at))

    def _took(self, part: TurnPart) -> None:
        """Count how long it took since the oldest message of the turn arrived."""
        turns = self._shared.turns
        turns.metrics.took(part, (turns.clock.now() - self._arrived) / 1000)

    def _ended(self, turn: RunningTurn, ending: TurnResult, size: RequestFullness, at: int) -> TurnOutcome:
        state, asked = self.state, turn.job.trigger.messages
        return TurnOutcome(
            state.key,
            state.name,
            state.place.is_dm,
            turn.number,
            ending.status,
            ending.reason,
            asked[0].at if asked else at,
            at,
            percent_of(size.used, size.room),
            code_of(ending),
            turn.job.origin.inbound,
            str(turn.job.caller.person),
        )

    async def _leave_out(self, turn: RunningTurn, ending: TurnResult) -> TurnResult:
        """Keep for good what the service's filter refused, and name it in the record."""
        settings = self.state.settings
        left_out = (*settings.left_out, *turn.left_out)[-MAX_LEFT_OUT:]
        await self._shared.set_settings(self.state, settings.replace(left_out=left_out))
        if self.state.settings != settings.replace(left_out=left_out):
            self.record(SettingsChanged(settings=settings.replace(left_out=left_out)))
        names = ", ".join(dict.fromkeys(one.words for one in turn.left_out))
        told = f"answered without {names}, which the filter of the model's service refused"
        return replace(ending, reason=f"{ending.reason}; {told}" if ending.reason else told)

    async def _outbox(
        self, turn: RunningTurn, ending: TurnResult, shown: ShownAnswer, answer: PendingAnswer
    ) -> tuple[NewOutbox, ...]:
        """Return what is to be sent: the answer or an honest line, in the place of what was shown while it came."""
        with speaking(answer.language):
            kind, text = _words(ending, shown)
        if not text:
            return ()
        delivery, origin = self._shared.delivery, turn.job.origin
        body = NewOutbox(
            kind=kind,
            to=delivery.home(self.key.channel),
            text=text,
            inbound=origin.inbound,
            turn=turn.number,
            replies_to=origin.message_id,
            edits=shown.message_id,
            answers=origin.answer(0) if kind == "reply" else "",
            as_text=answer.as_text(text) if kind == "reply" else (),
        )
        with speaking(answer.language):
            return await delivery.parts(body)

    def _lost_calls(self, turn: RunningTurn, messages: Sequence[Message]) -> tuple[int, ...]:
        """Return which turns made calls that the history does not show; a round that was cut off is not in it."""
        made = len(turn.calls)
        return still_lost(self.state, turn.number, lost=made > sum(len(message.calls) for message in messages))

    def _watch(self, snapshot: ContextSnapshot | None) -> None:
        self.in_flight = snapshot


def _words(ending: TurnResult, shown: ShownAnswer) -> tuple[str, str]:
    if ending.status is TurnStatus.FAILED:
        return "notice", failure_notice(ending)
    if ending.status is TurnStatus.CANCELLED and shown.as_cut:
        # what people have read stays, marked as unfinished
        return "notice", shown.as_cut
    return "reply", ending.text


def origin_of(inbounds: Sequence[StoredInbound]) -> CallOrigin:
    """Say where a turn comes from: the newest message counts, and whether any of them spoke to the bot."""
    newest = inbounds[-1]
    place = newest.inbound.place
    spoken_to = any(stored.inbound.mentions_bot or stored.inbound.replies_to_bot for stored in inbounds)
    return CallOrigin(
        key=newest.key,
        platform=newest.inbound.adapter,
        guild_id=place.guild_id,
        is_dm=place.is_dm,
        is_direct=place.is_dm or spoken_to,
        message_id=newest.inbound.answered,
        inbound=newest.id,
        asked=newest.inbound.message_id if newest.inbound.kind is not InboundKind.RESULT else "",
    )


def results_read(state: ChannelState, status: TurnStatus, brought: Sequence[int]) -> ResultsRead:
    """Say of which results a turn has spoken: of those that it began with, and of those that waited for it.

    A turn on results may choose to say nothing; one on somebody's message has told of what waits only by an answer.
    """
    if brought and status not in {TurnStatus.REPLIED, TurnStatus.SKIPPED}:
        return ResultsRead(rows=(), unsaid=tuple(brought))
    waiting = (one.row for one in state.finished if one.waits) if status is TurnStatus.REPLIED else ()
    return ResultsRead(rows=(*brought, *waiting))
