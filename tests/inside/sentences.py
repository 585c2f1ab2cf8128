"""What could not be said is kept for as long as the process lives, which is that of all tests."""

from __future__ import annotations

from bot import sentences


def forget_missing() -> None:
    """Begin with nothing that could not be said."""
    sentences._missing.clear()
