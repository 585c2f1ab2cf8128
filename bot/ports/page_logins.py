"""Ways into the web page besides a link: what the app of a platform says of its reader, and what a service says."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from bot.domain.health import ProbeResult
from bot.domain.ids import PersonKey


class InitData(NamedTuple):
    """What a platform's app said of who opened a page in it, when (UTC ms), and by which digest it is known again."""

    person: PersonKey
    at: int
    digest: bytes


class InitDataVerifier(Protocol):
    """Checks what the app of a platform says of who opened a page in it."""

    embedder: str
    """The origin of the platform's own pages, which hold such a page in a frame."""

    def verify(self, said: str) -> InitData | None:
        """Return what it says where the platform sealed exactly that for this bot; None for everything else.

        How old it is, and whether it was used before, is not looked at.
        """


class OAuthService(Protocol):
    """A service that says who somebody is, by OAuth 2 with an authorization code."""

    name: str
    """What people call it."""
    issuer: str
    """What it calls itself in its answers."""

    def address(self, back: str, state: str, challenge: str) -> str:
        """Return where a browser is sent to agree; it comes `back` with the state. The challenge is PKCE's, S256."""

    async def person(self, back: str, code: str, verifier: str) -> PersonKey | None:
        """Return who agreed, by the code that came back; None where the service takes it for no code of ours.

        Nothing that the service hands out is kept. Raise DeliveryError where it cannot be asked, or refuses us.
        """

    async def probe(self, back: str) -> ProbeResult:
        """Say whether the service would send people back; never raises."""


class PageLogins(NamedTuple):
    """What is configured of them."""

    app: InitDataVerifier | None = None
    oauth: OAuthService | None = None
