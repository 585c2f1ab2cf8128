"""The cortex: takes commands, presses and replies of admins, and answers each in private."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

import structlog

from bot.cortex.commands.ask import as_question
from bot.cortex.commands.cortex_command import DiagnosisCommand, ParsedCommand
from bot.cortex.commands.parser import parse
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.fixes.privacy_offers import ErasureRunner
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.fixes.proposal_threads import ProposalThreads
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.inspection.inspection_runner import SessionQuestion
from bot.cortex.service.conversation import AdminMessage, CortexConversation
from bot.cortex.service.press_handler import PressHandler
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.invitations import InvitationLinks, InvitedGuest
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster, finding
from bot.cortex.targets import texts
from bot.cortex.targets.target_parser import ParsedTarget
from bot.cortex.targets.target_resolver import ResolvedTarget, TargetChannel, TargetResolver
from bot.diagnostics.collect.collector import EvidenceQuery as About
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, PersonKey, is_ephemeral
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict, StoredInbound
from bot.domain.messages import ButtonPress, Inbound, OutboundAddress
from bot.domain.turn import NewOutbox, StoredTurn
from bot.errors import DamagedRow, DeliveryError, StoreError, ToolError, UserError
from bot.ports.clock import Clock
from bot.ports.cortex import CommandCall
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor
from bot.tools.context_inspect import InspectionStarted, InspectionWish

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True, eq=False)
class Cortex:
    """Implements `bot.ports.cortex.CortexPort`; its `begin` is what `bot.tools.context_inspect.InspectionStarter` call.

    `questions` and `looks` say how often somebody may ask for either; `words_of` reads a command for it anew.
    """

    store: Store
    clock: Clock
    platforms: Mapping[str, Platform]
    targets: TargetResolver
    threads: SessionThreads
    post: ThreadPoster
    questions: RateLimiter[PersonKey]
    looks: RateLimiter[PersonKey]
    inquiry: DiagnosisRunner
    conversation: CortexConversation
    presses: PressHandler
    invitations: InvitationLinks
    words_of: Callable[[Inbound], str | None]
    forgetting: ErasureRunner
    proposing: ProposalThreads
    private_work: PrivateWork
    tasks: TaskSupervisor
    _branches: Iterator[int] = field(init=False, default_factory=lambda: count(1))

    async def command(self, call: CommandCall) -> None:
        """Answer `!cortex <words>` in private; where the asker has no right there, with nothing but a ledger row."""
        session = None
        if call.stored.inbound.place.is_dm:
            session = await self.threads.of_message(call.stored)
        await self._handle(AdminMessage(call.stored, call.caller, session), call.words)

    async def claim_message(self, stored: StoredInbound) -> bool:
        """Take a private message if it belongs to a session; the persona never sees it then."""
        session = await self.threads.of_message(stored)
        if session is None:
            return False
        inbound = stored.inbound
        caller = self.targets.caller(inbound.person, inbound.author.name)
        await self._handle(AdminMessage(stored, caller, session), inbound.text)
        return True

    async def started(self, call: CommandCall) -> str | None:
        """Answer in private what a link stands for, with every right asked for anew."""
        if not self.questions.take(call.caller.person):
            return texts.TOO_FAST
        try:
            guest = InvitedGuest(call.caller.person, call.caller.name)
            asked = await self.invitations.accept(guest, call.words)
        except UserError as error:
            await self._note_refusal(call.stored, str(error))
            return str(error)
        if asked is None:
            return None
        if not await self._bring(AdminMessage(asked, call.caller, None, call.stored)):
            await self._note_refusal(call.stored, texts.NO_RIGHT)
            return texts.NO_RIGHT
        return ""

    async def pressed(self, press: ButtonPress) -> str:
        """Return what to tell the presser, and them alone; what is said beside it goes to their session."""
        if not self.looks.take(press.person):
            return texts.TOO_FAST
        try:
            if press.ephemeral is not None and button_signing.read_invitation(press.data) is not None:
                return await self._show(press, press.ephemeral)
            done = await self.presses.take(press, self.inquiry)
            return await self._pressed(done)
        except UserError as error:
            return str(error)

    async def begin(self, wish: InspectionWish) -> InspectionStarted:
        """Start an inspection for the cortex chat; raise ToolError with the reason why not."""
        person = wish.caller.person
        try:
            target = (await self.targets.find(person, wish.named or "here", wish.here)).target
            diagnosis = await self.inquiry.diagnosis(target, About(asker=person))
            session = await self.store.sessions.get(wish.session)
            if session is None or session.body.target != target.key.channel:
                platform = self.platforms[person.platform]
                session = await self.threads.open(platform, wish.caller, target, texts.title(target, "inspection"))
            await self.inquiry.inspect(
                SessionQuestion(session, wish.caller, target, About(asker=person), wish.question, wish.focus), diagnosis
            )
        except (UserError, DeliveryError) as error:
            raise ToolError(f"{error} Name a channel by its full id as channel_id.") from error
        return InspectionStarted(f"inspection-{next(self._branches)}", target.key.channel, texts.UNDER_WAY)

    async def pending_report(self, turn: StoredTurn) -> NewOutbox | None:
        """Return the one report of an inspection that ended with its process; None where nobody asked for any."""
        session = await self.store.sessions.get(turn.session) if turn.session else None
        if session is None:
            return None
        await self.store.sessions.touch(session.id, self.clock.now())
        if turn.kind is ProcessKind.CORTEX:
            return finding(session, texts.TALK_CUT_OFF)
        said = await self.inquiry.cut_off(session, turn.id)
        return finding(session, said.text, said.buttons)

    async def _show(self, press: ButtonPress, ephemeral: ChannelId) -> str:
        """Answer an invitation where its presser alone sees it; everything is asked for anew."""
        asked = await self.invitations.accept(InvitedGuest(press.person, press.name), press.data)
        shown = OutboundAddress(platform=press.person.platform, channel=ephemeral, private_to=press.person.user_id)
        if asked is None or not await self._bring(
            AdminMessage(asked, self.targets.caller(press.person, press.name), None, shown=shown)
        ):
            return texts.NO_RIGHT
        return ""

    async def _bring(self, line: AdminMessage) -> bool:
        """Answer what somebody asked before, now that they can be reached; False where they have no right to it now."""
        words = self.words_of(line.stored.inbound) if line.caller.authority >= Authority.ADMIN else None
        return words is not None and await self._handle(line, words)

    async def _handle(self, line: AdminMessage, words: str) -> bool:
        """Answer, or say why not; False where nothing is said, because the asker has no right there."""
        command, is_heard = parse(words), False
        try:
            subject, command = await self._understand(line, command)
            if subject is None:
                return False
            # questions cost a diagnosis and perhaps a model; a look costs no more than a press
            limiter = self.questions if isinstance(command.form, DiagnosisCommand) else self.looks
            if not line.invited and not limiter.take(line.caller.person):
                await self.post.slow_down(line.heard, texts.TOO_FAST)
                return True
            is_heard = self._acknowledge(line)
            await self.conversation.answer(line, subject, command)
        except (UserError, DamagedRow) as error:
            # what is refused before it is understood would leave a native command without any answer
            is_heard = is_heard or self._acknowledge(line)
            await self.conversation.refuse(line, str(error))
        except DeliveryError as error:
            log.info("private_answer_undeliverable", code=error.code)
            await self.conversation.invite(line, error)
        except StoreError:
            raise
        except Exception as error:  # the admin who asked is told that it failed, and where to look
            log.error("cortex_failed", command=command.form.name, error_type=type(error).__name__, exc_info=error)
            await self.post.hint(line.heard, texts.BROKEN)
        return True

    async def _understand(
        self, line: AdminMessage, command: ParsedCommand
    ) -> tuple[ResolvedTarget | None, ParsedCommand]:
        """Return what is meant; what was spelt like a handle and is none turns out to be a question."""
        form, args = command
        if args.where:
            try:
                return await self.targets.find(line.caller.person, args.where, line.here), command
            except UserError as error:
                if args.question:
                    command = as_question(args.question)
                elif form.unheard is not None:
                    return await self._never_heard(line, args.where, error, form.unheard), command
                else:
                    raise
        target = await self._here(line)
        return ResolvedTarget(target, ParsedTarget(target.key)) if target else None, command

    async def _never_heard(self, line: AdminMessage, where: str, unknown: UserError, beside: str) -> ResolvedTarget:
        """Return a place that the platform knows and nothing ever came from, or say that it is unknown."""
        found = await self.targets.ask(line.caller.person, where, line.here)
        if found is not None:
            return found
        raise UserError(f"{unknown} {beside}") if beside else unknown

    async def _here(self, line: AdminMessage) -> TargetChannel | None:
        """Return the channel that is talked about, None (and a ledger row) where the asker has no right."""
        targets, target = self.targets, None
        with suppress(UserError):
            in_thread = line.session is not None
            target = await (targets.of_session(line.caller.person, line.here) if in_thread else targets.of(line.here))
        if target is None:
            inbound = line.stored.inbound
            target = TargetChannel(line.here, inbound.channel_name, inbound.place)
        decision = await self.targets.decide(line.caller.person, target)
        if decision.allowed:
            return target
        await self._note_refusal(line.stored, decision.reason)
        if line.stored.inbound.aside is not None:
            await self.post.hint(line.stored, texts.NO_RIGHT)
        return None

    async def _pressed(self, done: PressResult) -> str:
        if done.session is None or done.said is None:
            return done.answer
        try:
            await self.post.say(done.session, done.said.text, done.said.buttons)
        except DeliveryError:
            why = texts.ENDED if is_ephemeral(done.session.body.dm_channel) else texts.UNREACHABLE
            return f"{done.answer} {why}".strip()
        return done.answer

    async def _note_refusal(self, stored: StoredInbound, reason: str) -> None:
        """Put on record that somebody asked who had no right there."""
        inbound = stored.inbound
        log.info(
            "refused",
            what="cortex",
            channel=inbound.channel,
            user=inbound.author.user_id,
            correlation=handle(HandleKind.INBOUND, stored.id),
        )
        row = StageRow(
            inbound=stored.id,
            at=self.clock.now(),
            stage=LedgerStage.DECIDED,
            verdict=StageVerdict.STOPPED,
            reason="cortex: no right here",
            detail=(("reason", reason),),
        )
        await self.store.ledger.note([row])

    def _acknowledge(self, line: AdminMessage) -> bool:
        """Show that it was heard, in the background: no answer waits until the platform has shown it."""
        if line.shown is None:
            self.tasks.spawn("acknowledge", self.post.acknowledge(line.heard))
        return True
