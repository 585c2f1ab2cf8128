"""Give records short names that a person can type from a phone: a kind letter and four base-32 characters.

Crockford's alphabet (https://www.crockford.com/base32.html): no i, l, o, u; typed `o` and `i` are read as 0 and 1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_SPACE = 1 << 20
# An odd multiplier is invertible modulo a power of two: neighbours look different, and 1,048,576 rows fit.
_SCATTER = 0x9E3B5
_GATHER = pow(_SCATTER, -1, _SPACE)


class HandleKind(StrEnum):
    """What a handle opens; the value is its first letter."""

    MEMORY = "m"
    REQUEST = "r"
    INBOUND = "i"
    GATE = "g"
    DELIVERY = "d"
    TURN = "t"
    AUDIT = "a"
    SESSION = "s"
    COMPACTION = "k"
    CALL = "x"
    BRANCH = "b"
    WORKER = "w"


_LETTERS = {kind.value: kind for kind in HandleKind}
_LOOK_ALIKES = str.maketrans("oil", "011")


class Handle(NamedTuple):
    """A parsed handle; `slot` is the row number modulo 2**20, the newest row of a slot is meant."""

    kind: HandleKind
    slot: int


SLOTS = _SPACE


def handle(kind: HandleKind, row: int) -> str:
    """Name row number `row` of a kind, e.g. `m27d4`."""
    number = (row * _SCATTER) % _SPACE
    return kind._value_ + _PAIRS[number >> 10] + _PAIRS[number & 1023]


def parse_handle(text: str) -> Handle | None:
    """Read a handle, forgiving case and the look-alikes o, i and l; None when it is not one."""
    text = text.strip().lower()
    if len(text) != 5 or text[0] not in _LETTERS:
        return None
    number = 0
    for character in text[1:].translate(_LOOK_ALIKES):
        value = _ALPHABET.find(character)
        if value < 0:
            return None
        number = number * 32 + value
    return Handle(_LETTERS[text[0]], (number * _GATHER) % _SPACE)
