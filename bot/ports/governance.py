"""What an admin asked for, was offered, pressed and read: sessions, offers with their fixes, the audit chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.finding import (
    AuditRow,
    Fix,
    NewAudit,
    NewInvitation,
    NewProposal,
    NewSession,
    ProposalState,
    StoredInvitation,
    StoredProposal,
    StoredSession,
)
from bot.domain.handles import Handle
from bot.domain.ids import PersonKey


class SessionStore(Protocol):
    """The conversations of admins with the cortex."""

    async def open(self, session: NewSession) -> StoredSession: ...

    async def touch(self, session: int, at: int) -> None:
        """Note that something was said in a session."""

    async def get(self, row: int) -> StoredSession | None:
        """Return a session by its row."""

    async def by_handle(self, handle: Handle) -> StoredSession | None:
        """Return the newest session of a handle's slot."""

    async def of_thread(self, person: PersonKey, dm_channel: str, dm_thread: str) -> StoredSession | None:
        """Return the session of a DM thread; with an empty thread, the person's newest session there."""

    async def of_person(self, person: PersonKey, limit: int) -> Sequence[StoredSession]:
        """Return somebody's newest sessions, newest first."""


class OfferStore(Protocol):
    """Proposed fixes, done once or not at all."""

    async def propose(self, proposal: NewProposal) -> StoredProposal:
        """Keep an offer and return it with its row."""

    async def get(self, secret_id: str) -> StoredProposal | None:
        """Return an offer by the random id in its button."""

    async def of_row(self, row: int) -> StoredProposal | None:
        """Return an offer by its row; whoever asks sees to it whose it is."""

    async def suggestions(self, now: int) -> Sequence[StoredProposal]:
        """Return what moderators proposed and nobody has decided yet, oldest first; what has expired is left out."""

    async def close(self, row: int, state: ProposalState, at: int) -> bool:
        """Close an open offer without effect; False when it was closed already."""

    async def execute(self, row: int, audit: NewAudit) -> AuditRow | None:
        """Use up an open offer, do its fix and write the audit row, in ONE transaction.

        None when the offer was used already. Raises UserError when what it changes has changed since (stale).
        """

    async def undo(self, audit_row: int, audit: NewAudit) -> AuditRow | None:
        """Do the undo of an audit row and write a new one; None when it was undone already."""

    async def is_current(self, fix: Fix) -> bool:
        """Say whether what a fix would change is still as it was when it was proposed."""


class InvitationStore(Protocol):
    """Links that are answered once."""

    async def invite(self, invitation: NewInvitation) -> StoredInvitation:
        """Keep an invitation and return it with its row."""

    async def get(self, secret_id: str) -> StoredInvitation | None:
        """Return an invitation by the random id in its link."""

    async def accept(self, row: int, audit: NewAudit) -> bool:
        """Use one up and write the audit row, in ONE transaction; False when it was used before, or has expired."""


class AuditTrail(Protocol):
    """The chained record of what admins did and looked at."""

    async def append(self, entry: NewAudit) -> AuditRow:
        """Append a row to the chain."""

    async def newest(self, person: PersonKey | None, limit: int) -> Sequence[AuditRow]:
        """Return the newest audit rows, newest first; of everybody when no person is given.

        What people did in their own private chats is shown to nobody but them.
        """

    async def by_handle(self, handle: Handle) -> AuditRow | None:
        """Return the newest audit row of a handle's slot."""

    async def verify(self) -> int:
        """Return the number of the first row whose chain does not hold, 0 when all do."""
