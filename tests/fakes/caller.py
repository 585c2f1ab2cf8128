"""Somebody who calls nobody, and remembers whom; fails as it is told."""

from __future__ import annotations

from collections.abc import Mapping

from bot.errors import DeliveryError


class FakeCaller:
    """Implements `bot.ports.caller.WebhookCaller`. `script` holds what becomes of the next calls: an error, or None."""

    def __init__(self) -> None:
        self.posted: list[tuple[str, Mapping[str, object]]] = []
        self.got: list[str] = []
        self.script: list[DeliveryError | None] = []

    async def post(self, url: str, value: Mapping[str, object]) -> None:
        self.posted.append((url, value))
        self._fail()

    async def get(self, url: str) -> None:
        self.got.append(url)
        self._fail()

    async def close(self) -> None:
        """Nothing is held."""

    def _fail(self) -> None:
        if self.script and (error := self.script.pop(0)) is not None:
            raise error
