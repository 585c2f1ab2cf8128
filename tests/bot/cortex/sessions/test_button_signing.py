"""A press is attacker-chosen text until the signature says otherwise."""

from __future__ import annotations

import base64
import random

import pytest

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonScope, ButtonVerb
from bot.domain.ids import ChannelId, PersonKey, UserId

KEY = b"k" * 32
ROOT = ButtonScope(PersonKey("discord", UserId("1")), ChannelId("discord:dm:1"), 1_000)
DATA = button_signing.sign(KEY, ButtonVerb.CONFIRM, b"0123456789", ROOT)


def accepted(data: str, scope: ButtonScope = ROOT, key: bytes = KEY) -> bool:
    signed = button_signing.read(data)
    return signed is not None and button_signing.is_genuine(key, signed, scope)


def test_what_we_signed_is_accepted_and_short():
    assert len(DATA) == 32
    assert accepted(DATA)
    assert button_signing.read(DATA).verb is ButtonVerb.CONFIRM
    assert button_signing.read(DATA).id == b"0123456789"


@pytest.mark.parametrize(
    "scope",
    [
        ROOT._replace(person=PersonKey("discord", UserId("2"))),
        ROOT._replace(person=PersonKey("telegram", UserId("1"))),
        ROOT._replace(channel=ChannelId("discord:dm:2")),
        ROOT._replace(expires_at=1_001),
    ],
)
def test_another_person_chat_or_expiry_is_refused(scope):
    assert not accepted(DATA, scope)


def test_another_key_is_refused():
    assert not accepted(DATA, key=b"x" * 32)


def test_bit_flips_are_refused():
    raw = base64.urlsafe_b64decode(DATA)
    chance = random.Random(7)
    for _ in range(5_000):
        flipped = bytearray(raw)
        flipped[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        assert not accepted(base64.urlsafe_b64encode(bytes(flipped)).decode())


def test_random_blobs_are_refused():
    chance = random.Random(8)
    for _ in range(5_000):
        size = chance.choice([0, 1, 24, 24, 24, 24, 40])
        blob = base64.urlsafe_b64encode(chance.randbytes(size)).decode()
        assert not accepted(blob)
        assert not accepted("".join(chr(chance.randrange(1, 0x3000)) for _ in range(chance.randrange(64))))


def test_a_row_button_says_its_session_and_row():
    signed = button_signing.read(button_signing.sign(KEY, ButtonVerb.OPEN, button_signing.number(77, 1 << 39), ROOT))
    assert (signed.session, signed.argument) == (77, 1 << 39)


def test_an_id_of_another_size_is_a_mistake_of_ours():
    with pytest.raises(ValueError, match="10 bytes"):
        button_signing.sign(KEY, ButtonVerb.OPEN, b"short", ROOT)
