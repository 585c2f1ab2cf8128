"""How many inspections may run."""

from __future__ import annotations

from bot.domain.ids import ChannelKey, PersonKey
from bot.errors import UserError
from bot.sentences import say


class InspectionSlots:
    """The inspections that run: one per person and channel, and so many in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running: set[tuple[PersonKey, ChannelKey]] = set()

    def take(self, person: PersonKey, key: ChannelKey) -> None:
        """Occupy a place; raise UserError when another inspection has to end first."""
        if (person, key) in self._running:
            raise UserError(say("inspection.running-for-you"))
        if len(self._running) >= self._limit:
            raise UserError(say("inspection.too-many-running", limit=self._limit))
        self._running.add((person, key))

    def release(self, person: PersonKey, key: ChannelKey) -> None:
        """Let somebody inspect this channel again."""
        self._running.discard((person, key))
