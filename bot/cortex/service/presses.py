"""Take a button press: believe nothing, ask for the authority again, do one thing, say what happened."""

from __future__ import annotations

from dataclasses import dataclass

from bot.cortex.fixes.fixes import NOT_OURS, Fixes, Pressed, not_theirs
from bot.cortex.fixes.offers import Offering, Said
from bot.cortex.fixes.resend import Resends
from bot.cortex.inspection.inquiry import Inquiry
from bot.cortex.sessions import signing
from bot.cortex.sessions.buttons import OFFER_VERBS, Buttons, handle_of
from bot.cortex.sessions.post import person_of
from bot.cortex.sessions.signing import Signed, Verb
from bot.cortex.targets import texts
from bot.cortex.targets.record_viewer import Opener
from bot.cortex.targets.targets import Target, Targets, key_of
from bot.domain.finding import StoredSession
from bot.domain.messages import ButtonPress
from bot.errors import UserError
from bot.ports.delivery import Delivery
from bot.ports.store import Store


@dataclass(frozen=True, kw_only=True, eq=False)
class Presses:
    """Everything that a button can do."""

    store: Store
    buttons: Buttons
    targets: Targets
    opener: Opener
    offering: Offering
    fixes: Fixes
    resends: Resends
    delivery: Delivery

    async def take(self, press: ButtonPress, inquiry: Inquiry) -> Pressed:
        """Do what a press asks for, if it is one of ours and its presser may, now."""
        signed = signing.read(press.data)
        if signed is None:
            return Pressed(NOT_OURS)
        if signed.verb in OFFER_VERBS:
            return await self.fixes.press_offer(press, signed)
        if signed.verb is Verb.RESEND:
            return Pressed(await self.resends.press(press, signed, self.delivery))
        session = await self.store.sessions.get(signed.session)
        if session is None or not self.buttons.is_of_session(signed, session):
            return Pressed(NOT_OURS)
        if refused := not_theirs(press, person_of(session), session.body.dm_channel):
            return Pressed(refused)
        try:
            target = await self.targets.of_session(press.person, key_of(session.body.agent, session.body.target))
            if target is None or not await self.targets.may_inspect(press.person, target):
                return Pressed(texts.NO_RIGHT)
            return await self._do(press, signed, session, target, inquiry)
        except UserError as error:
            return Pressed(str(error))

    async def _do(
        self, press: ButtonPress, signed: Signed, session: StoredSession, target: Target, inquiry: Inquiry
    ) -> Pressed:
        match signed.verb:
            case Verb.PREVIEW_FORGET:
                return Pressed("", session, await self._preview_forget(session, target, signed.argument))
            case Verb.PREVIEW_RESUME:
                return Pressed("", session, await self.offering.resume(session, target))
            case Verb.PREVIEW_TELL:
                return Pressed("", session, await self.offering.tell(session, target))
            case Verb.PREVIEW_UNDO_COMPACTION:
                return Pressed("", session, await self.offering.uncompact(session, target, signed.argument))
            case Verb.OPEN:
                text = await self.opener.open(press.person, handle_of(signed.argument))
                return Pressed("", session, Said(text)) if text else Pressed(texts.NO_SUCH_RECORD)
            case Verb.UNDO:
                return await self.fixes.press_undo(press, session, signed.argument)
            case _:
                return await inquiry.pressed(signed, session, target)

    async def _preview_forget(self, session: StoredSession, target: Target, row: int) -> Said:
        memory = await self.store.memories.get(row)
        if memory is None:
            raise UserError(texts.NO_SUCH_RECORD)
        source = await self.targets.of(key_of(memory.body.agent, memory.body.channel))
        person = person_of(session)
        if source is None or not await self.targets.may_inspect(person, source):
            raise UserError(texts.NO_SUCH_RECORD)
        return await self.offering.forget(session, target, memory)
