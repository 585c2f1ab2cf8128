"""Run proofs, one at a time in a channel: each step is told where it was asked for, and each proof ends in one report.

Its runs are recorded requests of one turn, so that a process that dies in the middle loses none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog

from bot.config.schema import CortexConfig
from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.pages.context_capture import Capture, ContextCapturer
from bot.cortex.pages.trace_pages import TracePages
from bot.cortex.proving.proof_notes import ProofCheckpoints, ProofNotes
from bot.cortex.proving.proof_plan import ProofPlan, ProofPlanner
from bot.cortex.proving.proof_words import ProofWords
from bot.cortex.proving.replay_turn import ReplayTurn
from bot.cortex.proving.single_replay import SingleReplays, WantedReplay
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.diagnostics.failure_words import recorded_error
from bot.domain.access import Caller
from bot.domain.finding import ProveCause, ReplayRequest, StoredSession
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Outcome
from bot.domain.messages import Button
from bot.domain.turn import NewOutbox, StoredOutbox, StoredRequest, TurnStatus
from bot.errors import DamagedRow, DeliveryError, ProviderError, StoreError, UserError
from bot.mind.proof.proof_run import ProofRun
from bot.mind.proof.proof_values import ProofReason, ProofVerdict, ReplayQuestion
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.replay.part_numbers import read_argument
from bot.replay.replayed_decision import DecisionKind
from bot.replay.replayer import Replayer, ReplayRun
from bot.replay.request_parts import DividedRequest, PartChange, PartKind
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.task_prompt.checkpoint import TaskState
from bot.text.figures import money
from bot.text.redaction import Redactor
from bot.text.text import quote_line

log = structlog.get_logger(__name__)

SHOW_SECONDS = 3.0
"""Seconds between two changes of the message that shows how far it is; a step that ends is shown at once."""
_DAY_MS = 86_400_000
_MAX_MESSAGES = 100
_MAX_FORGETS = 2
_DECIDED = frozenset({Outcome.SKIPPED, Outcome.REPLIED, Outcome.FAILED})


class ProofStoppedError(UserError):
    """Nothing more can be asked now; what is known is kept."""


@dataclass(eq=False, kw_only=True)
class RunningProof(ReplayTurn):
    """A proof under way."""

    plan: ProofPlan
    words: ProofWords
    run: ProofRun
    turns: tuple[int, ...] = ()
    state: TaskState = TaskState.INTERRUPTED
    message: str = ""
    shown_at: float = 0.0
    shown_steps: int = -1
    is_cancelled: bool = False
    waiting: asyncio.Timeout | None = None

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox] | None:
        self.rounds = len(self.run.record.runs)
        return await super().end(outbox)

    def cancel(self) -> None:
        """Stop asking; what is known is told."""
        self.is_cancelled = True
        if self.waiting is not None and not self.waiting.expired():
            self.waiting.reschedule(asyncio.get_running_loop().time())


@dataclass(frozen=True, kw_only=True, eq=False)
class ProofRunner:
    """Offers, begins, shows, stops and goes on with proofs. Implements `bot.cortex.fixes.fix_runner.ProofStarter`.

    `daily_cost` is the most that a day may cost in US dollars (0: no cap); `keeps` says whether a channel is recorded.
    """

    store: Store
    clock: Clock
    replayer: Replayer
    planner: ProofPlanner
    notes: ProofCheckpoints
    single: SingleReplays
    looking: ContextCapturer
    targets: TargetResolver
    tracing: TracePages
    offering: OfferMaker
    buttons: ButtonFactory
    post: ThreadPoster
    redactor: Redactor
    tasks: TaskSupervisor
    config: CortexConfig
    daily_cost: Callable[[], float]
    keeps: Callable[[ChannelKey], bool]
    _running: dict[ChannelKey, RunningProof] = field(init=False, default_factory=dict)

    # what is offered

    async def offer(self, talk: SessionContext, part: str = "", words: str = "") -> ThreadReply:
        """Offer to prove what made the model decide about the message that is meant, with its price."""
        row, inbound = await self._request_of(talk)
        replay = await self.planner.replay(row, talk.target.key)
        decided = replay.decision()
        if part:
            suspects = [_part_named(part, replay.parts)]
        elif decided is not None and decided.kind is DecisionKind.SKIPPED and inbound:
            lines = await self.tracing.suspected(talk, inbound, "")
            suspects = [name for one in lines if (name := replay.parts.part_of(one.line))]
        else:
            suspects = []
        plan = self.planner.planned(replay, suspects, words, self.config.proof_runs)
        return await self._offered(talk, plan)

    async def once(self, talk: SessionContext, wanted: WantedReplay) -> ThreadReply:
        """Offer to ask once more about the message that is meant, with a change."""
        await self.check(talk.target)
        row, _ = await self._request_of(talk)
        parts = (await self.planner.replay(row, talk.target.key)).parts
        left_out = tuple(_part_named(name, parts) for name in wanted.left_out)
        replaced = _part_named(wanted.replaced, parts) if wanted.replaced else ""
        return await self.single.offer(talk, row, wanted._replace(left_out=left_out, replaced=replaced))

    async def pressed(self, talk: SessionContext, argument: int) -> ThreadReply:
        """Offer to prove what a button names."""
        row, place = read_argument(argument)
        replay = await self.planner.replay(row, talk.target.key)
        every = replay.parts.every
        suspects = [every[place - 1].id] if 0 < place <= len(every) else []
        return await self._offered(talk, self.planner.planned(replay, suspects, "", self.config.proof_runs))

    async def _offered(self, talk: SessionContext, plan: ProofPlan) -> ThreadReply:
        await self.check(talk.target)
        words = await self._words(plan, talk.caller, talk.target)
        told = words.offer(self.replayer.price(plan.replay, plan.fix.runs))
        return await self.offering.prove(talk.session, talk.target, plan.fix, told)

    async def _request_of(self, talk: SessionContext) -> tuple[int, int]:
        """Return the request that is meant, and the message that it answered (0: not known)."""
        meant, journal, ledger = talk.meant, self.store.journal, self.store.ledger
        if meant.request:
            stored = await journal.request(meant.request)
            turn = await journal.turn(stored.record.turn) if stored is not None else None
            return meant.request, turn.inbounds[-1] if turn is not None and turn.inbounds else 0
        if meant.name:
            return await self.targets.finder.request_of(meant), meant.inbound
        if talk.replied:
            answer = await self.tracing.behind.answer_of(talk.target.key, talk.replied)
            if answer is not None:
                return answer.request, answer.inbound
            heard = await ledger.by_message(talk.target.key, talk.replied)
        else:
            recent = await ledger.recent(talk.target.key, _MAX_MESSAGES)
            heard = next((one for one in recent if one.outcome in _DECIDED and one.turn), None)
        sent = await journal.requests_of_turn(heard.turn) if heard is not None and heard.turn else ()
        if heard is None or not sent:
            raise UserError(render("cortex/proof_refused", kind="nothing_sent"))
        return sent[-1].id, heard.id

    # what runs

    async def check(self, target: TargetChannel) -> None:
        """Raise UserError while no proof can begin there."""
        key = target.key
        if key in self._running:
            raise UserError(render("cortex/proof_refused", kind="runs_here"))
        if len(self._running) >= self.config.inspections:
            raise UserError(render("cortex/proof_refused", kind="too_many", most=self.config.inspections))
        if not self.keeps(key):
            raise UserError(render("cortex/proof_refused", kind="unrecorded"))
        await self._check_money()

    async def begin(
        self, session: StoredSession, target: TargetChannel, caller: Caller, fix: ProveCause | ReplayRequest
    ) -> None:
        """Begin a proof, or a single replay, in the background."""
        if isinstance(fix, ReplayRequest):
            await self.single.begin(session, target, caller, fix)
            return
        plan = await self.planner.again(fix, target.key)
        await self._start(session, target, caller, plan, ())

    async def cancel(self, session: StoredSession, turn: int) -> bool:
        """Stop a proof of this session; False where it does not run any more."""
        found = next((one for one in self._running.values() if one.turn == turn), None)
        if found is None or person_of(found.session) != person_of(session):
            return False
        found.cancel()
        return True

    async def go_on(self, session: StoredSession, target: TargetChannel, caller: Caller, turn: int) -> None:
        """Take up a proof where it stopped, once; raise UserError with the reason why not."""
        kept = await self.notes.find(turn)
        if kept is None:
            raise UserError(render("cortex/proof_refused", kind="over"))
        await self.check(target)
        plan = await self.planner.again(kept.notes.fix, target.key)
        if not await self.notes.take_up(kept):
            raise UserError(render("cortex/proof_refused", kind="over"))
        try:
            await self._start(session, target, caller, plan, kept.turns)
        except BaseException:
            await self.notes.over(turn, TaskState.INTERRUPTED)
            raise

    async def cut_off(self, session: StoredSession, turn: int) -> ThreadReply:
        """Say where a proof stopped that ended with its process, with an offer to go on."""
        try:
            kept = await self.notes.find(turn)
            if kept is None:
                return ThreadReply(render("cortex/proof_stopped", reason="", steps=[], runs=0, can=False))
            stored = await self.store.journal.turn(turn)
            target = await self.targets.of(stored.key) if stored is not None else None
            if target is None:
                raise UserError(say("cortex.no-such-record"))
            plan = await self.planner.again(kept.notes.fix, target.key)
            run = await self._resumed(plan, kept.turns)
            words = ProofWords(plan, texts.channel_word(target), self.redactor, "")
            return self._stopped(session, turn, words.steps(run.reports), len(run.record.runs), "")
        except (UserError, DamagedRow) as error:
            return ThreadReply(render("cortex/proof_stopped", reason=str(error), steps=[], runs=0, can=False))

    async def _start(
        self, session: StoredSession, target: TargetChannel, caller: Caller, plan: ProofPlan, turns: tuple[int, ...]
    ) -> None:
        words = await self._words(plan, caller, target)
        run = await self._resumed(plan, turns)
        if target.key in self._running:
            raise UserError(render("cortex/proof_refused", kind="runs_here"))
        proof = RunningProof(
            store=self.store,
            clock=self.clock,
            session=session,
            target=target,
            plan=plan,
            words=words,
            run=run,
            turns=turns,
        )
        self._running[target.key] = proof
        try:
            await proof.begin()
            await self.notes.begun(target.key.agent, proof.turn, ProofNotes(fix=plan.fix, turns=turns))
            self.tasks.spawn(f"prove {target.key}", self._prove(proof))
        except BaseException:
            self._running.pop(target.key, None)
            raise

    async def _prove(self, proof: RunningProof) -> None:
        try:
            said = await self._proven(proof)
            if not await self.targets.may_inspect(person_of(proof.session), proof.target):
                said = ThreadReply(render("cortex/proof_refused", kind="withheld"))
            if proof.state is TaskState.INTERRUPTED:
                await self.notes.over(proof.turn, proof.state)
            await self.post.report(proof.session, proof, said)
            # only now: until it is told, a process that dies leaves something to go on from
            await self.notes.over(proof.turn, proof.state)
            await self._show(proof, is_over=True)
        except asyncio.CancelledError:
            if not proof.reported:
                # the bot is stopping; sending ends last, so that what is owed still goes out
                await self.notes.over(proof.turn, TaskState.INTERRUPTED)
                await self.post.report(proof.session, proof, self._said_when_stopped(proof, ""))
            raise
        finally:
            self._running.pop(proof.target.key, None)

    async def _proven(self, proof: RunningProof) -> ThreadReply:
        """Ask until there is a verdict, or until nothing more can be asked."""
        state = TaskState.INTERRUPTED
        try:
            verdict = await self._asked(proof)
            proof.status, proof.reason, state = TurnStatus.REPLIED, verdict.word.value, TaskState.COMPLETED
            if verdict.reason is ProofReason.CANCELLED:
                proof.status, state = TurnStatus.CANCELLED, TaskState.CANCELLED
            said = await self._told(proof, verdict)
        except (ProofStoppedError, ProviderError, UserError, DamagedRow) as error:
            why = quote_line(self.redactor.redact(str(error)).text, 200)
            proof.status, proof.reason = TurnStatus.FAILED, why
            said = self._said_when_stopped(proof, why)
        except StoreError:
            raise
        except Exception as error:  # whatever breaks, the admin gets the one report that says so
            log.error("proof_broke", error_type=type(error).__name__, exc_info=error)
            proof.status, proof.reason, state = TurnStatus.FAILED, recorded_error(error), TaskState.FAILED
            said = ThreadReply(render("cortex/proof_stopped", reason=say("cortex.broken"), steps=[], runs=0, can=False))
        proof.state = state
        return said

    async def _asked(self, proof: RunningProof) -> ProofVerdict:
        await self._show(proof)
        step = proof.run.step
        while isinstance(step, ReplayQuestion):
            await self._check_money()
            decision = None if proof.is_cancelled else await self._once(proof, step)
            if decision is None:
                return proof.run.cancel()
            # to choose the next question takes long where there are many parts
            step = await asyncio.to_thread(proof.run.observe, decision)
            await self._show(proof)
        return step

    async def _once(self, proof: RunningProof, question: ReplayQuestion) -> str | None:
        """Ask the model once; None where somebody stopped the proof meanwhile."""
        at = ReplayRun(proof.turn, len(proof.run.record.runs), proof.plan.fix.words)
        try:
            async with asyncio.timeout(None) as proof.waiting:
                decided = await self.replayer.run(proof.plan.replay, at, change_of(question))
        except TimeoutError:
            if proof.is_cancelled:
                return None
            raise
        finally:
            proof.waiting = None
        return decided.name

    async def _resumed(self, plan: ProofPlan, turns: Sequence[int]) -> ProofRun:
        """Take up what earlier turns asked: each answer on record is classed again, and none is asked for again."""
        run = await asyncio.to_thread(ProofRun, plan.task)
        answered: dict[int, StoredRequest] = {}
        for turn in turns:
            for stored in await self.store.journal.requests_of_turn(turn):
                if self.replayer.decided(stored, plan.fix.words) is not None:
                    answered[stored.record.round] = stored
        while isinstance(question := run.step, ReplayQuestion):
            known = answered.get(len(run.record.runs))
            if known is None or plan.replay.parts.with_change(change_of(question)).digest != known.record.digest:
                # what follows was asked by another version, and answers something else
                break
            decided = self.replayer.decided(known, plan.fix.words)
            assert decided is not None
            await asyncio.to_thread(run.observe, decided.name)
        return run

    async def _check_money(self) -> None:
        cap = self.daily_cost()
        if not cap:
            return
        midnight = self.clock.now() // _DAY_MS * _DAY_MS
        spent = sum(row.cost_usd for row in await self.store.meter.usage(None, midnight))
        if spent >= cap:
            raise ProofStoppedError(render("cortex/proof_refused", kind="money", spent=money(spent), cap=money(cap)))

    # what is said

    async def _show(self, proof: RunningProof, *, is_over: bool = False) -> None:
        """Write how far it is into the message that stands; a platform without edits is told once."""
        steps, now = len(proof.run.reports), self.clock.monotonic()
        is_new = steps != proof.shown_steps or is_over
        if not is_new and now - proof.shown_at < SHOW_SECONDS:
            return
        if proof.shown_steps >= 0 and not proof.message:
            return
        question = proof.run.step if isinstance(proof.run.step, ReplayQuestion) and not is_over else None
        text = proof.words.progress(proof.run.reports, question, len(proof.run.record.runs))
        buttons = () if is_over else (self.buttons.row(proof.session, ButtonVerb.CANCEL_PROOF, "Stop", proof.turn),)
        proof.shown_at, proof.shown_steps = now, steps
        try:
            proof.message = await self.post.show(proof.session, text, buttons, proof.message)
        except DeliveryError as error:
            # the verdict is what counts, and is sent by itself
            log.info("proof_not_shown", session=proof.session.id, code=error.code)
            proof.message = ""

    async def _told(self, proof: RunningProof, verdict: ProofVerdict) -> ThreadReply:
        """Write the verdict, with what can be done about the cause."""
        turns = (*proof.turns, proof.turn)
        sent = [one for turn in turns for one in await self.store.journal.requests_of_turn(turn)]
        costs = [attempt.cost_usd for one in sent for attempt in one.attempts]
        known = [cost for cost in costs if cost is not None]
        text = proof.words.verdict(verdict, sum(known) if known else None, proof.turn)
        return ThreadReply(text, await self._buttons_of(proof, verdict))

    async def _buttons_of(self, proof: RunningProof, verdict: ProofVerdict) -> tuple[Button, ...]:
        parts = [part for name in verdict.parts if (part := proof.plan.part(name)) and part.kind is PartKind.MEMORY]
        found: list[Button] = []
        for part in parts[:_MAX_FORGETS]:
            parsed = parse_handle(part.handle)
            memory = await self.store.memories.by_handle(parsed) if parsed is not None else None
            if memory is None or memory.forgotten_at:
                continue
            name = handle(HandleKind.MEMORY, memory.id)
            found.append(
                self.buttons.opens(proof.session, say("report.show", handle=name), HandleKind.MEMORY, memory.id)
            )
            forget = say("report.forget", handle=name)
            found.append(self.buttons.row(proof.session, ButtonVerb.PREVIEW_FORGET, forget, memory.id))
        return (*found, *self.buttons.keep_check(proof.session, proof.plan.replay.stored))

    def _said_when_stopped(self, proof: RunningProof, why: str) -> ThreadReply:
        run = proof.run
        return self._stopped(proof.session, proof.turn, proof.words.steps(run.reports), len(run.record.runs), why)

    def _stopped(self, session: StoredSession, turn: int, steps: Sequence[str], runs: int, why: str) -> ThreadReply:
        text = render("cortex/proof_stopped", reason=why, steps=steps, runs=runs, can=True)
        return ThreadReply(text, (self.buttons.row(session, ButtonVerb.GO_ON_PROVING, say("proofs.go-on"), turn),))

    async def _words(self, plan: ProofPlan, caller: Caller, target: TargetChannel) -> ProofWords:
        capture = await self.looking.capture(caller, target, plan.replay.stored.id)
        return ProofWords(plan, texts.channel_word(target), self.redactor, _shown(capture))


def change_of(question: ReplayQuestion) -> PartChange:
    """Return how a request is to be changed for a question of a proof."""
    return PartChange(left_out=question.left_out, neutral_tokens=question.neutral_tokens)


def _shown(capture: Capture) -> str:
    """Return all that a reader may see of a request; without the right to read, nothing."""
    if not capture.reads:
        return ""
    shown = capture.shown
    said = [text for one in shown.messages for text in one.message.texts]
    told = [tool.definition.description for tool in shown.tools]
    return "\n".join((*(one.text for one in shown.sections), *said, *told))


def _part_named(name: str, parts: DividedRequest) -> str:
    """Find a part by the handle of a memory or by what it is called; raise UserError where there is none."""
    wanted = name.lower()
    found = next((one.id for one in parts.every if wanted in (one.id.lower(), one.handle) and wanted), "")
    if not found:
        kind = "no_memory" if parse_handle(wanted) is not None else "no_part"
        raise UserError(render("cortex/proof_refused", kind=kind))
    return found
