"""What is said of a store that was copied as a whole into a database of another kind, with nothing running."""

from __future__ import annotations

from bot.domain.base import FrozenModel


class CopiedStore(FrozenModel):
    """What was copied and compared, row by row. `to` names the place without a password."""

    to: str
    rows: int
    tables: int
    words: int
    """How many entries of the two indexes of words were made anew from what was copied."""
