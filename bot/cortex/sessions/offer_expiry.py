"""When an offer has expired: by the wall clock, and while the process lives also by the time that has really passed."""

from __future__ import annotations

from bot.domain.finding import NewProposal
from bot.ports.clock import Clock

_MAX_REMEMBERED_OFFERS = 1000


class OfferExpiry:
    """Knows how long offers stand. A clock that is set back or ahead makes none of them stand longer."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._over: dict[str, float] = {}

    def begins(self, secret_id: str, now: int) -> int:
        """Note that an offer is made now (UTC ms); return when it expires."""
        mono = self._clock.monotonic()
        if len(self._over) >= _MAX_REMEMBERED_OFFERS:
            self._over = {one: over for one, over in self._over.items() if over > mono}
        self._over[secret_id] = mono + self._seconds
        return now + round(self._seconds * 1000)

    def is_over(self, offer: NewProposal) -> bool:
        """Say whether an offer has expired; one of an earlier process that the clock has yet to reach is none."""
        now, over = self._clock.now(), self._over.get(offer.secret_id)
        has_passed = now < offer.created_at if over is None else self._clock.monotonic() >= over
        return has_passed or now >= offer.expires_at
