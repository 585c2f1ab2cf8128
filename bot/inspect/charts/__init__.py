"""Pictures of numbers: values in, PNG bytes out. Everything that draws needs the extra `charts` (pillow)."""

from __future__ import annotations

from importlib.util import find_spec


def can_draw() -> bool:
    """Say whether pictures can be drawn here."""
    return find_spec("PIL") is not None
