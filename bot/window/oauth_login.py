"""Signing in by a service that says who somebody is: begun and ended in the same browser, once, within minutes.

The browser keeps a nonce with its time in a cookie. The state and PKCE's verifier are made of these and of a key that
no other process has, so nothing is remembered of those who only begin.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.ids import PersonKey
from bot.ports.clock import Clock, Entropy
from bot.ports.page_logins import OAuthService
from bot.runtime.rate_limiter import RateLimiter
from bot.window.logins import OneTimeUse

SIGN_IN_MS = 300_000
SIGN_INS_A_MINUTE = 30
"""So often the service is asked: it counts calls that lead to nothing against the bot's own address."""
_NONCE_BYTES, _TIME_BYTES, _STATE_BYTES = 16, 8, 16
_CODE = re.compile(r"[!-~]{1,512}")


class OAuthAttempt(NamedTuple):
    """What begins a sign-in: the cookie that the browser keeps, and where it is sent."""

    cookie: str
    address: str


@dataclass(frozen=True)
class OAuthLogin:
    """Signs people in. `back` is the address to which the service sends them, exactly as it is registered there."""

    service: OAuthService
    back: str
    clock: Clock
    entropy: Entropy
    key: bytes = field(repr=False)
    asking: RateLimiter[str] = field(init=False)
    _used: OneTimeUse = field(init=False, default_factory=lambda: OneTimeUse(SIGN_IN_MS))

    def __post_init__(self) -> None:
        object.__setattr__(self, "asking", RateLimiter(self.clock, SIGN_INS_A_MINUTE))

    def begin(self) -> OAuthAttempt:
        """Begin in a browser."""
        begun = self.entropy.token(_NONCE_BYTES) + self.clock.now().to_bytes(_TIME_BYTES, "big")
        challenge = _text(hashlib.sha256(self._verifier(begun).encode()).digest())
        return OAuthAttempt(_text(begun), self.service.address(self.back, self._state(begun), challenge))

    def ended(self, cookie: str, state: str) -> bytes | None:
        """Return what was begun in this browser with this state, where that is not long ago; else None."""
        begun = _bytes(cookie)
        if begun is None or not hmac.compare_digest(state.encode(), self._state(begun).encode()):
            return None
        at = int.from_bytes(begun[_NONCE_BYTES:], "big")
        return begun if at <= self.clock.now() < at + SIGN_IN_MS else None

    async def person(self, begun: bytes, code: str) -> PersonKey | None:
        """Return who has agreed; None where that was asked before, or by no code of ours. DeliveryError as the port."""
        if not _CODE.fullmatch(code) or not self._used.use(begun, self.clock.now()):
            return None
        return await self.service.person(self.back, code, self._verifier(begun))

    def _state(self, begun: bytes) -> str:
        return _text(self._mac(b"state", begun)[:_STATE_BYTES])

    def _verifier(self, begun: bytes) -> str:
        return _text(self._mac(b"verifier", begun))

    def _mac(self, purpose: bytes, begun: bytes) -> bytes:
        return hmac.new(self.key, purpose + b"\0" + begun, hashlib.sha256).digest()


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes | None:
    try:
        raw = base64.b64decode(text, b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    # what spells the same bytes in another way is not what we gave out
    return raw if len(raw) == _NONCE_BYTES + _TIME_BYTES and _text(raw) == text else None
