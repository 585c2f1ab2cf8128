"""Where the tool calls of one turn are run: what is offered, how many rounds there are, and what is on record."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.agent.turn.call_records import CallRecords
from bot.agent.turn.deadline import TurnDeadline
from bot.agent.turn.job import TurnJob
from bot.context.transcript import sent_note
from bot.domain.llm import ToolDefinition
from bot.domain.messages import ImagePart, Message, ToolCall
from bot.domain.snapshot import ContextSnapshot
from bot.ports.clock import Clock
from bot.text.text import file_name
from bot.tools.check_task import TASK_OWNERS
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import DisclosedSkill, MergedTools, SentFile, SentRich, StoredCalls, TurnEffects
from bot.tools.runtime.executor import CallLimits, Executor, FinishedRound, TurnCalls
from bot.tools.runtime.repeat_guard import RepeatGuard
from bot.tools.runtime.tool import RoundLimit, Tool, ToolContext, TurnView

_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_MAX_PICTURE_BYTES = 4_000_000
"""Bytes of a picture that is shown again; what is larger is only named."""


@dataclass(frozen=True, slots=True)
class TurnRef:
    """The turn that calls belong to, and when it must be over."""

    job: TurnJob
    number: int
    deadline: TurnDeadline


class ToolRounds:
    """One for each turn. `tools` are those that are offered in the next round, `box` is how many rounds there are."""

    def __init__(self, whose: TurnRef, records: CallRecords, calling: CallEnvironment, clock: Clock) -> None:
        job = whose.job
        self.effects = TurnEffects()
        self.tools = job.tools
        self._on_demand = {tool.name: tool for tool in job.on_demand}
        self.box = RoundLimit(job.limits.rounds)
        self._whose = whose
        self._records = records
        self._calling = calling
        self._clock = clock
        self._sent = SentNotes(self.effects)
        self._bench: TurnCalls | None = None

    @property
    def added(self) -> tuple[ToolDefinition, ...] | None:
        """What is offered now, where something was added; None where it is what the turn began with."""
        return self.offered if self.effects.injected else None

    @property
    def names(self) -> list[str]:
        """What the tools are called that may be called: what is offered, and what would be opened by it."""
        return list(self._callable)

    @property
    def offered(self) -> tuple[ToolDefinition, ...]:
        """What is offered in the next round."""
        return tuple(tool.definition for tool in self.tools)

    @property
    def waiting(self) -> tuple[ToolDefinition, ...]:
        """What is not offered, and would be opened by a call."""
        return tuple(tool.definition for tool in self._waiting.values())

    @property
    def _callable(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools} | self._waiting

    @property
    def _waiting(self) -> dict[str, Tool]:
        offered = {tool.name for tool in self.tools}
        return {name: tool for name, tool in self._on_demand.items() if name not in offered}

    def change_something(self, calls: Sequence[ToolCall]) -> bool:
        """Say whether it would matter if these calls were made twice."""
        known = self._callable
        return any(call.name in known and not known[call.name].spec.read_only for call in calls)

    async def run(self, calls: Sequence[ToolCall], snapshot: ContextSnapshot, round_number: int) -> FinishedRound:
        """Run a round and keep its records, also when it is cut off; then offer what was asked for in it."""
        try:
            done = await self._executor().run(calls, self._ready(snapshot), round_number)
        finally:
            await self._flush()
        self._inject()
        return done

    def note(self, at: int) -> tuple[Message, ...]:
        """Return a message about what went out beside words and was not told of yet."""
        return self._sent.note(at)

    async def _flush(self) -> None:
        fresh = [record for record in self.effects.records if not record.record_id]
        if fresh:
            rows = await self._records.keep_all(fresh)
            places = (record.order_index for record in fresh)
            self.effects.add(StoredCalls(tuple(zip(places, rows, strict=True))))

    def _ready(self, snapshot: ContextSnapshot) -> TurnCalls:
        """Return the turn's bench, as this round finds it."""
        whose, job = self._whose, self._whose.job
        view = TurnView(
            number=whose.number,
            kind=job.kind,
            snapshot=snapshot,
            disclosed=tuple(effect.skill_id for effect in self.effects.of(DisclosedSkill)),
            config=self._calling.config,
            deadline=whose.deadline.at,
            rounds=self.box,
            process=job.process,
        )
        context = ToolContext(job.origin, job.caller, job.channels, self.effects, view)
        tools = {tool.name: tool for tool in self.tools}
        if self._bench is None:
            guard = RepeatGuard(job.limits.warn_at, job.limits.block_at)
            # who cannot ask what became of a task waits for it: nobody else may see what it gives
            keeper = self._records if job.kind in TASK_OWNERS else None
            self._bench = TurnCalls(tools, context, guard, keeper=keeper)
        self._bench.tools, self._bench.waiting, self._bench.context = tools, self._waiting, context
        return self._bench

    def _executor(self) -> Executor:
        rules = self._calling.background.rules
        limits = CallLimits(
            per_turn=self._whose.job.limits.calls,
            result_chars=rules.result_chars,
            kept_chars=1024 * rules.result_kb,
            inline_seconds=rules.inline_seconds,
        )
        return Executor(self._clock, limits, self._calling)

    def _inject(self) -> None:
        """Offer from the next round on what was asked for in this one; what was offered before keeps its place."""
        staged = self.effects.staged
        if staged:
            known = {tool.name for tool in self.tools}
            self.tools = (*self.tools, *(t for t in self._whose.job.inject(staged) if t.name not in known))
            self.effects.add(MergedTools(staged))


class SentNotes:
    """What a turn has sent so far, and how much of it was told already."""

    def __init__(self, effects: TurnEffects) -> None:
        self._effects = effects
        self._told = 0

    def note(self, at: int) -> tuple[Message, ...]:
        """Return a message about what was not told yet; nothing where there is nothing."""
        sent = self._effects.sent
        fresh, self._told = sent[self._told :], len(sent)
        if not fresh:
            return ()
        pictures = tuple(_picture(one) for one in fresh if _is_shown(one))
        return (sent_note([_described(one) for one in fresh], pictures, at),)


def _is_shown(one: SentFile | SentRich) -> bool:
    return isinstance(one, SentFile) and one.mimetype in _PICTURES and 0 < len(one.data) <= _MAX_PICTURE_BYTES


def _picture(one: SentFile | SentRich) -> ImagePart:
    assert isinstance(one, SentFile)
    data = base64.b64encode(one.data).decode()
    return ImagePart(name=file_name(one.filename), mimetype=one.mimetype, data=data)


def _described(one: SentFile | SentRich) -> dict[str, Any]:
    named = {"message_id": one.message_id} if one.message_id else {}
    if isinstance(one, SentRich):
        return {"rich_message": one.text, **named}
    link = {"url": one.file_url} if one.file_url else {}
    name = {"file": file_name(one.filename), "type": one.mimetype, "bytes": len(one.data)}
    return {**name, "seen": "above" if _is_shown(one) else "not shown", **link, **named}
