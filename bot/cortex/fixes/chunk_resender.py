"""Send once more what may not have arrived, for who asked or for an admin, when they press for it."""

from __future__ import annotations

from functools import partial

from bot.cortex.sessions.button_signing import SignedButton
from bot.cortex.sessions.buttons import RESEND_WINDOW_MS, ButtonFactory
from bot.domain.access import Authority
from bot.domain.finding import NewAudit
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.messages import AuthorKind, ButtonPress
from bot.domain.turn import OutboxState, StoredOutbox
from bot.messaging.delivery.poster import ResendOffer
from bot.messaging.policy.access import AccessPolicy
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.store import Store
from bot.sentences import say
from bot.text.times import minute

_DONE_TEXTS = {
    OutboxState.NEW: "fixes.on-its-way",
    OutboxState.SENDING: "fixes.on-its-way",
    OutboxState.DEAD: "fixes.not-delivered",
    OutboxState.UNCERTAIN: "fixes.uncertain-again",
}


class ChunkResender:
    """Offers it, and does it once for each offer."""

    def __init__(self, store: Store, access: AccessPolicy, clock: Clock) -> None:
        self._store = store
        self._buttons = ButtonFactory(store.secret_key)
        self._access = access
        self._clock = clock

    async def offer(self, row: int) -> ResendOffer | None:
        """Return the buttons for a chunk that is uncertain; None for any other."""
        chunk = await self._store.outbox.get(row)
        if chunk is None or chunk.state is not OutboxState.UNCERTAIN:
            return None
        asker = await self._asker(chunk)
        own = self._buttons.resends(chunk, asker, chunk.body.to.channel) if asker else None
        return ResendOffer(own, partial(self._buttons.resends, chunk))

    async def press(self, press: ButtonPress, signed: SignedButton, delivery: Delivery) -> str:
        """Send a chunk once more, for the one whose button it is; return what to tell them."""
        chunk = await self._store.outbox.get(signed.argument)
        if chunk is None:
            return say("cortex.not-ours")
        asker = await self._asker(chunk)
        if not self._buttons.is_of_chunk(signed, chunk, press.person, press.channel):
            is_askers = asker is not None and self._buttons.is_of_chunk(signed, chunk, asker, press.channel)
            return say("cortex.not-yours") if is_askers else say("cortex.not-ours")
        if self._clock.now() >= chunk.created_at + RESEND_WINDOW_MS:
            return say("fixes.button-expired")
        is_admin = press.channel != chunk.body.to.channel or press.person != asker
        if is_admin and self._access.tier(press.person) < Authority.ADMIN:
            return say("cortex.no-right")
        audit = self._audit(press, chunk) if is_admin else None
        again = await self._store.outbox.send_again(chunk.row, signed.session, self._note(chunk, is_admin), audit)
        if again is None:
            return _done(await self._store.outbox.get(chunk.row) or chunk)
        delivery.enqueue([again])
        return say("fixes.sending-again")

    async def _asker(self, chunk: StoredOutbox) -> PersonKey | None:
        stored = await self._store.ledger.inbound(chunk.body.inbound) if chunk.body.inbound else None
        if stored is None or stored.inbound.author.kind is not AuthorKind.PERSON:
            return None
        return stored.inbound.person

    def _note(self, chunk: StoredOutbox, is_admin: bool) -> StageRow:
        detail = (
            ("delivery", handle(HandleKind.DELIVERY, chunk.row)),
            ("asked_by", "an admin" if is_admin else "who asked"),
        )
        return StageRow(
            inbound=chunk.body.inbound,
            at=self._clock.now(),
            stage=LedgerStage.OUTBOX,
            verdict=StageVerdict.NOTED,
            reason="sent again",
            detail=detail,
        )

    def _audit(self, press: ButtonPress, chunk: StoredOutbox) -> NewAudit:
        return NewAudit(
            at=self._clock.now(),
            platform=press.person.platform,
            actor=press.person.user_id,
            actor_name=press.name,
            action="send again",
            target=chunk.body.to.channel,
            detail=handle(HandleKind.DELIVERY, chunk.row),
        )


def _done(chunk: StoredOutbox) -> str:
    if chunk.state is OutboxState.SENT and chunk.receipt is not None:
        return say("fixes.sent-already", time=minute(chunk.receipt.at))
    return say(_DONE_TEXTS.get(chunk.state, _DONE_TEXTS[OutboxState.NEW]))
