"""Name a part of a recorded request in one number, as a button carries it."""

from __future__ import annotations

MAX_ROW = 2**28
"""Requests that a number can tell apart."""
_MAX_PARTS = 2**12


def button_argument(request: int, part: int) -> int:
    """Name a request and a part of it, by its place among all (0: none), in one number."""
    return request % MAX_ROW * _MAX_PARTS + (part if part < _MAX_PARTS else 0)


def read_argument(argument: int) -> tuple[int, int]:
    """Return the request and the place of the part."""
    return divmod(argument, _MAX_PARTS)
