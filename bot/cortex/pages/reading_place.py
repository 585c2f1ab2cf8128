"""Where in what a model was told a button leads, packed into the forty bits that a button of a session carries."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

_PAGE_BITS, _PART_BITS, _SLOT_BITS, _HALF_BITS = 10, 9, 20, 10
MAX_PAGES = (1 << _PAGE_BITS) - 1
MAX_PARTS = (1 << _PART_BITS) - 1
MENU_PART = 0
"""What stands in place of a part where its list is meant."""


class ReadingPlace(NamedTuple):
    """A page of a part. `part` counts from 1; `mark` is the slot of a request that was sent, else `mark_of` a part."""

    is_sent: bool
    mark: int
    part: int
    page: int

    @property
    def argument(self) -> int:
        """Return the number that a button carries."""
        head = (int(self.is_sent) << _SLOT_BITS) | self.mark
        return (((head << _PART_BITS) | self.part) << _PAGE_BITS) | min(self.page, MAX_PAGES)


def read_place(argument: int) -> ReadingPlace:
    """Read a place back."""
    head, page = divmod(argument, 1 << _PAGE_BITS)
    head, part = divmod(head, 1 << _PART_BITS)
    sent, mark = divmod(head, 1 << _SLOT_BITS)
    return ReadingPlace(bool(sent & 1), mark, part, page)


def mark_of(name: str, text: str) -> int:
    """Mark a part of a request that was not sent: it is built anew at every press, and may have changed by then."""
    return (_short(name) << _HALF_BITS) | _short(text)


def part_at(place: ReadingPlace, names: Sequence[str]) -> str | None:
    """Return the name of the part that a place is in, wherever that part stands now; None where it is there no more."""
    at = place.part - 1
    named = names[at] if 0 <= at < len(names) else None
    if place.is_sent:
        return named
    wanted = place.mark >> _HALF_BITS
    if named is not None and _short(named) == wanted:
        return named
    return next((name for name in names if _short(name) == wanted), None)


def has_changed(place: ReadingPlace, name: str, text: str) -> bool:
    """Say whether a part of a request that was not sent reads otherwise than when the button was made."""
    return not place.is_sent and place.mark != mark_of(name, text)


def _short(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) & ((1 << _HALF_BITS) - 1)
