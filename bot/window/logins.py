"""Who looks: a link lets one person in once, and then a cookie says who they are."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.cortex.sessions.page_links import LINK_MS, LinkSigner
from bot.domain.ids import PersonKey
from bot.ports.clock import Clock, Entropy
from bot.runtime.lru_cache import LRUCache

SESSION_MS = 12 * 3_600_000
_SESSION_BYTES = 32
_MAX_SESSIONS = 1000
_MAX_USED = 10_000


class PageSession(NamedTuple):
    """Somebody whose link was taken. `form` is what every form of theirs has to carry."""

    person: PersonKey
    until: int
    form: str


@dataclass(frozen=True)
class PageSessions:
    """Who is in. In memory alone: a new start lets nobody in, and takes no link from before it."""

    signer: LinkSigner
    clock: Clock
    entropy: Entropy
    started_at: int
    _used: LRUCache[bytes, int] = field(init=False, default_factory=lambda: LRUCache(_MAX_USED))
    _open: LRUCache[bytes, PageSession] = field(init=False, default_factory=lambda: LRUCache(_MAX_SESSIONS))

    def enter(self, token: str) -> tuple[str, PageSession] | None:
        """Take a link: return the cookie of a new session, or None where it lets nobody in (any more)."""
        found, now = self.signer.read(token), self.clock.now()
        if found is None or not self.started_at <= found.at <= now < found.at + LINK_MS:
            return None
        if self._used.get(found.nonce) is not None:
            return None
        self._used.put(found.nonce, now)
        cookie, form = (base64.urlsafe_b64encode(self.entropy.token(_SESSION_BYTES)).decode() for _ in range(2))
        session = PageSession(found.person, now + SESSION_MS, form)
        self._open.put(_name(cookie), session)
        return cookie, session

    def of(self, cookie: str) -> PageSession | None:
        """Return whose cookie that is, as long as it holds."""
        session = self._open.get(_name(cookie)) if cookie and cookie.isascii() and len(cookie) <= 64 else None
        return session if session is not None and self.clock.now() < session.until else None

    def leave(self, cookie: str) -> None:
        """End a session."""
        self._open.drop(_name(cookie))


def _name(cookie: str) -> bytes:
    # only a hash is kept: what can be read in memory opens nothing
    return hashlib.sha256(cookie.encode()).digest()
