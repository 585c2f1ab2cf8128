"""Hold a conversation: answer what an admin typed, in the thread where it belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, assert_never

import structlog

from bot.cortex.commands.ask import as_question
from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs
from bot.cortex.commands.command_table import help_text
from bot.cortex.commands.cortex_command import (
    CommandSources,
    DiagnosisArgs,
    DiagnosisCommand,
    PageCommand,
    ParsedCommand,
    RecordCommand,
)
from bot.cortex.commands.question_reader import ABOUT_ANSWERS, PERHAPS_ABOUT_ANSWERS, QuestionKind
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner, leaves_to_model
from bot.cortex.inspection.inspection_runner import SessionQuestion
from bot.cortex.pages.fact_page import FACT_RULES
from bot.cortex.pages.request_page import TracedAnswer
from bot.cortex.pages.trace_pages import ToldSuspects
from bot.cortex.service.chat import ChatQuestion, CortexChat
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.invitations import InvitationLinks
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster, is_silent
from bot.cortex.targets import texts
from bot.cortex.targets.record_viewer import RecordViewer
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_parser import ParsedTarget, about_message
from bot.cortex.targets.target_resolver import ResolvedTarget, TargetChannel, key_of
from bot.diagnostics.collect.choose_message import AskedAbout
from bot.diagnostics.collect.collector import EvidenceQuery as About
from bot.diagnostics.collect.lookup import find_message
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, Finding, NewAudit, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Button, OutboundAddress
from bot.errors import DeliveryError, StoreError, UserError
from bot.ports.clock import Clock
from bot.ports.governance import AuditTrail
from bot.ports.platform import Platform
from bot.prompts import render
from bot.sentences import say

log = structlog.get_logger(__name__)

_DECIDED_RULES = frozenset({"DEC-SILENT"})
"""Rules that end at the model's own decision: what stood in its request comes next."""


class MeantChoice(NamedTuple):
    """One way to understand what was asked: what its button says, and what it stands for."""

    verb: ButtonVerb
    label: str
    choice: str


class AdminMessage(NamedTuple):
    """What somebody said to the cortex: where it came in, who, and the session that it continues.

    `started` is the `/start` by which somebody came to hear in private what they had asked elsewhere; `shown` is where
    they alone see it, because they pressed the button for that.
    """

    stored: StoredInbound
    caller: Caller
    session: StoredSession | None
    started: StoredInbound | None = None
    shown: OutboundAddress | None = None

    @property
    def heard(self) -> StoredInbound:
        """The message that is acknowledged, and replied to where nothing can be said in private."""
        return self.started or self.stored

    @property
    def aside(self) -> OutboundAddress | None:
        """Where the asker alone can be shown something although their direct messages are closed."""
        return self.shown or self.heard.inbound.aside

    @property
    def invited(self) -> bool:
        """Whether this is the answer that somebody came for by a link or a button; it was counted when they asked."""
        return self.started is not None or self.shown is not None

    @property
    def here(self) -> ChannelKey:
        """The channel that is meant when none is named."""
        if self.session is not None:
            return key_of(self.session.body.agent, self.session.body.target)
        return self.stored.key


@dataclass(frozen=True, kw_only=True, eq=False)
class CortexConversation:
    """Answers; whoever calls it has checked the asker's right over the target."""

    audit: AuditTrail
    clock: Clock
    platforms: Mapping[str, Platform]
    threads: SessionThreads
    post: ThreadPoster
    inquiry: DiagnosisRunner
    chat: CortexChat
    context: CommandSources
    opener: RecordViewer
    invitations: InvitationLinks
    notice_in_channel: bool

    async def answer(self, line: AdminMessage, subject: ResolvedTarget, command: ParsedCommand) -> None:
        """Say what was asked for; raise UserError with the reason why not, DeliveryError when nobody can be reached."""
        form, args = command
        match form:
            case PageCommand(opens_messages=True) if subject.meant.name:
                message = handle(HandleKind.INBOUND, about_message(subject.meant))
                await self._open(line, subject, HandleArgs(handle=message))
            case PageCommand():
                await self._page(line, subject, form, args)
            case RecordCommand():
                assert isinstance(args, HandleArgs)
                await self._open(line, subject, args)
            case DiagnosisCommand():
                await self._question(line, subject, form, args)
            case _:
                assert_never(form)

    async def ask_which(
        self, line: AdminMessage, target: TargetChannel, question: str, choices: Sequence[MeantChoice]
    ) -> None:
        """Ask in private what was meant, with a button for each way to understand it."""
        session = await self._session(line, target, texts.title(target, question))
        make = self.inquiry.buttons.meant
        buttons = tuple(make(session, one.verb, one.label, line.stored.id, one.choice) for one in choices)
        await self.post.say(session, question, buttons)

    async def _page(
        self, line: AdminMessage, subject: ResolvedTarget, page: PageCommand[Any], args: CommandArgs
    ) -> None:
        target, meant = subject
        session = await self._session(line, target, texts.title(target, say(page.title)))
        try:
            replied = line.stored.inbound.replies_to if line.stored.key == target.key else ""
            talk = SessionContext(line.caller, session, target, meant, replied, line.stored.id)
            said = await page.run(talk, args, self.context)
        except UserError as error:
            said = ThreadReply(str(error))
        except StoreError:
            raise
        except Exception as error:
            log.error("answer_failed", command=page.name, error_type=type(error).__name__, exc_info=error)
            said = ThreadReply(texts.broken_text(error))
        await self.post.say(session, said.text, said.buttons, said.file)
        for text in said.more:
            await self.post.say(session, text)

    async def _open(self, line: AdminMessage, subject: ResolvedTarget, args: HandleArgs) -> None:
        """Open a record; what is none was a question, where it can have been one."""
        text = await self.opener.open(line.caller.person, args.handle)
        if text is not None:
            session = await self._session(line, subject.target, texts.title(subject.target, say("sessions.a-record")))
            await self.post.say(session, text)
        elif args.question:
            await self.answer(line, subject, as_question(args.question))
        else:
            raise UserError(say("cortex.no-such-record"))

    async def _question(
        self, line: AdminMessage, subject: ResolvedTarget, question: DiagnosisCommand, args: CommandArgs
    ) -> None:
        """Talk on where a talk goes on: about the same channel, and about no message in particular."""
        session = line.session
        about = key_of(session.body.agent, session.body.target) if session is not None else None
        goes_on = about == subject.target.key and not subject.meant.name
        words = args.text if isinstance(args, DiagnosisArgs) else ""
        # what was asked elsewhere and only picked here is no part of a talk
        if session is not None and goes_on and words and not line.invited:
            await self.chat.ask(ChatQuestion(session, line.caller, subject.target, line.stored.key, words))
            return
        asked = args.asked if isinstance(args, DiagnosisArgs) else QuestionKind.WHY_SILENT
        await self._inquire(line, subject, words, asked, shows_help=question.shows_help)

    async def _inquire(
        self, line: AdminMessage, subject: ResolvedTarget, words: str, asked: QuestionKind, *, shows_help: bool
    ) -> None:
        """Let the rules answer; a model looks by itself only where they leave the question to one."""
        target = subject.target
        about = _about(line, subject, asked, words)
        diagnosis = await self.inquiry.diagnosis(target, about)
        replied = subject.meant.said if about.inbound else about.replied_message_id
        answer = await self._answer_asked_about(subject, replied)
        is_named = bool(replied or subject.meant.turn)
        is_taken = asked in PERHAPS_ABOUT_ANSWERS and not is_named and not diagnosis.findings and not diagnosis.unread
        if is_taken:
            # that all is well with how it was answered is no answer to what it said
            answer = await self.context.tracing.behind.answer_to(target.key, diagnosis.inbound)
        verdict = diagnosis.findings[0].verdict if diagnosis.findings else _title(target, diagnosis, answer)
        session = await self._session(line, target, verdict)
        looks_itself = bool(words) and leaves_to_model(diagnosis)
        offered = line.stored.id if words and not looks_itself else 0
        if answer is None or diagnosis.findings or diagnosis.unread:
            suspects = await self._suspects(line, session, subject, diagnosis)
            await self.inquiry.tell(session, line.caller, target, diagnosis, question=offered, suspects=suspects)
        fact = next((one for one in diagnosis.findings if one.rule in FACT_RULES), None)
        if fact is not None:
            told_in = answer or await self.context.tracing.behind.answer_to(target.key, diagnosis.inbound)
            await self._tell_fact(line, session, subject, fact, told_in)
        elif answer is not None:
            await self._tell_sources(line, session, subject, answer, is_taken=is_taken)
        elif replied and await find_message(self.context.store, target.key, replied) is None:
            await self.post.say(session, render("cortex/unknown_message"))
        if subject.meant.turn and answer is None and (later := await self._later_turn(subject)):
            turn = handle(HandleKind.TURN, subject.meant.turn)
            await self.post.say(session, render("cortex/turn_again", turn=turn, later=later))
        if shows_help:
            await self.post.say(session, help_text(self.context.added, brief=True))
        if looks_itself:
            question = SessionQuestion(
                session, line.caller, target, about, words, unreachable=partial(self.invite, line)
            )
            await self._inspect(question, diagnosis)
        if self.notice_in_channel and line.session is None:
            await self.post.notice(target.key.channel, say("sessions.sent-in-private"))

    async def _answer_asked_about(self, subject: ResolvedTarget, replied: str) -> TracedAnswer | None:
        """Return the answer that was replied to, or that the named turn gave; None: it is about no answer."""
        behind, key = self.context.tracing.behind, subject.target.key
        if subject.meant.turn:
            return await behind.answer_of_turn(key, subject.meant.turn)
        return await behind.answer_of(key, replied) if replied else None

    async def _later_turn(self, subject: ResolvedTarget) -> str:
        """Name the turn in which the message of the named one was taken up again; empty: it was not."""
        heard = await self.context.store.ledger.inbound(subject.meant.inbound)
        later = heard.turn if heard is not None else 0
        return handle(HandleKind.TURN, later) if later > subject.meant.turn else ""

    async def _tell_sources(
        self,
        line: AdminMessage,
        session: StoredSession,
        subject: ResolvedTarget,
        answer: TracedAnswer,
        *,
        is_taken: bool,
    ) -> None:
        """Whoever asks why of an answer wants to know what it was made of."""
        talk = SessionContext(line.caller, session, subject.target, subject.meant)
        try:
            said = await self.context.tracing.sources(talk, answer, is_taken=is_taken)
        except UserError as error:
            said = ThreadReply(str(error))
        await self.post.say(session, said.text, said.buttons)

    async def _tell_fact(
        self,
        line: AdminMessage,
        session: StoredSession,
        subject: ResolvedTarget,
        fact: Finding,
        answer: TracedAnswer | None,
    ) -> None:
        """Quote what a finding about an answer rests on."""
        talk = SessionContext(line.caller, session, subject.target, subject.meant)
        try:
            said = await self.context.facts.of(talk, fact, answer.request if answer is not None else 0)
        except UserError:
            # what can be looked at was told already
            return
        await self.post.say(session, said.text, said.buttons)

    async def _suspects(
        self, line: AdminMessage, session: StoredSession, subject: ResolvedTarget, diagnosis: Diagnosis
    ) -> ToldSuspects | None:
        """Name what stands out in the request of a turn in which the model decided to be silent."""
        if not diagnosis.findings or diagnosis.findings[0].rule not in _DECIDED_RULES:
            return None
        talk = SessionContext(line.caller, session, subject.target, subject.meant)
        # what cannot be looked at is told by the report
        with suppress(UserError):
            return await self.context.tracing.suspects(talk, diagnosis)
        return None

    async def look(self, line: AdminMessage, target: TargetChannel, words: str, asked: QuestionKind) -> None:
        """Let a model look into what was asked in the line's session, now that its price was seen and accepted."""
        session = await self._session(line, target, texts.title(target, say("sessions.inspection")))
        about = _about(line, ResolvedTarget(target, ParsedTarget(target.key)), asked, words)
        question = SessionQuestion(session, line.caller, target, about, words)
        await self.inquiry.inspect(question, await self.inquiry.diagnosis(target, about))

    async def _inspect(self, asked: SessionQuestion, diagnosis: Diagnosis) -> None:
        try:
            await self.inquiry.inspect(asked, diagnosis)
        except UserError as error:
            await self.post.say(asked.session, str(error))

    async def _session(self, line: AdminMessage, target: TargetChannel, title: str) -> StoredSession:
        """Go on in the thread that was replied to, or open one; the look itself is audited."""
        current = line.session
        if current is not None and current.body.target == target.key.channel:
            return current
        if current is not None:
            session = await self.threads.turn_to(current, line.caller, target)
        else:
            session = await self.threads.open(self._platform(line.caller), line.caller, target, title, line.aside)
        await self.audit.append(_look(session, self.clock.now()))
        return session

    async def refuse(self, line: AdminMessage, reason: str) -> None:
        """Say in private why not; in a channel nothing more than that there is an answer."""
        inbound = line.stored.inbound
        here = TargetChannel(line.stored.key, inbound.channel_name, inbound.place)
        try:
            session = line.session or await self.threads.open(
                self._platform(line.caller), line.caller, here, "cortex", line.aside
            )
            await self.post.say(session, reason)
        except DeliveryError as error:
            await self.invite(line, error)

    async def invite(self, line: AdminMessage, error: DeliveryError) -> None:
        """Say where the command was typed that there is an answer in private, and how to get there."""
        if error.waits or is_silent(line.heard):
            return
        text, buttons = say("sessions.dm-closed"), tuple[Button, ...]()
        if error.permanent and not line.invited and not line.stored.inbound.place.is_dm:
            text, buttons = await self.invitations.to(line.stored)
        await self.post.hint(line.heard, text, buttons)

    def _platform(self, caller: Caller) -> Platform:
        return self.platforms[caller.person.platform]


def _about(line: AdminMessage, subject: ResolvedTarget, asked: QuestionKind, words: str) -> About:
    """Say which message a question is about, as far as its author said."""
    return About(
        asker=line.caller.person,
        replied_message_id=line.stored.inbound.replies_to if line.stored.key == subject.target.key else "",
        inbound=about_message(subject.meant),
        asking=line.stored.id,
        about=_asked_about(asked),
        words=words,
        knowing=asked is QuestionKind.DID_KNOW,
    )


def _asked_about(asked: QuestionKind) -> AskedAbout:
    if asked is QuestionKind.WHY:
        return AskedAbout.EITHER
    return AskedAbout.ANSWER if asked in ABOUT_ANSWERS else AskedAbout.SILENCE


def _look(session: StoredSession, at: int) -> NewAudit:
    body = session.body
    return NewAudit(
        at=at,
        platform=body.platform,
        actor=body.actor,
        actor_name=body.actor_name,
        action="look",
        target=body.target,
        session=session.id,
    )


def _title(target: TargetChannel, diagnosis: Diagnosis, answer: TracedAnswer | None) -> str:
    if answer is not None:
        return texts.title(target, say("cortex.made-of"))
    return texts.title(target, say("sessions.could-not-look" if diagnosis.unread else "sessions.all-passed"))
