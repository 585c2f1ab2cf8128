"""Give records short names that a person can type from a phone: a kind letter and four base-32 characters.

Crockford's alphabet (https://www.crockford.com/base32.html): no i, l, o, u; typed `o` and `i` are read as 0 and 1.
A digit is in each, so that no word of a question looks like one: four letters get one in front (`m2krxn`). Without it
(`mkrxn`) they are read too, for names that were written down before.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_DIGIT = "2"
"""What stands in front of four letters: the digit that looks least like a letter."""
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
    name = _PAIRS[number >> 10] + _PAIRS[number & 1023]
    return kind._value_ + (_DIGIT + name if name.isalpha() else name)


def handle_pattern(*kinds: HandleKind) -> str:
    """Return the pattern of what is spelt like a handle of these kinds, or of any; words of five letters are, too."""
    return rf"[{''.join(kinds or HandleKind)}](?:{_DIGIT}[a-z]{{4}}|[0-9a-z]{{4}})"


def has_digit(text: str) -> bool:
    """Say whether what is spelt like a handle can be no word: `great` is spelt like one, and digits are in none."""
    return any(map(str.isdigit, text))


def parse_handle(text: str) -> Handle | None:
    """Read a handle, forgiving case and the look-alikes o, i and l; None when it is not one."""
    text = text.strip().lower()
    kind, name = _LETTERS.get(text[:1]), text[1:].translate(_LOOK_ALIKES)
    if len(name) == 5 and name[0] == _DIGIT and name[1:].isalpha():
        name = name[1:]
    if kind is None or len(name) != 4:
        return None
    number = 0
    for character in name:
        value = _ALPHABET.find(character)
        if value < 0:
            return None
        number = number * 32 + value
    return Handle(kind, (number * _GATHER) % _SPACE)
