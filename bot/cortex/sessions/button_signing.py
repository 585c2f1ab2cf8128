"""Sign what a button carries, so that a press proves which offer, which person and which chat it belongs to.

base64url(1 byte version, 1 byte verb, 10 bytes id, 12 bytes HMAC-SHA256) is 32 characters of the platforms' 64.
A user client can send any bytes as a press: everything here is attacker-chosen until `is_genuine` has said yes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from enum import IntEnum
from typing import NamedTuple

from bot.domain.ids import ChannelId, PersonKey

FORMAT_VERSION = 1
ID_BYTES = 10
INVITATION_BYTES = 16
_MAC_BYTES = 12
_DATA_CHARS = 32
_INVITATION_CHARS = 48


class ButtonVerb(IntEnum):
    """What is asked for. `CONFIRM` changes something at once, with its stored offer; `RESEND` sends a kept chunk.

    `MEANT`, `MEANT_CHANNEL`, `ASK_THAT` and `TURN_PAGE` read anew what somebody had asked, whose row they carry.
    `INVITE` is no button's: it stands in the link by which somebody opens their private chat.
    """

    CONFIRM = 1
    KEEP = 2
    PREVIEW_FORGET = 3
    PREVIEW_RESUME = 4
    OPEN = 5
    CHECKS = 6
    EVIDENCE = 7
    ASK = 8
    UNDO = 9
    ANSWER = 10
    RESEND = 11
    INVITE = 12
    PREVIEW_TELL = 13
    GO_ON = 15
    PREVIEW_UNDO_COMPACTION = 14
    MEANT = 16
    MEANT_CHANNEL = 17
    ASK_THAT = 18
    READ = 24
    PREVIEW_FIX = 30
    PROVE = 31
    CANCEL_PROOF = 32
    GO_ON_PROVING = 33
    PROVE_MESSAGE = 34
    PREVIEW_REMEMBER = 35
    CARD = 36
    KEEP_CHECK = 37
    EXPECT_DECISION = 38
    PICK_WAITING = 39
    ANSWER_PICKED = 40
    SPREAD = 45
    TURN_PAGE = 50
    APPROVE = 51
    DECLINE = 52
    PREVIEW_MERGE = 53
    SHOW_SILENCE = 60


class ButtonScope(NamedTuple):
    """Whom and where a button was made for; `expires_at` is UTC ms (0: it carries no effect and does not expire)."""

    person: PersonKey
    channel: ChannelId
    expires_at: int = 0


class SignedButton(NamedTuple):
    """What a button says it is."""

    verb: ButtonVerb
    id: bytes
    mac: bytes

    @property
    def session(self) -> int:
        """The session's row in an id made by `number`."""
        return int.from_bytes(self.id[:5], "big")

    @property
    def argument(self) -> int:
        """The argument in an id made by `number`."""
        return int.from_bytes(self.id[5:], "big")


def number(session: int, argument: int = 0) -> bytes:
    """Make the id of a button that needs no stored offer: which session, and which row is meant."""
    return session.to_bytes(5, "big") + argument.to_bytes(5, "big")


def sign(key: bytes, verb: ButtonVerb, identity: bytes, scope: ButtonScope) -> str:
    """Return the text that goes into a button."""
    if len(identity) != ID_BYTES:
        raise ValueError(f"an id has {ID_BYTES} bytes")
    head = bytes((FORMAT_VERSION, verb)) + identity
    return base64.urlsafe_b64encode(head + _mac(key, head, scope)).decode("ascii")


def read(data: str) -> SignedButton | None:
    """Take a press apart without believing it; None for anything that was never a button of ours."""
    if len(data) != _DATA_CHARS or not data.isascii():
        return None
    try:
        raw = base64.b64decode(data, altchars=b"-_", validate=True)
    except ValueError:
        return None
    if len(raw) != 2 + ID_BYTES + _MAC_BYTES or raw[0] != FORMAT_VERSION or raw[1] not in ButtonVerb._value2member_map_:
        return None
    return SignedButton(ButtonVerb(raw[1]), raw[2 : 2 + ID_BYTES], raw[2 + ID_BYTES :])


def invite(key: bytes, identity: bytes, scope: ButtonScope) -> str:
    """Return the payload of a `/start` link: 48 characters of `a-z2-7`, which no markup reads as its own."""
    if len(identity) != INVITATION_BYTES:
        raise ValueError(f"the id of an invitation has {INVITATION_BYTES} bytes")
    head = bytes((FORMAT_VERSION, ButtonVerb.INVITE)) + identity
    return base64.b32encode(head + _mac(key, head, scope)).decode("ascii").lower()


def read_invitation(payload: str) -> SignedButton | None:
    """Take a payload apart without believing it; None for anything that was never one of ours."""
    if len(payload) != _INVITATION_CHARS or not payload.isascii() or not payload.islower():
        return None
    try:
        raw = base64.b32decode(payload.upper())
    except ValueError:
        return None
    if raw[:2] != bytes((FORMAT_VERSION, ButtonVerb.INVITE)):
        return None
    return SignedButton(ButtonVerb.INVITE, raw[2 : 2 + INVITATION_BYTES], raw[2 + INVITATION_BYTES :])


def is_genuine(key: bytes, signed: SignedButton, scope: ButtonScope) -> bool:
    """Say, in constant time, whether we made this button for this person, chat and expiry."""
    head = bytes((FORMAT_VERSION, signed.verb)) + signed.id
    return hmac.compare_digest(signed.mac, _mac(key, head, scope))


def _mac(key: bytes, head: bytes, scope: ButtonScope) -> bytes:
    bound = "\x1f".join((scope.person.platform, scope.person.user_id, scope.channel, str(scope.expires_at)))
    return hmac.digest(key, head + bound.encode("utf-8", "surrogatepass"), hashlib.sha256)[:_MAC_BYTES]
