"""Ways into the web page where platforms have names of their own: whom a service names is somebody of that platform."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.health import ProbeResult
from bot.domain.ids import PersonKey
from bot.ports.page_logins import InitData, InitDataVerifier, OAuthService


class NamedInitData:
    """Implements `bot.ports.page_logins.InitDataVerifier`: each bot's token seals for that bot alone."""

    def __init__(self, verifiers: Mapping[str, InitDataVerifier]) -> None:
        self._verifiers = verifiers
        self.embedder = next(iter(verifiers.values())).embedder

    def verify(self, said: str) -> InitData | None:
        """Return whom the platform names whose bot it was sealed for."""
        for name, verifier in self._verifiers.items():
            found = verifier.verify(said)
            if found is not None:
                return found._replace(person=PersonKey(name, found.person.user_id))
        return None


class NamedOAuth:
    """Implements `bot.ports.page_logins.OAuthService`."""

    def __init__(self, service: OAuthService, platform: str) -> None:
        self._service = service
        self._platform = platform
        self.name = service.name
        self.issuer = service.issuer

    def address(self, back: str, state: str, challenge: str) -> str:
        """Return where a browser is sent to agree."""
        return self._service.address(back, state, challenge)

    async def person(self, back: str, code: str, verifier: str) -> PersonKey | None:
        """Return who agreed."""
        found = await self._service.person(back, code, verifier)
        return PersonKey(self._platform, found.user_id) if found is not None else None

    async def probe(self, back: str) -> ProbeResult:
        """Say whether the service would send people back."""
        return await self._service.probe(back)
