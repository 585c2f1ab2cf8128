"""Answer a question about a channel: the rules at once, and, when it is asked for, a branch's one report afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.cortex.fixes.answer_watch import AnswerWatch
from bot.cortex.fixes.fix_menu import FixMenu, OfferedFix
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.inspection.inspection_runner import MAX_FIX_BUTTONS, InspectionRunner, SessionQuestion
from bot.cortex.inspection.next_steps import PriceOfTokens, after_rules, steps_text
from bot.cortex.pages.trace_pages import ToldSuspects
from bot.cortex.sessions.button_signing import ButtonVerb, SignedButton
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.message_requeue import MessageRequeue
from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.cortex.sessions.unanswered_messages import UnansweredMessages
from bot.cortex.targets.record_viewer import RecordViewer
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.words.report import MAX_BUTTONS, ReportPress, first_message, report_buttons, silence_message
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.failure_words import unread_line
from bot.diagnostics.funnel import step_name
from bot.diagnostics.rules import Rule
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, ForgetMemory, FunnelStage, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Button
from bot.errors import UserError
from bot.ports.traces import NO_WATCHERS, RecordWatchers
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import ENGLISH, language_spoken, say, speaking
from bot.text.text import one_line_name, quote_line

FOLLOW_SECONDS = 180.0
_VERBS = {
    ReportPress.SHOW: ButtonVerb.OPEN,
    ReportPress.FORGET: ButtonVerb.PREVIEW_FORGET,
    ReportPress.RESUME: ButtonVerb.PREVIEW_RESUME,
    ReportPress.PROVE: ButtonVerb.PROVE_MESSAGE,
    ReportPress.EVIDENCE: ButtonVerb.EVIDENCE,
    ReportPress.ASK: ButtonVerb.ASK,
    ReportPress.CHECKS: ButtonVerb.CHECKS,
}
_MESSAGE_VERBS = frozenset({ButtonVerb.EVIDENCE, ButtonVerb.ASK, ButtonVerb.CHECKS, ButtonVerb.PROVE_MESSAGE})
"""Verbs that are about the message of the report; whatever arrived since, they must not talk of another."""
_DECIDING_RULES = frozenset({"FALSE-SUCCESS", "DENIED-CONTEXT", "LOST-FACT", "CONTRADICTION", "OWN-REFUSAL"})
"""Rules that name what stands behind a decision: a model is offered then, and does not look by itself."""
_MARKS = {"passed": "✓", "failed": "✗", "not_reached": "·", "not_checkable": "○"}


@dataclass(frozen=True, kw_only=True, eq=False)
class DiagnosisRunner:
    """Answers a question of an admin: diagnoses it, says what was found, and begins an inspection.

    `most_tokens` is what an inspection reads at most; `rules` are those of plugins.
    """

    collector: EvidenceCollector
    inspecting: InspectionRunner
    buttons: ButtonFactory
    opener: RecordViewer
    waiting: UnansweredMessages
    menu: FixMenu
    watch: AnswerWatch
    requeue: MessageRequeue
    post: ThreadPoster
    targets: TargetResolver
    tasks: TaskSupervisor
    price: PriceOfTokens
    most_tokens: int
    rules: Sequence[Rule] = ()
    watchers: RecordWatchers = NO_WATCHERS

    async def diagnosis(self, target: TargetChannel, about: EvidenceQuery) -> Diagnosis:
        """Ask the rules; no model, no lock, nothing changes."""
        evidence = await self.collector.collect(target.key, target.name, about)
        # what was told is read line by line, which takes a while in a large request
        return await asyncio.to_thread(diagnose, evidence, self.rules)

    async def tell(
        self,
        session: StoredSession,
        caller: Caller,
        target: TargetChannel,
        diagnosis: Diagnosis,
        *,
        question: int = 0,
        suspects: ToldSuspects | None = None,
    ) -> None:
        """Send the first message of an answer, and what can be tried where it decides nothing.

        `question` is what a model could look into, which has its price.
        """
        self.watchers.metrics.found(diagnosis.findings[0].rule if diagnosis.findings else "none")
        self.watchers.traces.found(diagnosis)
        name, fix = session_handle(session), await self.menu.for_rule(diagnosis, target, caller)
        offers = self._offers(session, diagnosis, question, fix)
        if suspects is None:
            shown = tuple(button for _, button in offers)
            await self.post.say(session, first_message(diagnosis, name, caller.authority), shown)
        else:
            text, buttons = silence_message(diagnosis, name, suspects.ways), suspects.page.buttons
            await self.post.say(session, text, (*buttons, *_beside(offers, len(buttons))))
            if not suspects.are_all_in(text):
                await self.post.say(session, suspects.page.text, buttons)
        further = steps_text(after_rules(diagnosis, self.most_tokens), self.price)
        if further:
            await self.post.say(session, further)

    async def inspect(self, asked: SessionQuestion, diagnosis: Diagnosis) -> None:
        """Start a branch in the background; raise UserError when another one has to end first."""
        await self.inspecting.inspect(asked, await self._for_model(asked, diagnosis))

    async def cut_off(self, session: StoredSession, turn: int) -> ThreadReply:
        """Say that an inspection was cut off, with an offer to go on if enough of it is kept."""
        return await self.inspecting.cut_off(session, turn)

    async def pressed(self, signed: SignedButton, session: StoredSession, target: TargetChannel) -> PressResult:
        """Take the presses that read, ask or answer; the presser was checked."""
        about = EvidenceQuery(inbound=signed.argument if signed.verb in _MESSAGE_VERBS else 0)
        match signed.verb:
            case ButtonVerb.CHECKS:
                return PressResult("", session, ThreadReply(_all_checks(await self.diagnosis(target, about))))
            case ButtonVerb.EVIDENCE:
                return PressResult(
                    "", session, ThreadReply(await self._evidence(session, await self.diagnosis(target, about)))
                )
            case ButtonVerb.ASK:
                await self.inspect(self._asked(session, target, about), await self.diagnosis(target, about))
                return PressResult(say("cortex.under-way"))
            case ButtonVerb.GO_ON:
                return await self._go_on(session, target, signed.argument)
            case ButtonVerb.ANSWER:
                return await self._answer(session, target, signed.argument)
            case _:
                raise UserError(say("diagnosis.button-does-nothing"))

    def _offers(
        self, session: StoredSession, diagnosis: Diagnosis, question: int, offered: OfferedFix | None
    ) -> tuple[_Offered, ...]:
        """Return the buttons of the first message, the one of a fix first; each with what its press asks for."""
        price = self.inspecting.branches.price_words() if question else ""
        fix = diagnosis.findings[0].fix if diagnosis.findings else None
        row = fix.memory if isinstance(fix, ForgetMemory) else 0
        own = () if fix is not None or offered is None else (offered,)
        made = [_Offered(None, self.buttons.fix(session, one.label, one.kind, one.row)) for one in own]
        for press, label in report_buttons(diagnosis, price):
            verb = _VERBS[press]
            if verb is ButtonVerb.OPEN:
                button = self.buttons.opens(session, label, HandleKind.MEMORY, row)
            elif verb is ButtonVerb.ASK and question:
                button = self.buttons.meant(session, ButtonVerb.ASK_THAT, label, question)
            else:
                button = self.buttons.row(session, verb, label, diagnosis.inbound if verb in _MESSAGE_VERBS else row)
            made.append(_Offered(verb, button))
        return tuple(made)

    async def _evidence(self, session: StoredSession, diagnosis: Diagnosis) -> str:
        names = dict.fromkeys(ref.handle for finding in diagnosis.findings for ref in finding.evidence)
        pages = [await self.opener.open(person_of(session), name) for name in list(names)[:MAX_FIX_BUTTONS]]
        return "\n\n".join(page for page in pages if page) or say("diagnosis.no-evidence")

    def _asked(self, session: StoredSession, target: TargetChannel, about: EvidenceQuery) -> SessionQuestion:
        caller = self.targets.caller(person_of(session), session.body.actor_name)
        return SessionQuestion(session, caller, target, about)

    async def _go_on(self, session: StoredSession, target: TargetChannel, turn: int) -> PressResult:
        behind = await self.inspecting.left_behind(turn)
        if behind is None:
            return PressResult(say("cortex.no-more-to-resume"))
        errand = behind.errand
        about = EvidenceQuery(inbound=errand.about)
        asked = self._asked(session, target, about)._replace(text=errand.text, focus=errand.focus)
        diagnosis = await self._for_model(asked, await self.diagnosis(target, about))
        return await self.inspecting.go_on(asked, behind, diagnosis)

    async def _for_model(self, asked: SessionQuestion, diagnosis: Diagnosis) -> Diagnosis:
        """Return what the rules say in English: what a model reads does not change with who asks."""
        if language_spoken() == ENGLISH:
            return diagnosis
        with speaking(ENGLISH):
            return await self.diagnosis(asked.target, asked.about)

    async def _answer(self, session: StoredSession, target: TargetChannel, row: int) -> PressResult:
        stored = await self.waiting.open(row)
        if stored is None or stored.key != target.key:
            return PressResult(say("diagnosis.waits-no-more"))
        queued = await self.requeue(row)
        if not queued:
            return PressResult(say("diagnosis.cannot-answer-now"))
        self.tasks.spawn(f"follow {queued}", self._follow(session, queued))
        name = handle(HandleKind.INBOUND, row)
        # this one is followed by itself
        self.watch.forget(target.key)
        return PressResult("", session, ThreadReply(say("diagnosis.answering", handle=name)))

    async def _follow(self, session: StoredSession, row: int) -> None:
        line = await self.waiting.follow(row, FOLLOW_SECONDS)
        await self.post.say_or_log(session, line)


class _Offered(NamedTuple):
    """A button of the first message with what its press asks for; None for a fix."""

    verb: ButtonVerb | None
    button: Button


def _beside(offers: Sequence[_Offered], suspects: int) -> tuple[Button, ...]:
    """Return what stands beside the buttons of suspects: the proof, and of the usual ones the last that have room."""
    proofs = tuple(button for verb, button in offers if verb is ButtonVerb.PROVE_MESSAGE)
    usual = tuple(button for verb, button in offers if verb is not ButtonVerb.PROVE_MESSAGE)
    # the first give way: what is suspected is the evidence
    return (*proofs, *usual[max(0, len(usual) + suspects - MAX_BUTTONS) :])


def leaves_to_model(diagnosis: Diagnosis) -> bool:
    """Say whether rules can say no more: they found nothing, or ended at what a model decided."""
    winner = diagnosis.findings[0] if diagnosis.findings else None
    return winner is None or (winner.stage is FunnelStage.DECISION and winner.rule not in _DECIDING_RULES)


def _all_checks(diagnosis: Diagnosis) -> str:
    lines = [say("report.all-checks", place=one_line_name(diagnosis.channel_name, 40))]
    for check in diagnosis.checks:
        values = {"mark": _MARKS[check.state], "check": step_name(check.name)}
        if check.detail:
            detail = quote_line(check.detail, 120)
            lines.append(say("report.check-detail", state=check.state, detail=detail, **values))
        else:
            lines.append(say("report.check", state=check.state, **values))
    lines += [say("diagnosis.unread", what=unread_line(one)) for one in diagnosis.unread]
    return "\n".join(lines)
