"""Take a button press: believe nothing, ask for the authority again, do one thing, say what happened."""

from __future__ import annotations

from dataclasses import dataclass

from bot.cortex.fixes.answer_picker import AnswerPicker
from bot.cortex.fixes.chunk_resender import ChunkResender
from bot.cortex.fixes.fix_menu import FixMenu
from bot.cortex.fixes.fix_runner import FixRunner, MeantPress, PressResult, wrong_presser
from bot.cortex.fixes.moderator_proposals import ModeratorProposals
from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.fixes.rule_fixes import FixKind
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.pages.memory_audit import alike_pair
from bot.cortex.pages.memory_spread_page import MemorySpreadPages
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.proving.check_pages import CheckPages
from bot.cortex.proving.proof_runner import ProofRunner
from bot.cortex.service.card_presses import CardPresses
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonVerb, SignedButton
from bot.cortex.sessions.buttons import OFFER_VERBS, ButtonFactory, asked_of, fix_of, handle_of
from bot.cortex.sessions.thread_poster import person_of
from bot.cortex.targets.moderated import named_memory
from bot.cortex.targets.record_viewer import RecordViewer, right_over_record
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_parser import ParsedTarget
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver, key_of
from bot.domain.access import AccessRight, Authority
from bot.domain.finding import StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import ButtonPress
from bot.errors import UserError
from bot.ports.delivery import Delivery
from bot.ports.store import Store
from bot.sentences import say

_PREVIEW_VERBS = frozenset(
    {
        ButtonVerb.PREVIEW_FORGET,
        ButtonVerb.PREVIEW_RESUME,
        ButtonVerb.PREVIEW_TELL,
        ButtonVerb.PREVIEW_UNDO_COMPACTION,
        ButtonVerb.PREVIEW_REMEMBER,
        ButtonVerb.PREVIEW_FIX,
    }
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PressHandler:
    """Everything that a button can do."""

    store: Store
    buttons: ButtonFactory
    targets: TargetResolver
    opener: RecordViewer
    reading: PartReading
    spreads: MemorySpreadPages
    offering: OfferMaker
    menu: FixMenu
    picker: AnswerPicker
    cards: CardPresses
    fixes: FixRunner
    resends: ChunkResender
    proving: ProofRunner
    checks: CheckPages
    suggesting: ModeratorProposals
    delivery: Delivery

    async def take(self, press: ButtonPress, inquiry: DiagnosisRunner) -> PressResult:
        """Do what a press asks for, if it is one of ours and its presser may, now."""
        signed = button_signing.read(press.data)
        if signed is None:
            return PressResult(say("cortex.not-ours"))
        if signed.verb in OFFER_VERBS:
            return await self.fixes.press_offer(press, signed)
        if signed.verb is ButtonVerb.RESEND:
            return PressResult(await self.resends.press(press, signed, self.delivery))
        if signed.verb is ButtonVerb.CARD:
            return await self.cards.press(press, signed, inquiry)
        session = await self.store.sessions.get(signed.session)
        if session is None or not self.buttons.is_of_session(signed, session):
            return PressResult(say("cortex.not-ours"))
        if refused := wrong_presser(press, person_of(session), session.body.dm_channel):
            return PressResult(refused)
        try:
            target = await self.targets.of_session(press.person, key_of(session.body.agent, session.body.target))
            if target is None or not await self.targets.may(_right(signed), press.person, target):
                return PressResult(say("cortex.no-right"))
            return await self._do(press, signed, session, target, inquiry)
        except UserError as error:
            return PressResult(str(error))

    async def _do(
        self,
        press: ButtonPress,
        signed: SignedButton,
        session: StoredSession,
        target: TargetChannel,
        inquiry: DiagnosisRunner,
    ) -> PressResult:
        if signed.verb in _PREVIEW_VERBS:
            return PressResult("", session, await self._preview(press, signed, session, target))
        match signed.verb:
            case ButtonVerb.OPEN:
                return await self._open(press, session, signed.argument)
            case ButtonVerb.READ:
                caller = self.targets.caller(press.person, session.body.actor_name)
                return PressResult("", session, await self.reading.press(session, caller, target, signed.argument))
            case ButtonVerb.SPREAD:
                caller = self.targets.caller(press.person, session.body.actor_name)
                return PressResult("", session, await self.spreads.press(session, caller, target, signed.argument))
            case ButtonVerb.PREVIEW_MERGE:
                caller = self.targets.caller(press.person, session.body.actor_name)
                talk = SessionContext(caller, session, target, ParsedTarget(target.key))
                return PressResult("", session, await self._merge(talk, signed.argument))
            case ButtonVerb.MEANT | ButtonVerb.MEANT_CHANNEL | ButtonVerb.ASK_THAT | ButtonVerb.TURN_PAGE:
                return PressResult("", session, meant=MeantPress(signed.verb, *asked_of(signed.argument)))
            case ButtonVerb.PROVE | ButtonVerb.PROVE_MESSAGE | ButtonVerb.CANCEL_PROOF | ButtonVerb.GO_ON_PROVING:
                return await self._prove(press, signed, session, target)
            case ButtonVerb.KEEP_CHECK | ButtonVerb.EXPECT_DECISION:
                caller = self.targets.caller(press.person, session.body.actor_name)
                talk = SessionContext(caller, session, target, ParsedTarget(target.key))
                asks = signed.verb is ButtonVerb.KEEP_CHECK
                kept = self.checks.ask_what_is_right if asks else self.checks.keep
                return PressResult("", session, await kept(talk, signed.argument))
            case ButtonVerb.PICK_WAITING | ButtonVerb.ANSWER_PICKED:
                return await self.picker.press(signed, session, target)
            case ButtonVerb.APPROVE | ButtonVerb.DECLINE:
                return await self.suggesting.press(press, session, signed.verb, signed.argument)
            case ButtonVerb.UNDO:
                return await self.fixes.press_undo(press, session, signed.argument)
            case _:
                return await inquiry.pressed(signed, session, target)

    async def _open(self, press: ButtonPress, session: StoredSession, argument: int) -> PressResult:
        text = await self.opener.open(press.person, handle_of(argument))
        if not text:
            return PressResult(say("cortex.no-such-record"))
        return PressResult("", session, ThreadReply(text))

    async def _preview(
        self, press: ButtonPress, signed: SignedButton, session: StoredSession, target: TargetChannel
    ) -> ThreadReply:
        """Show what a fix would do, with the button that does it."""
        match signed.verb:
            case ButtonVerb.PREVIEW_FORGET:
                return await self._preview_forget(session, target, signed.argument)
            case ButtonVerb.PREVIEW_RESUME:
                return await self.offering.resume(session, target)
            case ButtonVerb.PREVIEW_TELL:
                return await self.offering.tell(session, target)
            case ButtonVerb.PREVIEW_UNDO_COMPACTION:
                return await self.offering.uncompact(session, target, signed.argument)
            case ButtonVerb.PREVIEW_REMEMBER:
                caller = self.targets.caller(press.person, session.body.actor_name)
                return await self.offering.remember_said(session, target, caller, signed.argument)
            case _:
                return await self._preview_fix(press, session, target, signed.argument)

    async def _merge(self, talk: SessionContext, row: int) -> ThreadReply:
        """Show what would become of a memory and the one that it resembles; a moderator proposes it to the admins."""
        memories, person = self.store.memories, talk.caller.person
        newer = [memory] if (memory := await memories.get(row)) is not None else []
        pair = alike_pair(newer, await memories.edges([row], None))
        if not pair:
            raise UserError(say("sessions.not-two-any-more"))
        proposes = talk.caller.authority is Authority.MODERATOR
        right = AccessRight.AUDIT if proposes else AccessRight.INSPECT
        names = [handle(HandleKind.MEMORY, one) for one in pair]
        found = [(await named_memory(memories, self.targets, person, name, right))[0] for name in names]
        if proposes:
            return await self.suggesting.merge(talk, found, say("sessions.alike-reason"))
        return await self.offering.merge(talk.session, talk.target, found)

    async def _prove(
        self, press: ButtonPress, signed: SignedButton, session: StoredSession, target: TargetChannel
    ) -> PressResult:
        """Offer a proof, stop one, or go on with one that was cut off."""
        caller = self.targets.caller(press.person, session.body.actor_name)
        if signed.verb is ButtonVerb.PROVE:
            talk = SessionContext(caller, session, target, ParsedTarget(target.key))
            return PressResult("", session, await self.proving.pressed(talk, signed.argument))
        if signed.verb is ButtonVerb.PROVE_MESSAGE:
            name = handle(HandleKind.INBOUND, signed.argument)
            about = ParsedTarget(target.key, name, signed.argument)
            return PressResult("", session, await self.proving.offer(SessionContext(caller, session, target, about)))
        if signed.verb is ButtonVerb.CANCEL_PROOF:
            stopped = await self.proving.cancel(session, signed.argument)
            return PressResult(say("sessions.proof-stops" if stopped else "sessions.proof-is-over"))
        await self.proving.go_on(session, target, caller, signed.argument)
        return PressResult(say("sessions.goes-on"))

    async def _preview_fix(
        self, press: ButtonPress, session: StoredSession, target: TargetChannel, argument: int
    ) -> ThreadReply:
        kind, row = fix_of(argument)
        caller = self.targets.caller(press.person, session.body.actor_name)
        return await self.menu.offer(FixKind(kind), session, target, caller, row)

    async def _preview_forget(self, session: StoredSession, target: TargetChannel, row: int) -> ThreadReply:
        memory = await self.store.memories.get(row)
        if memory is None:
            raise UserError(say("cortex.no-such-record"))
        source = await self.targets.of(key_of(memory.body.agent, memory.body.channel))
        person = person_of(session)
        if source is None or not await self.targets.may_inspect(person, source):
            raise UserError(say("cortex.no-such-record"))
        return await self.offering.forget(session, target, memory)


def _right(signed: SignedButton) -> AccessRight:
    """Return what a press takes over the channel of its session; what it leads to asks for its own rights again."""
    if signed.verb is ButtonVerb.OPEN:
        return right_over_record(handle_of(signed.argument))
    is_look = signed.verb in {ButtonVerb.TURN_PAGE, ButtonVerb.SPREAD, ButtonVerb.PREVIEW_MERGE}
    return AccessRight.AUDIT if is_look else AccessRight.INSPECT
