"""The page within a chat's own app: what the app says of its reader is taken once, and not for long."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.ports.clock import Clock
from bot.ports.page_logins import InitData, InitDataVerifier
from bot.window.logins import OneTimeUse

INIT_DATA_MS = 300_000
AHEAD_MS = 30_000
"""So far the platform's clock may be before ours."""


@dataclass(frozen=True)
class MiniAppLogin:
    """Takes what an app says. What was said before the start is not taken: nobody knows whether it was used."""

    verifier: InitDataVerifier
    clock: Clock
    started_at: int
    _used: OneTimeUse = field(init=False, default_factory=lambda: OneTimeUse(INIT_DATA_MS + AHEAD_MS))

    def read(self, said: str) -> InitData | None:
        """Return what an app says, where that is genuine and new; it is not used up by that."""
        found, now = self.verifier.verify(said), self.clock.now()
        if found is None or found.at < self.started_at or not now - INIT_DATA_MS < found.at <= now + AHEAD_MS:
            return None
        return found

    def use(self, said: InitData) -> bool:
        """Use it; False where it was used before."""
        return self._used.use(said.digest, self.clock.now())
