"""Shorten conversations beside the turns: nobody waits for it, and what arrives meanwhile stays as it is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

import structlog

from bot.agent.compaction.run import (
    CompactionResult,
    CompactionRun,
    abandoned_rows,
    begin_rows,
    by_rules,
    missing_in,
    progress_rows,
    record_of,
    stages_of,
    words_of,
)
from bot.agent.compaction.summarizer import SummaryWriter, UnusableSummary
from bot.agent.turn.turn import TurnRunner
from bot.config.schema import CompactionConfig
from bot.context.compaction import (
    BY_TYPE,
    CompactionPlan,
    CompactionThresholds,
    CompactionView,
    RequestFullness,
    next_plan,
    view_of,
)
from bot.context.compaction.plan import SummaryPiece, percent_of
from bot.context.origin_tracer import WordOriginTracer
from bot.domain.channel import ChannelEvent, ChannelState, Turn, TurnsCompacted
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StageRow
from bot.domain.messages import Message
from bot.domain.snapshot import ContextSnapshot
from bot.ports.channels import ChannelDirectory
from bot.ports.clock import Clock
from bot.ports.compactions import UNDONE_BY_ADMIN, CompactionState, CompactionStore, StoredCompaction
from bot.runtime.lru_cache import LRUCache
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import Words, say
from bot.text.figures import exact_number
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

_MAX_ROUNDS = 4
"""Compactions one after the other; the next turn begins again."""
_CALM_TURNS = 5
"""After a look that found nothing to do, so many turns go by before the next one, while there is room."""
_CALM_KEPT = 1000
_NEVER = 1000.0
"""A share of the room that no request takes, in percent."""
_HELD_MS = 24 * 3_600_000
_LOOK_BACK = 20
MAX_FAILURES = 3
_MAX_COOLDOWNS = 1000


class ChannelCooldown(NamedTuple):
    """A channel's failures in a row, the last reason, and until when nothing is tried (monotonic; 0: it may be)."""

    failures: int
    reason: str
    until: float
    until_ms: int


class CompactionCooldowns:
    """The channels whose last compaction failed; others cost nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held: LRUCache[ChannelKey, ChannelCooldown] = LRUCache(_MAX_COOLDOWNS)

    def resting(self, key: ChannelKey) -> bool:
        """Say whether a channel is left alone now. After that one more failure is enough."""
        found = self._held.get(key)
        return found is not None and found.until > self._clock.monotonic()

    def failed(self, key: ChannelKey, reason: str, seconds: float) -> bool:
        """Count a failure; True when the rest begins with it."""
        before = self._held.get(key)
        failures = (before.failures if before else 0) + 1
        rests = failures >= MAX_FAILURES
        until = self._clock.monotonic() + seconds if rests else 0.0
        until_ms = self._clock.now() + round(seconds * 1000) if rests else 0
        self._held.put(key, ChannelCooldown(failures, reason, until, until_ms))
        return rests

    def succeeded(self, key: ChannelKey) -> None:
        """Forget the failures."""
        self._held.drop(key)

    def now(self) -> dict[ChannelKey, ChannelCooldown]:
        """Return the channels that are left alone."""
        return {key: rest for key, rest in self._held.items() if rest.until > self._clock.monotonic()}


@dataclass(frozen=True, kw_only=True, eq=False)
class Compactor:
    """Implements `bot.agent.channel.ChannelShortener`.

    `record` moves a live channel on, `put_away` lets it be loaded anew; neither waits. `tell` reaches those who run the
    bot, `note` puts rows into the trails of messages.
    """

    turns: TurnRunner
    compactions: CompactionStore
    directory: ChannelDirectory
    tasks: TaskSupervisor
    config: CompactionConfig
    record: Callable[[ChannelKey, ChannelEvent], None]
    reload_channel: Callable[[ChannelKey], None]
    tell: Callable[[Words], Awaitable[None]]
    note: Callable[[Sequence[StageRow]], Awaitable[object]]
    tracer: WordOriginTracer = field(default_factory=WordOriginTracer)
    counts: Counter[str] = field(init=False, default_factory=Counter)
    _busy: set[ChannelKey] = field(init=False, default_factory=set)
    _calm: LRUCache[ChannelKey, tuple[CompactionLevel, int]] = field(
        init=False, default_factory=lambda: LRUCache(_CALM_KEPT)
    )

    @cached_property
    def _rests(self) -> CompactionCooldowns:
        return CompactionCooldowns(self.turns.clock)

    def consider(self, state: ChannelState, size: RequestFullness, inbound: int = 0) -> None:
        """Begin a compaction if the last request was full enough; looks at numbers alone while it was not."""
        config = self.config
        if percent_of(size.used, size.room) < config.tool_calls_percent and not size.dropped:
            return
        key = state.key
        if not config.enabled or key in self._busy or self.tasks.closed:
            return
        view = view_of(state.turns, size, self._thresholds())
        if self._is_calm(key, view):
            return
        plan = next_plan(view)
        if plan is None or not self._may(key, plan):
            self._calm_down(key, view)
            return
        self._busy.add(key)
        self.tasks.spawn(f"compact {key}", self._work(key, size, inbound))

    def plan_now(self, state: ChannelState, size: RequestFullness) -> CompactionPlan | None:
        """Choose what could be taken although there is room; None where nothing is worth it."""
        wanted = self._thresholds()._replace(tool_calls=_NEVER, goal_batch=_NEVER, background=0)
        return next_plan(view_of(state.turns, size, wanted))

    async def compact_now(self, state: ChannelState, size: RequestFullness) -> int | None:
        """Let a summary take the place of the older half although there is room, because somebody wants it.

        Return how many tokens are free then; None where nothing may be taken, or it failed.
        """
        key, plan = state.key, self.plan_now(state, size)
        if plan is None or key in self._busy or self.tasks.closed:
            return None
        self._busy.add(key)
        try:
            return await self._compact(CompactionRun(state, plan, self.turns.clock.now(), 0))
        finally:
            self._busy.discard(key)

    def probe(self) -> Sequence[ProbeResult]:
        """Say how compaction goes, for the doctor."""
        counts = {name: exact_number(self.counts[name]) for name in ("done", "failed", "freed")}
        said = say("compaction_lines.counts", **counts)
        if not self.config.enabled:
            return (ProbeResult(name="compaction", state="warning", evidence=say("compaction_lines.off")),)
        if resting := self._rests.now():
            key, rest = next(iter(resting.items()))
            alone = say(
                "compaction_lines.left-alone",
                channel=key.channel,
                time=clock_time(rest.until_ms),
                failures=rest.failures,
                why=rest.reason,
                more=len(resting) - 1,
            )
            fix, evidence = say("compaction_lines.left-alone-fix"), f"{alone}; {said}"
            return (ProbeResult(name="compaction", state="warning", evidence=evidence, fix=fix),)
        return (ProbeResult(name="compaction", state="ok", evidence=said),)

    async def _work(self, key: ChannelKey, size: RequestFullness, inbound: int) -> None:
        try:
            for _ in range(_MAX_ROUNDS):
                state = self.directory.get(key)
                if state is None:
                    return
                view = view_of(state.turns, size, self._thresholds())
                plan = next_plan(view)
                if plan is None or not self._may(key, plan) or await self._is_held(key, plan):
                    self._calm_down(key, view)
                    return
                freed = await self._compact(CompactionRun(state, plan, self.turns.clock.now(), inbound))
                if freed is None:
                    return
                size = RequestFullness(max(0, view.tokens - freed), size.room)
        except Exception as error:
            # the owner of the task reports it; here it only must not begin again behind every turn
            self._rests.failed(key, type(error).__name__, 60 * self.config.rest_minutes)
            raise
        finally:
            self._busy.discard(key)

    async def _compact(self, run: CompactionRun) -> int | None:
        """Return how many tokens are free now; None when nothing came of it."""
        await self.note(begin_rows(run))
        await self._say("started", run)
        made = await self._make(run)
        lacks = await asyncio.to_thread(missing_in, run.plan, made.blocks) if made.scribe else ()
        new = record_of(run, made, self.turns.clock.now(), lacks)
        end = made.scribe.end if made.scribe else None
        stored, turns = await self.compactions.commit(new, end, stages_of(run, new))
        key = run.state.key
        if stored.state is CompactionState.DONE:
            self._take_over(run, turns)
            # what is left out by rules does not say that a model writes summaries again
            if made.scribe is not None:
                self._rests.succeeded(key)
            self.counts["freed"] += new.tokens_before - new.tokens_after
        elif stored.state is CompactionState.ABANDONED:
            # the live channel and the store do not agree any more; what is stored counts
            self.reload_channel(key)
            await self.note(abandoned_rows(run, new.at))
        await self._say(stored.state.value, run, stored)
        if stored.state is CompactionState.FAILED:
            await self._failed(key, run, stored)
        return new.tokens_before - new.tokens_after if stored.state is CompactionState.DONE else None

    async def _make(self, run: CompactionRun) -> CompactionResult:
        plan = run.plan
        pieces = BY_TYPE[plan.type].pieces(plan.taken)
        if plan.type is SummaryType.EMERGENCY:
            return CompactionResult(tuple(self._by_rules(run, piece) for piece in pieces))

        async def progress(done: int, of: int) -> None:
            await self.note(progress_rows(run, self.turns.clock.now(), done, of))
            await self._say("progress", run, done=done, of=of)

        scribe = SummaryWriter(
            turns=self.turns,
            config=self.config,
            directory=self.directory,
            progress=progress,
            state=run.state,
            tracer=self.tracer,
        )
        try:
            blocks = await scribe.blocks(plan.type, pieces)
        except UnusableSummary as error:
            return CompactionResult(reason=str(error), scribe=scribe)
        return CompactionResult(tuple(blocks), scribe=scribe)

    def _by_rules(self, run: CompactionRun, piece: SummaryPiece) -> Message:
        return by_rules(run.plan.type, piece, run.started_at, self.tracer.of_piece(run.state, piece))

    def _take_over(self, run: CompactionRun, turns: tuple[Turn, ...]) -> None:
        """Let the live channel follow; one that reads otherwise than what was taken is loaded anew instead."""
        key, taken = run.state.key, frozenset(run.plan.ids)
        live = self.directory.get(key)
        if live is None:
            return
        if tuple(turn for turn in live.turns if turn.id in taken) == run.plan.taken:
            self.record(key, TurnsCompacted(taken=run.plan.ids, turns=turns))
        else:
            self.reload_channel(key)

    async def _failed(self, key: ChannelKey, run: CompactionRun, stored: StoredCompaction) -> None:
        if self._rests.failed(key, stored.reason, 60 * self.config.rest_minutes):
            minutes = round(self.config.rest_minutes)
            log.error("compaction_rests", channel=key.channel, minutes=minutes, reason=stored.reason)
            await self.tell(partial(words_of, "rests", run, stored, minutes=minutes))

    async def _is_held(self, key: ChannelKey, plan: CompactionPlan) -> bool:
        """Say whether an admin undid this lately; then it waits until there is no other way."""
        if plan.level in {CompactionLevel.AGGRESSIVE, CompactionLevel.EMERGENCY}:
            return False
        since = self.turns.clock.now() - _HELD_MS
        return any(
            one.state is CompactionState.UNDONE
            and one.reason == UNDONE_BY_ADMIN
            and one.decided_at > since
            and set(one.body.taken) & set(plan.ids)
            for one in await self.compactions.recent(key, _LOOK_BACK)
        )

    def _may(self, key: ChannelKey, plan: CompactionPlan) -> bool:
        return plan.type is SummaryType.EMERGENCY or not self._rests.resting(key)

    def _is_calm(self, key: ChannelKey, view: CompactionView) -> bool:
        """Say whether a look at this channel found nothing to do a short while ago, when it was no less full."""
        level, turns = self._calm.get(key) or (None, 0)
        return view.level is level and 0 <= len(view.turns) - turns < _CALM_TURNS

    def _calm_down(self, key: ChannelKey, view: CompactionView) -> None:
        if view.level in {CompactionLevel.EARLY, CompactionLevel.BACKGROUND}:
            self._calm.put(key, (view.level, len(view.turns)))
        else:
            self._calm.drop(key)

    def _thresholds(self) -> CompactionThresholds:
        config = self.config
        return CompactionThresholds(
            tool_calls=config.tool_calls_percent,
            goal_batch=config.goal_batch_percent,
            background=config.background_percent,
            aggressive=config.aggressive_percent,
            emergency=config.emergency_percent,
        )

    async def _say(
        self, event: str, run: CompactionRun, stored: StoredCompaction | None = None, *, done: int = 0, of: int = 0
    ) -> None:
        """Put an event where it belongs: the count, the log, and the owners' threads if they want it."""
        self.counts[event] += 1
        plan = run.plan
        facts = {"channel": run.state.id, "type": plan.type, "urgency": plan.level, "turns": len(plan.taken)}
        if stored is not None:
            body = stored.body
            facts |= {"compaction": stored.id, "before": body.tokens_before, "after": body.tokens_after}
            facts |= {"model": body.model, "missing": len(body.missing), "reason": stored.reason}
        if of:
            facts |= {"done": done, "of": of}
        (log.warning if event in {"failed", "abandoned"} else log.info)(f"compaction_{event}", **facts)
        wanted = self.config.notice
        if wanted == "all" or (wanted == "ends" and stored is not None):
            await self.tell(partial(words_of, event, run, stored, done=done, of=of))


def size_of(snapshot: ContextSnapshot | None, reported: int) -> RequestFullness:
    """Measure a request, of which the service `reported` so many tokens.

    From one that was too large although everything was left out that may be, nothing follows for the history.
    """
    if snapshot is None or snapshot.overflow:
        return RequestFullness(0, 1)
    limits = snapshot.inputs.limits
    used = max(reported, snapshot.stats.total)
    return RequestFullness(used, limits.window - limits.max_output, len(snapshot.dropped_turns))
