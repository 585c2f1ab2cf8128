"""Take a button press: believe nothing, ask for the authority again, do one thing, say what happened."""

from __future__ import annotations

from dataclasses import dataclass

from bot.cortex import signing, texts
from bot.cortex.buttons import OFFER_VERBS, Buttons, handle_of
from bot.cortex.fixes import NOT_OURS, Fixes, Pressed, not_theirs
from bot.cortex.inquiry import Inquiry
from bot.cortex.offers import Offering, Said
from bot.cortex.open import Opener
from bot.cortex.post import person_of
from bot.cortex.resend import Resends
from bot.cortex.signing import Signed, Verb
from bot.cortex.target import Target, Targets, key_of
from bot.domain.finding import Session
from bot.domain.messages import Press
from bot.errors import UserError
from bot.ports.delivery import Delivery
from bot.ports.store import Store


@dataclass(frozen=True)
class PressDesk:
    """What presses are taken with."""

    store: Store
    buttons: Buttons
    targets: Targets
    opener: Opener
    offering: Offering
    fixes: Fixes
    resends: Resends
    delivery: Delivery


class Presses:
    """Everything that a button can do."""

    def __init__(self, desk: PressDesk) -> None:
        self._store = desk.store
        self._buttons = desk.buttons
        self._targets = desk.targets
        self._opener = desk.opener
        self._offering = desk.offering
        self._fixes = desk.fixes
        self._resends = desk.resends
        self._delivery = desk.delivery

    async def take(self, press: Press, inquiry: Inquiry) -> Pressed:
        """Do what a press asks for, if it is one of ours and its presser may, now."""
        signed = signing.read(press.data)
        if signed is None:
            return Pressed(NOT_OURS)
        if signed.verb in OFFER_VERBS:
            return await self._fixes.press_offer(press, signed)
        if signed.verb is Verb.RESEND:
            return Pressed(await self._resends.press(press, signed, self._delivery))
        session = await self._store.sessions.get(signed.session)
        if session is None or not self._buttons.is_of_session(signed, session):
            return Pressed(NOT_OURS)
        if refused := not_theirs(press, person_of(session), session.body.dm_channel):
            return Pressed(refused)
        try:
            target = await self._targets.of_session(press.person, key_of(session.body.agent, session.body.target))
            if target is None or not await self._targets.may_inspect(press.person, target):
                return Pressed(texts.NO_RIGHT)
            return await self._do(press, signed, session, target, inquiry)
        except UserError as error:
            return Pressed(str(error))

    async def _do(self, press: Press, signed: Signed, session: Session, target: Target, inquiry: Inquiry) -> Pressed:
        match signed.verb:
            case Verb.PREVIEW_FORGET:
                return Pressed("", session, await self._preview_forget(session, target, signed.argument))
            case Verb.PREVIEW_RESUME:
                return Pressed("", session, await self._offering.resume(session, target))
            case Verb.PREVIEW_TELL:
                return Pressed("", session, await self._offering.tell(session, target))
            case Verb.PREVIEW_UNDO_COMPACTION:
                return Pressed("", session, await self._offering.uncompact(session, target, signed.argument))
            case Verb.OPEN:
                text = await self._opener.open(press.person, handle_of(signed.argument))
                return Pressed("", session, Said(text)) if text else Pressed(texts.NO_SUCH_RECORD)
            case Verb.UNDO:
                return await self._fixes.press_undo(press, session, signed.argument)
            case _:
                return await inquiry.pressed(signed, session, target)

    async def _preview_forget(self, session: Session, target: Target, row: int) -> Said:
        memory = await self._store.memories.get(row)
        if memory is None:
            raise UserError(texts.NO_SUCH_RECORD)
        source = await self._targets.of(key_of(memory.body.agent, memory.body.channel))
        person = person_of(session)
        if source is None or not await self._targets.may_inspect(person, source):
            raise UserError(texts.NO_SUCH_RECORD)
        return await self._offering.forget(session, target, memory)
