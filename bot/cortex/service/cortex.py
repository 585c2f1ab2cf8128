"""The cortex: takes commands, presses and replies of admins, and answers each in private."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import structlog

from bot.cortex.commands.ask import as_question
from bot.cortex.commands.command_arguments import HandleArgs, PagedArgs
from bot.cortex.commands.command_table import names_for
from bot.cortex.commands.cortex_command import (
    CommandForm,
    DiagnosisArgs,
    DiagnosisCommand,
    ParsedCommand,
    right_of,
)
from bot.cortex.commands.did_you_mean import understand
from bot.cortex.commands.parser import parse
from bot.cortex.commands.question_reader import QuestionKind
from bot.cortex.fixes.fix_runner import MeantPress, PressResult
from bot.cortex.fixes.privacy_offers import ErasureRunner
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.fixes.proposal_threads import ProposalThreads
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.inspection.inspection_runner import SessionQuestion
from bot.cortex.proving.proof_runner import ProofRunner
from bot.cortex.service.conversation import AdminMessage, CortexConversation, MeantChoice
from bot.cortex.service.own_messages import OwnMessageAnswers
from bot.cortex.service.owner_claims import OwnerClaims
from bot.cortex.service.press_handler import PressHandler
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import choice_mark
from bot.cortex.sessions.invitations import InvitationLinks, InvitedGuest
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster, address_of, finding, person_of
from bot.cortex.targets import texts
from bot.cortex.targets.moderated import named_memory, which_channel
from bot.cortex.targets.target_parser import ParsedTarget
from bot.cortex.targets.target_resolver import ResolvedTarget, TargetChannel, TargetResolver
from bot.diagnostics.collect.collector import EvidenceQuery as About
from bot.domain.access import AccessRight, Authority
from bot.domain.channel import ProcessKind
from bot.domain.finding import StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, is_ephemeral
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict, StoredInbound
from bot.domain.messages import ButtonPress, Inbound, OutboundAddress
from bot.domain.turn import NewOutbox, StoredTurn
from bot.errors import DamagedRow, DeliveryError, StoreError, ToolError, UserError
from bot.ports.clock import Clock
from bot.ports.cortex import CommandCall
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.logs import NO_CORRELATION
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say, speaking
from bot.text.text import one_line_name
from bot.tools.context_inspect import InspectionStarted, InspectionWish

log = structlog.get_logger(__name__)


LEAD_TO_PAGES = frozenset({QuestionKind.COMMAND, QuestionKind.WHAT_IS, QuestionKind.WHERE_IS})
"""Questions that a page answers."""
MAX_NAMED_CHANNELS = 4


def is_refused_press(told: str) -> bool:
    """Say whether somebody is told that they pressed a button without the right to."""
    return told in {say("cortex.no-right"), say("cortex.not-yours")}


class _Meant(NamedTuple):
    """A line as it is understood; `choices` are ways to understand it between which its author has to choose.

    `words` are those of a question; `chosen`: a channel was picked among those that they name, by its `mark`.
    """

    command: ParsedCommand
    words: str = ""
    choices: Sequence[MeantChoice] = ()
    chosen: bool = False
    mark: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Cortex:
    """Implements `bot.ports.cortex.CortexPort`; its `begin` is what `bot.tools.context_inspect.InspectionStarter` call.

    `language` says in which somebody is told things; it is given what their app says. `questions` and `looks` say how
    often somebody may ask for either; `words_of` reads a command for it anew. `added` are plugins' pages, by name.
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
    proving: ProofRunner
    invitations: InvitationLinks
    claims: OwnerClaims
    words_of: Callable[[Inbound], str | None]
    forgetting: ErasureRunner
    members: OwnMessageAnswers
    proposing: ProposalThreads
    private_work: PrivateWork
    language: Callable[[PersonKey, str], str]
    tasks: TaskSupervisor
    added: Mapping[str, Sequence[CommandForm]]
    _branches: Iterator[int] = field(init=False, default_factory=lambda: count(1))

    async def may_audit(self, person: PersonKey, key: ChannelKey) -> bool:
        """Ask now whether somebody may look through what is remembered in a channel."""
        target = await self.targets.of(key)
        return target is not None and await self.targets.may(AccessRight.AUDIT, person, target)

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
            return say("cortex.too-fast")
        if self.claims.is_code(call.words):
            return await self.claims.take(call)
        try:
            guest = InvitedGuest(call.caller.person, call.caller.name)
            asked = await self.invitations.accept(guest, call.words)
        except UserError as error:
            await self._note_refusal(call.stored, str(error))
            return str(error)
        if asked is None:
            return None
        if not await self._bring(AdminMessage(asked, call.caller, None, call.stored)):
            await self._note_refusal(call.stored, say("cortex.no-right"))
            return say("cortex.no-right")
        return ""

    async def pressed(self, press: ButtonPress) -> str:
        """Return what to tell the presser, and them alone; what is said beside it goes to their session."""
        signed = button_signing.read(press.data)
        session = handle(HandleKind.SESSION, signed.session) if signed is not None else NO_CORRELATION
        with structlog.contextvars.bound_contextvars(correlation=session):
            told = await self._pressed(press)
            if is_refused_press(told):
                log.info("refused", what="press", channel=press.channel, user=press.person.user_id)
            return told

    async def _pressed(self, press: ButtonPress) -> str:
        if not self.looks.take(press.person):
            return say("cortex.too-fast")
        try:
            if press.ephemeral is not None and button_signing.read_invitation(press.data) is not None:
                return await self._show(press, press.ephemeral)
            signed = button_signing.read(press.data)
            if signed is not None and signed.verb is ButtonVerb.SHOW_SILENCE:
                return await self.claims.press(press, signed, self.targets.caller(press.person, press.name))
            done = await self.presses.take(press, self.inquiry)
            if done.meant is not None and done.session is not None:
                return await self._answer_meant(done.session, press, done.meant)
            return await tell_press(self.post, done)
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
                title = texts.title(target, say("sessions.inspection"))
                session = await self.threads.open(platform, wish.caller, target, title)
            await self.inquiry.inspect(
                SessionQuestion(session, wish.caller, target, About(asker=person), wish.question, wish.focus), diagnosis
            )
        except (UserError, DeliveryError) as error:
            raise ToolError(f"{error} Name a channel by its full id as channel_id.") from error
        return InspectionStarted(f"inspection-{next(self._branches)}", target.key.channel, say("cortex.under-way"))

    async def pending_report(self, turn: StoredTurn) -> NewOutbox | None:
        """Return the one report of an inspection that ended with its process; None where nobody asked for any."""
        session = await self.store.sessions.get(turn.session) if turn.session else None
        if session is None:
            return None
        await self.store.sessions.touch(session.id, self.clock.now())
        with self.post.speaking_to(person_of(session)):
            if turn.kind is ProcessKind.CORTEX:
                return finding(session, say("cortex.talk-cut-off"))
            parts = self.proving if turn.kind is ProcessKind.REPLAY else self.inquiry
            said = await parts.cut_off(session, turn.id)
            return finding(session, said.text, said.buttons)

    async def _show(self, press: ButtonPress, ephemeral: ChannelId) -> str:
        """Answer an invitation where its presser alone sees it; everything is asked for anew."""
        asked = await self.invitations.accept(InvitedGuest(press.person, press.name), press.data)
        shown = OutboundAddress(platform=press.person.platform, channel=ephemeral, private_to=press.person.user_id)
        if asked is None or not await self._bring(
            AdminMessage(asked, self.targets.caller(press.person, press.name), None, shown=shown)
        ):
            return say("cortex.no-right")
        return ""

    async def _bring(self, line: AdminMessage) -> bool:
        """Answer what somebody asked before, now that they can be reached; False where they have no right to it now."""
        words = self.words_of(line.stored.inbound) if line.caller.authority >= Authority.MODERATOR else None
        return words is not None and await self._handle(line, words)

    async def _handle(self, line: AdminMessage, words: str) -> bool:
        """Answer, or say why not; False where nothing is said, because the asker has no right there."""
        inbound = line.stored.inbound
        with speaking(self.language(inbound.person, inbound.locale)):
            return await self._take(line, self._read(words))

    async def _take(self, line: AdminMessage, meant: _Meant) -> bool:
        command, is_heard = meant.command, False
        try:
            if await self._names_nothing(line, command):
                meant = _read_question(command.args.question)
                command = meant.command
            subject, command = await self._understand(line, command)
            if subject is None:
                return False
            choices = meant.choices
            linked = await self._linked(line, meant) if not choices else None
            if linked is not None:
                subject = linked
            elif meant.words and not choices:
                named = await self._named(line, meant, subject.target)
                choices = [_channel_choice(one) for one in named] if len(named) > 1 else []
                subject = ResolvedTarget(named[0], ParsedTarget(named[0].key)) if len(named) == 1 else subject
            # questions cost a diagnosis and perhaps a model; a look costs no more than a press
            limiter = self.questions if isinstance(command.form, DiagnosisCommand) else self.looks
            if not line.invited and not limiter.take(line.caller.person):
                await self._slow_down(line, limiter)
                return True
            is_heard = self._acknowledge(line)
            if choices:
                which = "which_channel" if not meant.choices else "did_you_mean"
                await self.conversation.ask_which(line, subject.target, render(f"cortex/{which}").strip(), choices)
            else:
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
        except Exception as error:  # the admin who asked is told in private what broke, and what to do
            log.error("cortex_failed", command=command.form.name, error_type=type(error).__name__, exc_info=error)
            await self.conversation.refuse(line, texts.broken_text(error))
        return True

    def _read(self, words: str) -> _Meant:
        """Read a line: a command, another name of one, a slip in one, or a question of some kind."""
        command = parse(words, self.added)
        is_question = isinstance(command.form, DiagnosisCommand) and isinstance(command.args, DiagnosisArgs)
        return _read_question(words) if is_question else _Meant(command)

    async def _names_nothing(self, line: AdminMessage, command: ParsedCommand) -> bool:
        """Say whether what is only spelt like a handle names no record: then it was a word."""
        args = command.args
        if not isinstance(args, HandleArgs) or not args.question:
            return False
        return await self.conversation.opener.open(line.caller.person, args.handle) is None

    async def _linked(self, line: AdminMessage, meant: _Meant) -> ResolvedTarget | None:
        """Return the message whose link stands in the words of a question; UserError: it is not known."""
        person = line.caller.person
        link = next((word for word in meant.words.split() if self.targets.is_message_link(person, word)), "")
        return await self.targets.find(person, link, line.here) if link and not meant.command.args.where else None

    async def _named(self, line: AdminMessage, meant: _Meant, here: TargetChannel) -> Sequence[TargetChannel]:
        """Return the channels that the words name, where no message was replied to and none was chosen yet."""
        if meant.chosen:
            return [
                one
                for one in await self._channels(line, meant.words, here)
                if choice_mark(one.key.channel) == meant.mark
            ]
        is_reply = line.session is None and bool(line.stored.inbound.replies_to)
        if is_reply or meant.command.args.where:
            return ()
        return await self._channels(line, meant.words, here)

    async def _channels(self, line: AdminMessage, words: str, here: TargetChannel) -> Sequence[TargetChannel]:
        return (await self.targets.named(line.caller.person, words, here))[:MAX_NAMED_CHANNELS]

    async def _answer_meant(self, session: StoredSession, press: ButtonPress, meant: MeantPress) -> str:
        """Answer what was asked before, in the way that was pressed; the words and every right are read anew."""
        asked = await self.store.ledger.inbound(meant.asked)
        if asked is None or not asked.text_kept or asked.inbound.person != press.person:
            return say("cortex.not-kept")
        found = self.words_of(asked.inbound)
        words = asked.inbound.text if found is None else found
        read = self._read(words) if meant.verb is ButtonVerb.TURN_PAGE else _read_question(words)
        line = AdminMessage(asked, self.targets.caller(press.person, press.name), session, shown=address_of(session))
        if meant.verb is ButtonVerb.ASK_THAT:
            return await self._look(line, words)
        if meant.verb is ButtonVerb.TURN_PAGE:
            form, args = read.command
            if not isinstance(args, PagedArgs):
                return say("cortex.not-kept")
            read = _Meant(ParsedCommand(form, args.replace(page=meant.mark)))
        elif meant.verb is ButtonVerb.MEANT_CHANNEL:
            read = read._replace(chosen=True, mark=meant.mark)
        else:
            choice = next((one.choice for one in read.choices if choice_mark(one.choice) == meant.mark), None)
            if choice is None:
                return say("cortex.not-kept")
            read = _Meant(as_question(words)) if choice == words else _Meant(parse(choice))
        await self._take(line, read)
        return ""

    async def _look(self, line: AdminMessage, words: str) -> str:
        """Let a model look into a question; its author may inspect the session's channel, which was asked just now."""
        target = await self.targets.of_session(line.caller.person, line.here)
        if target is None:
            return say("cortex.no-right")
        await self.conversation.look(line, target, words, understand(words).kind)
        return say("cortex.under-way")

    async def _slow_down(self, line: AdminMessage, limiter: RateLimiter[PersonKey]) -> None:
        """Ask for patience where it was asked, and say once in private that it was not taken."""
        await self.post.slow_down(line.heard, say("cortex.too-fast"))
        if (
            limiter.tells(line.caller.person)
            and not line.stored.inbound.place.is_dm
            and line.heard.inbound.aside is None
        ):
            await self.conversation.refuse(line, render("cortex/not_taken", most=limiter.most).strip())

    async def _understand(
        self, line: AdminMessage, command: ParsedCommand
    ) -> tuple[ResolvedTarget | None, ParsedCommand]:
        """Return what is meant; what was spelt like a handle and is none turns out to be a question."""
        form, args = command
        right, is_moderator = right_of(command), line.caller.authority is Authority.MODERATOR
        if is_moderator and right is not AccessRight.AUDIT:
            raise UserError(render("cortex/moderators_may", names=names_for(AccessRight.AUDIT)).strip())
        if args.where:
            try:
                return await self.targets.find(line.caller.person, args.where, line.here, right), command
            except UserError as error:
                if is_moderator:
                    why = render("cortex/not_moderated").strip()
                    raise UserError(await which_channel(self.targets, line.caller.person, why)) from error
                if args.question:
                    command = as_question(args.question)
                elif form.unheard is not None:
                    beside = say(form.unheard) if form.unheard else ""
                    return await self._never_heard(line, args.where, error, beside), command
                else:
                    raise
        if is_moderator and isinstance(args, HandleArgs):
            # nothing else is open to them but the channel where it was learnt
            memories, targets = self.store.memories, self.targets
            found = await named_memory(memories, targets, line.caller.person, args.handle, AccessRight.AUDIT)
            target: TargetChannel | None = found[1]
        else:
            target = await self._here(line, right)
        return ResolvedTarget(target, ParsedTarget(target.key)) if target else None, command

    async def _never_heard(self, line: AdminMessage, where: str, unknown: UserError, beside: str) -> ResolvedTarget:
        """Return a place that the platform knows and nothing ever came from, or say that it is unknown."""
        found = await self.targets.ask(line.caller.person, where, line.here)
        if found is not None:
            return found
        raise UserError(f"{unknown} {beside}") if beside else unknown

    async def _here(self, line: AdminMessage, right: AccessRight) -> TargetChannel | None:
        """Return the channel that is talked about, None (and a ledger row) where the asker has no right.

        A moderator is told why, and which channels they may name; where there is but one, that is meant in private.
        """
        targets, target = self.targets, None
        with suppress(UserError):
            in_thread = line.session is not None
            target = await (targets.of_session(line.caller.person, line.here) if in_thread else targets.of(line.here))
        if target is None:
            inbound = line.stored.inbound
            target = TargetChannel(line.here, inbound.channel_name, inbound.place)
        decision = await self.targets.decide(line.caller.person, target, right)
        if decision.allowed:
            return target
        if line.caller.authority is Authority.MODERATOR:
            moderated = await targets.audited(line.caller.person)
            if target.place.is_dm and len(moderated) == 1:
                return moderated[0]
            await self._note_refusal(line.stored, decision.reason)
            why = "" if target.place.is_dm else decision.reason
            raise UserError(await which_channel(targets, line.caller.person, why))
        await self._note_refusal(line.stored, decision.reason)
        if line.stored.inbound.aside is not None:
            await self.post.hint(line.stored, say("cortex.no-right"))
        return None

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


def _channel_choice(target: TargetChannel) -> MeantChoice:
    return MeantChoice(ButtonVerb.MEANT_CHANNEL, one_line_name(target.name, 40), target.key.channel)


def _read_question(words: str) -> _Meant:
    """Read what is no command as it stands."""
    read = understand(words)
    if read.guesses:
        lines = [MeantChoice(ButtonVerb.MEANT, one, one) for one in read.guesses]
        question = MeantChoice(ButtonVerb.MEANT, say("sessions.is-a-question"), words)
        return _Meant(as_question(words), words, [*lines, question])
    page = parse(read.line) if read.line and read.kind in LEAD_TO_PAGES else None
    return _Meant(page or as_question(words, read.kind), words)


async def tell_press(post: ThreadPoster, done: PressResult) -> str:
    """Say in their thread what came of a press, and return what to tell the presser."""
    if done.session is None or done.said is None:
        return done.answer
    try:
        await post.say(done.session, done.said.text, done.said.buttons, done.said.file)
    except DeliveryError:
        why = say("cortex.ended") if is_ephemeral(done.session.body.dm_channel) else say("cortex.unreachable")
        return f"{done.answer} {why}".strip()
    return done.answer
