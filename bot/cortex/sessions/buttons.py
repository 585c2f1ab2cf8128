"""Make the buttons of a session, and read a press back into what it was made for."""

from __future__ import annotations

import hashlib
from zlib import crc32

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonScope, ButtonVerb, SignedButton
from bot.domain.finding import NewProposal, StoredSession
from bot.domain.handles import SLOTS, HandleKind, handle
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.incident import CardAction
from bot.domain.messages import Button
from bot.domain.turn import StoredOutbox, StoredRequest
from bot.sentences import say

OFFER_VERBS = frozenset({ButtonVerb.CONFIRM, ButtonVerb.KEEP})
"""Verbs whose id is that of a stored offer; the others carry their session and a row."""
RESEND_WINDOW_MS = 24 * 3_600_000
"""How long a chunk that may not have arrived can be sent once more."""
MAX_CHOICES = 256
MAX_ASKED_ROWS = 2**32
"""How many messages a button that reads one anew can tell apart."""
MOST_PICKED = 20
"""Of so many people some can be chosen."""
MAX_CHOSEN = 1 << MOST_PICKED
MAX_PICKED_OFFERS = 2**20
"""How many offers a button of such a list can tell apart."""
_HANDLE_KINDS = tuple(HandleKind)


class ButtonFactory:
    """Signs with the key of the data directory."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def row(self, session: StoredSession, verb: ButtonVerb, label: str, argument: int = 0) -> Button:
        """Make a button that means one row (or none) in a session; what it may do is decided when it is pressed."""
        data = button_signing.sign(self._key, verb, button_signing.number(session.id, argument), _of_session(session))
        return Button(label=label, data=data)

    def meant(self, session: StoredSession, verb: ButtonVerb, label: str, asked: int, choice: str = "") -> Button:
        """Make a button for one way to understand what was asked; the press reads the words anew and picks it."""
        return self.row(session, verb, label, asked % MAX_ASKED_ROWS * MAX_CHOICES + choice_mark(choice))

    def turns(self, session: StoredSession, label: str, asked: int, page: int) -> Button:
        """Make a button that shows another page of what was asked."""
        return self.row(session, ButtonVerb.TURN_PAGE, label, asked % MAX_ASKED_ROWS * MAX_CHOICES + page)

    def opens(self, session: StoredSession, label: str, kind: HandleKind, row: int) -> Button:
        """Make a button that opens a record."""
        return self.row(session, ButtonVerb.OPEN, label, _HANDLE_KINDS.index(kind) * SLOTS + row % SLOTS)

    def fix(self, session: StoredSession, label: str, kind: int, row: int = 0) -> Button:
        """Make a button that shows what a kind of fix would do, to a row where it is about one."""
        return self.row(session, ButtonVerb.PREVIEW_FIX, label, kind * MAX_ASKED_ROWS + row % MAX_ASKED_ROWS)

    def pick(self, session: StoredSession, verb: ButtonVerb, label: str, offer: int, chosen: int) -> Button:
        """Make a button of a list of people whom an offer is about; `chosen` has a bit for each of them."""
        return self.row(session, verb, label, offer * MAX_CHOSEN + chosen % MAX_CHOSEN)

    def keep_check(self, session: StoredSession, stored: StoredRequest | None) -> tuple[Button, ...]:
        """Offer to keep what was decided of a recorded request as a check; nothing where its words are gone."""
        if stored is None or stored.mark is not None:
            return ()
        return (self.row(session, ButtonVerb.KEEP_CHECK, say("sessions.keep-check"), stored.id),)

    def card(self, person: PersonKey, channel: ChannelId, about: str, action: CardAction, label: str) -> Button:
        """Make a button below a message that follows trouble; `about` is what the trouble is known by."""
        identity = bytes((action,)) + _card_mark(about)
        return Button(
            label=label,
            data=button_signing.sign(self._key, ButtonVerb.CARD, identity, ButtonScope(person, channel)),
        )

    def is_of_card(self, signed: SignedButton, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether we made this for that person and chat."""
        return button_signing.is_genuine(self._key, signed, ButtonScope(person, channel))

    def offer(self, proposal: NewProposal, verb: ButtonVerb, label: str) -> Button:
        """Make a button of a stored offer."""
        data = button_signing.sign(self._key, verb, bytes.fromhex(proposal.secret_id), _of_offer(proposal))
        return Button(label=label, data=data)

    def resends(self, chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> Button:
        """Make a button that sends a chunk once more; a try of it makes the button useless."""
        identity = button_signing.number(chunk.attempts, chunk.row)
        return Button(
            label=say("messaging.send-it"),
            data=button_signing.sign(self._key, ButtonVerb.RESEND, identity, _of_chunk(chunk, person, channel)),
        )

    def is_of_chunk(self, signed: SignedButton, chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether we made this for that chunk, person and place."""
        return button_signing.is_genuine(self._key, signed, _of_chunk(chunk, person, channel))

    def is_of_session(self, signed: SignedButton, session: StoredSession) -> bool:
        """Say whether we made this for that session."""
        return button_signing.is_genuine(self._key, signed, _of_session(session))

    def is_of_offer(self, signed: SignedButton, proposal: NewProposal) -> bool:
        """Say whether we made this for that offer."""
        return button_signing.is_genuine(self._key, signed, _of_offer(proposal))


def choice_mark(choice: str) -> int:
    """Return by which number a button knows one of a few choices."""
    return crc32(choice.encode("utf-8", "surrogatepass")) % MAX_CHOICES


def asked_of(argument: int) -> tuple[int, int]:
    """Return the row of what was asked, and the mark of the choice."""
    return divmod(argument, MAX_CHOICES)


def is_card_about(signed: SignedButton, about: str) -> bool:
    """Say whether a button below a message that follows trouble is about this one."""
    return signed.id[1:] == _card_mark(about)


def _card_mark(about: str) -> bytes:
    return hashlib.sha256(about.encode()).digest()[: button_signing.ID_BYTES - 1]


def fix_of(argument: int) -> tuple[int, int]:
    """Return which kind of fix a button previews, and the row that it is about."""
    return divmod(argument, MAX_ASKED_ROWS)


def pick_of(argument: int) -> tuple[int, int]:
    """Return the offer whose list a button is of, and who is chosen then."""
    return divmod(argument, MAX_CHOSEN)


def handle_of(argument: int) -> str:
    """Return the handle that a button opens."""
    kind, slot = divmod(argument, SLOTS)
    return handle(_HANDLE_KINDS[kind % len(_HANDLE_KINDS)], slot)


def _of_chunk(chunk: StoredOutbox, person: PersonKey, channel: ChannelId) -> ButtonScope:
    return ButtonScope(person, channel, chunk.created_at + RESEND_WINDOW_MS)


def _of_session(session: StoredSession) -> ButtonScope:
    return ButtonScope(PersonKey(session.body.platform, session.body.actor), session.body.dm_channel)


def _of_offer(proposal: NewProposal) -> ButtonScope:
    return ButtonScope(PersonKey(proposal.platform, proposal.actor), proposal.channel, proposal.expires_at)
