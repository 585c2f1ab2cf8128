"""Notice polls that come back well and empty while updates pile up at the platform: nothing else tells of it."""

from __future__ import annotations

from telegram.error import TelegramError

from bot.ports.clock import Clock


class InVain(TelegramError):
    """Polls bring nothing of what waits at the platform."""

    def __init__(self) -> None:
        super().__init__("polls come back empty while updates wait there: the connection is renewed until they come")


class Piling:
    """Says when to look at what waits, and what a look means. It waits for nobody and calls nobody.

    A look is due after `patience` seconds in which nothing came and nobody looked: none while updates arrive. What was
    written between a poll and the look behind it waits there rightly, so it takes two looks with an empty poll between.
    """

    def __init__(self, clock: Clock, patience: float) -> None:
        self._clock = clock
        self._patience = patience
        self._since = clock.monotonic()
        self.is_suspected = False

    @property
    def is_due(self) -> bool:
        """Whether to look now that a poll came back empty."""
        return self.is_suspected or self._clock.monotonic() - self._since >= self._patience

    def rests(self) -> None:
        """Begin anew: updates came, or a look told nothing."""
        self._since, self.is_suspected = self._clock.monotonic(), False

    def saw(self, count: int) -> None:
        """Note how many updates wait behind an empty poll; raise InVain when some did before it, too."""
        was_suspected = self.is_suspected
        if not count:
            self.rests()
            return
        self.is_suspected = True
        if was_suspected:
            raise InVain
