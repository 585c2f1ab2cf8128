"""What is said of a data directory that was checked as a whole, with nothing running."""

from __future__ import annotations

from bot.domain.base import FrozenModel
from bot.ports.revisions import ChainHead


class StoreCheck(FrozenModel):
    """What was looked at, and what is not what was written. `has_key`: the signatures could be checked too."""

    rows: int
    audit: int
    versions: int
    damage: tuple[str, ...] = ()
    heads: tuple[ChainHead, ...] = ()
    has_key: bool = True
