"""Discord is asked who somebody is, over the way that its other calls take, and within limits."""

from __future__ import annotations

import base64
import hashlib

from adapters.discord.oauth import create_oauth
from tests.servers.sign_in import CLIENT_ID, CLIENT_SECRET, sign_in_server

BACK = "https://bot.example.org/sign-in/back"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


async def test_it_is_asked_through_the_proxy_of_the_platform():
    async with sign_in_server(BACK) as discord:
        proxy = f"http://127.0.0.1:{discord.listener.port}"
        settings = {"token": "a.bot.token", "rest_url": "http://discord.test/api/v10", "proxy": proxy}
        oauth = create_oauth(settings, CLIENT_ID, CLIENT_SECRET)
        address = oauth.address(BACK, "s" * 22, CHALLENGE)
        assert address.startswith("http://discord.test/oauth2/authorize?") and CLIENT_SECRET not in address
        discord.agrees(address)
        assert await oauth.person(BACK, "code-0", VERIFIER) == ("discord", "88")
        assert discord.tokens == {} and len(discord.calls) == 3
        assert await oauth.person(BACK, "code-0", VERIFIER) is None


async def test_by_default_it_is_discord_itself():
    oauth = create_oauth({"token": "a.bot.token"}, CLIENT_ID, CLIENT_SECRET)
    assert oauth.address(BACK, "s", CHALLENGE).startswith("https://discord.com/oauth2/authorize?response_type=code&")
    assert oauth.issuer == "https://discord.com"
