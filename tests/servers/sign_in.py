"""A loopback Discord that says who somebody is: OAuth 2 with an authorization code, PKCE and one scope.

async with sign_in_server(back) as discord:
    address = discord.agrees(where_the_bot_sent_the_browser)  # or a browser presses "Authorize" on its page
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from aiohttp import web

from tests.servers.model.listener import Listener

API = "/api/v10"
CLIENT_ID, CLIENT_SECRET = "1234567890123456789", "c-secret-of-the-application-0123"
SECRETS = ("an-access-token-0123456789", "a-refresh-token-0123456789")


class Grant(NamedTuple):
    """What somebody agreed to."""

    user: dict[str, Any]
    back: str
    challenge: str


@dataclass
class SignInServer:
    """`user` sits before the browser. `troubles` are answers in the place of the right ones, by path; 0 is none.

    `pages` are those of other sites, for a browser that has this server for its proxy.
    """

    back: str
    user: dict[str, Any] = field(default_factory=lambda: {"id": "88", "username": "root"})
    scope: str = "identify"
    redirects: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    troubles: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    tokens: dict[str, Grant] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._handle)

    @property
    def url(self) -> str:
        # by another name than the bot's page: for a browser they are two sites
        return f"http://localhost:{self.listener.port}"

    @property
    def api(self) -> str:
        return f"{self.url}{API}"

    def agrees(self, address: str) -> str:
        """Let the person agree to what an address asks for; return where the browser is sent then."""
        asked = dict(parse_qsl(urlsplit(address).query))
        wanted = {"response_type": "code", "client_id": CLIENT_ID, "scope": "identify", "redirect_uri": self.back}
        assert {key: asked.get(key) for key in wanted} == wanted, asked
        assert asked["code_challenge_method"] == "S256" and len(asked["state"]) >= 22, asked
        code = f"code-{len(self.grants)}"
        self.grants[code] = Grant(self.user, asked["redirect_uri"], asked["code_challenge"])
        return f"{self.back}?{urlencode({'code': code, 'state': asked['state'], 'iss': self.url})}"

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path in self.pages:
            return web.Response(text=self.pages[request.path], content_type="text/html")
        self.calls.append(request.path)
        if request.path in self.troubles:
            status, body = self.troubles[request.path]
            if not status:
                await self.over.wait()
            return web.Response(status=status or 500, body=body)
        match request.method, request.path.removeprefix(API):
            case "GET", "/oauth2/authorize":
                there = escape(self.agrees(request.path_qs))
                page = f"<!doctype html><title>Discord</title><main><a href='{there}'>Authorize</a></main>"
                return web.Response(text=page, content_type="text/html")
            case "POST", "/oauth2/token":
                return self._token(request, dict(parse_qsl((await request.read()).decode())))
            case "POST", "/oauth2/token/revoke":
                self._check_client(request)
                self.tokens.pop(dict(parse_qsl((await request.read()).decode())).get("token", ""), None)
                return web.json_response({})
            case "GET", "/applications/@me":
                assert request.headers["Authorization"] == "Bot a.bot.token"
                return web.json_response({"id": CLIENT_ID, "redirect_uris": self.redirects})
            case "GET", "/users/@me":
                grant = self.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
                return web.json_response(grant.user) if grant else web.json_response({}, status=401)
        return web.json_response({"message": "404: Not Found", "code": 0}, status=404)

    def _token(self, request: web.BaseRequest, form: dict[str, str]) -> web.Response:
        if not self._check_client(request):
            return web.json_response({"error": "invalid_client"}, status=401)
        # a code is good for one try
        grant = self.grants.pop(form.get("code", ""), None)
        hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        fits = grant is not None and grant.challenge == base64.urlsafe_b64encode(hashed).decode().rstrip("=")
        if grant is None or not fits or form.get("redirect_uri") != grant.back:
            return web.json_response({"error": "invalid_grant"}, status=400)
        assert form["grant_type"] == "authorization_code"
        self.tokens[SECRETS[0]] = grant
        told = {"access_token": SECRETS[0], "refresh_token": SECRETS[1], "token_type": "Bearer", "expires_in": 604800}
        return web.json_response({**told, "scope": self.scope})

    def _check_client(self, request: web.BaseRequest) -> bool:
        assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        return request.headers.get("Authorization") == f"Basic {pair}"


@asynccontextmanager
async def sign_in_server(back: str) -> AsyncIterator[SignInServer]:
    """Run one for a test; `back` is the redirect that its portal knows."""
    server = SignInServer(back)
    await server.listener.open()
    try:
        yield server
    finally:
        server.over.set()
        await server.listener.close()
