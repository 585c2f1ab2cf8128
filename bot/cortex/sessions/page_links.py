"""Links that open the web page for one person: signed with the key of the data directory, good for two minutes.

Whoever has the key can make one: the running bot for its admins, another process of the host's own user for themselves.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import Button
from bot.errors import UserError
from bot.ports.clock import Clock, Entropy
from bot.prompts import render

LINK_MS = 120_000
MAX_TOKEN_CHARS = 400
_PURPOSE = b"glassmind page link 1\0"
_NONCE_BYTES, _TIME_BYTES, _MAC_BYTES = 16, 8, 32


class SignedLink(NamedTuple):
    """What a genuine link says."""

    nonce: bytes
    at: int
    person: PersonKey


@dataclass(frozen=True)
class LinkSigner:
    """Makes and reads links to the page at one address; what one address let in, no other does."""

    key: bytes
    address: str

    def link(self, person: PersonKey, at: int, entropy: Entropy) -> str:
        """Return a link for one person."""
        said = entropy.token(_NONCE_BYTES) + at.to_bytes(_TIME_BYTES, "big") + f"{person[0]}:{person[1]}".encode()
        token = base64.urlsafe_b64encode(self._mac(said) + said).decode().rstrip("=")
        return f"{self.address}/enter/{token}"

    def read(self, token: str) -> SignedLink | None:
        """Return what a link says where it is one of ours, and unchanged; everything else is None."""
        if not token or len(token) > MAX_TOKEN_CHARS or not token.isascii():
            return None
        try:
            raw = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        mac, said = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if len(mac) != _MAC_BYTES or not hmac.compare_digest(mac, self._mac(said)):
            return None
        nonce, rest = said[:_NONCE_BYTES], said[_NONCE_BYTES:]
        platform, _, user = rest[_TIME_BYTES:].decode().partition(":")
        return SignedLink(nonce, int.from_bytes(rest[:_TIME_BYTES], "big"), PersonKey(platform, UserId(user)))

    def _mac(self, said: bytes) -> bytes:
        return hmac.new(self.key, _PURPOSE + self.address.encode() + b"\0" + said, hashlib.sha256).digest()


@dataclass(frozen=True)
class PageLinks:
    """Hands out links to the page of a running bot; `trouble` says why it is not open (empty: it is).

    `apps` are the platforms whose own apps open the page, with the address that they are given; `services` are those
    whose people can sign in at the page.
    """

    signer: LinkSigner
    clock: Clock
    entropy: Entropy
    trouble: Callable[[], str]
    apps: Mapping[str, str]
    services: frozenset[str]

    def link(self, person: PersonKey) -> str:
        """Return a link for one person, good from now on; raise UserError where it would lead to nothing."""
        if why := self.trouble():
            raise UserError(render("cortex/web_page_closed", why=why))
        return self.signer.link(person, self.clock.now(), self.entropy)

    def sign_in(self, person: PersonKey) -> str:
        """Return where somebody can come in without a link; empty where they cannot."""
        return self.signer.address if person.platform in self.services else ""

    def buttons(self, person: PersonKey) -> tuple[Button, ...]:
        """Return what opens the page within the app in which somebody asked; it tells the page who they are."""
        page = self.apps.get(person.platform, "")
        return (Button(label=render("cortex/web_page_button"), data="", page=page),) if page else ()
