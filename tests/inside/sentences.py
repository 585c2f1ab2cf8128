"""What could not be said is kept for as long as the process lives, which is that of all tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot import sentences


@contextmanager
def all_said() -> Iterator[None]:
    """Begin with nothing that could not be said, and leave nothing of it to the tests that follow."""
    forget = sentences._missing.clear
    forget()
    try:
        yield
    finally:
        forget()
