"""Hold a conversation: answer what an admin typed, in the thread where it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, assert_never

import structlog

from bot.cortex.commands.ask import as_question
from bot.cortex.commands.command import CommandContext, Opening, Page, ParsedCommand, Question, QuestionArgs
from bot.cortex.commands.forms import Args, HandleArgs
from bot.cortex.commands.table import help_text
from bot.cortex.fixes.offers import Said
from bot.cortex.inspection.inquiry import Inquiry
from bot.cortex.inspection.runner import Asked
from bot.cortex.service.chat import Chat, Told
from bot.cortex.sessions.invitations import Invitations
from bot.cortex.sessions.post import DM_CLOSED, SENT_IN_PRIVATE, Post
from bot.cortex.sessions.threads import Threads
from bot.cortex.targets import texts
from bot.cortex.targets.record_viewer import Opener
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.target_parser import about_message
from bot.cortex.targets.targets import Subject, Target, key_of
from bot.diagnostics.collect.collector import Ask as About
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, NewAudit, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Button, OutboundAddress
from bot.errors import DeliveryError, StoreError, UserError
from bot.ports.clock import Clock
from bot.ports.governance import AuditTrail
from bot.ports.platform import Platform

log = structlog.get_logger(__name__)

_RECORD = "a record"


class Line(NamedTuple):
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
class Conversation:
    """Answers; whoever calls it has checked the asker's right over the target."""

    audit: AuditTrail
    clock: Clock
    platforms: Mapping[str, Platform]
    threads: Threads
    post: Post
    inquiry: Inquiry
    chat: Chat
    context: CommandContext
    opener: Opener
    invitations: Invitations
    notice_in_channel: bool

    async def answer(self, line: Line, subject: Subject, command: ParsedCommand) -> None:
        """Say what was asked for; raise UserError with the reason why not, DeliveryError when nobody can be reached."""
        form, args = command
        match form:
            case Page(opens_messages=True) if subject.meant.name:
                message = handle(HandleKind.INBOUND, about_message(subject.meant))
                await self._open(line, subject, HandleArgs(handle=message))
            case Page():
                await self._page(line, subject, form, args)
            case Opening():
                assert isinstance(args, HandleArgs)
                await self._open(line, subject, args)
            case Question():
                await self._question(line, subject, form, args)
            case _:
                assert_never(form)

    async def _page(self, line: Line, subject: Subject, page: Page[Any], args: Args) -> None:
        target, meant = subject
        session = await self._session(line, target, texts.title(target, page.title))
        try:
            replied = line.stored.inbound.replies_to if line.stored.key == target.key else ""
            said = await page.run(Talk(line.caller, session, target, meant, replied), args, self.context)
        except UserError as error:
            said = Said(str(error))
        except StoreError:
            raise
        except Exception as error:
            log.error("answer_failed", command=page.name, error_type=type(error).__name__, exc_info=error)
            said = Said(texts.broken(error))
        await self.post.say(session, said.text, said.buttons, said.file)
        for text in said.more:
            await self.post.say(session, text)

    async def _open(self, line: Line, subject: Subject, args: HandleArgs) -> None:
        """Open a record; what is none was a question, where it can have been one."""
        text = await self.opener.open(line.caller.person, args.handle)
        if text is not None:
            session = await self._session(line, subject.target, texts.title(subject.target, _RECORD))
            await self.post.say(session, text)
        elif args.question:
            await self.answer(line, subject, as_question(args.question))
        else:
            raise UserError(texts.NO_SUCH_RECORD)

    async def _question(self, line: Line, subject: Subject, question: Question, args: Args) -> None:
        """Talk on where a talk goes on: about the same channel, and about no message in particular."""
        session = line.session
        about = key_of(session.body.agent, session.body.target) if session is not None else None
        goes_on = about == subject.target.key and not subject.meant.name
        words = args.text if isinstance(args, QuestionArgs) else ""
        if session is not None and goes_on and words:
            await self.chat.ask(Told(session, line.caller, subject.target, line.stored.key, words))
            return
        await self._inquire(line, subject, words, shows_help=question.shows_help)

    async def _inquire(self, line: Line, subject: Subject, words: str, *, shows_help: bool) -> None:
        inbound, target = line.stored.inbound, subject.target
        replied = inbound.replies_to if line.stored.key == target.key else ""
        named = about_message(subject.meant)
        about = About(asker=line.caller.person, replied_message_id=replied, inbound=named, asking=line.stored.id)
        diagnosis = await self.inquiry.diagnosis(target, about)
        verdict = diagnosis.findings[0].verdict if diagnosis.findings else _title(target, diagnosis)
        session = await self._session(line, target, verdict)
        await self.inquiry.tell(session, line.caller, target, diagnosis)
        if shows_help:
            await self.post.say(session, help_text(brief=True))
        if words:
            asked = Asked(session, line.caller, target, about, words, unreachable=partial(self.invite, line))
            await self._inspect(asked, diagnosis)
        if self.notice_in_channel and line.session is None:
            await self.post.notice(target.key.channel, SENT_IN_PRIVATE)

    async def _inspect(self, asked: Asked, diagnosis: Diagnosis) -> None:
        try:
            await self.inquiry.inspect(asked, diagnosis)
        except UserError as error:
            await self.post.say(asked.session, str(error))

    async def _session(self, line: Line, target: Target, title: str) -> StoredSession:
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

    async def refuse(self, line: Line, reason: str) -> None:
        """Say in private why not; in a channel nothing more than that there is an answer."""
        inbound = line.stored.inbound
        here = Target(line.stored.key, inbound.channel_name, inbound.place)
        try:
            session = line.session or await self.threads.open(
                self._platform(line.caller), line.caller, here, "cortex", line.aside
            )
            await self.post.say(session, reason)
        except DeliveryError as error:
            await self.invite(line, error)

    async def invite(self, line: Line, error: DeliveryError) -> None:
        """Say where the command was typed that there is an answer in private, and how to get there."""
        if error.waits:
            return
        text, buttons = DM_CLOSED, tuple[Button, ...]()
        if error.permanent and not line.invited and not line.stored.inbound.place.is_dm:
            text, buttons = await self.invitations.to(line.stored)
        await self.post.hint(line.heard, text, buttons)

    def _platform(self, caller: Caller) -> Platform:
        return self.platforms[caller.person.platform]


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


def _title(target: Target, diagnosis: Diagnosis) -> str:
    return texts.title(target, "could not look at everything" if diagnosis.unread else "all checks passed")
