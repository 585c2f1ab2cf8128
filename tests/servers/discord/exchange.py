"""One call on its way back: what the sibling server does with an answer, and Discord's headers on it."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from tests.servers.telegram import exchange
from tests.servers.telegram.exchange import BYTES, JSON, Applied, Gate

__all__ = ["BYTES", "JSON", "Applied", "Exchange", "Gate"]


class Exchange(exchange.Exchange):
    """One request and the answer that is being made for it; `headers` go out with whatever answer is sent."""

    headers: Mapping[str, str] = {}

    async def send(self, status: int, body: bytes, kind: str = JSON, length: int | None = None) -> None:
        """Send a body with the headers; 204 has none."""
        await super().send(status, body, kind, length)
        if isinstance(self.response, web.Response) and not self.response.prepared:
            self.response.headers.update(self.headers)
            if status == 204:
                self.response.headers.popall("Content-Type", None)
