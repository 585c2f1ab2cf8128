"""The cortex: takes commands, presses and replies of admins, and answers each in private."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import structlog

from bot.cortex import commands, texts
from bot.cortex.answers import Answers, Talk
from bot.cortex.commands import Command, parse
from bot.cortex.fixes import Pressed, Said
from bot.cortex.inquiry import Asked, Inquiry
from bot.cortex.limits import Bucket
from bot.cortex.open import Opener
from bot.cortex.post import DM_CLOSED, SENT_IN_PRIVATE, Post
from bot.cortex.presses import Presses
from bot.cortex.sessions import Sessions
from bot.cortex.target import Target, Targets, key_of
from bot.diagnostics.collect import Ask as About
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, NewAudit, Session
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Stage, StageRow, StoredInbound, Verdict
from bot.domain.messages import File, Press
from bot.errors import DeliveryError, StoreError, ToolError, UserError
from bot.messaging.door import CommandCall
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.tasks import Tasks
from bot.tools.context_inspect import InspectionStarted, InspectionWish

log = structlog.get_logger(__name__)

_TITLES: Mapping[type, str] = {
    commands.Context: "context",
    commands.Trails: "ledger",
    commands.Export: "export",
    commands.MemoryList: "memory",
    commands.MemorySearch: "memory",
    commands.MemoryBy: "memory",
    commands.MemoryForget: "forget a memory",
    commands.MemoryRestore: "restore a memory",
    commands.Doctor: "doctor",
    commands.Undo: "undo",
    commands.Would: "dry run of the gates",
    commands.Open: "a record",
    commands.Audit: "audit",
    commands.Help: "what I can do",
}


@dataclass(frozen=True)
class CortexDesk:
    """The parts of the cortex; `bot.cortex.build` puts them together."""

    store: Store
    clock: Clock
    platforms: Mapping[str, Platform]
    targets: Targets
    sessions: Sessions
    post: Post
    bucket: Bucket
    inquiry: Inquiry
    answers: Answers
    opener: Opener
    presses: Presses
    tasks: Tasks
    notice_in_channel: bool


class Line(NamedTuple):
    """What somebody said to the cortex: where it came in, who, and the session that it continues."""

    stored: StoredInbound
    caller: Caller
    session: Session | None

    @property
    def here(self) -> ChannelKey:
        """The channel that is meant when none is named."""
        if self.session is not None:
            return key_of(self.session.body.agent, self.session.body.target)
        return self.stored.key


class Cortex:
    """Implements `bot.messaging.door.CortexDoor` and `bot.tools.context_inspect.Inspections`."""

    def __init__(self, desk: CortexDesk) -> None:
        self._desk = desk
        self._branches = count(1)

    async def command(self, call: CommandCall) -> None:
        """Answer `!cortex <words>` in private; where the asker has no right there, with nothing but a ledger row."""
        session = None
        if call.stored.inbound.place.is_dm:
            session = await self._desk.sessions.of_message(call.stored)
        await self._handle(Line(call.stored, call.caller, session), call.words)

    async def said(self, stored: StoredInbound) -> bool:
        """Take a private message if it belongs to a session; the persona never sees it then."""
        session = await self._desk.sessions.of_message(stored)
        if session is None:
            return False
        inbound = stored.inbound
        caller = self._desk.targets.caller(inbound.person, inbound.author.name)
        await self._handle(Line(stored, caller, session), inbound.text)
        return True

    async def pressed(self, press: Press) -> str:
        """Return what to tell the presser, and them alone; what is said beside it goes to their session."""
        if not self._desk.bucket.take(press.person):
            return texts.TOO_FAST
        try:
            done = await self._desk.presses.take(press, self._desk.inquiry)
            return await self._pressed(done)
        except UserError as error:
            return str(error)

    async def begin(self, wish: InspectionWish) -> InspectionStarted:
        """Start an inspection for the cortex chat; raise ToolError with the reason why not."""
        desk, person = self._desk, wish.caller.person
        try:
            target = await desk.targets.find(person, wish.named or "here", wish.here)
            diagnosis = await desk.inquiry.diagnosis(target, About(asker=person))
            platform = self._platform(wish.caller)
            session = await desk.sessions.open(platform, wish.caller, target, texts.title(target, "inspection"))
            desk.inquiry.inspect(Asked(session, wish.caller, target, About(asker=person), "", wish.focus), diagnosis)
        except (UserError, DeliveryError) as error:
            raise ToolError(f"{error} Name a channel by its full id as channel_id.") from error
        return InspectionStarted(f"inspection-{next(self._branches)}", target.key.channel, texts.UNDER_WAY)

    async def close(self) -> None:
        """End what runs; an inspection that is cut off says so first, as far as it can."""
        await self._desk.tasks.close()

    async def _handle(self, line: Line, words: str) -> None:
        desk, command = self._desk, parse(words)
        try:
            target = await self._target(line, command)
            if target is None:
                return
            await desk.post.acknowledge(line.stored)
            if not desk.bucket.take(line.caller.person):
                await desk.post.hint(line.stored, texts.TOO_FAST)
                return
            await self._answer(line, target, command)
        except UserError as error:
            await self._refuse(line, str(error))
        except DeliveryError as error:
            log.info("private_answer_undeliverable", code=error.code)
            await desk.post.hint(line.stored, DM_CLOSED)
        except StoreError:
            raise
        except Exception as error:  # the admin who asked is told that it failed, and where to look
            log.error("cortex_failed", command=type(command).__name__, error_type=type(error).__name__, exc_info=error)
            await desk.post.hint(line.stored, texts.BROKEN)

    async def _target(self, line: Line, command: Command) -> Target | None:
        """Return the channel that is meant, None (and a ledger row) where the asker has no right."""
        where = getattr(command, "where", "")
        if where:
            return await self._desk.targets.find(line.caller.person, where, line.here)
        target = await self._desk.targets.of(line.here)
        if target is None:
            inbound = line.stored.inbound
            target = Target(line.here, inbound.channel_name, inbound.place)
        decision = await self._desk.targets.decide(line.caller.person, target)
        if decision.allowed:
            return target
        await self._note_refusal(line.stored, decision.reason)
        return None

    async def _note_refusal(self, stored: StoredInbound, reason: str) -> None:
        row = StageRow(
            inbound=stored.id,
            at=self._desk.clock.now(),
            stage=Stage.DECIDED,
            verdict=Verdict.STOPPED,
            reason="cortex: no right here",
            detail=(("reason", reason),),
        )
        await self._desk.store.ledger.note([row])

    async def _answer(self, line: Line, target: Target, command: Command) -> None:
        if isinstance(command, commands.Open):
            if await self._open(line, target, command):
                return
            if not command.question:
                raise UserError(texts.NO_SUCH_RECORD)
            command = commands.Ask(text=command.question)
        if isinstance(command, commands.Ask | commands.Why | commands.Report):
            await self._inquire(line, target, command)
            return
        session = await self._session(line, target, texts.title(target, _TITLES.get(type(command), "cortex")))
        try:
            said, file = await self._desk.answers.answer(Talk(line.caller, session, target), command)
        except UserError as error:
            said, file = Said(str(error)), None
        await self._say(session, said, file)

    async def _inquire(self, line: Line, target: Target, command: Command) -> None:
        desk, inbound = self._desk, line.stored.inbound
        replied = inbound.replies_to if line.stored.key == target.key else ""
        about = About(asker=line.caller.person, replied_message_id=replied)
        diagnosis = await desk.inquiry.diagnosis(target, about)
        verdict = diagnosis.findings[0].verdict if diagnosis.findings else texts.title(target, "all checks passed")
        session = await self._session(line, target, verdict)
        await desk.inquiry.tell(session, line.caller, target, diagnosis)
        if isinstance(command, commands.Report):
            await self._say(session, Said(texts.help_text(brief=True)), None)
        if isinstance(command, commands.Ask):
            await self._inspect(Asked(session, line.caller, target, about, command.text), diagnosis)
        if desk.notice_in_channel and line.session is None:
            await desk.post.notice(target.key.channel, SENT_IN_PRIVATE)

    async def _inspect(self, asked: Asked, diagnosis: Diagnosis) -> None:
        try:
            self._desk.inquiry.inspect(asked, diagnosis)
        except UserError as error:
            await self._desk.post.say(asked.session, str(error))

    async def _open(self, line: Line, target: Target, command: commands.Open) -> bool:
        text = await self._desk.opener.open(line.caller.person, command.handle)
        if text is None:
            return False
        session = await self._session(line, target, texts.title(target, _TITLES[commands.Open]))
        await self._say(session, Said(text), None)
        return True

    async def _session(self, line: Line, target: Target, title: str) -> Session:
        """Go on in the thread that was replied to, or open one; the look itself is audited."""
        desk, current = self._desk, line.session
        if current is not None and current.body.target == target.key.channel:
            return current
        if current is not None:
            session = await desk.sessions.turn_to(current, line.caller, target)
        else:
            session = await desk.sessions.open(self._platform(line.caller), line.caller, target, title)
        await desk.store.governance.audit(_look(session, desk.clock.now()))
        return session

    async def _refuse(self, line: Line, reason: str) -> None:
        """Say in private why not; in a channel nothing more than that there is an answer."""
        here = await self._desk.targets.of(line.stored.key) or Target(
            line.stored.key, line.stored.inbound.channel_name, line.stored.inbound.place
        )
        try:
            session = line.session or await self._desk.sessions.open(
                self._platform(line.caller), line.caller, here, "cortex"
            )
            await self._desk.post.say(session, reason)
        except DeliveryError:
            await self._desk.post.hint(line.stored, DM_CLOSED)

    async def _pressed(self, done: Pressed) -> str:
        if done.session is None or done.said is None:
            return done.answer
        try:
            await self._say(done.session, done.said, None)
        except DeliveryError:
            return f"{done.answer} {texts.UNREACHABLE}".strip()
        return done.answer

    async def _say(self, session: Session, said: Said, file: File | None) -> None:
        await self._desk.post.say(session, said.text, said.buttons, file)

    def _platform(self, caller: Caller) -> Platform:
        return self._desk.platforms[caller.person.platform]


def _look(session: Session, at: int) -> NewAudit:
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
