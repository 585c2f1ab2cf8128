"""Check what Telegram's apps say of who opened a page of the bot in them (Mini Apps).

https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

import orjson

from adapters.telegram.places import NAME
from adapters.telegram.settings import Settings
from bot.domain.ids import PersonKey, UserId
from bot.ports.page_logins import InitData

MAX_CHARS = 4096
_MAX_FIELDS = 20
_MAX_ID = 2**52
"""Ids have at most 52 significant bits: https://core.telegram.org/bots/api#user."""
_KEY = b"WebAppData"
_TEST_SERVERS = "/test"
_NAME = re.compile(r"[a-z_]{1,32}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SECONDS = re.compile(r"[0-9]{1,12}")


class TelegramInitData:
    """Implements `bot.ports.page_logins.InitDataVerifier`. Of the token it keeps the key that is derived from it."""

    embedder = "https://web.telegram.org"

    def __init__(self, token: str) -> None:
        self._key = hmac.new(_KEY, token.removesuffix(_TEST_SERVERS).encode(), hashlib.sha256).digest()

    def verify(self, said: str) -> InitData | None:
        """Return whom Telegram names, and when it did."""
        fields = _fields(said)
        given = fields.pop("hash", "")
        if not _DIGEST.fullmatch(given):
            return None
        told = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
        digest = hmac.new(self._key, told.encode(), hashlib.sha256).digest()
        if not hmac.compare_digest(digest, bytes.fromhex(given)):
            return None
        user, seconds = _user(fields.get("user", "")), fields.get("auth_date", "")
        if user is None or not _SECONDS.fullmatch(seconds):
            return None
        return InitData(PersonKey(NAME, user), int(seconds) * 1000, digest)


def _fields(said: str) -> dict[str, str]:
    """Read the fields; none where something comes twice or is not what Telegram writes."""
    if not said.isascii() or len(said) > MAX_CHARS:
        return {}
    try:
        pairs = parse_qsl(
            said, keep_blank_values=True, strict_parsing=True, max_num_fields=_MAX_FIELDS, errors="strict"
        )
    except ValueError:
        return {}
    found = dict(pairs)
    # the fields are sealed as lines: with a line end in a value, one could pass for two
    is_plain = all(_NAME.fullmatch(name) and "\n" not in value for name, value in pairs)
    return found if is_plain and len(found) == len(pairs) else {}


def _user(text: str) -> UserId | None:
    """Read a person's number; a bot, and what is no number, is nobody."""
    try:
        user = orjson.loads(text)
    except ValueError:
        return None
    number = user.get("id") if isinstance(user, dict) and not user.get("is_bot") else None
    return UserId(str(number)) if type(number) is int and 0 < number < _MAX_ID else None


def create_verifier(settings: Mapping[str, object]) -> TelegramInitData:
    """Build from the `[platforms.telegram]` table; raise pydantic's ValidationError."""
    return TelegramInitData(Settings.model_validate(dict(settings)).token.get_secret_value())
