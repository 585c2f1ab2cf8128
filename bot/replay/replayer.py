"""Run recorded requests again: every run is a recorded request of its own, and no tool is ever called for it.

Nothing is sent, saved or done: an answer is classed, kept with its request, and that is all that comes of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.turn.circuit_breaker import RequestOwner
from bot.agent.turn.deadline import TurnDeadline
from bot.agent.turn.model_attempts import AnswerRequest, PreparedRequest
from bot.agent.turn.model_client import ModelClient
from bot.agent.turn.turn import clean_response
from bot.domain.channel import ProcessKind
from bot.domain.dialect import Dialect
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import AgentId
from bot.domain.llm import LLMRequest, ModelName, TokenUsage, WireRequest
from bot.domain.skill import skills_in
from bot.domain.snapshot import ContextSnapshot, ModelLimits
from bot.domain.turn import MarkKind, RequestRecord, StoredRequest
from bot.errors import ProviderError, ProviderFault, UserError
from bot.ports.clock import Clock
from bot.ports.journal import RequestBook
from bot.prompts import render
from bot.replay.recorded_inputs import recorded_inputs
from bot.replay.replayed_decision import DecisionKind, ReplayedDecision, decision_of
from bot.replay.request_parts import AS_IT_WAS, DividedRequest, PartChange
from bot.text.text import one_line_name

RUN_SECONDS = 90.0
"""Seconds that one answer may take."""
_EXPECTED_ANSWER_TOKENS = 200
_MODEL_CHARS = 60


class KnownNow(NamedTuple):
    """What the running program still knows: tools and skills by name."""

    tools: Collection[str]
    skills: Collection[str]


@dataclass(frozen=True)
class PreparedReplay:
    """A recorded request that can be run again. `notes` say what is not as it was then, each in one sentence."""

    stored: StoredRequest
    model: ModelName
    limits: ModelLimits
    parts: DividedRequest
    notes: tuple[str, ...] = ()
    exact: bool = True

    @property
    def record(self) -> RequestRecord:
        """What was recorded."""
        return self.stored.record

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that it offers."""
        return tuple(tool.name for tool in self.parts.recorded.inputs.tools)

    def decision(self, words: str = "") -> ReplayedDecision | None:
        """What came of it then; None where nothing is on record."""
        if self.stored.response is not None:
            return decision_of(self.stored.response, self.tools, words)
        flagged = any(one.fault == ProviderFault.FLAGGED for one in self.stored.attempts)
        return ReplayedDecision(DecisionKind.REFUSED) if flagged else None


class ReplayRun(NamedTuple):
    """One run of a proof or a try: the turn that it belongs to, its number in it, and the words in question."""

    turn: int
    number: int
    words: str = ""


@dataclass(frozen=True)
class Replayer:
    """Prepares and runs replays; who calls it has asked for every right, and pays."""

    models: ModelClient
    journal: RequestBook
    clock: Clock

    def prepared(self, stored: StoredRequest, known: KnownNow | None, model: ModelName | None = None) -> PreparedReplay:
        """Return how a request can be run again, also on another `model`; raise UserError that says why it cannot.

        Without `known` nobody is told what is no longer there.
        """
        record = stored.record
        _check_kept(stored)
        wanted = model or record.request.model
        notes, asked = [], wanted
        if not self._knows(wanted):
            asked, named = self.models.chain()[0], one_line_name(str(wanted), _MODEL_CHARS)
            if model is not None or not self._knows(asked):
                raise UserError(render("replay/note", kind="no_model", model=named))
            notes.append(render("replay/note", kind="other_model", model=named, other=str(asked)))
        limits, same = self._limits(record, asked)
        recorded = recorded_inputs(record, limits)
        exact = same and asked == record.request.model and recorded.assembled().digest == record.digest
        exact = exact and self.wire(recorded.assembled()).sha256 == record.wire_sha256
        if not notes and model is None and not exact:
            notes.append(render("replay/note", kind="not_exact"))
        if known is not None:
            notes += _gone("tools", [tool.name for tool in recorded.inputs.tools], known.tools)
            notes += _gone("skills", _skills_of(record), known.skills)
        decided = decision_of(stored.response, [t.name for t in recorded.inputs.tools]) if stored.response else None
        pinned = frozenset(_needed_tool(decided)) if decided else frozenset[str]()
        return PreparedReplay(stored, asked, limits, DividedRequest(recorded, pinned), tuple(notes), exact)

    def wire(self, snapshot: ContextSnapshot) -> WireRequest:
        """Write the bytes, by the encoder that writes all of them."""
        return self.models.encode(snapshot.request, snapshot.inputs.limits.dialect)

    def price(self, replay: PreparedReplay, runs: int) -> float | None:
        """Say in US dollars what so many runs cost at most; None where no price is known."""
        usage = replay.stored.response.usage if replay.stored.response else TokenUsage()
        tokens = usage.input or replay.record.stats.total
        answer = max(usage.output or 0, _EXPECTED_ANSWER_TOKENS)
        once = self.models.price(replay.model, TokenUsage(input=tokens, output=answer))
        return None if once is None else once * runs

    async def run(self, replay: PreparedReplay, at: ReplayRun, change: PartChange = AS_IT_WAS) -> ReplayedDecision:
        """Ask the model once and class what it decides; raise ProviderError where nothing came back.

        The request is on record before it leaves, and its answer before this returns.
        """
        snapshot = replay.parts.with_change(change)
        by = RequestOwner(ProcessKind.REPLAY, snapshot.inputs.state.key, "", is_private=True)
        asking = _Asking(self, replay, at, snapshot)
        ask = AnswerRequest(
            by, (replay.model,), TurnDeadline(self.clock, RUN_SECONDS), asking.prepare, self.journal.record_attempt
        )
        try:
            answered = await self.models.answer(ask)
        except ProviderError as error:
            if error.fault is ProviderFault.FLAGGED:
                return ReplayedDecision(DecisionKind.REFUSED)
            raise
        return decision_of(clean_response(answered.response), replay.tools, at.words)

    def decided(self, stored: StoredRequest, words: str) -> ReplayedDecision | None:
        """Class a run that is on record; None where it never came to an answer."""
        if stored.response is not None:
            named = [tool.name for tool in stored.record.request.tools]
            return decision_of(clean_response(stored.response), named, words)
        flagged = any(one.fault == ProviderFault.FLAGGED for one in stored.attempts)
        return ReplayedDecision(DecisionKind.REFUSED) if flagged else None

    def _knows(self, model: ModelName) -> bool:
        try:
            self.models.encoder(model)
        except ProviderError:
            return False
        return True

    def _limits(self, record: RequestRecord, model: ModelName) -> tuple[ModelLimits, bool]:
        """Return the limits by which it is assembled; whether the bytes are written as they were then."""
        limits = self.models.limits(model)
        written = Dialect.of_encoder(record.encoder)
        same = model == record.request.model and written.signed(self.models.encoder(model)) == record.encoder
        sees = any(message.images for message in record.request.messages) if same else limits.sees_images
        return (
            limits.replace(
                max_output=record.request.max_output_tokens if same else limits.max_output,
                sees_images=sees,
                dialect=written if same else limits.dialect,
            ),
            same,
        )


class _Asking:
    """One run on its way: it is recorded as it is posted."""

    def __init__(self, replayer: Replayer, replay: PreparedReplay, at: ReplayRun, snapshot: ContextSnapshot) -> None:
        self._replayer = replayer
        self._replay = replay
        self._at = at
        self._snapshot = snapshot
        self._known = replayer.models.dialect(replay.model)

    async def prepare(self, limits: ModelLimits, fallback_of: int) -> PreparedRequest:
        """Record the request, and return the bytes to post."""
        snapshot, at = self._snapshot, self._at
        taught = [trait for trait in limits.dialect.traits if trait not in self._known.traits]
        if taught:
            # a refusal has just taught how the service wants it today
            dialect = snapshot.inputs.limits.dialect.having(taught)
            inputs = snapshot.inputs.model_copy(
                update={"limits": snapshot.inputs.limits.model_copy(update={"dialect": dialect})}
            )
            snapshot = self._replay.parts.recorded.assembled(inputs)
        wire = self._encoded(snapshot.request, snapshot.inputs.limits.dialect)
        record = RequestRecord(
            agent=AgentId(snapshot.inputs.state.agent),
            channel=snapshot.inputs.state.id,
            turn=at.turn,
            kind=ProcessKind.REPLAY,
            round=at.number,
            at=self._replayer.clock.now(),
            request=snapshot.request,
            digest=snapshot.digest,
            wire_sha256=wire.sha256,
            wire_bytes=len(wire.body),
            encoder=snapshot.inputs.limits.dialect.signed(self._replayer.models.encoder(snapshot.request.model)),
            sections=snapshot.sections,
            stats=snapshot.stats,
            message_tokens=snapshot.message_tokens,
            fallback_of=fallback_of,
        )
        row = await self._replayer.journal.record_request(record, ())
        return PreparedRequest(row, wire, lambda: self._encoded(snapshot.request, snapshot.inputs.limits.dialect))

    def _encoded(self, request: LLMRequest, dialect: Dialect) -> WireRequest:
        wire = self._replayer.models.encode(request, dialect)
        tools = self._snapshot.inputs.tools
        # whose calls an answer may hold, where they are written as text
        return wire.model_copy(update={"tools": tools}) if tools and dialect.writes_tools else wire


def _check_kept(stored: StoredRequest) -> None:
    """Raise UserError where a request is not on record as it was sent."""
    name, mark = handle(HandleKind.REQUEST, stored.id), stored.mark
    if mark is not None and mark.kind is not MarkKind.REDACTED:
        raise UserError(render("replay/note", kind="wordless", request=name))
    if mark is not None:
        raise UserError(render("replay/note", kind="erased", request=name))
    if not stored.record.request.messages:
        raise UserError(render("replay/note", kind="wordless", request=name))


def _gone(what: str, names: Sequence[str], known: Collection[str]) -> list[str]:
    gone = [name for name in names if name not in known]
    return [render("replay/note", kind=what, names=gone[:3], more=max(0, len(gone) - 3))] if gone else []


def _skills_of(record: RequestRecord) -> list[str]:
    return list(dict.fromkeys(name for one in record.sections for name in skills_in(one.sources)))


def _needed_tool(decided: ReplayedDecision) -> Sequence[str]:
    """Name the tool without which nobody could decide so."""
    if decided.kind is DecisionKind.SKIPPED:
        return ("skip",)
    return (decided.detail,) if decided.kind is DecisionKind.CALLED else ()
