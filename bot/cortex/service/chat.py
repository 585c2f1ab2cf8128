"""Talk with an admin about a channel, in their thread: a model that reads and proposes, where the rules have spoken."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog

from bot.agent.processes.segment import ProcessSegment
from bot.agent.turn.ending import CANCELLED, TurnResult, failed_result
from bot.agent.turn.turn import TurnJob, TurnLimits, TurnRunner
from bot.config.explained_keys import ExplainedKey
from bot.config.schema import CortexConfig
from bot.context.transcript import ParsedMessage, join_header, utc
from bot.cortex.doctor import examination
from bot.cortex.doctor.examination import DoctorSubjects
from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.fixes.tool_reload import offer_reload
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.pages.server_page import ServerPages
from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.targets.record_lookup import RecordLookup
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.words.quoting import by_model
from bot.cortex.words.report import first_message
from bot.diagnostics.collect.collector import EvidenceQuery as About
from bot.diagnostics.failure_words import recorded_error
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelState, ProcessKind, Turn
from bot.domain.finding import Diagnosis, SendWorker, StoredSession
from bot.domain.handles import handle_pattern
from bot.domain.ids import ChannelKey, platform_of
from bot.domain.ledger import FailReason
from bot.domain.messages import Author, Message, MessagePart, Role, TextPart
from bot.domain.snapshot import SectionFate, SectionStability, Trigger
from bot.domain.turn import NewOutbox, StoredOutbox, StoredRequest, TurnStatus
from bot.errors import DamagedRow, StoreError, UserError
from bot.ports.channels import ChannelDirectory
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import ENGLISH, language_spoken, say, speaking
from bot.text.redaction import Redactor
from bot.text.text import quote_line
from bot.text.times import plain_times
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.effects import ProposedForgetting, SuggestedMemory, SuggestedReload, SuggestedWork
from bot.tools.runtime.tool import CallOrigin
from bot.tools.runtime.toolbox import Toolbox, for_reader

log = structlog.get_logger(__name__)

GRACE_SECONDS = 5.0
"""Seconds beyond a question's own wall clock after which it is given up from outside."""
MAX_WAITING_QUESTIONS = 3
_HANDLE_LIKE = re.compile(rf"\b(?=\w*\d){handle_pattern()}\b")
"""What is spelt like a handle and like no word."""
_MAX_HANDLES = 20
_MAX_MESSAGES = 6
_MAX_MESSAGE_CHARS = 1_500
"""Characters of one message of the thread that the model did not write itself."""


class ChatQuestion(NamedTuple):
    """A question in a session; `thread` is the private chat that the session is held in."""

    session: StoredSession
    caller: Caller
    target: TargetChannel
    thread: ChannelKey
    text: str


@dataclass(frozen=True, kw_only=True, eq=False)
class CortexChat:
    """Answers questions, one of a session at a time; each comes to one report."""

    store: Store
    turns: TurnRunner
    toolbox: Toolbox
    directory: ChannelDirectory
    inquiry: DiagnosisRunner
    records: RecordLookup
    offering: OfferMaker
    servers: ServerPages
    private_work: PrivateWork
    patients: DoctorSubjects
    explained: Callable[[], Sequence[ExplainedKey]]
    post: ThreadPoster
    targets: TargetResolver
    redactor: Redactor
    config: CortexConfig
    tasks: TaskSupervisor
    _waiting: dict[int, deque[ChatQuestion]] = field(init=False, default_factory=dict)

    async def ask(self, told: ChatQuestion) -> None:
        """Take a question; return at once. Where another one runs, it waits, and that is said."""
        queue = self._waiting.get(told.session.id)
        if queue is None:
            self._waiting[told.session.id] = deque([told])
            self.tasks.spawn(f"talk {told.session.id}", self._work_off(told.session.id))
            return
        if len(queue) > MAX_WAITING_QUESTIONS:
            raise UserError(say("sessions.too-many-wait", count=MAX_WAITING_QUESTIONS))
        queue.append(told)
        await self.post.say_or_log(told.session, say("cortex.busy"))

    async def _work_off(self, session: int) -> None:
        queue = self._waiting[session]
        try:
            while queue:
                await self._one(queue[0])
                queue.popleft()
        finally:
            del self._waiting[session]
            if len(queue) > 1:
                # the bot is stopping; who waits is told, and nothing waits for ever
                await self.post.say_or_log(queue[0].session, say("cortex.not-taken-up"))

    async def _one(self, told: ChatQuestion) -> None:
        question = _Question(self, told)
        try:
            ending = await question.answered()
            if not await question.may_be_told():
                await self.post.report(told.session, question, ThreadReply(say("cortex.withheld-answer")))
                return
            said = ThreadReply(await self._said(told, ending))
            await self.post.report(told.session, question, said, *await question.proposals())
            if ending.status is not TurnStatus.REPLIED:
                # the facts need no model
                await self.inquiry.tell(told.session, told.caller, told.target, await question.diagnosis())
        except asyncio.CancelledError:
            if not question.reported:
                await self.post.report(told.session, question, ThreadReply(say("cortex.talk-cut-off")))
            raise
        except (UserError, DamagedRow) as error:
            await self.post.report(told.session, question, ThreadReply(str(error)))

    async def _said(self, told: ChatQuestion, ending: TurnResult) -> str:
        redactor = self.redactor
        if ending.status is not TurnStatus.REPLIED or not ending.text:
            reason = quote_line(redactor.redact(ending.reason).text, 300) or str(ending.status)
            return f"{say('chat.no-answer', why=reason)}\n{say('chat.rules-need-none')}"
        lines = [say("quoting.by-model"), by_model(ending.text, redactor)]
        unknown = await self._unknown(ending.text)
        lines += [say("chat.no-record-named", names=", ".join(unknown))] if unknown else []
        return "\n".join(lines)

    async def _unknown(self, text: str) -> list[str]:
        """List what is named in a text like a record and is none."""
        names = list(dict.fromkeys(_HANDLE_LIKE.findall(text)))[:_MAX_HANDLES]
        return [name for name in names if await self.records.read(name) is None]


class _Question:
    """One question on its way to its one report.

    Implements `bot.tools.runtime.admin_session.AdminSession` and `bot.cortex.sessions.thread_poster.OwedReport`.
    """

    def __init__(self, chat: CortexChat, told: ChatQuestion) -> None:
        self._chat = chat
        self._told = told
        self._segment = ProcessSegment(chat.turns)
        self._diagnoses: dict[str, Diagnosis] = {}
        self._reads = False
        self.reported = False

    @property
    def session(self) -> int:
        """The number of the session."""
        return self._told.session.id

    @property
    def question(self) -> str:
        """What the admin asked, in their own words."""
        return self._told.text

    def config(self, prefix: str) -> tuple[str, ...]:
        """List keys of the configuration with value and origin; secrets only as that."""
        caller, channel = self._told.caller, self._told.target.key.channel
        rows = (row for row in self._chat.explained() if row.key.startswith(prefix))
        rows = (row for row in rows if caller.authority >= Authority.OWNER or row.concerns(channel))
        return tuple(f"{row.key} = {row.value} · {row.origin} · {row.takes}" for row in rows)

    async def doctor(self) -> str:
        """Probe everything; return a page."""
        probes = await examination.examine(self._chat.patients, self._told.target.key.channel)
        return plain_times(examination.as_text(probes))

    async def servers(self) -> str:
        """Say where the bot is; return a page."""
        return plain_times(await self._chat.servers.page(self._told.caller.person))

    async def diagnosis(self) -> Diagnosis:
        """Ask the rules, once for a question and in each language that they are read in."""
        spoken = language_spoken()
        if spoken not in self._diagnoses:
            about = About(asker=self._told.caller.person)
            self._diagnoses[spoken] = await self._chat.inquiry.diagnosis(self._told.target, about)
        return self._diagnoses[spoken]

    async def may_be_told(self) -> bool:
        """Ask again: whoever lost a right while the model thought does not hear what it thought."""
        targets, person, target = self._chat.targets, self._told.caller.person, self._told.target
        return await targets.may_inspect(person, target) and (not self._reads or await targets.may_read(person, target))

    async def answered(self) -> TurnResult:
        """Let the model answer; raises nothing but CancelledError, StoreError, UserError and DamagedRow."""
        seconds = self._chat.config.seconds
        try:
            # what a model reads, pages of tools among it, does not change with who asks
            with speaking(ENGLISH):
                job = await self._job()
                async with asyncio.timeout(seconds + GRACE_SECONDS + self._chat.turns.models.load_seconds(job.chain)):
                    return await self._segment.run(job)
        except TimeoutError:
            return failed_result(FailReason.TIMEOUT, say("sessions.no-answer-within", seconds=f"{seconds:g}"))
        except (UserError, DamagedRow, StoreError):
            raise
        except Exception as error:  # whatever breaks, the admin gets the one report that says so
            log.error("talk_broke", error_type=type(error).__name__, exc_info=error)
            return failed_result(FailReason.INTERNAL, recorded_error(error))

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox] | None:
        """End the turn and keep its report, in one transaction; None, and nothing is kept, where none was begun."""
        end = self._segment.end(outbox)
        if end is None:
            return None
        rows = await self._chat.turns.journal.end_turn(end)
        self.reported = True
        return rows

    async def proposals(self) -> list[ThreadReply]:
        """Return the offers for what the model proposed; what has changed meanwhile is said instead."""
        turn, told, offering = self._segment.turn, self._told, self._chat.offering
        if turn is None or self._segment.ending is CANCELLED:
            return []
        said: list[ThreadReply] = []
        for proposed in turn.effects.of(ProposedForgetting):
            memory = await self._chat.store.memories.get(proposed.memory)
            if memory is None or memory.version != proposed.version or memory.forgotten_at:
                said.append(ThreadReply(say("cortex.changed-meanwhile")))
                continue
            said.append(await offering.forget(told.session, told.target, memory))
        for suggested in turn.effects.of(SuggestedMemory):
            said.append(await offering.remember(told.session, told.target, suggested.memory))
        if turn.effects.of(SuggestedReload):
            said.append(await offer_reload(offering, told.session, told.target))
        for work in turn.effects.of(SuggestedWork):
            fix = SendWorker(task=work.task, name=work.name, files=work.files, turn=turn.number)
            said.append(await self._chat.private_work.offer(told.session, told.target, told.caller, fix))
        return said

    async def _job(self) -> TurnJob:
        chat, told, config = self._chat, self._told, self._chat.config
        target, at = told.target, chat.turns.clock.now()
        state = await chat.store.channels.load(target.key)
        state = state or ChannelState(agent=target.key.agent, id=target.key.channel, name=target.name)
        before = await read_chat_history(chat.store, told.session, target.key, told.thread)
        # the talk has a history of its own; the channel's is read through tools
        state = state.replace(turns=before.turns, ambient=(), last=None)
        given: dict[type, object] = {AdminSession: self}
        offered = chat.toolbox.offered(ProcessKind.CORTEX, told.caller.authority, given)
        self._reads = await chat.targets.may_read(told.caller.person, target)
        return TurnJob(
            kind=ProcessKind.CORTEX,
            state=state,
            trigger=Trigger(messages=(await self._trigger(before, at),), at=at),
            tools=for_reader(offered, reads=self._reads),
            origin=CallOrigin(
                key=target.key,
                platform=platform_of(target.key.channel),
                guild_id=target.place.guild_id,
                is_dm=target.place.is_dm,
            ),
            caller=told.caller,
            channels=chat.directory,
            limits=TurnLimits(config.rounds, config.seconds, config.calls, config.tokens, config.context_window),
            chain=chat.turns.models.chain(config.model or state.settings.model),
            session=told.session.id,
        )

    async def _trigger(self, before: ChatHistory, at: int) -> Message:
        told = self._told
        rules = first_message(await self.diagnosis(), session_handle(told.session), told.caller.authority)
        text = render(
            "cortex/talk",
            question=told.text,
            channel=told.target.name,
            channel_id=told.target.key.channel,
            rules=plain_times(rules),
            reads=self._reads,
            news=before.news,
        )
        user = told.caller.person.user_id
        header: dict[str, object] = {"at": utc(at), "from": "admin", "id": user}
        words = self._chat.redactor.redact(join_header(ParsedMessage(header, text))).text
        return Message(role=Role.USER, parts=(TextPart(text=words),), author=Author(user_id=user, name="admin"), at=at)


class ChatHistory(NamedTuple):
    """A thread as the next question finds it.

    `turns` are questions and answers, oldest first; `news` what else was said there since: findings of rules, reports.
    """

    turns: tuple[Turn, ...] = ()
    news: tuple[str, ...] = ()


async def read_chat_history(
    store: Store, session: StoredSession, target: ChannelKey, thread: ChannelKey
) -> ChatHistory:
    """Read a session's thread, which is held in the private chat `thread`, about the channel `target`."""
    last = await store.journal.last_of_session(target, ProcessKind.CORTEX, session.id)
    since = last.record.at if last is not None else session.body.created_at - 1
    said = await store.outbox.findings(thread, session.body.dm_thread, since, _MAX_MESSAGES)
    own = last.record.turn if last is not None else 0
    news = tuple(_shown(one) for one in reversed(said) if not own or one.body.turn != own)
    return ChatHistory(_turns(last) if last is not None else (), news)


def _shown(said: StoredOutbox) -> str:
    return quote_line(plain_times(said.body.text), _MAX_MESSAGE_CHARS)


def _turns(last: StoredRequest) -> tuple[Turn, ...]:
    """Return the questions that a request held with what was answered, the last answer included."""
    messages = list(last.record.request.messages)
    newest = max((at for at, message in enumerate(messages) if message.role is Role.USER), default=None)
    if newest is None:
        return ()
    messages[newest] = _bare(messages[newest], last)
    if last.response is not None and last.response.text.strip():
        words: tuple[MessagePart, ...] = (TextPart(text=last.response.text.strip()),)
        messages.append(Message(role=Role.ASSISTANT, parts=words, at=last.record.at))
    begins = [at for at, message in enumerate(messages) if message.role is Role.USER]
    spans = zip(begins, [*begins[1:], len(messages)], strict=True)
    return tuple(Turn(id=number, messages=tuple(messages[a:b])) for number, (a, b) in enumerate(spans, 1))


def _bare(message: Message, of: StoredRequest) -> Message:
    """Take the envelope off: what it said held when the question was asked."""
    envelope = sum(s.stability is SectionStability.VOLATILE and s.fate is SectionFate.KEPT for s in of.record.sections)
    return Message(role=message.role, parts=message.parts[envelope:], author=message.author, at=message.at)
