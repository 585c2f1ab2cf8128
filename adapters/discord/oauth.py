"""Ask Discord who somebody is: OAuth 2 with an authorization code and PKCE, and of all that there is `identify` alone.

https://docs.discord.com/developers/topics/oauth2; what it supports stands in
https://discord.com/.well-known/oauth-authorization-server
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import orjson
import structlog
from yarl import URL

from adapters.discord.base.places import NAME
from adapters.discord.base.settings import Settings
from adapters.webhook import HttpCaller
from adapters.webhook import Settings as CallerSettings
from bot.domain.health import ProbeResult
from bot.domain.ids import PersonKey, UserId
from bot.errors import DeliveryError, name_of
from bot.sentences import say

log = structlog.get_logger(__name__)

SCOPE = "identify"
TIMEOUT_SECONDS = 5.0
_PROBE = "discord sign-in"
_REFUSED_CODE = "400"
"""What the token's address answers to a code that it does not take (RFC 6749, 5.2)."""
_TOKEN = re.compile(r"[!-~]{1,4096}")
_USER = re.compile(r"[0-9]{1,20}")


class DiscordOAuth:
    """Implements `bot.ports.page_logins.OAuthService`. What Discord hands out lives as long as one call of `person`."""

    name = "Discord"

    def __init__(self, settings: Settings, client_id: str, client_secret: str) -> None:
        self._api = settings.rest_url
        self.issuer = str(URL(self._api).origin())
        self._calling = CallerSettings(timeout=TIMEOUT_SECONDS, proxy=settings.proxy)
        self._bot = {"Authorization": f"Bot {settings.token.get_secret_value()}"}
        self._client_id = client_id
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()

    def address(self, back: str, state: str, challenge: str) -> str:
        """Return the page on which Discord asks."""
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "scope": SCOPE,
            "redirect_uri": back,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{self.issuer}/oauth2/authorize?{urlencode(asked)}"

    async def person(self, back: str, code: str, verifier: str) -> PersonKey | None:
        """Change the code for a token, ask whose it is, and have the token revoked whatever came of it."""
        caller = HttpCaller(self._calling)
        try:
            token = await self._token(caller, back, code, verifier)
            if not token:
                return None
            try:
                told = await caller.read(f"{self._api}/users/@me", {"Authorization": f"Bearer {token}"})
            finally:
                await self._revoke(caller, token)
        finally:
            await caller.close()
        return _person(_read(told))

    async def probe(self, back: str) -> ProbeResult:
        """Ask for the application of the bot's own account: whether it is the one configured, and where it leads to."""
        caller = HttpCaller(self._calling)
        try:
            found = _read(await caller.read(f"{self._api}/applications/@me", self._bot))
        except DeliveryError as error:
            return ProbeResult(name=_PROBE, state="unknown", evidence=str(error))
        finally:
            await caller.close()
        redirects = found.get("redirect_uris")
        if str(found.get("id")) != self._client_id:
            words, fix = say("discord_doctor.other-application"), say("discord_doctor.other-application-fix")
            return ProbeResult(name=_PROBE, state="warning", evidence=words, fix=fix)
        if isinstance(redirects, list) and back not in redirects:
            words, fix = say("discord_doctor.no-redirect"), say("discord_doctor.no-redirect-fix", path=URL(back).path)
            return ProbeResult(name=_PROBE, state="failed", evidence=words, fix=fix)
        return ProbeResult(name=_PROBE, state="ok", evidence=say("discord_doctor.redirect"))

    async def _token(self, caller: HttpCaller, back: str, code: str, verifier: str) -> str:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        try:
            told = _read(await self._post(caller, "/oauth2/token", form))
        except DeliveryError as error:
            if error.code == _REFUSED_CODE:
                return ""
            raise
        token, kind, scope = (told.get(key) for key in ("access_token", "token_type", "scope"))
        is_ours = kind == "Bearer" and scope == SCOPE and isinstance(token, str) and _TOKEN.fullmatch(token)
        return str(token) if is_ours else ""

    async def _revoke(self, caller: HttpCaller, token: str) -> None:
        try:
            await self._post(caller, "/oauth2/token/revoke", {"token": token, "token_type_hint": "access_token"})
        except DeliveryError as error:
            # nobody has it any more; Discord forgets it by itself
            log.warning("discord_token_not_revoked", error=name_of(error))

    async def _post(self, caller: HttpCaller, path: str, form: Mapping[str, str]) -> bytes:
        headers = {"Authorization": self._basic, "Content-Type": "application/x-www-form-urlencoded"}
        return await caller.hand_over(f"{self._api}{path}", urlencode(form).encode(), headers)


def _read(body: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _person(user: Mapping[str, Any]) -> PersonKey | None:
    number = user.get("id")
    is_person = isinstance(number, str) and _USER.fullmatch(number) and not (user.get("bot") or user.get("system"))
    return PersonKey(NAME, UserId(str(number))) if is_person else None


def create_oauth(settings: Mapping[str, object], client_id: str, client_secret: str) -> DiscordOAuth:
    """Build from the `[platforms.discord]` table and the application's own pair; raise pydantic's ValidationError."""
    return DiscordOAuth(Settings.model_validate(dict(settings)), client_id, client_secret)
