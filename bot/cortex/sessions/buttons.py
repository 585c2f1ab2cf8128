"""Make the buttons of a session, and read a press back into what it was made for."""

from __future__ import annotations

from bot.cortex.sessions import signing
from bot.cortex.sessions.signing import Scope, Signed, Verb
from bot.domain.finding import NewProposal, StoredSession
from bot.domain.handles import SLOTS, HandleKind, handle
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.messages import Button
from bot.domain.turn import StoredOutbox

OFFER_VERBS = frozenset({Verb.CONFIRM, Verb.KEEP})
"""Verbs whose id is that of a stored offer; the others carry their session and a row."""
RESEND_MS = 24 * 3_600_000
"""How long a chunk that may not have arrived can be sent once more."""
_KINDS = tuple(HandleKind)


class Buttons:
    """Signs with the key of the data directory."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def row(self, session: StoredSession, verb: Verb, label: str, argument: int = 0) -> Button:
        """Make a button that means one row (or none) in a session; what it may do is decided when it is pressed."""
        data = signing.sign(self._key, verb, signing.number(session.id, argument), _of_session(session))
        return Button(label=label, data=data)

    def opens(self, session: StoredSession, label: str, kind: HandleKind, row: int) -> Button:
        """Make a button that opens a record."""
        return self.row(session, Verb.OPEN, label, _KINDS.index(kind) * SLOTS + row % SLOTS)

    def offer(self, proposal: NewProposal, verb: Verb, label: str) -> Button:
        """Make a button of a stored offer."""
        data = signing.sign(self._key, verb, bytes.fromhex(proposal.secret_id), _of_offer(proposal))
        return Button(label=label, data=data)

    def resends(self, chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> Button:
        """Make a button that sends a chunk once more; a try of it makes the button useless."""
        identity = signing.number(chunk.attempts, chunk.row)
        return Button(
            label="Send it", data=signing.sign(self._key, Verb.RESEND, identity, _of_chunk(chunk, person, channel))
        )

    def is_of_chunk(self, signed: Signed, chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether we made this for that chunk, person and place."""
        return signing.is_genuine(self._key, signed, _of_chunk(chunk, person, channel))

    def is_of_session(self, signed: Signed, session: StoredSession) -> bool:
        """Say whether we made this for that session."""
        return signing.is_genuine(self._key, signed, _of_session(session))

    def is_of_offer(self, signed: Signed, proposal: NewProposal) -> bool:
        """Say whether we made this for that offer."""
        return signing.is_genuine(self._key, signed, _of_offer(proposal))


def handle_of(argument: int) -> str:
    """Return the handle that a button opens."""
    kind, slot = divmod(argument, SLOTS)
    return handle(_KINDS[kind % len(_KINDS)], slot)


def _of_chunk(chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> Scope:
    return Scope(person, channel, chunk.created_at + RESEND_MS)


def _of_session(session: StoredSession) -> Scope:
    return Scope(PersonKey(session.body.platform, session.body.actor), session.body.dm_channel)


def _of_offer(proposal: NewProposal) -> Scope:
    return Scope(PersonKey(proposal.platform, proposal.actor), proposal.channel, proposal.expires_at)
