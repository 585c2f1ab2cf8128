"""Ask a model once more, with a change, and show both decisions side by side; nothing reaches the channel."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bot.agent.turn.model_client import parse_model
from bot.context.envelope import section_texts
from bot.context.usage_figures import usd
from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.proving.proof_plan import ProofPlanner
from bot.cortex.proving.proof_words import decision_words, part_words
from bot.cortex.proving.replay_turn import ReplayTurn
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.words.quoting import by_model
from bot.diagnostics.failure_words import recorded_error
from bot.domain.access import Caller
from bot.domain.decision_check import DecisionCheck
from bot.domain.finding import ReplayRequest, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import StoredRequest, TurnStatus
from bot.errors import DamagedRow, ProviderError, StoreError, UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.replay.decision_checks import (
    MOST_RUNS,
    PromptNow,
    expected_words,
    forgotten_memories,
    result_words,
    run_check,
    todays_change,
)
from bot.replay.replayed_decision import ReplayedDecision, spoken_words
from bot.replay.replayer import PreparedReplay, Replayer, ReplayRun
from bot.replay.request_parts import AS_IT_WAS, PartChange
from bot.runtime.tasks import TaskSupervisor
from bot.text.figures import duration
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line

log = structlog.get_logger(__name__)

_MAX_SHOWN_CHARS = 500


class WantedReplay(NamedTuple):
    """How a request is to be asked again: parts by their names, and another model (empty: the same)."""

    left_out: tuple[str, ...] = ()
    replaced: str = ""
    words: str = ""
    model: str = ""
    expected: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class SingleReplays:
    """Offers and runs single replays; who calls it has asked for the right over the channel."""

    store: Store
    clock: Clock
    replayer: Replayer
    planner: ProofPlanner
    looking: ContextCapturer
    offering: OfferMaker
    buttons: ButtonFactory
    post: ThreadPoster
    redactor: Redactor
    tasks: TaskSupervisor

    async def offer(self, talk: SessionContext, row: int, wanted: WantedReplay) -> ThreadReply:
        """Offer to ask once more, with its price."""
        fix = ReplayRequest(request=row, **wanted._asdict())
        replay = await self._prepared(fix, talk.target)
        runs = MOST_RUNS if fix.expected else 1
        price = self.replayer.price(replay, runs)
        attempts = replay.stored.attempts
        text = render(
            "cortex/replay_offer",
            channel=texts.channel_word(talk.target),
            change=self._change(fix, replay),
            expected=expected_words(fix.expected) if fix.expected else "",
            runs=runs,
            cost=usd(price) if price is not None else "",
            time=duration(max(1.0, round(attempts[-1].duration_ms / 1000))) if attempts else "",
            model=one_line_name(str(replay.model), 60),
            notes=replay.notes,
            request=handle(HandleKind.REQUEST, row),
        )
        return await self.offering.prove(talk.session, talk.target, fix, tuple(text.split("\n")))

    async def begin(self, session: StoredSession, target: TargetChannel, caller: Caller, fix: ReplayRequest) -> None:
        """Ask in the background; what comes of it is told in the session."""
        replay = await self._prepared(fix, target)
        running = ReplayTurn(store=self.store, clock=self.clock, session=session, target=target)
        await running.begin()
        self.tasks.spawn(f"replay {target.key}", self._run(running, caller, fix, replay))

    async def _prepared(self, fix: ReplayRequest, target: TargetChannel) -> PreparedReplay:
        model = parse_model(fix.model, self.replayer.models.chain()[0].provider) if fix.model else None
        replay = await self.planner.replay(fix.request, target.key, model)
        unknown = {*fix.left_out, *([fix.replaced] if fix.replaced else [])} - replay.parts.by_id.keys()
        if unknown:
            raise UserError(render("cortex/proof_refused", kind="no_part"))
        return replay

    async def _run(self, running: ReplayTurn, caller: Caller, fix: ReplayRequest, replay: PreparedReplay) -> None:
        try:
            said = await self._asked(running, caller, fix, replay)
            await self.post.report(running.session, running, said)
        except asyncio.CancelledError:
            if not running.reported:
                said = ThreadReply(render("cortex/proof_stopped", reason="", steps=[], runs=0, can=False))
                await self.post.report(running.session, running, said)
            raise

    async def _asked(
        self, running: ReplayTurn, caller: Caller, fix: ReplayRequest, replay: PreparedReplay
    ) -> ThreadReply:
        replaced = {fix.replaced: fix.words} if fix.replaced else {}
        try:
            if fix.expected:
                return await self._checked(running, fix, replay)
            decided = await self.replayer.run(replay, ReplayRun(running.turn, 0), PartChange(fix.left_out, replaced))
            sent = await self.store.journal.requests_of_turn(running.turn)
            running.status, running.reason = TurnStatus.REPLIED, decided.name
            capture = await self.looking.capture(caller, running.target, fix.request)
            text = self._told(running, fix, replay, decided, sent[-1] if capture.reads else None)
            return ThreadReply(text, self.buttons.keep_check(running.session, replay.stored))
        except StoreError:
            raise
        except (ProviderError, UserError, DamagedRow) as error:
            why = quote_line(self.redactor.redact(str(error)).text, 200)
        except Exception as error:  # whatever breaks, the admin gets the one report that says so
            log.error("replay_broke", error_type=type(error).__name__, exc_info=error)
            why = recorded_error(error)
        running.status, running.reason = TurnStatus.FAILED, why
        return ThreadReply(render("cortex/proof_stopped", reason=why, steps=[], runs=0, can=False))

    async def _checked(self, running: ReplayTurn, fix: ReplayRequest, replay: PreparedReplay) -> ThreadReply:
        """Ask until it is clear whether it decides as it should, with the prompt and the memories of today."""
        body = running.session.body
        check = DecisionCheck(
            request=fix.request, expected=fix.expected, platform=body.platform, actor=body.actor, at=self.clock.now()
        )
        now = await self.looking.inspector.preview(running.target.key)
        texts_now = section_texts(now.request, now.sections) if now is not None else {}
        gone = await forgotten_memories(self.store.memories, replay)
        change = todays_change(replay, PromptNow(texts_now, gone)) if texts_now else AS_IT_WAS
        result = await run_check(self.replayer, check, replay, running.turn, change)
        running.status, running.reason, running.rounds = TurnStatus.REPLIED, result.word.value, result.runs
        why = quote_line(self.redactor.redact(result.why).text, 200)
        return ThreadReply(result_words(result, texts.channel_word(running.target), why))

    def _told(
        self,
        running: ReplayTurn,
        fix: ReplayRequest,
        replay: PreparedReplay,
        decided: ReplayedDecision,
        sent: StoredRequest | None,
    ) -> str:
        then = replay.decision()
        costs = [attempt.cost_usd for attempt in sent.attempts if attempt.cost_usd is not None] if sent else []
        text = _said(sent)
        before = _said(replay.stored) if sent is not None else ""
        return render(
            "cortex/replay_told",
            channel=texts.channel_word(running.target),
            then=decision_words(then, "", self.redactor) if then is not None else "",
            now=decision_words(decided, "", self.redactor),
            same=then == decided,
            change=self._change(fix, replay),
            before=by_model(before, self.redactor, _MAX_SHOWN_CHARS) if before and before != text else "",
            words=by_model(text, self.redactor, _MAX_SHOWN_CHARS) if text else "",
            cost=usd(sum(costs)) if costs else "",
            request=handle(HandleKind.REQUEST, replay.stored.id),
            turn=handle(HandleKind.TURN, running.turn),
        )

    def _change(self, fix: ReplayRequest, replay: PreparedReplay) -> str:
        left_out = [part_words(replay.parts.by_id[name]) for name in fix.left_out]
        replaced = part_words(replay.parts.by_id[fix.replaced]) if fix.replaced else ""
        other = str(replay.model) if replay.model != replay.record.request.model else ""
        model = one_line_name(other, 60) if other else ""
        return render("cortex/replay_change", left_out=left_out, replaced=replaced, model=model)


def _said(stored: StoredRequest | None) -> str:
    """Return the words of an answer, said at once or by a tool; "" where a reader may not see any."""
    return spoken_words(stored.response).strip() if stored is not None and stored.response is not None else ""
