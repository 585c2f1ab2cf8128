"""Ask for the last turns again, with another model, persona or memory, and compare what is decided.

A turn is asked for in its rounds: what its tools had answered stands in the record of the next one, so that nothing is
called. It is over where a decision differs, or with its last round. Nothing is sent, saved or done.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from bot.context.sections.identity import IdentitySection
from bot.domain.base import canonical_json
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import ModelName, TokenUsage
from bot.domain.turn import AttemptRecord, StoredRequest, StoredTurn
from bot.errors import ProviderError, ProviderFault, UserError
from bot.mind.proof.rate_interval import RateInterval, wilson_interval
from bot.prompts import render
from bot.replay.replayed_decision import DecisionKind, ReplayedDecision
from bot.replay.replayer import PreparedReplay, Replayer, ReplayRun
from bot.replay.request_parts import PartChange
from bot.replay.run_log import RunLog
from bot.text.figures import money

AT_ONCE = 4
"""Requests on their way at the same time."""
_USUAL_SECONDS = 3.0
_USUAL_OUTPUT = 60
_ENDS_IT = frozenset(
    {
        ProviderFault.AUTH,
        ProviderFault.CREDIT,
        ProviderFault.NOT_FOUND,
        ProviderFault.REFUSED,
        ProviderFault.REGION,
        ProviderFault.ADDRESS,
        ProviderFault.VERIFICATION,
        ProviderFault.RETIRED,
        ProviderFault.COOLING_DOWN,
    }
)
"""Faults that the next turn would meet as well."""


class RecordedRequests(Protocol):
    """Where recorded requests are read."""

    async def request(self, row: int) -> StoredRequest | None:
        """Rebuild a request by its row."""

    async def requests_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        """Rebuild a turn's requests, in order."""


class RehearsedChange(NamedTuple):
    """What is to be different. `without` names sections, tools and memories; `persona` is None where it stays."""

    model: ModelName | None = None
    without: tuple[str, ...] = ()
    persona: str | None = None
    called: Callable[[str], str] = str
    """How the bot of an agent is called."""

    def of(self, replay: PreparedReplay) -> PartChange:
        """Return the change of one request: of what it holds."""
        parts = replay.parts
        gone = [part.id for part in parts.every for name in self.without if self._is_named(name, part.id, part.handle)]
        replaced: dict[str, str] = {}
        section = f"section:{IdentitySection.name}"
        if self.persona is not None and section in parts.by_id:
            inputs = parts.recorded.inputs
            data = canonical_json({"bot_name": self.called(replay.record.agent), "persona": self.persona})
            replaced[section] = IdentitySection().render(inputs.state, inputs.trigger, data)
        return PartChange(tuple(dict.fromkeys(gone)), replaced)

    def _is_named(self, name: str, part: str, memory: str) -> bool:
        return part in {name, f"section:{name}", f"tool:{name}"} or (bool(memory) and memory == name)


class PlannedRequest(NamedTuple):
    """A request to be asked again, and what that is expected to take; at most `most`, with the longest answer.

    `cost` and `most` are US dollars, None where no price is known.
    """

    row: int
    usage: TokenUsage
    cost: float | None
    most: float | None
    seconds: float


class PlannedTurn(NamedTuple):
    """A turn to be rehearsed; `channel` is how people call the place."""

    turn: int
    channel: str
    requests: tuple[PlannedRequest, ...]


@dataclass(frozen=True)
class RehearsalPlan:
    """What a rehearsal would ask. `left_out` counts turns by why they cannot be asked for; `touched`: requests that
    the change alters, which is all of them where only the model is another.
    """

    turns: tuple[PlannedTurn, ...]
    left_out: Mapping[str, int]
    notes: tuple[str, ...] = ()
    touched: int = 0
    models: tuple[str, ...] = ()

    @property
    def requests(self) -> tuple[PlannedRequest, ...]:
        """All of them, in order; a turn is over earlier where its decision differs."""
        return tuple(request for turn in self.turns for request in turn.requests)

    @property
    def tokens_in(self) -> int:
        return sum(one.usage.input or 0 for one in self.requests)

    @property
    def tokens_out(self) -> int:
        return sum(one.usage.output or 0 for one in self.requests)

    @property
    def cost(self) -> float | None:
        """What all cost together in US dollars; None where the price of one is not known."""
        costs = [one.cost for one in self.requests]
        return None if None in costs else sum(cost or 0.0 for cost in costs)

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return sum(one.seconds for one in self.requests) / AT_ONCE


class RehearsedTurn(NamedTuple):
    """What came of a turn. `after` is None where no answer came; `request` is the handle of the one that told.

    `said` are the words of the new answer, `error` why there was none.
    """

    turn: str
    request: str
    channel: str
    before: ReplayedDecision | None
    after: ReplayedDecision | None
    said: str = ""
    error: str = ""

    @property
    def changed(self) -> bool:
        """Whether another decision was taken."""
        return self.before is not None and self.after is not None and self.before.name != self.after.name


@dataclass
class RehearsalResult:
    """What is known so far. `stopped` says why it ended before its end; empty: it did not."""

    planned: int
    turns: list[RehearsedTurn] = field(default_factory=list)
    stopped: str = ""
    cost: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def compared(self) -> list[RehearsedTurn]:
        """The turns of which both decisions are known."""
        return [one for one in self.turns if one.before is not None and one.after is not None]

    @property
    def same(self) -> RateInterval:
        """How many decided the same."""
        compared = self.compared
        return wilson_interval(sum(not one.changed for one in compared), len(compared))

    def rates(self) -> Iterator[tuple[DecisionKind, RateInterval, RateInterval]]:
        """Yield how often each decision was taken, then and now."""
        compared = self.compared
        before = Counter(one.before.kind for one in compared if one.before)
        after = Counter(one.after.kind for one in compared if one.after)
        for kind in DecisionKind:
            if before[kind] or after[kind]:
                every = len(compared)
                yield kind, wilson_interval(before[kind], every), wilson_interval(after[kind], every)


@dataclass(frozen=True)
class RehearsalPlanner:
    """Says what a rehearsal would ask; nothing is asked here."""

    replayer: Replayer
    records: RecordedRequests
    change: RehearsedChange

    async def plan(self, turns: Sequence[tuple[StoredTurn, str]]) -> RehearsalPlan:
        """Plan turns, each with the name of its channel; raise UserError for a part that none of them holds."""
        planned: list[PlannedTurn] = []
        left_out: Counter[str] = Counter()
        notes: dict[str, None] = {}
        models: dict[str, None] = {}
        touched, named = 0, set[str]()
        for turn, channel in turns:
            requests = [one for one in await self.records.requests_of_turn(turn.id) if _has_answer(one)]
            if not requests:
                left_out[render("replay/rehearsal", kind="no_answer")] += 1
                continue
            found: list[PlannedRequest] = []
            for stored in requests:
                try:
                    replay = self.replayer.prepared(stored, None, self.change.model)
                except UserError as error:
                    left_out[str(error).removeprefix(handle(HandleKind.REQUEST, stored.id)).strip()] += 1
                    found = []
                    break
                change = self.change.of(replay)
                touched += bool(change.left_out or change.replaced or self.change.model)
                named |= self._named(replay)
                notes |= dict.fromkeys(replay.notes)
                models[str(replay.model)] = None
                found.append(self._expected(replay, change))
            if found:
                planned.append(PlannedTurn(turn.id, channel, tuple(found)))
        if planned and (unknown := [name for name in self.change.without if name not in named]):
            raise UserError(render("replay/rehearsal", kind="unknown_part", name=unknown[0], turns=len(planned)))
        return RehearsalPlan(tuple(planned), left_out, tuple(notes), touched, tuple(models))

    def _named(self, replay: PreparedReplay) -> set[str]:
        return {name for name in self.change.without if RehearsedChange(without=(name,)).of(replay).left_out}

    def _expected(self, replay: PreparedReplay, change: PartChange) -> PlannedRequest:
        """Say what a request takes: as it did then, by the share of its bytes that it has now."""
        stored = replay.stored
        answered = _answered(stored)
        usage = answered.response.usage if answered and answered.response else TokenUsage()
        tokens = usage.input or stored.record.stats.total
        if change.left_out or change.replaced or not replay.exact:
            size = len(self.replayer.wire(replay.parts.with_change(change)).body)
            tokens = round(tokens * size / max(1, stored.record.wire_bytes)) if stored.record.wire_bytes else tokens
        expected = TokenUsage(input=tokens, output=usage.output if usage.output is not None else _USUAL_OUTPUT)
        seconds = answered.duration_ms / 1000 if answered else _USUAL_SECONDS
        longest = TokenUsage(input=tokens, output=max(expected.output or 0, replay.limits.max_output))
        cost, most = (self.replayer.models.price(replay.model, one) for one in (expected, longest))
        return PlannedRequest(stored.id, expected, cost, most, seconds)


@dataclass
class Rehearsal:
    """Asks for what was planned; `most_cost` is in US dollars (None: there is no limit)."""

    replayer: Replayer
    records: RecordedRequests
    change: RehearsedChange
    log: RunLog
    plan: RehearsalPlan
    most_cost: float | None = None
    told: Callable[[int], None] = lambda _: None
    result: RehearsalResult = field(init=False)

    def __post_init__(self) -> None:
        self.result = RehearsalResult(len(self.plan.turns))
        self._under_way = 0.0

    async def run(self) -> RehearsalResult:
        """Ask; whoever cancels this finds in `result` what is known by then."""
        waiting = iter(self.plan.turns)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(AT_ONCE):
                    group.create_task(self._ask_for(waiting))
        finally:
            self._add_up()
        return self.result

    async def _ask_for(self, waiting: Iterator[PlannedTurn]) -> None:
        for turn in waiting:
            if self.result.stopped:
                return
            found = await self._turn(turn)
            if found is not None:
                self.result.turns.append(found)
                self.told(len(self.result.turns))

    async def _turn(self, planned: PlannedTurn) -> RehearsedTurn | None:
        last: RehearsedTurn | None = None
        for number, expected in enumerate(planned.requests, 1):
            if not self._affords(expected):
                return None
            # kept free for it before anything is waited for, so that no other takes it
            self._under_way += expected.most or 0.0
            try:
                last = await self._asked(planned, expected, number)
            except UserError as error:
                return self._failed(planned, expected, str(error))
            except ProviderError as error:
                if error.fault in _ENDS_IT:
                    self.result.stopped = str(error)
                return self._failed(planned, expected, str(error))
            finally:
                self._under_way -= expected.most or 0.0
            if last.changed:
                return last
        return last

    async def _asked(self, planned: PlannedTurn, expected: PlannedRequest, number: int) -> RehearsedTurn:
        stored = await self.records.request(expected.row)
        if stored is None:
            raise UserError(render("replay/rehearsal", kind="gone"))
        replay = self.replayer.prepared(stored, None, self.change.model)
        after = await self.replayer.run(replay, ReplayRun(planned.turn, number), self.change.of(replay))
        answers = [one.response for one in self.log.attempts_of(planned.turn, number) if one.response is not None]
        return RehearsedTurn(
            turn=handle(HandleKind.TURN, planned.turn),
            request=handle(HandleKind.REQUEST, stored.id),
            channel=planned.channel,
            before=self.replayer.decided(stored, ""),
            after=after,
            said=answers[-1].text if answers else "",
        )

    def _failed(self, planned: PlannedTurn, expected: PlannedRequest, why: str) -> RehearsedTurn:
        names = handle(HandleKind.TURN, planned.turn), handle(HandleKind.REQUEST, expected.row)
        return RehearsedTurn(*names, planned.channel, None, None, error=why)

    def _affords(self, expected: PlannedRequest) -> bool:
        """Say whether the next request is within the limit, with those that are on their way."""
        if self.most_cost is None or self.result.stopped:
            return not self.result.stopped
        if self.log.cost + self._under_way + (expected.most or 0.0) <= self.most_cost:
            return True
        self.result.stopped = render("replay/rehearsal", kind="cost", most=money(self.most_cost))
        return False

    def _add_up(self) -> None:
        answered = [one.response.usage for one in self.log.attempts if one.response is not None]
        self.result.cost = self.log.cost
        self.result.tokens_in = sum(usage.input or 0 for usage in answered)
        self.result.tokens_out = sum(usage.output or 0 for usage in answered)
        order = {handle(HandleKind.TURN, one.turn): at for at, one in enumerate(self.plan.turns)}
        self.result.turns.sort(key=lambda one: order[one.turn])


def _has_answer(stored: StoredRequest) -> bool:
    return stored.response is not None or any(one.fault == ProviderFault.FLAGGED for one in stored.attempts)


def _answered(stored: StoredRequest) -> AttemptRecord | None:
    return next((one for one in stored.attempts if one.response is not None), None)
