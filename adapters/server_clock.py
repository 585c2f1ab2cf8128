"""What time it is for a service: the clock of this machine may be wrong by years, most of all right after it began."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parsedate_to_datetime


class ServerClock:
    """Goes by the `Date` of the newest answer. `time` gives seconds that pass whatever clocks say."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._date = ""
        self._heard = 0.0

    def note(self, date: str) -> None:
        """Note when an answer says that it was made (RFC 9110, 6.6.1); an empty one says nothing."""
        if date:
            self._date, self._heard = date, self._time()

    def now(self, here: int) -> int:
        """Return UTC ms to the second; what the clock `here` says where the service has said nothing that counts."""
        ahead = self.ahead(here)
        return here if ahead is None else here + ahead

    def ahead(self, here: int) -> int | None:
        """Return by how many ms the service is ahead of the clock `here`; None where it has not said what counts."""
        if not self._date:
            return None
        try:
            date = parsedate_to_datetime(self._date)
            return round((date.timestamp() + self._time() - self._heard) * 1000) - here
        except (ValueError, OverflowError):
            return None
