"""Invite an admin whose direct messages are closed: by a link or a button for them alone, answered once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import INVITATION_BYTES, ButtonScope
from bot.domain.finding import NewAudit, NewInvitation, StoredInvitation
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Button
from bot.errors import UserError
from bot.ports.clock import Clock, Entropy
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.sentences import say
from bot.text.times import minute

INVITATION_MINUTES = 10
_ANY_CHANNEL = ChannelId("")
"""A link is bound to a person; in whose private chat they are is for the platform to say."""


class InvitedGuest(NamedTuple):
    """Who comes with an invitation; `name` is shown and proves nothing."""

    person: PersonKey
    name: str


class InvitationLinks:
    """Makes links and buttons, and accepts each once."""

    def __init__(self, store: Store, platforms: Mapping[str, Platform], clock: Clock, entropy: Entropy) -> None:
        self._store = store
        self._platforms = platforms
        self._clock = clock
        self._entropy = entropy

    async def to(self, asked: StoredInbound) -> tuple[str, tuple[Button, ...]]:
        """Return what brings a question's author the answer, as their platform can: a link, a button, or neither."""
        person, now = asked.inbound.person, self._clock.now()
        identity, expires_at = self._entropy.token(INVITATION_BYTES), now + INVITATION_MINUTES * 60_000
        payload = button_signing.invite(self._store.secret_key, identity, ButtonScope(person, _ANY_CHANNEL, expires_at))
        text, buttons = self._as_the_platform_can(person.platform, payload)
        if text != say("sessions.dm-closed"):
            await self._store.invitations.invite(
                NewInvitation(
                    secret_id=identity.hex(),
                    platform=person.platform,
                    actor=person.user_id,
                    inbound=asked.id,
                    created_at=now,
                    expires_at=expires_at,
                )
            )
        return text, buttons

    def _as_the_platform_can(self, name: str, payload: str) -> tuple[str, tuple[Button, ...]]:
        platform = self._platforms.get(name)
        if platform is None:
            return say("sessions.dm-closed"), ()
        if link := platform.invitation(payload):
            return say("sessions.dm-closed-link", link=link), ()
        if platform.capabilities.ephemeral:
            return say("sessions.dm-closed-button"), (Button(label=say("sessions.show-me"), data=payload),)
        return say("sessions.dm-closed"), ()

    async def accept(self, guest: InvitedGuest, payload: str) -> StoredInbound | None:
        """Return the question that a payload stands for, once; None for a payload that was never one of ours.

        Raise UserError with what to tell the person when theirs it is not, or not any more.
        """
        signed = button_signing.read_invitation(payload)
        if signed is None:
            return None
        person = guest.person
        found = await self._store.invitations.get(signed.id.hex())
        if found is None or person != PersonKey(found.body.platform, found.body.actor):
            raise UserError(say("sessions.link-not-yours"))
        scope = ButtonScope(person, _ANY_CHANNEL, found.body.expires_at)
        if not button_signing.is_genuine(self._store.secret_key, signed, scope):
            raise UserError(say("sessions.link-not-yours"))
        asked = await self._store.ledger.inbound(found.body.inbound)
        audit = self._audit(guest, asked)
        if not await self._store.invitations.accept(found.id, audit):
            raise UserError(_closed(await self._store.invitations.get(found.body.secret_id) or found))
        if asked is None or not asked.text_kept:
            raise UserError(say("sessions.question-gone"))
        return asked

    def _audit(self, guest: InvitedGuest, asked: StoredInbound | None) -> NewAudit:
        return NewAudit(
            at=self._clock.now(),
            platform=guest.person.platform,
            actor=guest.person.user_id,
            actor_name=guest.name,
            action="invitation accepted",
            target=asked.key.channel if asked else "",
        )


def _closed(invitation: StoredInvitation) -> str:
    if not invitation.used_at:
        return say("sessions.link-expired")
    return say("sessions.link-used", time=minute(invitation.used_at))
