"""Run one round's tool calls side by side, and leave a record of every one of them, whatever became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from bot.domain.messages import ToolCall, ToolResult
from bot.domain.text import clean, excerpt
from bot.domain.turn import ToolCallRecord
from bot.errors import DamagedRow, StoreError, ToolError, UserError
from bot.ports.clock import Clock
from bot.tools.calls import for_transcript, named_apart, read_args
from bot.tools.effects import Called
from bot.tools.guard import RepeatGuard
from bot.tools.tool import Tool, ToolContext

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How many calls run in a round and in a turn, and how long a result may be for the model to see it whole."""

    per_round: int = 24
    per_turn: int = 240
    result_chars: int = 20_000


@dataclass(frozen=True, slots=True)
class Round:
    """The finished round: the calls as they may stand in the transcript, and a result for each, in model order."""

    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]


@dataclass(slots=True)
class Bench:
    """What one turn's calls share: the tools that were offered, who calls, and what was called before."""

    tools: Mapping[str, Tool]
    context: ToolContext
    guard: RepeatGuard = field(default_factory=RepeatGuard)
    used: int = 0


@dataclass(slots=True)
class _Job:
    """One call on its way to a result."""

    call: ToolCall
    order: int
    round_number: int
    refusal: str = ""
    started: int = 0
    began: float = 0.0
    text: str = ""
    ok: bool = False
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class Executor:
    """Runs tool calls."""

    clock: Clock
    limits: CallLimits = CallLimits()

    async def run(self, calls: Sequence[ToolCall], bench: Bench, round_number: int) -> Round:
        """Run a round. Raises nothing but CancelledError and StoreError, and even then every call has its record."""
        jobs = self._plan(named_apart(calls, round_number), bench, round_number)
        try:
            async with asyncio.TaskGroup() as group:
                for job in jobs:
                    group.create_task(self._one(job, bench))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            for job in jobs:
                # a task that is cancelled before its first step never gets to write its own
                self._record(job, bench, "cancelled before it ran")
        return Round(tuple(for_transcript(job.call) for job in jobs), tuple(self._result(job, bench) for job in jobs))

    def _plan(self, calls: Sequence[ToolCall], bench: Bench, round_number: int) -> list[_Job]:
        jobs = []
        for place, call in enumerate(calls):
            job = _Job(call, bench.used, round_number)
            bench.used += 1
            tool = bench.tools.get(call.name)
            if place >= self.limits.per_round:
                job.refusal = (
                    f"Not run: at most {self.limits.per_round} calls are run in one round. Ask again for less."
                )
            elif job.order >= self.limits.per_turn:
                job.refusal = f"Not run: all {self.limits.per_turn} calls are used up. Answer with what you have."
            elif tool is None or not tool.spec.allow_repeat:
                job.refusal = bench.guard.plan(call.name, call.arguments)
            jobs.append(job)
        return jobs

    async def _one(self, job: _Job, bench: Bench) -> None:
        job.started, job.began = self.clock.now(), self.clock.monotonic()
        try:
            job.text = await self._answer(job, bench)
            job.ok = True
        except (ToolError, UserError) as error:
            job.text = str(error)
        except asyncio.CancelledError:
            self._record(job, bench, "cancelled while it ran")
            raise
        except StoreError:
            self._record(job, bench, "the store failed")
            raise
        except DamagedRow as error:
            job.text = f"{error} This is not the same as finding nothing."
        except Exception as error:
            log.error("tool_raised", tool=job.call.name, error_type=type(error).__name__, exc_info=error)
            job.text = f"{job.call.name} broke ({type(error).__name__}). It is recorded; go on without it."
        self._record(job, bench, "")

    async def _answer(self, job: _Job, bench: Bench) -> str:
        tool = self._permitted(job, bench)
        args = read_args(tool, job.call)
        context = replace(bench.context, effects=bench.context.effects.at(job.order))
        try:
            async with asyncio.timeout(tool.spec.timeout) as scope:
                return clean(await tool.call(args, context)).text
        except TimeoutError:
            if not scope.expired():
                raise
            raise ToolError(f"{tool.name} gave no result in {tool.spec.timeout:g} s and was stopped.") from None

    def _permitted(self, job: _Job, bench: Bench) -> Tool:
        if job.refusal:
            raise ToolError(job.refusal)
        tool = bench.tools.get(job.call.name)
        if tool is None:
            offered = ", ".join(bench.tools) or "none"
            raise ToolError(f'There is no tool "{excerpt(job.call.name, 64)}" here. Tools: {offered}.')
        caller = bench.context.caller
        # checked again although only permitted tools are offered: the guard is in the tool's use, not in a list
        if not tool.allows(bench.context.turn.kind, caller.authority):
            raise ToolError(f"{tool.name} is not allowed here: it needs the authority {tool.spec.authority.word}.")
        return tool

    def _record(self, job: _Job, bench: Bench, cut_off: str) -> None:
        if job.recorded:
            return
        job.recorded = True
        job.text = job.text or cut_off
        job.started = job.started or self.clock.now()
        duration = (self.clock.monotonic() - job.began) * 1000 if job.began else 0.0
        record = ToolCallRecord(
            tool_name=job.call.name,
            raw_arguments_json=job.call.arguments,
            result_output=job.text,
            success=job.ok,
            execution_start=job.started,
            execution_end=self.clock.now(),
            duration_ms=duration,
            order_index=job.order,
            round_number=job.round_number,
            turn_summary_id=bench.context.turn.number,
        )
        bench.context.effects.at(job.order).add(Called(record))

    def _result(self, job: _Job, bench: Bench) -> ToolResult:
        warning = ""
        tool = bench.tools.get(job.call.name)
        if not job.refusal and not (tool and tool.spec.allow_repeat):
            warning = bench.guard.finish(job.call.name, job.call.arguments, job.text, ok=job.ok)
        text = cut(job.text, self.limits.result_chars)
        return ToolResult(call_id=job.call.call_id, text=f"{text}\n{warning}" if warning else text, ok=job.ok)


def cut(text: str, limit: int) -> str:
    """Keep the beginning of a text that is too long, and say how much is left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut: {len(text) - limit:,} of {len(text):,} characters are not shown]"
