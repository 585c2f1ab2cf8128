"""A recorded turn that is asked for again from time to time, with what should be decided."""

from __future__ import annotations

from bot.domain.base import FrozenModel
from bot.domain.ids import PersonKey, UserId


class DecisionCheck(FrozenModel):
    """Of `request` (its row) a model should decide as `expected` names it: `replied`, `skipped`, `called:<tool>`, ...

    Who kept it, and when (UTC ms). What was asked stands in the request's own record, and goes with it.
    """

    request: int
    expected: str
    platform: str
    actor: str
    at: int

    @property
    def person(self) -> PersonKey:
        """Who kept it."""
        return PersonKey(self.platform, UserId(self.actor))
