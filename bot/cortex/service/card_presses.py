"""Take a press below a message that follows trouble: open a thread about its channel, and offer what helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.cortex.alerts.admin_alerts import AdminAlerts, told_troubles
from bot.cortex.fixes.fix_menu import FixMenu
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.fixes.offers import OfferMaker
from bot.cortex.fixes.rule_fixes import FixKind
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.sessions.button_signing import SignedButton
from bot.cortex.sessions.buttons import ButtonFactory, is_card_about
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.targets import texts
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.access import Authority, Caller
from bot.domain.finding import StoredSession
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.incident import CardAction, ChannelTrouble, Followed
from bot.domain.ledger import StoredInbound
from bot.domain.messages import ButtonPress
from bot.errors import UserError
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.sentences import say


@dataclass(frozen=True, kw_only=True, eq=False)
class CardPresses:
    """Asks for the right over each channel when the button is pressed."""

    store: Store
    alerts: AdminAlerts
    buttons: ButtonFactory
    targets: TargetResolver
    threads: SessionThreads
    platforms: Mapping[str, Platform]
    menu: FixMenu
    offering: OfferMaker

    async def press(self, press: ButtonPress, signed: SignedButton, inquiry: DiagnosisRunner) -> PressResult:
        """Offer what the button says, in a thread about the channel."""
        if not self.buttons.is_of_card(signed, press.person, press.channel):
            return PressResult(say("cortex.not-ours"))
        caller = self.targets.caller(press.person, press.name)
        if caller.authority < Authority.ADMIN:
            return PressResult(say("cortex.no-right"))
        about = await self._about(signed)
        if about is None or signed.id[0] not in CardAction._value2member_map_:
            return PressResult(say("sessions.trouble-gone"))
        waiting = await self._waiting(press.person, about)
        target = await self._target(press.person, about, waiting)
        platform = self.platforms.get(press.person.platform)
        if target is None or platform is None:
            return PressResult(say("sessions.nobody-waits"))
        session = await self.threads.open(platform, caller, target, texts.title(target, say("sessions.trouble")))
        try:
            return await self._offer(CardAction(signed.id[0]), session, caller, target, waiting, inquiry)
        except UserError as error:
            return PressResult(str(error))

    async def _offer(
        self,
        action: CardAction,
        session: StoredSession,
        caller: Caller,
        target: TargetChannel,
        waiting: list[StoredInbound],
        inquiry: DiagnosisRunner,
    ) -> PressResult:
        match action:
            case CardAction.ANSWER:
                reply = await self.menu.answer(session, target, list(reversed(waiting)))
            case CardAction.TELL:
                channels = dict.fromkeys(one.key.channel for one in waiting)
                channels.setdefault(target.key.channel)
                reply = await self.offering.tell_trouble(session, target, tuple(channels))
            case CardAction.MODEL:
                reply = await self.menu.offer(FixKind.MODEL, session, target, caller, 0)
            case CardAction.WHY:
                newest = waiting[-1].id if waiting else 0
                diagnosis = await inquiry.diagnosis(target, EvidenceQuery(inbound=newest))
                await inquiry.tell(session, caller, target, diagnosis)
                return PressResult(say("sessions.answer-in-thread"))
        return PressResult("", session, reply)

    async def _about(self, signed: SignedButton) -> Followed | None:
        known: tuple[Followed, ...] = (*await self.alerts.followed(), *await told_troubles(self.alerts))
        return next((one for one in known if is_card_about(signed, one.kind)), None)

    async def _waiting(self, person: PersonKey, about: Followed) -> list[StoredInbound]:
        """Return what waits still, oldest first, in channels that this person may inspect."""
        found = [stored for row in about.waiting if (stored := await self.menu.waiting.open(row)) is not None]
        allowed = await self.targets.inspectable(person, (stored.key for stored in found))
        return [stored for stored in found if stored.key in allowed]

    async def _target(self, person: PersonKey, about: Followed, waiting: list[StoredInbound]) -> TargetChannel | None:
        if isinstance(about, ChannelTrouble):
            key = ChannelKey(about.agent, about.channel)
        elif waiting:
            key = waiting[-1].key
        else:
            return None
        target = await self.targets.of(key)
        return target if target is not None and await self.targets.may_inspect(person, target) else None
