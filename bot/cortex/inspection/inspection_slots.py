"""How many inspections may run."""

from __future__ import annotations

from bot.domain.ids import ChannelKey, PersonKey
from bot.errors import UserError


class InspectionSlots:
    """The inspections that run: one per person and channel, and so many in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running: set[tuple[PersonKey, ChannelKey]] = set()

    def take(self, person: PersonKey, key: ChannelKey) -> None:
        """Occupy a place; raise UserError when another inspection has to end first."""
        if (person, key) in self._running:
            raise UserError("I am still looking into this channel for you. Its report comes here; ask again after it.")
        if len(self._running) >= self._limit:
            raise UserError(
                f"{self._limit} inspections are running, which is as many as the config allows. Ask again in a minute."
            )
        self._running.add((person, key))

    def release(self, person: PersonKey, key: ChannelKey) -> None:
        """Let somebody inspect this channel again."""
        self._running.discard((person, key))
