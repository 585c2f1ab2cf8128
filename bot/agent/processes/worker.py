"""A worker: one task, no history, segments that go on from an account of the one before, and one explicit outcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.agent.processes.branch_runner import Moved, origin_of, outcome_of
from bot.agent.processes.briefing import WorkerBriefing
from bot.agent.processes.checkpoints import LeftBehind, WorkerCheckpoints, WorkerNotes
from bot.agent.processes.run import ProcessOutcome, ProcessRun, progress_of
from bot.agent.processes.segment import ProcessSegment
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.ending import TurnResult
from bot.agent.turn.limits import KINDS
from bot.agent.turn.turn import RunningTurn, TurnJob, TurnProgress, TurnRunner
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.ledger import FailReason
from bot.domain.messages import Message, ToolCall, ToolResult
from bot.domain.process import ProcessState
from bot.domain.snapshot import Trigger
from bot.errors import UserError
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.task_prompt.task_envelope import TaskEnvelope
from bot.text.text import excerpt
from bot.tools.runtime.effects import ConcludedWork
from bot.tools.runtime.tool import Tool

MAX_ACCOUNT_CHARS = 8000
"""Characters of the account that a segment begins with."""
_MAX_UNFINISHED = 2
"""So many segments may end in words alone."""
_MAX_RESULT_CHARS = 300
_GOES_ON = frozenset({FailReason.ROUNDS, FailReason.EMPTY, FailReason.TOO_LARGE})
"""A segment that ends so is gone on from, if it came anywhere."""


@dataclass(slots=True)
class _Shift:
    """A worker's own state: what it was told, with which tools, and how far it is."""

    run: ProcessRun
    state: ChannelState
    tools: tuple[Tool, ...]
    envelope: TaskEnvelope
    first: Message
    notes: WorkerNotes
    behind: TurnProgress | None
    deadline: float


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkerRunner:
    """Runs workers. `begun` notes the turn of a segment, `moved` the progress; `seconds` is for all segments."""

    turns: TurnRunner
    answering: AnswerSettings
    directory: ChannelDirectory
    briefing: WorkerBriefing
    keeping: WorkerCheckpoints
    begun: Callable[[ProcessRun, int, int], Awaitable[None]]
    moved: Moved
    seconds: float

    async def work(self, run: ProcessRun, state: ChannelState, behind: LeftBehind | None = None) -> ProcessOutcome:
        """Do the task, or go on with it; raises nothing but CancelledError and StoreError."""
        try:
            shift = await self._begin(run, state, behind)
        except UserError as error:
            return ProcessOutcome(ProcessState.FAILED, "", str(error))
        limits = KINDS[ProcessKind.WORKER]
        while True:
            seconds = shift.deadline - self.turns.clock.monotonic()
            if seconds <= 0:
                return ProcessOutcome(ProcessState.TIMEOUT, shift.notes.account, self._late)
            ending, turn = await self._segment(shift, seconds)
            outcome = self._outcome(shift, ending, turn)
            if outcome is not None:
                return outcome
            if shift.notes.segment >= limits.segments:
                reason = f"not finished after {limits.segments} segments of {limits.rounds} rounds"
                return ProcessOutcome(ProcessState.FAILED, shift.notes.account, reason)
            await self._next(shift)

    async def _begin(self, run: ProcessRun, state: ChannelState, behind: LeftBehind | None) -> _Shift:
        body = run.stored.body
        authority, clock = body.by.authority, self.turns.clock
        tools = self.answering.toolbox.offered(ProcessKind.WORKER, authority, channel=body.key)
        deadline = clock.monotonic() + self.seconds
        if behind is not None:
            envelope, first, notes, progress = behind
            return _Shift(run, state, tools, envelope, first, notes, progress, deadline)
        limits = self.turns.models.limits(self.answering.chain(state)[0])
        envelope = await self.briefing.envelope(run.stored, state, tools, limits)
        first = self.briefing.first(envelope, "", clock.now())
        return _Shift(run, state, tools, envelope, first, WorkerNotes(), None, deadline)

    async def _segment(self, shift: _Shift, seconds: float) -> tuple[TurnResult, RunningTurn]:
        run = shift.run
        job = self._job(shift, seconds)
        run.segment = ProcessSegment(self.turns)
        turn = await run.segment.begin(job)
        await self.begun(run, turn.number, shift.notes.segment)
        return await run.segment.run(job, run.listen), turn

    def _outcome(self, shift: _Shift, ending: TurnResult, turn: RunningTurn) -> ProcessOutcome | None:
        """Return how the worker came out; None where there is to be another segment."""
        shift.notes = shift.notes.replace(did=shift.notes.did or _did(turn, self._means(shift)))
        handed_in = next(iter(turn.effects.of(ConcludedWork)), None)
        if handed_in is not None:
            return _handed_in(handed_in, did=shift.notes.did)
        if ending.failure is not None and (ending.failure not in _GOES_ON or not turn.rounds):
            found = outcome_of(shift.run, ending)
            return found if found.result else found._replace(result=shift.notes.account)
        unfinished = shift.notes.unfinished + 1 if _ended_early(turn, ending) else 0
        account = ending.text or account_of(turn.rounds)
        shift.notes = shift.notes.replace(unfinished=unfinished, account=excerpt_of(account))
        if unfinished >= _MAX_UNFINISHED:
            reason = "it ended without saying how it went (it never called `finish`)"
            return ProcessOutcome(ProcessState.FAILED, account, reason)
        return None

    async def _next(self, shift: _Shift) -> None:
        """End the segment, and begin the next one with what is left of it."""
        run = shift.run
        run.obey()
        assert run.segment is not None
        run.calls_before = run.calls
        end, run.segment = run.segment.end(), None
        if end is not None:
            await self.turns.journal.end_turn(end)
        number = shift.notes.segment + 1
        shift.notes = shift.notes.replace(segment=number)
        goes_on = render(
            "worker_goes_on",
            segment=number,
            segments=KINDS[ProcessKind.WORKER].segments,
            unfinished=shift.notes.unfinished > 0,
            account=shift.notes.account,
        )
        shift.first = self.briefing.first(shift.envelope, goes_on, self.turns.clock.now())
        shift.behind = None

    def _job(self, shift: _Shift, seconds: float) -> TurnJob:
        body = shift.run.stored.body
        first, notes, behind = shift.first, shift.notes, shift.behind

        async def keep(progress: TurnProgress) -> None:
            await self.keeping.keep(shift.envelope, first, notes, progress, body.agent)
            if line := progress_of(progress.rounds):
                await self.moved(shift.run, line)
            shift.run.obey()

        limits = KINDS[ProcessKind.WORKER].limits(seconds)
        done = sum(len(message.calls) for message in behind.rounds) if behind else 0
        return TurnJob(
            kind=ProcessKind.WORKER,
            state=shift.state,
            trigger=Trigger(
                messages=(first,),
                at=first.at,
                local=self.turns.local_times(first.at, body.key.channel, [body.by.author]),
            ),
            tools=shift.tools,
            origin=origin_of(body),
            caller=body.by,
            channels=self.directory,
            limits=replace(limits, calls=max(0, limits.calls - done)),
            chain=self.answering.chain(shift.state),
            session=body.session,
            behind=behind,
            keep=keep,
            process=shift.run.stored.id,
            inject=self.answering.toolbox.adding(ProcessKind.WORKER, body.by.authority, channel=body.key),
            on_demand=self.answering.toolbox.on_demand(ProcessKind.WORKER, body.by.authority, channel=body.key),
        )

    def _means(self, shift: _Shift) -> frozenset[str]:
        """Name the tools that reach something, those included that may be asked for."""
        body = shift.run.stored.body
        all_tools = self.answering.toolbox.catalogue(ProcessKind.WORKER, body.by.authority, body.key)
        return frozenset(tool.name for tool in all_tools if tool.spec.group)

    @property
    def _late(self) -> str:
        return f"timeout: not done within {self.seconds:g} s"


def _handed_in(handed_in: ConcludedWork, *, did: bool) -> ProcessOutcome:
    """Believe an outcome as far as there is work behind it."""
    result, artifacts = handed_in.result, handed_in.artifacts
    if handed_in.outcome == "failed":
        return ProcessOutcome(ProcessState.FAILED, result, "it says that it could not do it", artifacts)
    if not did:
        reason = f"it said {handed_in.outcome} and had done nothing"
        return ProcessOutcome(ProcessState.FAILED, result, reason, artifacts)
    reason = "only a part of it is done" if handed_in.outcome == "partial" else ""
    return ProcessOutcome(ProcessState.DONE, result, reason, artifacts)


def _did(turn: RunningTurn, means: Collection[str]) -> bool:
    """Say whether it did anything: a tool that reaches something worked. Who has none of those can only think."""
    return not means or any(
        result is not None and result.ok and call.name in means for call, result in calls_with_results(turn.rounds)
    )


def _ended_early(turn: RunningTurn, ending: TurnResult) -> bool:
    """Say whether a segment ended in words although it could have gone on."""
    return bool(ending.text) and turn.requests < turn.job.limits.rounds


def calls_with_results(rounds: Sequence[Message]) -> Iterator[tuple[ToolCall, ToolResult | None]]:
    """Yield every call with its result; ids tell calls apart within their round only."""
    for asked, answered in pairwise((*rounds, None)):
        if asked is not None and asked.calls:
            results = {result.call_id: result for result in answered.results} if answered is not None else {}
            yield from ((call, results.get(call.call_id)) for call in asked.calls)


def account_of(rounds: Sequence[Message]) -> str:
    """Write an account by rule, for a model that left none: what it said, and each call with how its result begins."""
    lines = [excerpt(message.text, _MAX_RESULT_CHARS) for message in rounds if message.calls and message.text.strip()]
    for call, result in calls_with_results(rounds):
        word = "ok" if result and result.ok else "failed"
        shown = canonical_json(excerpt(result.text, _MAX_RESULT_CHARS)) if result else '"no result"'
        lines.append(f"- {call.name} {excerpt(call.arguments, _MAX_RESULT_CHARS)} -> {word}: {shown}")
    return "\n".join(lines)


def excerpt_of(account: str) -> str:
    """Cut an account from the front: what was done last is what the next segment needs."""
    return account if len(account) <= MAX_ACCOUNT_CHARS else f"[cut]\n{account[-MAX_ACCOUNT_CHARS:]}"
