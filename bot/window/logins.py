"""Who looks: a link, an app or a service says once who somebody is, and then a cookie does."""

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
    """Somebody who was let in. `form` is what every form of theirs has to carry."""

    person: PersonKey
    until: int
    form: str


class OneTimeUse:
    """Remembers what was used; where there is no room for more that could be used again, nothing is taken."""

    def __init__(self, lifetime: int) -> None:
        self._lifetime = lifetime
        self._used: LRUCache[bytes, int] = LRUCache(_MAX_USED)

    def use(self, name: bytes, now: int) -> bool:
        """Use something once, by the digest or nonce that it is known by; False where it was used, or may have been."""
        if self._used.get(name) is not None:
            return False
        if len(self._used) >= _MAX_USED and now < self._used.items()[0][1] + self._lifetime:
            return False
        self._used.put(name, now)
        return True


@dataclass(frozen=True)
class PageSessions:
    """Who is in. In memory alone: a new start lets nobody in, and takes no link from before it."""

    signer: LinkSigner
    clock: Clock
    entropy: Entropy
    started_at: int
    _used: OneTimeUse = field(init=False, default_factory=lambda: OneTimeUse(LINK_MS))
    _open: LRUCache[bytes, PageSession] = field(init=False, default_factory=lambda: LRUCache(_MAX_SESSIONS))

    def enter(self, token: str) -> tuple[str, PageSession] | None:
        """Take a link: return the cookie of a new session, or None where it lets nobody in (any more)."""
        found, now = self.signer.read(token), self.clock.now()
        if found is None or not self.started_at <= found.at <= now < found.at + LINK_MS:
            return None
        return self.begin(found.person) if self._used.use(found.nonce, now) else None

    def link(self, person: PersonKey) -> str:
        """Return a link that lets somebody in once, of whom it is certain who they are."""
        return self.signer.link(person, self.clock.now(), self.entropy)

    def begin(self, person: PersonKey) -> tuple[str, PageSession]:
        """Let somebody in of whom it is certain who they are; return the cookie of their session."""
        cookie, form = (base64.urlsafe_b64encode(self.entropy.token(_SESSION_BYTES)).decode() for _ in range(2))
        session = PageSession(person, self.clock.now() + SESSION_MS, form)
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
