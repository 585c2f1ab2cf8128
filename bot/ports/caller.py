"""The way to somebody outside the chats: an address that an operator named, called as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class WebhookCaller(Protocol):
    """Calls addresses, once each; follows no redirect, keeps no cookie, and reads no more than it has to.

    What it raises is a DeliveryError that names the host alone: the rest of such an address is a secret.
    """

    async def post(self, url: str, value: Mapping[str, object]) -> None:
        """Hand over a JSON object; return when it was taken."""

    async def get(self, url: str) -> None:
        """Knock; return when the answer was a good one."""

    async def close(self) -> None: ...
