"""Run one round's tool calls side by side, and leave a record of every one of them, whatever became of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from pydantic import ValidationError
from pydantic_core import from_json

from bot.domain.messages import ToolCall, ToolResult
from bot.domain.turn import CallState, ToolCallRecord
from bot.errors import DamagedRow, StoreError, ToolError, UserError
from bot.ports.clock import Clock
from bot.sentences import say
from bot.text.text import clean, excerpt
from bot.tools.runtime.background_tasks import STOP_SECONDS, BackgroundTask, CallRecorder, TaskOwner, stop_tasks
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import BlockingCall, PluginCall, RecordedCall, RequestedTools, TurnEffects
from bot.tools.runtime.lag_sampler import SlowStep, TimedCoroutine
from bot.tools.runtime.repeat_guard import RepeatGuard
from bot.tools.runtime.tool import Tool, ToolArgs, ToolContext

log = structlog.get_logger(__name__)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAX_QUOTE_CHARS = 400


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How many calls run in a round and in a turn, and how much of a result the model sees at once, and is kept.

    After `inline_seconds` a call goes on in the background, if somebody keeps records while it does. `told` is how many
    calls of a round stand in the transcript: OpenAI takes back no message with more.
    """

    per_round: int = 64
    told: int = 128
    per_turn: int = 240
    result_chars: int = 20_000
    kept_chars: int = 262_144
    inline_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """The finished round: the calls as they may stand in the transcript, and a result for each, in model order."""

    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]


@dataclass(slots=True)
class TurnCalls:
    """What one turn's calls share: the tools that are offered, who calls, and what was called before.

    Without a `keeper` nothing goes on in the background. `waiting` are tools on demand that nobody has opened yet: a
    call opens its tool, and runs where its arguments fit.
    """

    tools: Mapping[str, Tool]
    context: ToolContext
    guard: RepeatGuard = field(default_factory=RepeatGuard)
    used: int = 0
    keeper: CallRecorder | None = None
    waiting: Mapping[str, Tool] = field(default_factory=dict)

    def find(self, name: str) -> Tool | None:
        """Return the tool of a call, open or not."""
        return self.tools.get(name) or self.waiting.get(name)

    @property
    def owner(self) -> TaskOwner:
        """Whose tasks these calls become."""
        context = self.context
        return TaskOwner(context.origin.key, context.turn.process, context.origin.is_private)


@dataclass(slots=True)
class _Job:
    """One call on its way to a result. `handed`: it goes on in the background, as `task` once it has a name."""

    call: ToolCall
    order: int
    round_number: int
    effects: TurnEffects
    refusal: str = ""
    started: int = 0
    began: float = 0.0
    text: str = ""
    size: int = 0
    ok: bool = False
    state: CallState | None = None
    recorded: bool = False
    handed: bool = False
    cut_off: str = ""
    task: BackgroundTask | None = None
    named: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Executor:
    clock: Clock
    limits: CallLimits = CallLimits()
    calling: CallEnvironment = field(default_factory=CallEnvironment)

    async def run(self, calls: Sequence[ToolCall], bench: TurnCalls, round_number: int) -> FinishedRound:
        """Run a round. Raises nothing but CancelledError and StoreError, and even then every call has its record."""
        jobs = self._plan(with_unique_ids(calls, round_number), bench, round_number)
        start = self.calling.background.start
        works = {start(f"tool {job.call.name[:64]}", self._one(job, bench)): job for job in jobs}
        try:
            await self._wait(works, bench)
        finally:
            try:
                # what went on is the background's by now; nothing else outlives its round
                await stop_tasks([work for work, job in works.items() if not job.handed])
            finally:
                for job in jobs:
                    # a task that is cancelled before its first step never gets to write its own
                    late = say("toolbox.left-behind") if job.began else ""
                    self._record(job, bench, late or say("toolbox.cancelled-before"))
        told = jobs[: self.limits.told]
        return FinishedRound(
            tuple(transcript_call(job.call) for job in told), tuple(self._result(job, bench) for job in told)
        )

    def _plan(self, calls: Sequence[ToolCall], bench: TurnCalls, round_number: int) -> list[_Job]:
        jobs = []
        for place, call in enumerate(calls):
            job = _Job(call, bench.used, round_number, bench.context.effects.at(bench.used))
            bench.used += 1
            tool = bench.find(call.name)
            if place >= self.limits.per_round:
                job.refusal = _too_many(self.limits, len(calls) if place == self.limits.told - 1 else 0)
            elif job.order >= self.limits.per_turn:
                job.refusal = f"Not run: all {self.limits.per_turn} calls are used up. Answer with what you have."
            elif tool is None or not tool.spec.allow_repeat:
                job.refusal = bench.guard.plan(call.name, call.arguments)
            jobs.append(job)
        return jobs

    async def _wait(self, works: Mapping[asyncio.Task[None], _Job], bench: TurnCalls) -> None:
        """Wait for the round; what is slow goes on in the background if it can, and is waited for if it cannot."""
        until = asyncio.FIRST_EXCEPTION
        done, _ = await asyncio.wait(works, timeout=self.limits.inline_seconds, return_when=until)
        _raise_first(done)
        for work, job in works.items():
            if not work.done():
                await self._hand_over(work, job, bench)
        slow = [work for work, job in works.items() if not work.done() and not job.handed and not job.cut_off]
        if slow:
            found = filter(None, (bench.find(works[work].call.name) for work in slow))
            longest = max(tool.spec.timeout for tool in found)
            done, _ = await asyncio.wait(slow, timeout=longest + STOP_SECONDS, return_when=until)
            _raise_first(done)

    async def _hand_over(self, work: asyncio.Task[None], job: _Job, bench: TurnCalls) -> None:
        """Let a call go on as a task that the model can ask for, under the name of its record."""
        tool, background = bench.find(job.call.name), self.calling.background
        if bench.keeper is None or tool is None or tool.spec.no_background:
            return
        if not background.has_room(bench.owner):
            most = background.rules.background_tasks
            job.cut_off = (
                f"stopped after {self.limits.inline_seconds:g} s: {most} tasks go on in the background already. "
                "Wait for one of them (await_result)."
            )
            await stop_tasks([work])
            return
        # from here on its last word goes into the record that is kept now
        job.handed = True
        record = self._record_of(job, bench, state=CallState.RUNNING)
        keeping = background.start(f"record of {tool.name}", bench.keeper.keep(record))
        try:
            await asyncio.shield(keeping)
        except asyncio.CancelledError:
            # the store keeps it all the same, and there it gets its end
            await asyncio.wait([keeping])
            self._adopt(job, BackgroundTask(bench.owner, tool, _at(record, keeping.result()), work))
            await stop_tasks([work])
            raise
        except BaseException:
            job.handed = False
            raise
        self._adopt(job, BackgroundTask(bench.owner, tool, _at(record, keeping.result()), work))

    def _adopt(self, job: _Job, task: BackgroundTask) -> None:
        job.task, job.recorded = task, True
        self.calling.background.adopt(task)
        job.effects.add(RecordedCall(task.record))
        job.named.set()

    async def _one(self, job: _Job, bench: TurnCalls) -> None:
        job.started, job.began = self.clock.now(), self.clock.monotonic()
        try:
            self._take(job, await self._answer(job, bench))
            job.ok = True
        except (ToolError, UserError) as error:
            self._take(job, str(error))
        except asyncio.CancelledError:
            job.state = None if job.cut_off else CallState.CANCELLED
            await self._over(job, bench, job.cut_off or say("toolbox.cancelled-while"))
            raise
        except StoreError:
            await self._over(job, bench, say("toolbox.store-failed"))
            raise
        except DamagedRow as error:
            self._take(job, f"{error} This is not the same as finding nothing.")
        except (Exception, SystemExit) as error:
            log.error("tool_raised", tool=job.call.name, error_type=type(error).__name__, exc_info=error)
            self._take(job, f"{job.call.name} broke ({type(error).__name__}). It is recorded; go on without it.")
        await self._over(job, bench, "")

    async def _answer(self, job: _Job, bench: TurnCalls) -> str:
        tool = self._permitted(job, bench)
        if tool.name in bench.waiting:
            # whether or not its arguments fit: the model sees from the next step on what they have to be
            job.effects.add(RequestedTools((tool.name,)))
        if tool.spec.origin:
            job.effects.add(PluginCall(tool.spec.origin))
        args = read_args(tool, job.call)
        context = replace(bench.context, effects=job.effects)
        lag = self.calling.lag
        seconds = min(tool.spec.timeout, self.calling.background.rules.background_seconds)
        try:
            async with asyncio.timeout(seconds) as scope:
                with lag.watching(tool.name):
                    found = await TimedCoroutine(tool.call(args, context), partial(self._blocked, job))
        except TimeoutError:
            if not scope.expired():
                raise
            raise ToolError(f"{tool.name} gave no result in {seconds:g} s and was stopped.") from None
        if isinstance(found, str):
            return found
        size = f"{len(found):,} bytes" if isinstance(found, bytes | bytearray | memoryview) else type(found).__name__
        raise ToolError(f"{tool.name} gave {size} instead of text, so there is nothing to read. It is recorded.")

    def _blocked(self, job: _Job, step: SlowStep) -> None:
        self.calling.lag.blocked(job.call.name, step)
        if step.is_its_own:
            job.effects.add(BlockingCall(job.call.name, round(step.seconds * 1000, 1)))

    def _permitted(self, job: _Job, bench: TurnCalls) -> Tool:
        if job.refusal:
            raise ToolError(job.refusal)
        tool = bench.find(job.call.name)
        if tool is None:
            offered = ", ".join(bench.tools) or "none"
            more = f" On demand: {', '.join(bench.waiting)}." if bench.waiting else ""
            raise ToolError(f'There is no tool "{excerpt(job.call.name, 64)}" here. Tools: {offered}.{more}')
        origin, caller = bench.context.origin, bench.context.caller
        # checked again although only permitted tools are offered: the guard is in the tool's use, not in a list
        if not tool.allows(bench.context.turn.kind, caller.authority):
            raise ToolError(f"{tool.name} is not allowed here: it needs the authority {tool.spec.authority.word}.")
        if tool.name in self.calling.grants.off_in(origin.key):
            raise ToolError(f"{tool.name} is switched off in this channel.")
        if closed := self.calling.grants.refusal(tool.spec.group, origin.key, caller.authority):
            raise ToolError(f"{tool.name} is not allowed here: {closed}.")
        return tool

    def _take(self, job: _Job, text: str) -> None:
        """Keep the beginning of what a tool said before anything reads all of it: it may be a gigabyte."""
        job.size = len(text)
        job.text = clean(text[: self.limits.kept_chars]).text

    async def _over(self, job: _Job, bench: TurnCalls, cut_off: str) -> None:
        if not job.handed:
            self._record(job, bench, cut_off)
            return
        await job.named.wait()
        job.text = job.text or cut_off
        assert job.task is not None and bench.keeper is not None
        record = self._record_of(job, bench).model_copy(update={"record_id": job.task.record.record_id})
        # in a turn that is over by now nobody reads it any more, and it is left out
        job.effects.add(RecordedCall(record))
        job.effects.seal()
        job.task.ends(record)
        try:
            await bench.keeper.amend(record)
        except StoreError as error:
            await self.calling.background.report(f"task {job.task.id}", error)

    def _record(self, job: _Job, bench: TurnCalls, cut_off: str) -> None:
        if job.recorded:
            return
        job.recorded = True
        if not job.text and cut_off:
            job.text, job.ok = cut_off, False
            job.state = job.state or (None if job.cut_off or job.began else CallState.CANCELLED)
        job.started = job.started or self.clock.now()
        job.effects.add(RecordedCall(self._record_of(job, bench)))
        # what it still does, it does for nobody
        job.effects.seal()

    def _record_of(self, job: _Job, bench: TurnCalls, state: CallState | None = None) -> ToolCallRecord:
        left_out = job.size - self.limits.kept_chars
        cut_short = f"\n[cut: {left_out:,} of {job.size:,} characters are not kept]" if left_out > 0 else ""
        return ToolCallRecord(
            tool_name=job.call.name,
            raw_arguments_json=job.call.arguments,
            result_output=job.text + cut_short,
            success=job.ok,
            execution_start=job.started,
            execution_end=self.clock.now(),
            duration_ms=(self.clock.monotonic() - job.began) * 1000 if job.began else 0.0,
            order_index=job.order,
            round_number=job.round_number,
            turn_summary_id=bench.context.turn.number,
            state=state or job.state,
        )

    def _result(self, job: _Job, bench: TurnCalls) -> ToolResult:
        call, tool = job.call, bench.find(job.call.name)
        if job.task is not None and not job.task.over.is_set():
            bench.guard.let_go(call.name, call.arguments)
            return ToolResult(call_id=call.call_id, text=self._goes_on(job.task), ok=True)
        warning = ""
        if not job.refusal and not (tool and tool.spec.allow_repeat):
            warning = bench.guard.finish(call.name, call.arguments, job.text, ok=job.ok)
        text = cut_result(job.text, self.limits.result_chars, job.size)
        return ToolResult(call_id=call.call_id, text=f"{text}\n{warning}" if warning else text, ok=job.ok)

    def _goes_on(self, task: BackgroundTask) -> str:
        return (
            f"{task.tool.name} takes longer than {self.limits.inline_seconds:g} s and goes on in the background as "
            f"task {task.id}. It is RUNNING: what comes of it is not known yet, so do not say that it is done. "
            f'Wait for it with await_result(task="{task.id}"), look with check_task, or go on with something else.'
        )


def cut_result(text: str, limit: int, size: int = 0) -> str:
    """Keep the beginning of a text that is too long, and say how much is left out of its `size`."""
    size = max(size, len(text))
    if size <= limit:
        return text
    shown = text[:limit]
    return f"{shown}\n[cut: {size - len(shown):,} of {size:,} characters are not shown]"


def _too_many(limits: CallLimits, calls: int) -> str:
    """Say that a call came too late in its round; the last that is told of speaks for those behind it."""
    rest = calls - limits.told
    more = f" Neither were the {rest} calls after this one." if rest > 0 else ""
    return f"Not run: at most {limits.per_round} calls are run in one round.{more} Ask again for less."


def _at(record: ToolCallRecord, row: int) -> ToolCallRecord:
    # model_copy: a checked value with its number
    return record.model_copy(update={"record_id": row})


def _raise_first(done: Collection[asyncio.Task[None]]) -> None:
    for work in done:
        if not work.cancelled() and (error := work.exception()) is not None:
            raise error


def with_unique_ids(calls: Sequence[ToolCall], round_number: int) -> tuple[ToolCall, ...]:
    """Give every call an id of its own that a provider accepts; good ids stay as they are."""
    taken: set[str] = set()
    named = []
    for place, call in enumerate(calls):
        wanted = call.call_id if _ID.fullmatch(call.call_id) and call.call_id not in taken else ""
        fresh = wanted or f"call_{round_number}_{place}"
        while fresh in taken:
            fresh = f"{fresh[:60]}_x"
        taken.add(fresh)
        named.append(call if fresh == call.call_id else call.replace(call_id=fresh))
    return tuple(named)


def transcript_call(call: ToolCall) -> ToolCall:
    """Return the call as it may stand in the history: a name and an object that no provider refuses.

    What the model really wrote stays in the tool call record, and the error result quotes it.
    """
    name = call.name if _NAME.fullmatch(call.name) else "unknown_tool"
    arguments = call.arguments if is_object(call.arguments) else "{}"
    return call if (name, arguments) == (call.name, call.arguments) else call.replace(name=name, arguments=arguments)


def is_object(text: str) -> bool:
    """Say whether a text is one JSON object."""
    try:
        value = from_json(_bytes(text), allow_inf_nan=False)
    except ValueError:
        return False
    return isinstance(value, dict) and clean(text).text == text


def read_args(tool: Tool, call: ToolCall) -> ToolArgs:
    """Check the arguments; raise ToolError that says what is wrong and quotes what was written."""
    try:
        # no arguments at all is how some providers write an empty object
        return tool.args.model_validate_json(_bytes(call.arguments) if call.arguments.strip() else b"{}")
    except ValidationError as error:
        problems = [_say(item["loc"], item["type"], item["msg"]) for item in error.errors(include_input=False)]
        told = "; ".join(problems[:8])
        raise ToolError(
            f"{tool.name} was not run. {told}. Expected: {tool.definition.parameters}. "
            f'You wrote: "{excerpt(call.arguments, _MAX_QUOTE_CHARS)}". Call it again with a JSON object.'
        ) from None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _say(where: Sequence[int | str], kind: str, message: str) -> str:
    key = ".".join(map(str, where))
    if kind == "json_invalid":
        return "The arguments are not JSON: " + message.removeprefix("Invalid JSON: ")
    if kind == "extra_forbidden":
        return f"`{key}` is not an argument"
    return f"`{key}`: {message}" if key else message
