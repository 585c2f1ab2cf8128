"""What Telegram's apps say to a page that they open: https://core.telegram.org/bots/webapps."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import quote, urlencode


def init_data(token: str, user: int | str, at: float, **more: Any) -> str:
    """Write and seal what a page hears of somebody, by number or in JSON; `more` are further fields, and a `name`."""
    person = {"id": user, "first_name": more.pop("name", "Root"), "language_code": "en", "allows_write_to_pm": True}
    told = user if isinstance(user, str) else json.dumps(person)
    fields = {"query_id": "AAF5p1Jk", "user": told, "auth_date": str(int(at)), "signature": "c2ln", **more}
    lines = [f"{key}={value}" for key, value in fields.items()]
    secret = hmac.digest(b"WebAppData", token.encode(), "sha256")
    seal = hmac.new(secret, "\n".join(sorted(lines)).encode(), hashlib.sha256).hexdigest()
    return urlencode({**fields, "hash": seal}, quote_via=quote)


def opened(page: str, said: str) -> str:
    """Return the address that the app opens."""
    return f"{page}#{urlencode({'tgWebAppData': said, 'tgWebAppVersion': '8.0', 'tgWebAppPlatform': 'android'})}"
