"""Which channel a press changes something in: whoever has that channel is the one to do it."""

from __future__ import annotations

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.domain.ids import ChannelId
from bot.domain.messages import ButtonPress
from bot.ports.store import Store

_OF_SESSION = frozenset(
    {ButtonVerb.UNDO, ButtonVerb.APPROVE, ButtonVerb.CANCEL_PROOF, ButtonVerb.GO_ON_PROVING, ButtonVerb.ANSWER_PICKED}
)
"""Whatever else a button does, it reads: that is done by anybody, also where the other one does not answer."""


async def changed_channel(store: Store, press: ButtonPress) -> ChannelId | None:
    """Return it; None where a press changes nothing, or is none of ours. Whether it may is not asked here."""
    signed = button_signing.read(press.data)
    if signed is None:
        return None
    if signed.verb is ButtonVerb.RESEND:
        chunk = await store.outbox.get(signed.argument)
        return chunk.body.to.channel if chunk is not None else None
    number = signed.session if signed.verb in _OF_SESSION else 0
    if signed.verb is ButtonVerb.CONFIRM:
        offer = await store.offers.get(signed.id.hex())
        number = offer.body.session if offer is not None else 0
    session = await store.sessions.get(number) if number else None
    return session.body.target if session is not None else None
