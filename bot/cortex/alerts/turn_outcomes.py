"""Hand on how each turn of a channel ended, to whoever watches over turns."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.turn import TurnOutcome

Watcher = Callable[[TurnOutcome], None]
"""Takes an end in without waiting."""


class TurnOutcomes:
    """Implements `bot.agent.channel.TurnListener`."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Let somebody hear of every end from now on."""
        self._watchers.append(watcher)

    def ended(self, turn: TurnOutcome) -> None:
        """Tell everybody who watches."""
        for watcher in self._watchers:
            watcher(turn)
